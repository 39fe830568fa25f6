// SPDX-License-Identifier: MIT
#include <charconv>
#include <limits>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/taskbench/app.hpp>

namespace thalweg::taskbench {
namespace {

constexpr long most = std::numeric_limits<long>::max();

/// The value of an option as a number in a range. @errors Error where it is not one
template <class T>
T number(std::string_view option, std::string_view text, T least, T greatest) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (is_whole && value >= least && value <= greatest) return value;
  const std::string range = greatest == static_cast<T>(most)
                                ? fmt::format("at least {}", least)
                                : fmt::format("{} to {}", least, greatest);
  throw Error(fmt::format("{} {} (must be a {}, {})", option, text,
                          std::is_integral_v<T> ? "whole number in digits" : "number", range));
}

template <class T>
T named(std::string_view option, std::string_view text, std::optional<T> found,
        std::span<const std::string_view> names) {
  if (found) return *found;
  throw Error(
      fmt::format("{} {} (there is no such; there are {})", option, text, joined_text(names)));
}

/// One option: its name, what it means, and what it does with its value.
struct Option {
  std::string_view name;
  std::string_view help;
  void (*set)(App& app, TaskGraph& graph, std::string_view name, std::string_view value);
};

using View = std::string_view;

constexpr Option options[] = {
    {"-steps", "timesteps of the graph (4)",
     [](App&, TaskGraph& g, View o, View v) { g.timesteps = number(o, v, 1L, most); }},
    {"-width", "points of a timestep (4)",
     [](App&, TaskGraph& g, View o, View v) { g.max_width = number(o, v, 1L, 1L << 30); }},
    {"-type", "dependence pattern (trivial)",
     [](App&, TaskGraph& g, View o, View v) {
       g.dependence = named(o, v, dependence_from_string(v), dependence_names());
     }},
    {"-radix", "dependencies of a task: nearest, spread, random_nearest (3)",
     [](App&, TaskGraph& g, View o, View v) { g.radix = number(o, v, 0L, 1L << 20); }},
    {"-period", "dependence sets: spread, random_nearest (3)",
     [](App&, TaskGraph& g, View o, View v) { g.period = number(o, v, 0L, 1L << 20); }},
    {"-fraction", "how likely a dependency is: random_nearest (0.25)",
     [](App&, TaskGraph& g, View o, View v) { g.fraction_connected = number(o, v, 0., 1.); }},
    {"-kernel", "what a task does (empty)",
     [](App&, TaskGraph& g, View o, View v) {
       g.kernel.type = named(o, v, kernel_from_string(v), kernel_names());
     }},
    {"-iter", "iterations of the kernel (0)",
     [](App&, TaskGraph& g, View o, View v) { g.kernel.iterations = number(o, v, 0L, 1L << 50); }},
    {"-output", "bytes of each task's output (16)",
     [](App&, TaskGraph& g, View o, View v) {
       g.output_bytes_per_task = number<std::size_t>(o, v, sizeof(Interval), 1u << 30);
     }},
    {"-scratch", "bytes a memory_bound task works on (0)",
     [](App&, TaskGraph& g, View o, View v) {
       g.scratch_bytes_per_task = number<std::size_t>(o, v, 0, std::size_t{1} << 40);
     }},
    {"-sample", "parts the scratch is divided into (16)",
     [](App&, TaskGraph& g, View o, View v) { g.kernel.samples = number(o, v, 1, 1 << 20); }},
    {"-imbalance", "spread of load_imbalance, in means (0)",
     [](App&, TaskGraph& g, View o, View v) { g.kernel.imbalance = number(o, v, 0., 2.); }},
    {"-field", "output buffers of each point (as the back end likes)",
     [](App&, TaskGraph& g, View o, View v) { g.nb_fields = number(o, v, 1L, most); }},
    {"-nodes", "for the estimate of transfers between nodes",
     [](App& app, TaskGraph&, View o, View v) { app.nodes = number(o, v, 1L, 1L << 30); }},
};

/// Choose what was left open, and check the whole. @errors Error where it makes no graph
void complete(TaskGraph& graph, bool period_is_given) {
  const bool has_period =
      graph.dependence == Dependence::spread || graph.dependence == Dependence::random_nearest;
  if (!period_is_given && has_period) graph.period = 3;
  if (graph.nb_fields == 0) graph.nb_fields = graph.timesteps;
  graph.check();
}

}  // namespace

App::App(int argc, char** argv) {
  TaskGraph graph;
  bool period_is_given = false;
  const auto finish = [&] {
    complete(graph, period_is_given);
    graphs.push_back(graph);
    graph = {};
    graph.graph_index = static_cast<long>(graphs.size());
    period_is_given = false;
  };
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "-and") {
      finish();
      continue;
    }
    if (name == "-v" || name == "-vv") {
      verbose = name == "-v" ? 1 : 2;
      continue;
    }
    if (name == "-skip-graph-validation") continue;  // graphs are checked as they are made
    const Option* option = nullptr;
    for (const Option& o : options)
      if (o.name == name) option = &o;
    if (option == nullptr) throw Error(fmt::format("unknown option '{}'; see -h", name));
    if (i + 1 == argc) throw Error(fmt::format("{} has no value; see -h", name));
    option->set(*this, graph, name, argv[++i]);
    period_is_given = period_is_given || name == "-period";
  }
  finish();
}

std::string option_help() {
  std::string text;
  for (const Option& o : options) text += fmt::format("  {:<13}{}\n", o.name, o.help);
  text += fmt::format("  {:<13}{}\n  {:<13}{}\n  {} {}\n", "-and",
                      "begin another graph, run at the same time", "-v, -vv",
                      "print the dependencies", "-skip-graph-validation",
                      "is taken, and has no effect: a graph is checked in no time");
  text += fmt::format("Patterns: {}\nKernels: {}\n", joined_text(dependence_names()),
                      joined_text(kernel_names()));
  return text;
}

}  // namespace thalweg::taskbench

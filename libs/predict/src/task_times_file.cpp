// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/complaints.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/predict/task_times.hpp>

namespace thalweg::predict {
namespace {

std::vector<io::Parameter> task_times_parameters() {
  return {{.name = "tasks.names",
           .default_value = std::vector<std::string>{},
           .doc = "Names of tasks.",
           .must_be_given = true},
          {.name = "tasks.ns",
           .default_value = std::vector<double>{},
           .unit = "ns",
           .range = io::Range::between(0, 1e12),
           .doc = "Time of each, without that for its bytes.",
           .must_be_given = true},
          {.name = "tasks.ns_per_byte",
           .default_value = std::vector<double>{},
           .unit = "ns",
           .range = io::Range::between(0, 1e9),
           .doc = "The same, for each byte of messages that it packs or unpacks.",
           .must_be_given = true},
          {.name = "tasks.memory_bound",
           .default_value = std::vector<std::string>{},
           .doc = "Names of those that the bandwidth to memory bounds; their times are those of a "
                  "core alone."}};
}

}  // namespace

TaskTimes read_task_times(std::string_view text, std::string_view file_name) {
  const auto deck = io::Deck::load(text, file_name, task_times_parameters());
  const auto& names = deck.strings("tasks.names");
  const auto& ns = deck.reals("tasks.ns");
  const auto& ns_per_byte = deck.reals("tasks.ns_per_byte");
  Complaints complaints;
  if (ns.size() != names.size() || ns_per_byte.size() != names.size())
    complaints.add(fmt::format(
        "{}: {} of tasks.names, {} of tasks.ns, {} of tasks.ns_per_byte (each name has one of "
        "each); give as many of all",
        file_name, names.size(), ns.size(), ns_per_byte.size()));
  complaints.throw_if_any();
  TaskTimes times;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (times.is_known(names[i]))
      complaints.add(fmt::format("{}: tasks.names has '{}' twice (which counts?); give it once",
                                 file_name, names[i]));
    times.add(names[i], 0, ns[i]);
    if (ns_per_byte[i] > 0) times.add(names[i], 1, ns[i] + ns_per_byte[i]);
  }
  for (const std::string& name : deck.strings("tasks.memory_bound")) {
    if (times.is_known(name))
      times.set_memory_bound(name);
    else
      complaints.add(
          fmt::format("{}: tasks.memory_bound has '{}' (tasks.names does not); give "
                      "names of tasks with a time",
                      file_name, name));
  }
  complaints.throw_if_any();
  return times;
}

std::string to_toml(const TaskTimes& times) {
  std::vector<std::string> names, memory_bound;
  std::vector<double> ns, ns_per_byte;
  for (const auto& [name, fit] : times.fits()) {
    names.push_back(name);
    if (fit.is_memory_bound) memory_bound.push_back(name);
    const TimeFit::Line line = fit.line();
    ns.push_back(line.without_size);
    ns_per_byte.push_back(line.slope);
  }
  return fmt::format("[tasks]\nnames = {}\nns = {}\nns_per_byte = {}\nmemory_bound = {}\n",
                     io::toml_text(names), io::toml_text(ns), io::toml_text(ns_per_byte),
                     io::toml_text(memory_bound));
}

}  // namespace thalweg::predict

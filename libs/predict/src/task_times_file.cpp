// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <span>
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
  return {
      {.name = "tasks.names",
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
              "core alone."},
      {.name = "tasks.spread",
       .default_value = std::vector<double>{},
       .range = io::Range::between(0, 1e9),
       .doc = "For each name, one after the other, as many factors by which single times differ "
              "from these, each equally likely; their mean is 1. []: they do not."}};
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
  const auto& spread = deck.reals("tasks.spread");
  if (!names.empty() && spread.size() % names.size() != 0)
    complaints.add(
        fmt::format("{}: {} of tasks.spread for {} names (each has as many); give as many for each",
                    file_name, spread.size(), names.size()));
  for (std::size_t i = 0, n = names.empty() ? 0 : spread.size() / names.size();
       i < names.size() && n > 0; ++i)
    if (const auto own = std::span(spread).subspan(i * n, n);
        std::ranges::count(own, 1.0) < std::ssize(own))
      times.set_spread(names[i], {own.begin(), own.end()});
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
  std::vector<double> ns, ns_per_byte, spread;
  // As many of each name: those of a name with fewer are there several times, or almost so.
  std::size_t n_factors = 0;
  for (const auto& [name, fit] : times.fits()) n_factors = std::max(n_factors, fit.spread.size());
  for (const auto& [name, fit] : times.fits()) {
    names.push_back(name);
    if (fit.is_memory_bound) memory_bound.push_back(name);
    const TimeFit::Line line = fit.line();
    ns.push_back(line.without_size);
    ns_per_byte.push_back(line.slope);
    for (std::size_t i = 0; i < n_factors; ++i)
      spread.push_back(fit.spread.empty() ? 1 : fit.spread[i * fit.spread.size() / n_factors]);
  }
  return fmt::format(
      "[tasks]\nnames = {}\nns = {}\nns_per_byte = {}\nmemory_bound = {}\nspread = {}\n",
      io::toml_text(names), io::toml_text(ns), io::toml_text(ns_per_byte),
      io::toml_text(memory_bound), io::toml_text(spread));
}

}  // namespace thalweg::predict

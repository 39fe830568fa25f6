// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
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
                  "core alone."},
          {.name = "tasks.spread",
           .default_value = std::vector<double>{},
           .range = io::Range::between(0, 1e9),
           .doc = "Factors by which single times differ from these, each of a name equally likely; "
                  "those of a name, whose mean is 1, stand behind each other."},
          {.name = "tasks.spread_sizes",
           .default_value = std::vector<std::int64_t>{},
           .range = io::Range::between(0, 1 << 20),
           .doc = "How many of them each name has. []: none has any."},
          {.name = "of.program",
           .default_value = std::string{},
           .doc = "The application of a deck, or the program, that they are of; \"\": not known."},
          {.name = "of.settings",
           .default_value = std::vector<std::string>{},
           .doc = "\"key = value\": with others of these, tasks of a name do other work."},
          {.name = "of.details",
           .default_value = std::vector<std::string>{},
           .doc = "The same, where they may do other work."}};
}

/// Settings of the form "key = value".
TimesOf::Settings settings_of(const io::Deck& deck, const char* name, std::string_view file_name,
                              Complaints& complaints) {
  constexpr std::string_view sign = " = ";
  TimesOf::Settings settings;
  for (const std::string& text : deck.strings(name)) {
    const auto at = text.find(sign);
    if (at == std::string::npos)
      complaints.add(
          fmt::format("{}: {} has '{}' (no setting); give \"key = value\"", file_name, name, text));
    else
      settings[text.substr(0, at)] = text.substr(at + sign.size());
  }
  return settings;
}

std::string text_of(const TimesOf& of) {
  if (of.program.empty()) return "";
  const auto lines = [](const TimesOf::Settings& settings) {
    std::vector<std::string> all;
    for (const auto& [key, value] : settings) all.push_back(key + " = " + value);
    return io::toml_text(all);
  };
  return fmt::format("[of]\nprogram = {}\nsettings = {}\ndetails = {}\n\n",
                     io::toml_text(of.program), lines(of.settings), lines(of.details));
}

/// Give names the factors that the file has for them.
void read_spread(const io::Deck& deck, std::string_view file_name, TaskTimes& times,
                 Complaints& complaints) {
  const auto& names = deck.strings("tasks.names");
  const auto& sizes = deck.integers("tasks.spread_sizes");
  const std::span<const double> factors = deck.reals("tasks.spread");
  const auto n =
      static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
  if ((!sizes.empty() && sizes.size() != names.size()) || n != factors.size())
    return complaints.add(fmt::format(
        "{}: {} of tasks.spread_sizes for {} names, with {} of tasks.spread for {} of them (each "
        "name has a size, and as many factors); give as many",
        file_name, sizes.size(), names.size(), factors.size(), n));
  std::size_t first = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto own = factors.subspan(first, static_cast<std::size_t>(sizes[i]));
    first += own.size();
    if (own.empty()) continue;
    const double mean =
        std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(own.size());
    if (std::abs(mean - 1) > 1e-6)
      complaints.add(
          fmt::format("{}: tasks.spread of '{}' has the mean {:g} (times are means, so it must be "
                      "1); divide by it",
                      file_name, names[i], mean));
    else
      times.set_spread(names[i], {own.begin(), own.end()});
  }
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
    times.set_line(names[i], {ns[i], ns_per_byte[i]});
  }
  read_spread(deck, file_name, times, complaints);
  for (const std::string& name : deck.strings("tasks.memory_bound")) {
    if (times.is_known(name))
      times.set_memory_bound(name);
    else
      complaints.add(
          fmt::format("{}: tasks.memory_bound has '{}' (tasks.names does not); give "
                      "names of tasks with a time",
                      file_name, name));
  }
  times.set_of({deck.string("of.program"), settings_of(deck, "of.settings", file_name, complaints),
                settings_of(deck, "of.details", file_name, complaints)});
  complaints.throw_if_any();
  return times;
}

std::string to_toml(const TaskTimes& times) {
  std::vector<std::string> names, memory_bound;
  std::vector<double> ns, ns_per_byte, spread;
  std::vector<std::int64_t> spread_sizes;
  for (const auto& [name, fit] : times.fits()) {
    names.push_back(name);
    if (fit.is_memory_bound) memory_bound.push_back(name);
    const TimeFit::Line line = fit.line();
    ns.push_back(line.without_size);
    ns_per_byte.push_back(line.slope);
    spread.insert(spread.end(), fit.spread.begin(), fit.spread.end());
    spread_sizes.push_back(std::ssize(fit.spread));
  }
  return text_of(times.of()) +
         fmt::format(
             "[tasks]\nnames = {}\nns = {}\nns_per_byte = {}\nmemory_bound = {}\nspread = {}\n"
             "spread_sizes = {}\n",
             io::toml_text(names), io::toml_text(ns), io::toml_text(ns_per_byte),
             io::toml_text(memory_bound), io::toml_text(spread), io::toml_text(spread_sizes));
}

}  // namespace thalweg::predict

// SPDX-License-Identifier: MIT
// Nested recording: names, and whether tasks keep to what their nest declares.
#include <algorithm>
#include <string>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {
namespace {

/// Whether ranges sorted by where they begin leave nothing of one uncovered.
bool is_covered(Range range, std::span<const Range> sorted) {
  std::uint32_t covered = range.begin;
  for (const Range& part : sorted)
    if (part.begin <= covered) covered = std::max(covered, part.end);
  return covered >= range.end;
}

std::string to_string(Range range) {
  if (range.is_whole()) return "";
  const bool has_end = range.end != Range::no_end;
  return " [" + std::to_string(range.begin) + ", " +
         (has_end ? std::to_string(range.end) : "its end") + ")";
}

}  // namespace

void Recorder::open_nest(std::string_view name, std::span<const Access> accesses) {
  check_ranges(accesses);
  if (!nests_.empty()) check_declared(name, accesses);
  std::string prefix = nests_.empty() ? "" : nests_.back().prefix;
  prefix.append(name).append("/");
  std::vector<Access> declared(accesses.begin(), accesses.end());
  const auto by_datum = [](const Access& a) { return std::pair(a.datum, a.range.begin); };
  std::ranges::stable_sort(declared, {}, by_datum);
  nests_.push_back({.prefix = std::move(prefix),
                    .declared = std::move(declared),
                    .first_task = static_cast<std::uint32_t>(n_tasks()),
                    .first_datum = static_cast<std::uint32_t>(recording_.history.n_data())});
  n_joined_ = 0;
}

void Recorder::check_declared(std::string_view name, std::span<const Access> accesses) const {
  constexpr const char* verbs[] = {"reads", "overwrites", "reads and writes"};
  const Nest& nest = nests_.back();
  for (const Access& access : accesses) {
    THALWEG_EXPECT(access.datum() < recording_.history.n_data(), "no such datum in this recording");
    if (is_declared(access)) continue;
    std::string outer = nest.prefix;
    outer.pop_back();
    throw Error(
        "task '" + nest.prefix + std::string(name) + "' " +
        verbs[static_cast<std::size_t>(access.mode)] + " '" +
        recording_.datum_names[access.datum()] + "'" + to_string(access.range) + ", which '" +
        outer +
        "' does not declare for that (who reads its uses must be able to rely on them); add "
        "it to the uses of '" +
        outer + "'");
  }
}

bool Recorder::is_declared(const Access& access) const {
  const Nest& nest = nests_.back();
  if (access.datum() >= nest.first_datum || access.range.is_empty()) return true;  // made inside
  std::vector<Range> readable, writable;
  for (const Access& a :
       std::ranges::equal_range(nest.declared, access.datum, {}, &Access::datum)) {
    if (a.mode != Mode::out) readable.push_back(a.range);
    if (a.mode != Mode::in) writable.push_back(a.range);
  }
  // Data that the nest has overwritten itself may be read, too.
  const bool reads = access.mode != Mode::out, writes = access.mode != Mode::in;
  return (!writes || is_covered(access.range, writable)) &&
         (!reads || is_covered(access.range, readable) ||
          (is_covered(access.range, writable) &&
           recording_.history.is_written_since(nest.first_task, access)));
}

}  // namespace thalweg::flow

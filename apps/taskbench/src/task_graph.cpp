// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/task_graph.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/taskbench/random.hpp>

namespace thalweg::taskbench {
namespace {

constexpr std::array<std::string_view, 11> names{
    "trivial",    "no_comm", "stencil_1d", "stencil_1d_periodic", "dom", "tree", "fft",
    "all_to_all", "nearest", "spread",     "random_nearest"};

/// What fills scratch memory, to notice who else writes there.
constexpr std::uint64_t scratch_word = 0x5c4a7c8b5c4a7c8bu;

/// Whom to name: those a point depends on, or those that depend on it.
enum class Towards : std::uint8_t { before, after };

bool has_period(Dependence d) {
  return d == Dependence::spread || d == Dependence::random_nearest;
}

bool is_connected(const TaskGraph& g, long dset, long from, long to) {
  if (from == to) return true;
  const std::array numbers{g.graph_index, g.radix, dset, from, to};
  return random_uniform(numbers) < g.fraction_connected;
}

/// Points within reach of a point: to the left the half of the radix that is rounded up, or down.
Interval neighbourhood(const TaskGraph& g, long point, Towards towards) {
  const long up = g.radix / 2, down = (g.radix - 1) / 2;
  const long left = towards == Towards::before ? up : down;
  const long right = towards == Towards::before ? down : up;
  return {std::max(0L, point - left), std::min(point + right, g.max_width - 1)};
}

/// Call f(first, last) for each run of points of the neighbourhood that are connected.
template <class F>
void for_each_random_run(const TaskGraph& g, long dset, long point, Towards towards, F f) {
  const auto [first, last] = neighbourhood(g, point, towards);
  std::optional<long> start;
  for (long i = first; i <= last; ++i) {
    const bool connected = towards == Towards::before ? is_connected(g, dset, i, point)
                                                      : is_connected(g, dset, point, i);
    if (connected && !start) start = i;
    if (!connected && start) f(*start, i - 1), start.reset();
  }
  if (start) f(*start, last);
}

template <class F>
void for_each_spread(const TaskGraph& g, long dset, long point, Towards towards, F f) {
  for (long i = 0; i < g.radix; ++i) {
    const long stride = (i * g.max_width / g.radix + (i > 0 ? dset : 0)) % g.max_width;
    const long other =
        (towards == Towards::before ? point + stride : point + g.max_width - stride) % g.max_width;
    f(other, other);
  }
}

/// Call f(first, last) for each interval of a point's dependencies, or of those that depend on it.
template <class F>
void for_each_interval(const TaskGraph& g, long dset, long point, Towards towards, F f) {
  const long last = g.max_width - 1;
  switch (g.dependence) {
    case Dependence::trivial:
      return;
    case Dependence::no_comm:
      return f(point, point);
    case Dependence::stencil_1d:
      return f(std::max(0L, point - 1), std::min(point + 1, last));
    case Dependence::stencil_1d_periodic:
      f(std::max(0L, point - 1), std::min(point + 1, last));
      if (point == 0 && last > 1) f(last, last);
      if (point == last && last > 1) f(0, 0);
      return;
    case Dependence::dom:
      if (towards == Towards::before) return f(std::max(0L, point - 1), point);
      return f(point, std::min(point + 1, last));
    case Dependence::tree:
      if (towards == Towards::before) return f(point / 2, point / 2);
      if (2 * point <= last) f(2 * point, std::min(2 * point + 1, last));
      return;
    case Dependence::fft: {
      const long distance = 1L << dset;
      if (point >= distance) f(point - distance, point - distance);
      f(point, point);
      if (point + distance <= last) f(point + distance, point + distance);
      return;
    }
    case Dependence::all_to_all:
      return f(0, last);
    case Dependence::nearest: {
      if (g.radix == 0) return;
      const auto [first_near, last_near] = neighbourhood(g, point, towards);
      return f(first_near, last_near);
    }
    case Dependence::spread:
      return for_each_spread(g, dset, point, towards, f);
    case Dependence::random_nearest:
      if (g.radix > 0) for_each_random_run(g, dset, point, towards, f);
      return;
  }
}

std::vector<Interval> intervals(const TaskGraph& g, long dset, long point, Towards towards) {
  std::vector<Interval> found;
  for_each_interval(g, dset, point, towards,
                    [&](long first, long last) { found.emplace_back(first, last); });
  return found;
}

std::string name_of(const TaskGraph& g, long timestep, long point) {
  return fmt::format("graph {}, timestep {}, point {}", g.graph_index, timestep, point);
}

/// Check that a buffer is filled with (timestep, point). @param whose, i say which it is
void check_filled(const TaskGraph& g, const Interval& task, std::size_t i, const Interval& expected,
                  std::span<const char> bytes) {
  for (std::size_t at = 0; at + sizeof expected <= bytes.size(); at += sizeof expected) {
    Interval found;
    std::memcpy(&found.first, bytes.data() + at, sizeof found.first);
    std::memcpy(&found.second, bytes.data() + at + sizeof found.first, sizeof found.second);
    if (found == expected) [[likely]]
      continue;
    throw Error(
        fmt::format("{}: input {} is (timestep {}, point {}) at byte {} (it must be ({}, {}): it "
                    "came too early or too late, from elsewhere, or was overwritten)",
                    name_of(g, task.first, task.second), i, found.first, found.second, at,
                    expected.first, expected.second));
  }
}

}  // namespace

std::span<const std::string_view> dependence_names() {
  return names;
}
std::string_view to_string(Dependence dependence) {
  return names[static_cast<std::size_t>(dependence)];
}
std::optional<Dependence> dependence_from_string(std::string_view name) {
  const auto it = std::ranges::find(names, name);
  if (it == names.end()) return std::nullopt;
  return static_cast<Dependence>(it - names.begin());
}

void TaskGraph::check() const {
  const auto require = [&](bool is_good, const char* option, double value, std::string why) {
    if (!is_good)
      throw Error(
          fmt::format("{} {} (for -type {} {})", option, value, to_string(dependence), why));
  };
  const auto wanted = has_period(dependence) ? "it must be at least 1" : "there is none";
  require(has_period(dependence) == (period > 0), "-period", static_cast<double>(period), wanted);
  require(nb_fields != 1 || timesteps == 1 || dependence == Dependence::trivial, "-field",
          static_cast<double>(nb_fields),
          "it must be at least 2: a task reads one copy and writes another");
  if (dependence == Dependence::spread) {
    // More would name a point twice.
    require(radix > 0 && radix <= max_width, "-radix", static_cast<double>(radix),
            fmt::format("it must be 1 to the width, {}", max_width));
    const long most = (max_width + radix - 1) / radix;
    require(period <= most, "-period", static_cast<double>(period),
            fmt::format("it must be at most {}, the width over the radix, rounded up; it is 3 "
                        "where none is given",
                        most));
  }
  if (kernel.type == KernelType::memory_bound) {
    // Half of a sample is copied onto the other: of fewer bytes, into the word that is checked.
    const std::size_t least = 2 * sizeof scratch_word * static_cast<std::size_t>(kernel.samples);
    require(scratch_bytes_per_task >= least, "-scratch",
            static_cast<double>(scratch_bytes_per_task),
            fmt::format("and -kernel memory_bound it must be at least {} times -sample, {}",
                        2 * sizeof scratch_word, least));
  }
}

long TaskGraph::offset_at_timestep(long timestep) const {
  if (timestep < 0 || dependence != Dependence::dom) return 0;
  return std::max(0L, timestep + max_width - timesteps);
}

long TaskGraph::width_at_timestep(long timestep) const {
  if (timestep < 0) return 0;
  if (dependence == Dependence::dom)
    return std::min({max_width, timestep + 1, timesteps - timestep});
  if (dependence == Dependence::tree) return std::min(max_width, 1L << std::min(timestep, 62L));
  return max_width;
}

long TaskGraph::max_dependence_sets() const {
  if (has_period(dependence)) return period;
  if (dependence != Dependence::fft) return 1;
  return std::max(1L, static_cast<long>(std::bit_width(static_cast<unsigned long>(max_width - 1))));
}

long TaskGraph::dependence_set_at_timestep(long timestep) const {
  const long n = max_dependence_sets();
  // The butterflies of timestep 1 are the smallest.
  return dependence == Dependence::fft ? (timestep + n - 1) % n : timestep % n;
}

std::vector<Interval> TaskGraph::dependencies(long dset, long point) const {
  return intervals(*this, dset, point, Towards::before);
}
std::vector<Interval> TaskGraph::reverse_dependencies(long dset, long point) const {
  return intervals(*this, dset, point, Towards::after);
}

void TaskGraph::execute_point(long timestep, long point, char* output_ptr, std::size_t output_bytes,
                              const char** input_ptr, const std::size_t* input_bytes,
                              std::size_t n_inputs, char* scratch_ptr,
                              std::size_t scratch_bytes) const {
  const auto require = [&](bool is_good, const char* what) {
    if (!is_good) [[unlikely]]
      throw Error(name_of(*this, timestep, point) + ": " + what);
  };
  require(timestep >= 0 && timestep < timesteps, "there is no such timestep");
  const long offset = offset_at_timestep(timestep);
  require(point >= offset && point < offset + width_at_timestep(timestep), "no such point here");
  require(output_bytes == output_bytes_per_task, "its output has the wrong size");
  require(scratch_bytes == scratch_bytes_per_task, "its scratch has the wrong size");

  const long first_before = offset_at_timestep(timestep - 1);
  const long last_before = first_before + width_at_timestep(timestep - 1) - 1;
  std::size_t n = 0;
  for_each_interval(*this, dependence_set_at_timestep(timestep), point, Towards::before,
                    [&](long first, long last) {
                      first = std::max(first, first_before);
                      last = std::min(last, last_before);
                      for (long p = first; p <= last; ++p, ++n) {
                        require(n < n_inputs, "it has too few inputs");
                        require(input_bytes[n] == output_bytes, "an input has the wrong size");
                        check_filled(*this, {timestep, point}, n, {timestep - 1, p},
                                     {input_ptr[n], input_bytes[n]});
                      }
                    });
  require(n == n_inputs, "it has too many inputs");

  const Interval value{timestep, point};
  for (std::size_t at = 0; at + sizeof value <= output_bytes; at += sizeof value)
    std::memcpy(output_ptr + at, &value, sizeof value);

  if (scratch_bytes >= sizeof scratch_word) {
    std::uint64_t found = 0;
    std::memcpy(&found, scratch_ptr, sizeof found);
    require(found == scratch_word, "somebody else wrote into its scratch");
  }
  execute(kernel, {graph_index, timestep, point}, {scratch_ptr, scratch_bytes});
}

void TaskGraph::prepare_scratch(char* scratch_ptr, std::size_t scratch_bytes) {
  for (std::size_t i = 0; i < scratch_bytes; ++i)
    scratch_ptr[i] = static_cast<char>(scratch_word >> (8 * (i % sizeof scratch_word)));
}

}  // namespace thalweg::taskbench

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/taskbench/kernel.hpp>

namespace thalweg::taskbench {

/// Which points of a timestep depend on which points of the one before.
enum class Dependence : std::uint8_t {
  trivial,
  no_comm,
  stencil_1d,
  stencil_1d_periodic,
  dom,
  tree,
  fft,
  all_to_all,
  nearest,
  spread,
  random_nearest,
};

/// All names of dependence patterns, as the option -type takes them.
std::span<const std::string_view> dependence_names();
std::string_view to_string(Dependence dependence);
std::optional<Dependence> dependence_from_string(std::string_view name);

/// Points from the first to the second, both included.
using Interval = std::pair<long, long>;

/// A grid of tasks (timestep, point), each of which depends on points of the timestep before.
///
/// Names and signatures are Task Bench's, so that a back end can be given either. A dependence set
/// is what the points depend on in one timestep; a pattern goes through its sets in turn.
/// Dependencies are of the whole width: those on points that the timestep before does not have do
/// not count.
/// @source Slaughter et al., "Task Bench: a parameterized benchmark for evaluating parallel runtime
///         performance", SC20
struct TaskGraph {
  long graph_index = 0;
  long timesteps = 4;  ///< > 0
  long max_width = 4;  ///< > 0
  Dependence dependence = Dependence::trivial;
  long radix = 3;   ///< nearest, spread, random_nearest: how many dependencies, >= 0
  long period = 0;  ///< spread, random_nearest: how many dependence sets; others: 0
  double fraction_connected = 0.25;  ///< random_nearest: how likely a dependency is
  Kernel kernel{};
  std::size_t output_bytes_per_task = 2 * sizeof(long);  ///< no less
  std::size_t scratch_bytes_per_task = 0;
  long nb_fields = 0;  ///< output buffers of each point, > 1; or timesteps: as the back end likes

  /// @errors Error that names the option, where these numbers make no graph
  void check() const;

  long offset_at_timestep(long timestep) const;
  long width_at_timestep(long timestep) const;
  long max_dependence_sets() const;
  /// After how many timesteps the dependence sets repeat.
  long timestep_period() const { return max_dependence_sets(); }
  long dependence_set_at_timestep(long timestep) const;
  /// Points of the timestep before that a point depends on; no point twice.
  std::vector<Interval> dependencies(long dset, long point) const;
  /// Points of this timestep that depend on a point of the one before.
  std::vector<Interval> reverse_dependencies(long dset, long point) const;

  /// Check all inputs, write (timestep, point) all over the output, and run the kernel.
  /// @errors Error that names the task and the input which is not what it should be
  void execute_point(long timestep, long point, char* output_ptr, std::size_t output_bytes,
                     const char** input_ptr, const std::size_t* input_bytes, std::size_t n_inputs,
                     char* scratch_ptr, std::size_t scratch_bytes) const;
  /// Fill scratch memory before its first task.
  static void prepare_scratch(char* scratch_ptr, std::size_t scratch_bytes);
};

}  // namespace thalweg::taskbench

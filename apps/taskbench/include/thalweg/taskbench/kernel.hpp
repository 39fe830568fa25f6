// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thalweg::taskbench {

/// What the tasks of a graph do.
enum class KernelType : std::uint8_t {
  empty,
  busy_wait,       ///< dependent integer operations
  compute_bound,   ///< 64 independent chains of multiply-adds: the peak of a core
  memory_bound,    ///< copies one half of its scratch to the other
  load_imbalance,  ///< compute_bound with a random number of iterations
};

/// All names of kernels, as the option -kernel takes them.
std::span<const std::string_view> kernel_names();
std::string_view to_string(KernelType type);
std::optional<KernelType> kernel_from_string(std::string_view name);

/// A kernel and how much of it.
struct Kernel {
  KernelType type = KernelType::empty;
  long iterations = 0;   ///< >= 0
  int samples = 16;      ///< memory_bound: into how many parts the scratch is divided, > 0
  double imbalance = 0;  ///< load_imbalance: width of the distribution, 0 to 2 times the mean
};

/// Which task of a run a kernel is executed for.
struct TaskPoint {
  long graph_index;
  long timestep;
  long point;
};

/// How many iterations a task does: drawn at random where the kernel is load_imbalance.
long iterations_of(const Kernel& kernel, const TaskPoint& task);
/// How many floating-point operations a task counts as, in Task Bench's convention.
long long flops_of(const Kernel& kernel, const TaskPoint& task);
/// How many bytes a task reads or writes.
long long bytes_of(const Kernel& kernel, std::size_t scratch_bytes);

/// Do the work of one task. @return a number that depends on all of it
///
/// It is computed in a translation unit of its own, so that no compiler leaves it out.
double execute(const Kernel& kernel, const TaskPoint& task, std::span<char> scratch);

}  // namespace thalweg::taskbench

// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/kernel.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <thalweg/taskbench/random.hpp>

namespace thalweg::taskbench {
namespace {

constexpr std::array<std::string_view, 5> names{"empty", "busy_wait", "compute_bound",
                                                "memory_bound", "load_imbalance"};
constexpr int n_chains = 64;

double busy_wait(long iterations) {
  long value = 113;  // powers of 139 modulo 2^31 - 1: each needs the one before
  for (long i = 0; i < iterations; ++i) value = value * 139 % 2147483647;
  return static_cast<double>(value);
}

double compute_bound(long iterations) {
  // Named vectors of four: an array of 64 doubles would not stay in registers.
  using Vec4 [[gnu::vector_size(32)]] = double;
  constexpr std::size_t n_vectors = n_chains / 4;
  std::array<Vec4, n_vectors> a;
  a.fill(Vec4{1, 2, 3, 4});
  for (long i = 0; i < iterations; ++i)
    for (std::size_t v = 0; v < n_vectors; ++v) a[v] = a[v] * a[v] + a[v];
  double product = 1;
  for (const Vec4& v : a)
    for (int lane = 0; lane < 4; ++lane) product *= v[lane];
  return product;
}

double memory_bound(const Kernel& kernel, long timestep, std::span<char> scratch) {
  const std::size_t half = scratch.size() / static_cast<std::size_t>(kernel.samples) / 2;
  if (half == 0) return 0;
  for (long i = 0; i < kernel.iterations; ++i) {
    // Each timestep goes on where the one before has stopped, so that all of the scratch is used.
    const long sample = (timestep * kernel.iterations + i) % kernel.samples;
    char* source = scratch.data() + 2 * half * static_cast<std::size_t>(sample);
    std::memcpy(source + half, source, half);
  }
  return scratch[half];
}

}  // namespace

std::span<const std::string_view> kernel_names() {
  return names;
}
std::string_view to_string(KernelType type) {
  return names[static_cast<std::size_t>(type)];
}
std::optional<KernelType> kernel_from_string(std::string_view name) {
  const auto it = std::ranges::find(names, name);
  if (it == names.end()) return std::nullopt;
  return static_cast<KernelType>(it - names.begin());
}

long iterations_of(const Kernel& kernel, const TaskPoint& task) {
  if (kernel.type != KernelType::load_imbalance) return kernel.iterations;
  const std::array numbers{task.graph_index, task.timestep, task.point};
  const double factor = 1 + (random_uniform(numbers) - 0.5) * kernel.imbalance;
  return std::lround(factor * static_cast<double>(kernel.iterations));
}

long long flops_of(const Kernel& kernel, const TaskPoint& task) {
  if (kernel.type != KernelType::compute_bound && kernel.type != KernelType::load_imbalance)
    return 0;
  return 2LL * n_chains * iterations_of(kernel, task) + n_chains;
}

long long bytes_of(const Kernel& kernel, std::size_t scratch_bytes) {
  if (kernel.type != KernelType::memory_bound) return 0;
  return static_cast<long long>(scratch_bytes) * kernel.iterations / kernel.samples;
}

double execute(const Kernel& kernel, const TaskPoint& task, std::span<char> scratch) {
  switch (kernel.type) {
    case KernelType::empty:
      return 0;
    case KernelType::busy_wait:
      return busy_wait(kernel.iterations);
    case KernelType::memory_bound:
      return memory_bound(kernel, task.timestep, scratch);
    case KernelType::compute_bound:
    case KernelType::load_imbalance:
      return compute_bound(iterations_of(kernel, task));
  }
  return 0;
}

}  // namespace thalweg::taskbench

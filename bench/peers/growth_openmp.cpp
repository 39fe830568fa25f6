// SPDX-License-Identifier: MIT
// Submitting OpenMP tasks of which none can run yet. Built with g++ and with clang.
#include <atomic>
#include <cstdint>
#include <vector>

#include "growth.hpp"

namespace {

using thalweg::bench::now_ns;
using thalweg::bench::Stencil;
using thalweg::bench::Timer;

/// @return [ns], without the tasks' running
double submit(const Stencil& stencil) {
  // Points beyond the ends, which nobody writes, so that all tasks have as many dependencies.
  const std::uint32_t row = stencil.width + 2;
  std::vector<char> values(2 * std::size_t{row});
  [[maybe_unused]] char common = 0;
  std::atomic<bool> is_submitted = false;
  double taken_ns = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    const double start = now_ns(Timer::wall);
#pragma omp task shared(is_submitted) depend(out : common)
    while (!is_submitted.load(std::memory_order_acquire)) {
    }
    for (std::uint32_t t = 0; t < stencil.n_steps; ++t)
      for (std::uint32_t i = 0; i < stencil.width; ++i) {
        [[maybe_unused]] const char* in = values.data() + (t + 1) % 2 * row + 1 + i;
        [[maybe_unused]] char* out = values.data() + t % 2 * row + 1 + i;
#pragma omp task depend(in : in[-1], in[0], in[1], common) depend(out : out[0])
        {
        }
      }
    taken_ns = now_ns(Timer::wall) - start;
    is_submitted.store(true, std::memory_order_release);
  }
  return taken_ns;
}

}  // namespace

int main(int argc, char** argv) {
  return thalweg::bench::growth_main(argc, argv, submit);
}

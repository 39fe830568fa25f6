// SPDX-License-Identifier: MIT
// bench: bytes a second that 1 and 2 threads read from memory in huge pages, and move as a triad:
// rooflines
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <report.hpp>

#include <thalweg/core/huge_pages.hpp>

#include "slices.hpp"

namespace {

using namespace thalweg;

constexpr std::size_t n = 16 << 20;  // numbers of an array, far beyond all caches
constexpr std::size_t n_lanes = 32;  // sums side by side, so that no addition waits for another

/// The arrays of a thread, in huge pages that it has touched first.
struct Arrays {
  LargeVector<double> a = LargeVector<double>(n, 0.0), b = LargeVector<double>(n, 1.0),
                      c = LargeVector<double>(n, 2.0);
};

double read(const LargeVector<double>& from) {
  double sums[n_lanes] = {};
  for (std::size_t i = 0; i < n; i += n_lanes) {
    __builtin_prefetch(from.data() + i + 512);
    __builtin_prefetch(from.data() + i + 520);
    __builtin_prefetch(from.data() + i + 528);
    __builtin_prefetch(from.data() + i + 536);
#pragma omp simd
    for (std::size_t lane = 0; lane < n_lanes; ++lane) sums[lane] += from[i + lane];
  }
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

void triad(Arrays& of) {
  double* a = of.a.data();
  const double* b = of.b.data();
  const double* c = of.c.data();
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 0.5 * c[i];
}

/// GB/s of all threads together, which begin and end together.
void measure(bench::Report& report, std::ptrdiff_t n_threads) {
  constexpr int n_samples = 9;
  std::vector<double> reads, triads;
  std::barrier all(n_threads);
  const auto work = [&](bool is_first) {
    Arrays of;
    double sum = 0;
    const auto time = [&](auto pass) {
      all.arrive_and_wait();
      const double start = bench::now_ns(bench::Timer::wall);
      pass();
      all.arrive_and_wait();
      return bench::now_ns(bench::Timer::wall) - start;
    };
    for (int s = 0; s < n_samples; ++s) {
      const double read_ns = time([&] { sum += read(of.b); });
      const double triad_ns = time([&] { triad(of); });
      if (!is_first) continue;
      const double n_bytes = static_cast<double>(n_threads) * n * sizeof(double);
      reads.push_back(n_bytes / read_ns);
      triads.push_back(3 * n_bytes / triad_ns);
    }
    if (sum != static_cast<double>(n_samples) * n) std::abort();
  };
  {
    std::vector<std::jthread> others;
    for (std::ptrdiff_t t = 1; t < n_threads; ++t) others.emplace_back(work, false);
    work(true);
  }
  const std::string threads =
      std::to_string(n_threads) + (n_threads > 1 ? " threads, " : " thread, ");
  report.add(threads + "read", "GB/s", reads);
  report.add(threads + "triad", "GB/s", triads);
}

}  // namespace

int main() {
  bench::Report report;
  measure(report, 1);
  measure(report, 2);
  report.print();
}

// SPDX-License-Identifier: MIT
#pragma once
#include <ctime>

#include <algorithm>
#include <concepts>
#include <limits>
#include <vector>

namespace thalweg::bench {

/// What a slice of work is timed by.
enum class Timer : clockid_t {
  cpu = CLOCK_THREAD_CPUTIME_ID,  ///< of this thread: other programs do not count
  wall = CLOCK_MONOTONIC,
};

inline double now_ns(Timer timer) {
  timespec t{};
  clock_gettime(static_cast<clockid_t>(timer), &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

/// Time several pieces of work in turns, in short slices.
///
/// On a machine that others use too, a slice is either quiet or not. So a sample is the best of
/// some slices, and as the works take turns, one quiet moment serves all of them.
/// @return of each work, its samples [ns]
template <std::invocable<std::size_t> F>
std::vector<std::vector<double>> time_in_turns(std::size_t n_works, Timer timer, F run_work) {
  constexpr int n_samples = 7;
  constexpr int n_slices = 8;
  std::vector<std::vector<double>> samples(n_works);
  for (int s = 0; s < n_samples; ++s) {
    std::vector<double> best(n_works, std::numeric_limits<double>::max());
    for (int i = 0; i < n_slices; ++i)
      for (std::size_t w = 0; w < n_works; ++w) {
        const double start = now_ns(timer);
        run_work(w);
        best[w] = std::min(best[w], now_ns(timer) - start);
      }
    for (std::size_t w = 0; w < n_works; ++w) samples[w].push_back(best[w]);
  }
  return samples;
}

/// Quotients of samples that were taken together.
inline std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> quotients;
  for (std::size_t i = 0; i < a.size(); ++i) quotients.push_back(a[i] / b[i]);
  return quotients;
}

/// Samples in another unit.
inline std::vector<double> scaled(std::vector<double> samples, double factor) {
  for (double& s : samples) s *= factor;
  return samples;
}

}  // namespace thalweg::bench

// SPDX-License-Identifier: MIT
#include "at_once.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace thalweg::predict {

void call_at_once(std::size_t n_threads, std::span<const std::function<void()>> calls) {
  std::vector<std::exception_ptr> failures(calls.size());
  std::atomic<std::size_t> n_begun = 0;
  const auto call_some = [&] {
    for (std::size_t i = n_begun++; i < calls.size(); i = n_begun++) try {
        calls[i]();
      } catch (...) {
        failures[i] = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < std::min(n_threads, calls.size()); ++t)
      others.emplace_back(call_some);
    call_some();
  }
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace thalweg::predict

// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace thalweg::bench {

/// Collects what a benchmark measured and prints it as bench/run reads it.
class Report {
 public:
  /// Add a figure by its repetitions: the median, with the extremes. @pre not empty
  void add(const std::string& metric, const std::string& unit, std::vector<double> samples) {
    std::ranges::sort(samples);
    const std::size_t n = samples.size();
    results_.push_back({{"metric", metric},
                        {"value", (samples[(n - 1) / 2] + samples[n / 2]) / 2},
                        {"unit", unit},
                        {"low", samples.front()},
                        {"high", samples.back()}});
  }
  void print() const { std::cout << results_.dump(1) << '\n'; }

 private:
  nlohmann::json results_ = nlohmann::json::array();
};

/// Go on if something could be done. @errors throws std::runtime_error with why it could not
template <class Result>
void require(const Result& done) {
  if (!done) throw std::runtime_error(done.error().message);
}

}  // namespace thalweg::bench

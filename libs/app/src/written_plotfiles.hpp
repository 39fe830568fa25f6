// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/joined_text.hpp>

namespace thalweg::app {

/// The plotfiles that a run has written, however many.
class WrittenPlotfiles {
 public:
  void add(std::string path) {
    if (++n_ <= most_named) first_.push_back(path);
    last_ = std::move(path);
  }
  /// Name them: of ten and more the first and the last; "" where there are none.
  std::string text() const {
    if (n_ == 0) return "";
    if (n_ <= most_named) return fmt::format("plotfiles: {}", joined_text(first_, " "));
    return fmt::format("{} plotfiles, {} to {}", n_, first_.front(), last_);
  }

 private:
  static constexpr std::int64_t most_named = 9;
  std::int64_t n_ = 0;
  std::vector<std::string> first_;  ///< as many as are named
  std::string last_;
};

}  // namespace thalweg::app

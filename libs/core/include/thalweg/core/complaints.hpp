// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <thalweg/core/error.hpp>

namespace thalweg {

/// All that is wrong with a request, to be said at once.
class Complaints {
 public:
  void add(std::string_view line) {
    if (!text_.empty()) text_ += '\n';
    text_ += line;
  }
  /// @errors throws Error with a line each, in their order
  void throw_if_any() const {
    if (!text_.empty()) throw Error(text_);
  }

 private:
  std::string text_;
};

}  // namespace thalweg

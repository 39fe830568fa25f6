// SPDX-License-Identifier: MIT
#pragma once
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>

namespace thalweg::app {

/// The first failure of a function that the tasks of a graph call. The tasks end as if it had not
/// thrown, so that the graph ends on all ranks, also on those that wait for messages of this one;
/// after that the ranks can agree on who has failed.
class KeptFailure {
 public:
  /// @param what  the function does, for the message: "tagging cells"
  explicit KeptFailure(std::string what) : what_(std::move(what)) {}

  /// A function that calls another, and keeps what it throws. @param function  lives as long
  /// @threads may be called from any
  template <class... Arguments>
  auto keeping(const std::function<void(Arguments...)>& function) {
    return std::function<void(Arguments...)>([this, &function](Arguments... arguments) {
      try {
        function(arguments...);
      } catch (const std::exception& thrown) {
        keep(words_of(thrown));
      } catch (...) {
        keep("something that is no std::exception was thrown");
      }
    });
  }

  /// @threads one, when the graph has ended
  Result<void> result() const {
    if (message_.empty()) return {};
    return std::unexpected(Failure{message_});
  }

 private:
  void keep(std::string_view thrown) {
    const std::scoped_lock lock(mutex_);
    if (message_.empty()) message_ = what_ + " has failed: " + std::string(thrown);
  }

  std::string what_;
  std::mutex mutex_;
  std::string message_;
};

}  // namespace thalweg::app

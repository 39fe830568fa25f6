// SPDX-License-Identifier: MIT
#pragma once
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>

namespace thalweg::app {

/// The first failure of what the tasks of a graph call. The tasks end as if there had been none, so
/// that the graph ends on all ranks, also on those that wait for messages of this one; after that
/// the ranks can agree on who has failed.
class FirstFailure {
 public:
  /// A function that calls another, and keeps what it throws.
  /// @param what      the function does, for the message: "tagging cells"
  /// @param function  lives as long   @threads may be called from any
  template <class... Arguments>
  auto keeping(const std::string& what, const std::function<void(Arguments...)>& function) {
    return std::function<void(Arguments...)>([this, what, &function](Arguments... arguments) {
      const auto words = [&](std::string_view thrown) {
        return what + " has failed: " + std::string(thrown);
      };
      try {
        function(arguments...);
      } catch (const std::exception& thrown) {
        keep(words(words_of(thrown)));
      } catch (...) {
        keep(words("something that is no std::exception was thrown"));
      }
    });
  }

  /// Keep a failure, if it is the first. @threads any
  void keep(std::string message) {
    const std::scoped_lock lock(mutex_);
    if (!message_) message_ = std::move(message);
  }

  /// @threads one, when the graph has ended
  Result<void> result() const {
    if (!message_) return {};
    return std::unexpected(Failure{*message_});
  }

 private:
  std::mutex mutex_;
  std::optional<std::string> message_;
};

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include <thalweg/core/strong_id.hpp>

namespace thalweg {

/// How much a line matters, the least first: a logger leaves out what is below its threshold.
enum class LogLevel { debug, info, warn, error };

/// Writes lines of prose for people. Injected, never looked up.
///
/// @threads safe: a line is written whole
class Logger {
 public:
  /// @param sink where lines go, not owned; nullptr drops them
  Logger(std::FILE* sink, Rank rank, LogLevel threshold = LogLevel::info)
      : sink_(sink), rank_(rank), threshold_(threshold) {}

  /// Say something once for all ranks: only rank 0 writes it.
  void world(LogLevel level, std::string_view line);
  /// Say something that may differ from rank to rank; prefixed "[r3] ".
  void rank(LogLevel level, std::string_view line);

 private:
  void write(LogLevel level, std::string_view prefix, std::string_view line);

  std::FILE* sink_;
  Rank rank_;
  LogLevel threshold_;
  std::mutex mutex_;
};

}  // namespace thalweg

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <thalweg/core/logger.hpp>

namespace thalweg {

namespace {
std::string_view label(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug: ";
    case LogLevel::info:
      return "";
    case LogLevel::warn:
      return "warning: ";
    case LogLevel::error:
      return "error: ";
  }
  return "";
}
}  // namespace

void Logger::world(LogLevel level, std::string_view line) {
  if (rank_ == Rank{0}) write(level, "", line);
}

void Logger::rank(LogLevel level, std::string_view line) {
  write(level, fmt::format("[r{}] ", rank_()), line);
}

void Logger::write(LogLevel level, std::string_view prefix, std::string_view line) {
  if (sink_ == nullptr || level < threshold_) return;
  const std::string whole = fmt::format("{}{}{}\n", prefix, label(level), line);
  const std::lock_guard lock(mutex_);
  std::fwrite(whole.data(), 1, whole.size(), sink_);
  std::fflush(sink_);
}

}  // namespace thalweg

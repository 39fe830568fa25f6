// SPDX-License-Identifier: MIT
#include <new>
#include <system_error>

#include <fmt/format.h>

#include <thalweg/core/exception_words.hpp>

namespace thalweg {

namespace {

bool is_of_output(const std::error_code& code) {
  return code == std::errc::no_space_on_device || code == std::errc::broken_pipe ||
         code == std::errc::io_error || code == std::errc::bad_file_descriptor;
}

}  // namespace

std::string words_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "there is no memory left for what this needs (a limit, see ulimit -v, or the "
           "machine's); take a smaller problem, fewer threads, or more ranks on more machines";
  const auto* const of_system = dynamic_cast<const std::system_error*>(&error);
  if (of_system != nullptr && is_of_output(of_system->code()))
    return fmt::format("what was to be printed could not be written ({})", error.what());
  if (of_system != nullptr)
    return fmt::format(
        "the system does not give a thread, memory or a file ({}); see ulimit -a, take fewer "
        "threads, or raise the limit",
        error.what());
  return error.what();
}

}  // namespace thalweg

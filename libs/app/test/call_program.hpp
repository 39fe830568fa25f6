// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/command_line.hpp>

namespace thalweg::app::testing {

/// How a program has ended, and what it has printed.
struct Ended {
  int code = 0;
  std::string output, errors;
};

/// Run a program with words behind its name, as a shell would.
inline Ended call_program(const Program& program, std::vector<std::string> words) {
  words.insert(words.begin(), program.name);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Ended ended;
  ended.code = run_command_line(static_cast<int>(words.size()), arguments.data(), program);
  std::fflush(stdout);
  ended.output = ::testing::internal::GetCapturedStdout();
  ended.errors = ::testing::internal::GetCapturedStderr();
  return ended;
}

}  // namespace thalweg::app::testing

// SPDX-License-Identifier: MIT
#include <thalweg/app/python_package.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "../../../tests/support/text.hpp"

namespace thalweg::app {
namespace {

namespace fs = std::filesystem;
using thalweg::testing::has;

/// A program in place of Python, and what it was started with last.
class PythonPackageOf : public ::testing::Test {
 protected:
  PythonPackageOf()
      : folder_(fs::temp_directory_path() / ("thalweg_python_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    ::setenv("THALWEG_PYTHON", python().c_str(), 1);
  }
  ~PythonPackageOf() override {
    ::unsetenv("THALWEG_PYTHON");
    fs::remove_all(folder_);
  }

  std::string python() const { return folder_ / "my python"; }
  void write_python(const std::string& lines) const {
    std::ofstream(python()) << "#!/bin/sh\n" << lines << '\n';
    fs::permissions(python(), fs::perms::owner_all);
  }

  fs::path folder_;
};

TEST_F(PythonPackageOf, is_found_and_run_with_words_as_they_are) {
  write_python(
      "case \"$*\" in *-c*) printf /there ;; *) printf '%s|' \"$@\" >\"$0.said\"; exit 7 ;; esac");
  const auto found = find_python_package();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->folder, "/there");
  const auto code = run_python_package(*found, {"report", "a b", "$HOME"});
  ASSERT_TRUE(code) << code.error().message;
  EXPECT_EQ(*code, 7);
  std::string said;
  std::getline(std::ifstream(python() + ".said"), said);
  EXPECT_EQ(said, "-P|-m|thalweg|report|a b|$HOME|");
}

TEST_F(PythonPackageOf, that_a_signal_ends_has_its_number_in_the_code) {
  write_python("case \"$*\" in *-c*) printf /there ;; *) kill -15 $$ ;; esac");
  EXPECT_EQ(run_python_package(find_python_package().value(), {}).value(), 128 + 15);
}

TEST_F(PythonPackageOf, nobody_has_says_how_to_install_it) {
  const auto without_python = find_python_package();
  ASSERT_FALSE(without_python);
  for (const char* part : {"my python", "cannot be started", "pip install"})
    EXPECT_TRUE(has(without_python.error().message, part)) << without_python.error().message;
  write_python("exit 1");
  const auto without_package = find_python_package();
  ASSERT_FALSE(without_package);
  EXPECT_TRUE(has(without_package.error().message, "ends with 1"));
}

}  // namespace
}  // namespace thalweg::app

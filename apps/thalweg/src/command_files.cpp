// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <thalweg/hydro/run.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "commands.hpp"

namespace thalweg {

namespace {
int complain(const Failure& failure) {
  fmt::print(stderr, "error: {}\n", failure.message);
  return exit_bad_request;
}
}  // namespace

int command_hash(const std::string& path) {
  const io::PosixFileSystem files;
  const auto hash = io::hash_plotfile(files, path);
  if (!hash) return complain(hash.error());
  fmt::print("{:016x}\n", *hash);
  return exit_success;
}

int command_diff(const std::string& a, const std::string& b) {
  const io::PosixFileSystem files;
  const auto difference = io::diff_plotfiles(files, a, b);
  if (!difference) return complain(difference.error());
  if (!*difference) {
    fmt::print("{} and {} have the same blocks, cell by cell\n", a, b);
    return exit_success;
  }
  fmt::print("{}\n", **difference);
  return exit_difference;
}

int command_params() {
  fmt::print(
      "# section.key = default [unit], type and range; x1..3: a list, with one entry an axis\n\n{}",
      io::describe(hydro::parameters()));
  return exit_success;
}

}  // namespace thalweg

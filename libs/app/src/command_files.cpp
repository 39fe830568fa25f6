// SPDX-License-Identifier: MIT
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {
// Say in what plotfiles differ beside their cells, which alone are compared.
void print_other_differences(const io::FileSystem& files, const std::string& first,
                             const std::string& second) {
  const auto a = io::read_plotfile(files, first), b = io::read_plotfile(files, second);
  if (!a || !b) return;
  const auto print = [](std::string_view what, const auto& of_a, const auto& of_b) {
    if (of_a != of_b) fmt::print("note: their {} differ: {} and {}\n", what, of_a, of_b);
  };
  const auto domain = [](const io::Plotfile& plot) {
    const auto corner = [&](const Vec<3>& x) {
      return joined_text(std::span(x.at).first(static_cast<std::size_t>(plot.dimension)));
    };
    return fmt::format("[{}] to [{}]", corner(plot.lower), corner(plot.upper));
  };
  print("times", fmt::format("{}", a->time), fmt::format("{}", b->time));  // NaN is as NaN
  print("domains", domain(*a), domain(*b));
  const std::size_t n =
      std::min(a->ratios.size(), b->ratios.size());  // levels of one are told as such
  print("ratios", joined_text(std::span(a->ratios).first(n)),
        joined_text(std::span(b->ratios).first(n)));
}
}  // namespace

std::string objection_to(const io::FileSystem& files, const std::string& target, bool force,
                         Target kind, std::string_view option) {
  const auto there = files.status(target);
  if (!there || target == "-")
    return fmt::format(
        "{}; choose another name with {}, or leave it out",
        there ? "'-' is no name of a file, nor the standard output here" : there.error().message,
        option);
  if (!there->has_value()) {
    const std::size_t slash = target.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
    const auto parent = files.status(folder);
    if (!parent) return parent.error().message;
    if (*parent && (*parent)->kind == io::FileStatus::Kind::directory) return {};
    return fmt::format(
        "'{}' cannot be written (there is no folder '{}'); make it, or choose "
        "another name with {}",
        target, folder, option);
  }
  if (kind == Target::file && (*there)->kind == io::FileStatus::Kind::directory)
    return fmt::format("'{}' is a folder (a file would be written); choose another name with {}",
                       target, option);
  if (force) return {};
  return fmt::format(
      "'{}' exists (it would be replaced); choose another name with {}, or replace "
      "it with --force",
      target, option);
}

int command_hash(const std::string& path) {
  const io::PosixFileSystem files;
  fmt::print("{:016x}\n", value_of(io::hash_plotfile(files, io::last_plotfile(files, path))));
  return exit_success;
}

int command_diff(const std::string& first, const std::string& second) {
  const io::PosixFileSystem files;
  const auto a = io::last_plotfile(files, first), b = io::last_plotfile(files, second);
  const auto difference = value_of(io::diff_plotfiles(files, a, b));
  if (difference)
    fmt::print("{}\n", *difference);
  else
    fmt::print("{} and {} have the same blocks, cell by cell\n", a, b);
  print_other_differences(files, a, b);
  return difference ? exit_difference : exit_success;
}

int command_norms(const std::string& first, const std::string& second, double tolerance) {
  const io::PosixFileSystem files;
  const auto a = io::last_plotfile(files, first), b = io::last_plotfile(files, second);
  const auto norms = value_of(io::norms_of_difference(files, a, b));
  if (norms.other_mesh) {
    fmt::print("{}\n", *norms.other_mesh);
    print_other_differences(files, a, b);
    return exit_difference;
  }
  fmt::print("{:>5}  {:<16}  {:>12}  {:>14}  {:>12}\n", "level", "variable", "max |a - b|",
             "over max |a|", "mean |a - b|");
  bool is_within = true;
  for (const auto& row : norms.rows) {
    is_within = is_within && row.relative() <= tolerance;
    fmt::print("{:>5}  {:<16}  {:>12.4e}  {:>14.4e}  {:>12.4e}\n", row.level, row.variable,
               row.largest, row.relative(), row.mean);
  }
  print_other_differences(files, a, b);
  return is_within ? exit_success : exit_difference;
}

}  // namespace thalweg::app

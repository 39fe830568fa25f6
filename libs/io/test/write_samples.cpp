// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>
#include <string>
#include <thalweg/io/file_system.hpp>

#include "sample_plot.hpp"

namespace {

template <int D>
bool write(const std::string& folder) {
  thalweg::io::PosixFileSystem files;
  const auto write_one = [&](const char* name, std::array<int, 2> ratios,
                             thalweg::io::NumberType numbers) {
    const std::string path = folder + "/" + name + std::to_string(D) + "d_00020";
    auto plot = thalweg::io::sample_description<D>(ratios);
    plot.numbers = numbers;
    const auto done = thalweg::io::write_sample<D>(files, path, plot, 2);
    if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return done.has_value();
  };
  using enum thalweg::io::NumberType;
  return write_one("sample", {2, 2}, float64) && write_one("mixed", {2, 4}, float64) &&
         write_one("single", {2, 2}, float32);
}

}  // namespace

/// Write the sample plotfiles of 1, 2 and 3 dimensions into a folder, of one ratio and of two, and
/// in single precision.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const std::string folder = argv[1];
  return write<1>(folder) && write<2>(folder) && write<3>(folder) ? 0 : 1;
}

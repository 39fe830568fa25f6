// SPDX-License-Identifier: MIT
#include "../src/vtk.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::lulesh {
namespace {

/// Write the initial state of 8 ranks of s^3 elements.
std::string write_on_8(int s, int n_files, io::FileSystem& files, const std::string& folder) {
  comm::SimNetwork network({.n_ranks = 8, .seed = 2});
  const auto done = network.run([&](flow::Transport& transport) {
    Logger log(nullptr, transport.rank());
    const app::Context context{transport, network.clock(), files, log, {}};
    const State state(Cube(s, 2, transport.rank()), {.n_regions = 3});
    if (const auto written = write_vtk(context, folder, n_files, state); !written)
      transport.abort(written.error().message);
  });
  return done ? "" : done.error().message;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// All numbers of the arrays of a name, of all pieces.
std::vector<double> numbers_of(const std::string& text, const std::string& name) {
  std::vector<double> numbers;
  const std::string label = "Name=\"" + name + "\"";
  for (std::size_t at = text.find(label); at != std::string::npos; at = text.find(label, at + 1)) {
    const std::size_t begin = text.find('>', at) + 1;
    std::istringstream array(text.substr(begin, text.find('<', begin) - begin));
    for (double number; array >> number;) numbers.push_back(number);
  }
  return numbers;
}

TEST(LuleshVtk, has_all_ranks_in_as_many_files_as_asked_for) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  // What is there of a run before, and longer.
  ASSERT_TRUE(io::write_text(files, "out/lulesh_00000_0.vtu", std::string(1'000'000, '-')));
  for (const int n_files : {1, 3, 8}) {
    ASSERT_EQ(write_on_8(2, n_files, files, "out"), "");
    const std::string index = *io::read_text(files, "out/lulesh_00000.pvtu");
    EXPECT_EQ(count(index, "<Piece Source="), static_cast<std::size_t>(n_files));
    std::string all;
    for (int f = 0; f < n_files; ++f) {
      const std::string name = "lulesh_00000_" + std::to_string(f) + ".vtu";
      EXPECT_EQ(count(index, name), 1U);
      const std::string text = *io::read_text(files, "out/" + name);
      EXPECT_TRUE(text.starts_with("<VTKFile type=\"UnstructuredGrid\""));
      EXPECT_TRUE(text.ends_with("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"));
      EXPECT_EQ(count(text, "<VTKFile"), 1U);
      all += text;
    }
    EXPECT_EQ(count(all, "<Piece NumberOfPoints=\"27\" NumberOfCells=\"8\">"), 8U);
    const auto places = numbers_of(all, "place");
    EXPECT_EQ(places.size(), 8U * 27 * 3);
    EXPECT_EQ(std::ranges::max(places), 1.125);
    const auto energy = numbers_of(all, "e");
    EXPECT_EQ(energy.size(), 64U);
    EXPECT_EQ(energy[0], initial_energy(4));
    const auto regions = numbers_of(all, "region");
    EXPECT_EQ(regions.size(), 64U);
    EXPECT_EQ(std::ranges::min(regions), 1);
    EXPECT_LE(std::ranges::max(regions), 3);
    EXPECT_EQ(std::ranges::max(numbers_of(all, "connectivity")), 26);
  }
}

TEST(LuleshVtk, fails_on_all_ranks_where_it_cannot_be_written) {
  io::MemoryFileSystem files;
  EXPECT_NE(write_on_8(1, 8, files, "nowhere").find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::lulesh

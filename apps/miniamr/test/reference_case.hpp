// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include <thalweg/miniamr/options.hpp>

#include "../../../tests/support/text.hpp"

namespace thalweg::miniamr::testing {

/// The mesh after a refinement.
struct ReferenceMesh {
  int step = 0;
  std::vector<std::int64_t> per_level{};
  std::uint64_t hash = 0;
  std::int64_t n_split = 0;
  std::int64_t n_joined = 0;
};

/// A run of the reference program: reference_cases.txt.
struct ReferenceCase {
  std::string name;
  Index<3> root{};
  std::string args{};
  std::vector<ReferenceMesh> meshes{};
  std::vector<Vec<3>> centres{};  ///< of objects at the last refinement
  std::vector<Vec<3>> sizes{};
  std::int64_t total_blocks = 0;
  std::string field_hash{};  ///< at the end, in hexadecimal digits
  std::int64_t n_flops = 0;
  std::vector<double> sums{};  ///< of the cells of each variable at the end
  std::string drawn_hash{};    ///< of the field at the end on one rank, with --init rand

  friend std::ostream& operator<<(std::ostream& os, const ReferenceCase& c) { return os << c.name; }
};

using thalweg::testing::words_of;

inline ReferenceMesh read_mesh(std::istream& line) {
  ReferenceMesh mesh;
  std::string levels;
  line >> mesh.step >> levels >> std::hex >> mesh.hash >> std::dec >> mesh.n_split >> mesh.n_joined;
  std::istringstream numbers(levels);
  for (std::string n; std::getline(numbers, n, ',');) mesh.per_level.push_back(std::stoll(n));
  return mesh;
}

inline std::vector<ReferenceCase> read_reference_cases(const std::string& path) {
  std::ifstream file(path);
  std::vector<ReferenceCase> cases;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string what;
    line >> what;
    if (what == "case") line >> cases.emplace_back().name;
    if (what == "root")
      for (int a = 0; a < 3; ++a) line >> cases.back().root[a];
    if (what == "args") std::getline(line, cases.back().args);
    if (what == "mesh") cases.back().meshes.push_back(read_mesh(line));
    if (what == "object")
      for (auto* list : {&cases.back().centres, &cases.back().sizes}) {
        Vec<3>& v = list->emplace_back();
        for (int a = 0; a < 3; ++a) line >> v[a];
      }
    if (what == "total") line >> cases.back().total_blocks;
    if (what == "field") line >> cases.back().field_hash >> cases.back().n_flops;
    if (what == "sums")
      for (double sum = 0; line >> sum;) cases.back().sums.push_back(sum);
    if (what == "rand") line >> cases.back().drawn_hash;
  }
  return cases;
}

/// The one of a name. @pre there is one
inline ReferenceCase reference_case(const std::string& path, const std::string& name) {
  for (const ReferenceCase& c : read_reference_cases(path))
    if (c.name == name) return c;
  return {};
}

/// All grids of so many ranks in which each has equally many root blocks.
inline std::vector<Index<3>> grids_of(const Index<3>& root, int n_ranks) {
  std::vector<Index<3>> grids;
  for (int x = 1; x <= n_ranks; ++x)
    for (int y = 1; x * y <= n_ranks; ++y) {
      const Index<3> ranks{x, y, n_ranks / (x * y)};
      bool fits = product(ranks) == n_ranks;
      for (int a = 0; a < 3; ++a) fits = fits && root[a] % ranks[a] == 0;
      if (fits) grids.push_back(ranks);
    }
  return grids;
}

/// A case on a grid of ranks, and with more options.
inline Options options_on(const ReferenceCase& c, const Index<3>& grid, const std::string& more) {
  std::vector<std::string> words = words_of(c.args + " " + more);
  for (int a = 0; a < 3; ++a) {
    const std::string axis(1, static_cast<char>('x' + a));
    for (const auto& word : {"--np" + axis, std::to_string(grid[a]), "--init_" + axis,
                             std::to_string(c.root[a] / grid[a])})
      words.push_back(word);
  }
  return parse_options(words, product(grid));
}

/// A case on so many ranks, and with more options. @pre a grid fits
inline Options options_of(const ReferenceCase& c, int n_ranks, const std::string& more) {
  return options_on(c, grids_of(c.root, n_ranks).front(), more);
}

}  // namespace thalweg::miniamr::testing

// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/lattice.hpp>

#include <thalweg/miniamr/data/mix.hpp>

namespace thalweg::miniamr {

using data::mix;

Index<3> Lattice::centre(const mesh::Key<3>& key) const {
  Index<3> c = mesh::coordinates(key);
  for (int a = 0; a < 3; ++a) c[a] = (2 * c[a] + 1) * half_width(key.level);
  return c;
}

Extent Lattice::extent(const mesh::Key<3>& key) const {
  const Index<3> c = centre(key);
  const int half = half_width(key.level);
  Extent e;
  for (int a = 0; a < 3; ++a) {
    e.lower[a] = static_cast<double>(c[a] - half) / static_cast<double>(width(a));
    e.upper[a] = static_cast<double>(c[a] + half) / static_cast<double>(width(a));
  }
  return e;
}

Lattice lattice_of(const Options& options) {
  return {options.root_blocks(), options.num_refine};
}

mesh::LeafRules<3> mesh_rules(const Options& options) {
  const bool is_hilbert =
      options.placement == Placement::hilbert || options.placement == Placement::trunc_hilbert;
  return {.geometry = mesh::Geometry<3>({.root_blocks = options.root_blocks(),
                                         .block_cells = 8,
                                         .max_level = options.num_refine}),
          .balance = mesh::Adjacency::faces,
          .curve = is_hilbert ? mesh::Curve::hilbert : mesh::Curve::morton};
}

std::uint64_t mesh_hash(std::span<const mesh::Key<3>> leaves) {
  std::uint64_t sum = 0;
  for (const mesh::Key<3>& leaf : leaves) {
    const Index<3> place = mesh::coordinates(leaf);
    std::uint64_t h = mix(0x6d696e69414d52u ^ static_cast<std::uint64_t>(leaf.level));
    for (int a = 0; a < 3; ++a) h = mix(h ^ static_cast<std::uint64_t>(place[a]));
    sum += h;
  }
  return sum;
}

}  // namespace thalweg::miniamr

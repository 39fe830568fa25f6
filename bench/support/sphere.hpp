// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/leaf_adapt.hpp>
#include <thalweg/mesh/leaf_forest.hpp>

namespace thalweg::bench {

/// Blocks that cross a sphere are on the finest level; it moves by half such a block a regrid.
///
/// The sphere has as many finest blocks as its area asks for: four times as many a level. The unit
/// cube that it lies in can be copied along each axis, and the sphere with it.
struct Sphere {
  mesh::LeafRules<3> rules;
  int finest;

  explicit Sphere(int level, const Index<3>& n_copies = Index<3>::filled(1))
      : rules{mesh::Geometry<3>({.root_blocks = n_copies, .block_cells = 16, .max_level = level})},
        finest(level) {}

  bool crosses(const mesh::Key<3>& key, int time) const {
    constexpr double radius = 0.41;
    const double width = std::ldexp(1.0, -key.level);
    const double moved = 0.5 * time * std::ldexp(1.0, -finest);
    const Index<3> place = mesh::coordinates(key);
    double nearest = 0;
    double farthest = 0;
    for (int a = 0; a < 3; ++a) {
      const int in_copy = place[a] & ((1 << key.level) - 1);
      const double low = in_copy * width - 0.45 - 0.01 * a - moved;
      const double high = low + width;
      nearest += low > 0 ? low * low : high < 0 ? high * high : 0.0;
      farthest += std::max(low * low, high * high);
    }
    return nearest < radius * radius && farthest > radius * radius;
  }
  /// What a leaf asks for.
  mesh::RefineFlag flag(const mesh::Key<3>& key, int time) const {
    if (crosses(key, time))
      return key.level < finest ? mesh::RefineFlag::refine : mesh::RefineFlag::keep;
    if (key.level > 0 && !crosses(rules.geometry.parent(key), time))
      return mesh::RefineFlag::coarsen;
    return mesh::RefineFlag::keep;
  }
  std::vector<mesh::RefineFlag> flags(const mesh::LeafForest<3>& forest, int time) const {
    std::vector<mesh::RefineFlag> all;
    all.reserve(forest.leaves.size());
    for (const mesh::Key<3>& leaf : forest.leaves) all.push_back(flag(leaf, time));
    return all;
  }
  /// What the blocks of a nested forest ask for: their children that cross the sphere.
  std::vector<mesh::Key<3>> wanted(const mesh::Forest<3>& forest, int time) const {
    std::vector<mesh::Key<3>> keys;
    for (const auto& level : forest.levels)
      for (const mesh::Key<3>& key : level.keys) {
        if (key.level == finest || !crosses(key, time)) continue;
        for (const mesh::Key<3>& child : mesh::children(key, rules.geometry.ratio(key.level)))
          if (crosses(child, time)) keys.push_back(child);
      }
    return keys;
  }
};

}  // namespace thalweg::bench

// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/step/mesh.hpp>

namespace thalweg::app {

/// The boxes of cells of a block that lie under blocks of the next finer level: all other cells of
/// blocks are leaf cells.
template <int D>
std::vector<Box<D>> covered_boxes(const step::Mesh<D>& mesh, const mesh::Key<D>& key) {
  const auto& geometry = mesh.forest.geometry;
  std::vector<Box<D>> covered;
  for (const auto& fine : mesh.finer_in(key))
    covered.push_back(geometry.cells(fine.key).coarsened(geometry.ratio(key.level)));
  return covered;
}

}  // namespace thalweg::app

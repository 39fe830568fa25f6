// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include <thalweg/mesh/key.hpp>
#include <thalweg/miniamr/data/fill_times.hpp>
#include <thalweg/miniamr/data/ghosts.hpp>
#include <thalweg/miniamr/data/store.hpp>

namespace thalweg::miniamr::data {

/// One variable of a block with the ghost cells that it keeps: where stencils see edges and
/// corners.
///
/// As in the reference an exchange across an axis renews the ghost cells beyond the two faces, and
/// of the edges and corners beside them those that travel: none where levels change, and all at an
/// end of the domain, unless the shape sends borders. The others stay as they are.
class PersistentGhosts {
 public:
  PersistentGhosts(const Shape& shape, BlockMemory memory, int variable);

  /// Renew the ghost cells beyond a face.
  /// @param v  the variable, counted from the parts' first
  void take(int face, Filling filling, std::span<const GhostPart> parts, int v) const;
  /// Give a face the ghost cells beside it. @param to  Shape::face_plane
  void give_border(int face, double* to) const;

 private:
  /// Numbers that are as far apart as each other.
  struct Numbers {
    double* first;
    std::ptrdiff_t step;

    double& operator[](int i) const { return first[i * step]; }
  };

  /// Where a cell stands, or a ghost cell.
  double* at(const Index<3>& cell) const;
  /// Where a line stands in a layer of cells or ghost cells across an axis: in one plane.
  Numbers line_at(int axis, int across, const Line& line) const;
  void take_border(int face, const GhostPart& part, const double* from, const Line& line) const;

  const Shape& shape_;
  double* cells_;
  std::array<double*, 6> planes_{};  ///< of ghost cells, by face
};

}  // namespace thalweg::miniamr::data

// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

namespace thalweg::miniamr::data {

/// Which neighbours a cell is averaged with.
enum class Stencil { seven = 7, twenty_seven = 27, mixed = 0 };

/// The transverse axes of an axis, in order.
constexpr std::array<int, 2> transverse(int axis) {
  return {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
}

/// The cells of one layer across an axis, the first transverse axis running fastest, with a border
/// of ghost cells along none, one or both of the transverse axes.
struct Plane {
  int n0 = 0;       ///< cells along the first transverse axis
  int n1 = 0;       ///< and along the second
  int border0 = 0;  ///< 0 or 1
  int border1 = 0;

  constexpr int pitch() const { return n0 + 2 * border0; }
  constexpr int size() const { return pitch() * (n1 + 2 * border1); }
  /// Where the first cell stands that is not of the border.
  constexpr int origin() const { return border0 + pitch() * border1; }
};

/// What blocks are like: the same for all of a run.
struct Shape {
  std::array<int, 3> n{};  ///< cells an axis, each even and > 0
  int n_vars = 1;
  /// Whether the stencil sees edges and corners. Then blocks keep all their ghost cells from stage
  /// to stage, as not every exchange renews all of them, and faces across y carry ghost cells of x,
  /// those across z the ghost cells of both.
  bool has_corners = false;
  /// Whether all faces carry all ghost cells beside them, and also where levels change.
  /// @pre has_corners where it is true
  bool sends_borders = false;

  constexpr int n_cells() const { return n[0] * n[1] * n[2]; }
  /// Ghost cells beyond a face. With corners each is in one such plane.
  constexpr Plane plane(int axis) const {
    const int corners = has_corners ? 1 : 0;
    return layer(axis, axis > 0 ? corners : 0, axis > 1 ? corners : 0);
  }
  /// The outermost cells beside a face, and the ghost cells that travel with them.
  constexpr Plane face_plane(int axis) const {
    return sends_borders ? layer(axis, 1, 1) : plane(axis);
  }
  /// Numbers of one variable on all six faces.
  constexpr int face_values() const {
    return 2 * (face_plane(0).size() + face_plane(1).size() + face_plane(2).size());
  }
  /// Numbers of one variable that are kept from stage to stage.
  constexpr int kept_values() const {
    return has_corners ? 2 * (plane(0).size() + plane(1).size() + plane(2).size()) : 0;
  }
  bool operator==(const Shape&) const = default;

 private:
  constexpr Plane layer(int axis, int border0, int border1) const {
    const auto [a, b] = transverse(axis);
    return {n[static_cast<std::size_t>(a)], n[static_cast<std::size_t>(b)], border0, border1};
  }
};

}  // namespace thalweg::miniamr::data

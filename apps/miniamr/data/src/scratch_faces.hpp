// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/miniamr/data/shape.hpp>

#include "streaming_stores.hpp"

namespace thalweg::miniamr::data {

using Faces = std::array<double*, 6>;

/// Call f(face, numbers) for each face of a variable.
template <class F>
void for_each_face(const Shape& shape, F f) {
  for (int face = 0; face < 6; ++face)
    f(static_cast<std::size_t>(face), shape.face_plane(face / 2).size());
}

/// The faces of a variable one after another in scratch. @pre room for Shape::face_values
inline Faces faces_in(const Shape& shape, double* scratch) {
  Faces faces{};
  for_each_face(shape, [&](std::size_t face, int n) {
    faces[face] = scratch;
    scratch += n;
  });
  return faces;
}

inline void copy(const Shape& shape, const Faces& from, const Faces& to, StreamingStores& stores) {
  for_each_face(shape, [&](std::size_t face, int n) { stores.copy(from[face], n, to[face]); });
}

}  // namespace thalweg::miniamr::data

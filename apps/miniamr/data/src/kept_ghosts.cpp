// SPDX-License-Identifier: MIT
#include "kept_ghosts.hpp"

namespace thalweg::miniamr::data {

double* KeptGhosts::at(const Index<3>& cell) const {
  for (const int axis : {2, 1, 0}) {
    const bool is_high = cell[axis] >= shape_.n[static_cast<std::size_t>(axis)];
    if (cell[axis] >= 0 && !is_high) continue;
    const Plane plane = shape_.plane(axis);
    const auto [a, b] = transverse(axis);
    return memory_.kept(2 * axis + (is_high ? 1 : 0), variable_) + plane.origin() + cell[a] +
           plane.pitch() * cell[b];
  }
  return memory_.cells(variable_) + cell[0] +
         shape_.n[0] * (cell[1] + std::ptrdiff_t{shape_.n[1]} * cell[2]);
}

auto KeptGhosts::layer(int axis, int across) const {
  return [this, axis, across](int first, int second) -> double& {
    const auto [a, b] = transverse(axis);
    Index<3> cell;
    cell[axis] = across;
    cell[a] = first;
    cell[b] = second;
    return *at(cell);
  };
}

void KeptGhosts::take(int face, Filling filling, std::span<const GhostPart> parts, int v) const {
  const int axis = face / 2;
  const Plane plane = shape_.plane(axis);
  const int n = shape_.n[static_cast<std::size_t>(axis)];
  for (const GhostPart& part : parts) {
    const double* const from = part.from + v * part.stride;
    fill_part(plane, part, from, memory_.kept(face, variable_));
    if (filling != Filling::boundary) take_border(face, part, from);
  }
  if (filling != Filling::boundary) return;
  const auto ghost = layer(axis, face % 2 == 0 ? -1 : n);
  const auto beside = layer(axis, face % 2 == 0 ? 0 : n - 1);
  for_each_border({plane.n0, plane.n1, 1, 1}, [&](int a, int b) { ghost(a, b) = beside(a, b); });
}

void KeptGhosts::take_border(int face, const GhostPart& part, const double* from) const {
  const int axis = face / 2;
  const Plane plane = shape_.face_plane(axis);
  const auto ghost = layer(axis, face % 2 == 0 ? -1 : shape_.n[static_cast<std::size_t>(axis)]);
  const bool is_copy = part.kind == GhostPart::Kind::copy;
  if (!is_copy && !shape_.sends_borders) return;
  for_each_border(plane, [&](int a, int b) {
    if (is_copy) {
      ghost(a, b) = from[a + part.pitch * b];
      return;
    }
    if (part.kind == GhostPart::Kind::spread) {
      ghost(a, b) = from[(a >> 1) + part.pitch * (b >> 1)] / 4.0;
      return;
    }
    // The border beside the quarter, which the other three quarters have no part in.
    const auto is_beside = [](int place, int n, int half) {
      return half == 0 ? place < n / 2 : place >= n / 2;
    };
    if (!is_beside(a, plane.n0, part.half[0]) || !is_beside(b, plane.n1, part.half[1])) return;
    const int c = a - part.half[0] * (plane.n0 / 2);
    const int d = b - part.half[1] * (plane.n1 / 2);
    ghost(a, b) = part.kind == GhostPart::Kind::sum ? sum_under(plane, from, part.pitch, c, d)
                                                    : from[c + part.pitch * d];
  });
}

void KeptGhosts::give_border(int face, double* to) const {
  const int axis = face / 2;
  const Plane plane = shape_.face_plane(axis);
  const auto beside = layer(axis, face % 2 == 0 ? 0 : shape_.n[static_cast<std::size_t>(axis)] - 1);
  for_each_border(plane,
                  [&](int a, int b) { to[plane.origin() + a + plane.pitch() * b] = beside(a, b); });
}

}  // namespace thalweg::miniamr::data

// SPDX-License-Identifier: MIT
#include "persistent_ghosts.hpp"

#include <algorithm>

namespace thalweg::miniamr::data {

PersistentGhosts::PersistentGhosts(const Shape& shape, BlockMemory memory, int variable)
    : shape_(shape), cells_(memory.cells(variable)) {
  for (int face = 0; face < 6; ++face)
    planes_[static_cast<std::size_t>(face)] = memory.kept(face, variable);
}

double* PersistentGhosts::at(const Index<3>& cell) const {
  for (const int axis : {2, 1, 0}) {
    const bool is_high = cell[axis] >= shape_.n[static_cast<std::size_t>(axis)];
    if (cell[axis] >= 0 && !is_high) continue;
    const Plane plane = shape_.plane(axis);
    const auto [a, b] = transverse(axis);
    return planes_[static_cast<std::size_t>(2 * axis + (is_high ? 1 : 0))] + plane.origin() +
           cell[a] + plane.pitch() * cell[b];
  }
  return cells_ + cell[0] + shape_.n[0] * (cell[1] + std::ptrdiff_t{shape_.n[1]} * cell[2]);
}

PersistentGhosts::Numbers PersistentGhosts::line_at(int axis, int across, const Line& line) const {
  const auto [a, b] = transverse(axis);
  Index<3> cell;
  cell[axis] = across;
  cell[a] = line.a;
  cell[b] = line.b;
  double* const first = at(cell);
  if (line.n == 1) return {first, 0};
  ++cell[line.along == 0 ? a : b];
  return {first, at(cell) - first};
}

void PersistentGhosts::take(int face, Filling filling, std::span<const GhostPart> parts,
                            int v) const {
  const int axis = face / 2;
  const Plane plane = shape_.plane(axis);
  double* const to = planes_[static_cast<std::size_t>(face)];
  if (filling == Filling::boundary) {
    fill_part(plane, parts[0], parts[0].from + v * parts[0].stride, to);
    const int n = shape_.n[static_cast<std::size_t>(axis)];
    for_each_border_line({plane.n0, plane.n1, 1, 1}, [&](const Line& line) {
      const Numbers ghosts = line_at(axis, face % 2 == 0 ? -1 : n, line);
      const Numbers beside = line_at(axis, face % 2 == 0 ? 0 : n - 1, line);
      for (int i = 0; i < line.n; ++i) ghosts[i] = beside[i];
    });
    return;
  }
  for (const GhostPart& part : parts) {
    const double* const from = part.from + v * part.stride;
    if (part.kind == GhostPart::Kind::copy && !shape_.sends_borders) {
      std::copy_n(from - plane.origin(), plane.size(), to);
      continue;
    }
    fill_part(plane, part, from, to);
    if (shape_.sends_borders)
      for_each_border_line(shape_.face_plane(axis),
                           [&](const Line& line) { take_border(face, part, from, line); });
  }
}

void PersistentGhosts::take_border(int face, const GhostPart& part, const double* from,
                                   const Line& line) const {
  const int axis = face / 2;
  const Plane plane = shape_.face_plane(axis);
  const Numbers ghosts =
      line_at(axis, face % 2 == 0 ? -1 : shape_.n[static_cast<std::size_t>(axis)], line);
  for (int i = 0; i < line.n; ++i) {
    const int a = line.a + (line.along == 0 ? i : 0);
    const int b = line.b + (line.along == 0 ? 0 : i);
    if (part.kind == GhostPart::Kind::copy) {
      ghosts[i] = from[a + part.pitch * b];
      continue;
    }
    if (part.kind == GhostPart::Kind::spread) {
      ghosts[i] = from[(a >> 1) + part.pitch * (b >> 1)] / 4.0;
      continue;
    }
    // The border beside the quarter, which the other three quarters have no part in.
    const auto is_beside = [](int place, int n, int half) {
      return half == 0 ? place < n / 2 : place >= n / 2;
    };
    if (!is_beside(a, plane.n0, part.half[0]) || !is_beside(b, plane.n1, part.half[1])) continue;
    const int c = a - part.half[0] * (plane.n0 / 2);
    const int d = b - part.half[1] * (plane.n1 / 2);
    ghosts[i] = part.kind == GhostPart::Kind::sum ? sum_under(plane, from, part.pitch, c, d)
                                                  : from[c + part.pitch * d];
  }
}

void PersistentGhosts::give_border(int face, double* to) const {
  const int axis = face / 2;
  const Plane plane = shape_.face_plane(axis);
  const int across = face % 2 == 0 ? 0 : shape_.n[static_cast<std::size_t>(axis)] - 1;
  for_each_border_line(plane, [&](const Line& line) {
    const Numbers beside = line_at(axis, across, line);
    double* const first = to + plane.origin() + line.a + plane.pitch() * line.b;
    const std::ptrdiff_t step = line.along == 0 ? 1 : plane.pitch();
    for (int i = 0; i < line.n; ++i) first[i * step] = beside[i];
  });
}

}  // namespace thalweg::miniamr::data

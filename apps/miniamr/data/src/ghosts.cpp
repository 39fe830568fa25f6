// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/ghosts.hpp>

#include <algorithm>

namespace thalweg::miniamr::data {

namespace {

void spread(const Plane& plane, const GhostPart& part, const double* from, double* to) {
  for (int b = 0; b < plane.n1; ++b)
    for (int a = 0; a < plane.n0; ++a)
      to[plane.origin() + plane.pitch() * b + a] = from[part.pitch * (b / 2) + a / 2] / 4.0;
}

void copy_rows(int n, int n_rows, const double* from, int from_pitch, double* to, int to_pitch) {
  for (int b = 0; b < n_rows; ++b) std::copy_n(from + from_pitch * b, n, to + to_pitch * b);
}

}  // namespace

void sum_quads(const Plane& plane, const double* from, int from_pitch, double* to, int to_pitch) {
  for (int b = 0; b < plane.n1 / 2; ++b)
    for (int a = 0; a < plane.n0 / 2; ++a) {
      const double* const quad = from + from_pitch * (2 * b) + 2 * a;
      to[to_pitch * b + a] = quad[0] + quad[from_pitch] + quad[1] + quad[from_pitch + 1];
    }
}

double sum_under(const Plane& plane, const double* from, int from_pitch, int a, int b) {
  const auto fine = [](int place, int n) { return place == n / 2 ? n : std::max(2 * place, -1); };
  const auto has_two = [](int place, int n) { return place >= 0 && place < n / 2; };
  const double* const low = from + fine(a, plane.n0) + from_pitch * fine(b, plane.n1);
  double sum = low[0];
  if (has_two(b, plane.n1)) sum += low[from_pitch];
  if (!has_two(a, plane.n0)) return sum;
  sum += low[1];
  if (has_two(b, plane.n1)) sum += low[from_pitch + 1];
  return sum;
}

void fill_part(const Plane& plane, const GhostPart& part, const double* from, double* to) {
  double* const quarter = to + quarter_origin(plane, part.half);
  switch (part.kind) {
    case GhostPart::Kind::copy:
      return copy_rows(plane.n0, plane.n1, from, part.pitch, to + plane.origin(), plane.pitch());
    case GhostPart::Kind::spread:
      return spread(plane, part, from, to);
    case GhostPart::Kind::sum:
      return sum_quads(plane, from, part.pitch, quarter, plane.pitch());
    case GhostPart::Kind::place:
      return copy_rows(plane.n0 / 2, plane.n1 / 2, from, part.pitch, quarter, plane.pitch());
  }
}

const double* ghost_plane(const Plane& plane, std::span<const GhostPart> parts, int variable,
                          double* buffer) {
  if (parts[0].kind == GhostPart::Kind::copy) return parts[0].from + variable * parts[0].stride;
  for (const GhostPart& part : parts)
    fill_part(plane, part, part.from + variable * part.stride, buffer);
  return buffer;
}

}  // namespace thalweg::miniamr::data

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

void place(const Plane& plane, const GhostPart& part, const double* from, double* to) {
  for (int b = 0; b < plane.n1 / 2; ++b)
    std::copy_n(from + part.pitch * b, plane.n0 / 2,
                to + quarter_origin(plane, part.half) + plane.pitch() * b);
}

/// Give a plane the border it has where levels change.
void make_old_border(const Plane& plane, const OldGhosts& old, double* to) {
  if (old.plane == nullptr) {
    std::fill_n(to, plane.size(), 0.0);
    return;
  }
  std::copy_n(old.plane, plane.size(), to);
  const int pitch = plane.pitch();
  for (double* row = to; row != to + plane.size(); row += pitch) {
    if (old.is_end[0]) row[0] = row[1];
    if (old.is_end[1]) row[pitch - 1] = row[pitch - 2];
  }
  if (plane.border1 == 0) return;
  double* const last = to + plane.size() - pitch;
  if (old.is_end[2]) std::copy_n(to + pitch, pitch, to);
  if (old.is_end[3]) std::copy_n(last - pitch, pitch, last);
}

}  // namespace

void sum_quads(const Plane& plane, const double* from, double* to, int to_pitch) {
  const int pitch = plane.pitch();
  for (int b = 0; b < plane.n1 / 2; ++b)
    for (int a = 0; a < plane.n0 / 2; ++a) {
      const double* const quad = from + pitch * (2 * b) + 2 * a;
      to[to_pitch * b + a] = quad[0] + quad[pitch] + quad[1] + quad[pitch + 1];
    }
}

const double* ghost_plane(const Plane& plane, std::span<const GhostPart> parts, int variable,
                          double* buffer, const OldGhosts& old) {
  if (parts[0].kind == GhostPart::Kind::copy) return parts[0].from + variable * parts[0].stride;
  if (plane.border0 > 0) make_old_border(plane, old, buffer);
  for (const GhostPart& part : parts) {
    const double* const from = part.from + variable * part.stride;
    switch (part.kind) {
      case GhostPart::Kind::copy:
        break;
      case GhostPart::Kind::spread:
        spread(plane, part, from, buffer);
        break;
      case GhostPart::Kind::sum:
        sum_quads(plane, from, buffer + quarter_origin(plane, part.half), plane.pitch());
        break;
      case GhostPart::Kind::place:
        place(plane, part, from, buffer);
        break;
    }
  }
  return buffer;
}

}  // namespace thalweg::miniamr::data

// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/objects.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg::miniamr {
namespace {

constexpr auto types = std::to_array<ObjectType>({
    {0, "the surface of a rectangle"},      {1, "the volume of a rectangle"},
    {2, "the surface of a spheroid"},       {3, "the volume of a spheroid"},
    {4, "the surface of x+ hemispheroid"},  {5, "the volume of x+ hemispheroid"},
    {6, "the surface of x- hemispheroid"},  {7, "the volume of x- hemispheroid"},
    {8, "the surface of y+ hemispheroid"},  {9, "the volume of y+ hemispheroid"},
    {10, "the surface of y- hemispheroid"}, {11, "the volume of y- hemispheroid"},
    {12, "the surface of z+ hemispheroid"}, {13, "the volume of z+ hemispheroid"},
    {14, "the surface of z- hemispheroid"}, {15, "the volume of z- hemispheroid"},
    {20, "the surface of x axis cylinder"}, {21, "the volume of x axis cylinder"},
    {22, "the surface of y axis cylinder"}, {23, "the volume of y axis cylinder"},
    {24, "the surface of z axis cylinder"}, {25, "the volume of z axis cylinder"},
});

/// An object and a block, axis by axis.
struct Meeting {
  const Object& object;
  const Extent& block;

  double low_face(int a) const { return object.centre[a] - object.size[a]; }
  double high_face(int a) const { return object.centre[a] + object.size[a]; }

  bool overlaps(int a) const {
    return block.upper[a] > low_face(a) && block.lower[a] < high_face(a);
  }
  /// Exactly one of the object's two faces lies in the block.
  bool straddles(int a) const {
    return (block.lower[a] < low_face(a) && block.upper[a] < high_face(a)) ||
           (block.lower[a] > low_face(a) && block.upper[a] > high_face(a));
  }
  bool holds_centre(int a) const {
    return !(object.centre[a] < block.lower[a]) && !(object.centre[a] > block.upper[a]);
  }
  /// Which end of the block is nearer to the centre, upper or lower.
  bool is_upper_nearer(int a) const {
    if (object.centre[a] < block.lower[a]) return false;
    if (object.centre[a] > block.upper[a]) return true;
    return !(object.centre[a] < (block.lower[a] + block.upper[a]) / 2.0);
  }
  double square(double end, int a) const {
    return ((end - object.centre[a]) / object.size[a]) *
           ((end - object.centre[a]) / object.size[a]);
  }
  double near_end(int a) const { return is_upper_nearer(a) ? block.upper[a] : block.lower[a]; }
  double far_end(int a) const { return is_upper_nearer(a) ? block.lower[a] : block.upper[a]; }

  /// N < 1 over some axes.
  template <std::size_t N>
  bool has_inner_point(const std::array<int, N>& axes) const {
    int n_outside = 0;
    int outside = 0;
    double sum = 0;
    for (const int a : axes) {
      if (holds_centre(a)) continue;
      outside = a;
      sum = n_outside++ == 0 ? square(near_end(a), a) : sum + square(near_end(a), a);
    }
    if (n_outside == 0) return true;
    // Without a division: an object without extent along the axis is not touched.
    if (n_outside == 1)
      return std::fabs(near_end(outside) - object.centre[outside]) < object.size[outside];
    return sum < 1.0;
  }
  /// F > 1 over some axes.
  template <std::size_t N>
  bool has_outer_point(const std::array<int, N>& axes) const {
    double sum = square(far_end(axes[0]), axes[0]);
    for (std::size_t i = 1; i < N; ++i) sum += square(far_end(axes[i]), axes[i]);
    return sum > 1.0;
  }
};

constexpr std::array<int, 3> all_axes{0, 1, 2};

bool is_box_surface_hit(const Meeting& m, Quirks quirks) {
  if (quirks == Quirks::corrected)
    return m.overlaps(0) && m.overlaps(1) && m.overlaps(2) &&
           (m.straddles(0) || m.straddles(1) || m.straddles(2));
  // The faces in z are looked for only beside the box in y.
  if (!m.overlaps(0)) return false;
  if (m.straddles(0)) return m.overlaps(1) && m.overlaps(2);
  return m.overlaps(1) ? m.straddles(1) && m.overlaps(2) : m.overlaps(2) && m.straddles(2);
}

/// Whether a block lies beyond the flat side of a half spheroid; types come in pairs, x+ first.
bool is_beyond_half(const Meeting& m) {
  const int half = m.object.type / 2 - 2;  // 0: x+, 1: x-, 2: y+, ...
  if (half < 0) return false;
  const int a = half / 2;
  return half % 2 == 0 ? m.block.upper[a] < m.object.centre[a]
                       : m.block.lower[a] > m.object.centre[a];
}

bool is_cylinder_hit(const Meeting& m, Quirks quirks) {
  const int axis = (m.object.type - 20) / 2;
  const bool is_surface = m.object.type % 2 == 0;
  const std::array<int, 2> across{(axis + 1) % 3, (axis + 2) % 3};
  if (!m.overlaps(axis) || !m.has_inner_point(across)) return false;
  if (!is_surface) return true;
  // The reference looks for the ends along x whatever the axis.
  const int end_axis = quirks == Quirks::reference ? 0 : axis;
  return m.straddles(end_axis) || m.has_outer_point(across);
}

}  // namespace

std::span<const ObjectType> object_types() {
  return types;
}

bool is_hit(const Object& object, const Extent& block, Quirks quirks) {
  if (!object.is_there()) return false;
  const Meeting m{object, block};
  const int type = object.type;
  if (type == 0) return is_box_surface_hit(m, quirks);
  if (type == 1) return m.overlaps(0) && m.overlaps(1) && m.overlaps(2);
  if (type >= 2 && type <= 15) {
    const bool is_volume = type % 2 != 0;
    return m.has_inner_point(all_axes) && (is_volume || m.has_outer_point(all_axes)) &&
           !is_beyond_half(m);
  }
  return type >= 20 && type <= 25 && is_cylinder_hit(m, quirks);
}

bool is_hit(std::span<const Object> objects, const Extent& block, Quirks quirks) {
  return std::any_of(objects.begin(), objects.end(),
                     [&](const Object& o) { return is_hit(o, block, quirks); });
}

void advance(Object& object, double delta, Quirks quirks) {
  for (int a = 0; a < 3; ++a) {
    double& c = object.centre[a];
    const auto turn = [&] { object.movement[a] = -object.movement[a]; };
    c += delta * object.movement[a];
    object.size[a] += delta * object.growth[a];
    if (object.bounce == 1) {
      if (c >= 1.0) {
        c = 2.0 - c;
        turn();
      } else if (c <= 0.0) {
        c = 0.0 - c;
        turn();
      }
    } else if (object.bounce == 2 && quirks == Quirks::corrected) {
      const double above = c + object.size[a];
      const double below = c - object.size[a];
      if (above >= 1.0) {
        c -= above - 1.0;
        turn();
      } else if (below <= 0.0) {
        c -= below;
        turn();
      }
    }
  }
}

}  // namespace thalweg::miniamr

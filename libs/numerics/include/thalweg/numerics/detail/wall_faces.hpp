// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <thalweg/core/box.hpp>
#include <thalweg/numerics/detail/limit_flux.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/strips.hpp>
#include <thalweg/numerics/gravity_system.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

// Where gravity is balanced, the cells outside a wall are no mirror images: their pressures go on
// through it (balance_walls), so that parabolas and traced states outside are not those inside
// mirrored, and gas would pass. At the faces of walls, therefore, the state outside is the mirror
// image of the one inside, and so is the cell outside that limits the flux.

/// The walls of a block where gravity acts along their axis: mirror images across the others are
/// exact.
template <HyperbolicSystem System>
Walls<System::dim> weighed_walls(const System& system, Walls<System::dim> walls) {
  for (int a = 0; a < System::dim; ++a)
    if (acceleration_along(system, a) == 0)
      for (const int side : {0, 1}) walls[static_cast<std::size_t>(2 * a + side)] = false;
  return walls;
}

/// How many of a row of faces lie on walls.
struct WallFaces {
  int at_lower = 0;  ///< the first ones, on the lower wall
  int at_upper = 0;  ///< the last ones, on the upper wall
};

/// Count them. @param faces  of the block along the axis   @param row  the first of n
template <int D>
WallFaces find_wall_faces(const Walls<D>& walls, const Box<D>& faces, int axis, const Index<D>& row,
                          int n) {
  const int first = row[axis], last = axis == 0 ? first + n - 1 : first;
  const int n_at_once = axis == 0 ? 1 : n;
  const auto side = static_cast<std::size_t>(2 * axis);
  return {walls[side] && first == faces.lo[axis] ? n_at_once : 0,
          walls[side + 1] && last == faces.hi[axis] - 1 ? n_at_once : 0};
}

/// What is seen of a state in a wall across an axis.
/// @tparam S  State or Primitive, which have momentum and velocity in the same place
template <GravitySystem System, class S>
S image_of(const S& s, int axis) {
  const auto normal = static_cast<std::size_t>(System::velocity_at + axis);
  return make_state<S>(
      [&](std::size_t c) { return c == normal ? -component(s, c) : component(s, c); });
}

/// Set primitive states outside walls to the images of those inside, in a strip of faces.
/// @param faces  of the block along the axis   @param row   the first face
/// @param l, r   the states below and above the faces
template <class System, int D = System::dim>
void mirror_at_walls(const Walls<D>& walls, const Box<D>& faces, int axis, Index<D> row,
                     const Strip& strip, const RowBuffer& l, const RowBuffer& r) {
  if constexpr (GravitySystem<System>) {
    const auto side = static_cast<std::size_t>(2 * axis);
    if (!walls[side] && !walls[side + 1]) return;
    const auto mirror = [axis](int n, const RowBuffer& from, const RowBuffer& to) {
      for (int i = 0; i < n; ++i)
        store(image_of<System>(load<typename System::Primitive>(from.data + i, from.stride), axis),
              to.data + i, to.stride);
    };
    for (int k = 0; k < strip.n_rows; ++k) {
      const WallFaces at = find_wall_faces(walls, faces, axis, row, strip.n);
      const std::ptrdiff_t first = k * strip.pitch, last = first + strip.n - at.at_upper;
      mirror(at.at_lower, r.from(first), l.from(first));
      mirror(at.at_upper, l.from(last), r.from(last));
      if constexpr (D > 1) ++row[1];
    }
  }
}

/// Limit the flux through face i of a row, which is on a wall: between a cell and its image nothing
/// passes but the push of the gas.
/// @param is_upper  whether the cell inside is the one below   @param flux  of the face
template <GravitySystem System>
std::int64_t limit_wall_flux(const FaceRow<System>& row, int i, int axis, bool is_upper,
                             double* flux, std::ptrdiff_t flux_stride) {
  using State = typename System::State;
  using Primitive = typename System::Primitive;
  using Numbers = std::array<double, static_cast<std::size_t>(System::n_components)>;
  const auto close = [&] {
    for (int c = 0; c < System::n_components; ++c)
      if (c != System::velocity_at + axis) flux[c * flux_stride] = 0;
  };
  const SideOfRow& inside = is_upper ? row.below : row.above;
  const auto u = load<State>(inside.u + i, row.u_stride);
  const auto w = load<Primitive>(inside.w + i, row.w_stride);
  Numbers u_here, w_here, u_image, w_image;
  store(u, u_here.data(), 1);
  store(w, w_here.data(), 1);
  store(image_of<System>(u, axis), u_image.data(), 1);
  store(image_of<System>(w, axis), w_image.data(), 1);
  const SideOfRow here{u_here.data(), w_here.data()}, image{u_image.data(), w_image.data()};
  const FaceRow<System> face{.system = row.system,
                             .below = is_upper ? here : image,
                             .above = is_upper ? image : here,
                             .u_stride = 1,
                             .w_stride = 1,
                             .weight = row.weight};
  close();
  const std::int64_t n_limited = limit_flux_row(face, axis, 1, 1, flux, flux_stride);
  close();
  return n_limited;
}

/// Limit the fluxes of a row of faces of a block, as limit_flux_row, and close its walls; the
/// number of faces that count.
/// @param cell  the one above the first face   @param walls  weighed_walls
template <class System, int D = System::dim>
std::int64_t limit_and_close_row(const FaceRow<System>& row, const Walls<D>& walls,
                                 const Box<D>& valid, int axis, const Index<D>& cell, int n,
                                 double* flux, std::ptrdiff_t flux_stride) {
  const int n_counted = n_lower_faces(valid, axis, cell, n);
  if constexpr (GravitySystem<System>) {
    const WallFaces at = find_wall_faces(walls, faces_of(valid, axis), axis, cell, n);
    const int first = at.at_lower, last = n - at.at_upper;
    if (first > 0 || last < n) {
      const FaceRow<System> open = row.from(first);
      std::int64_t n_limited =
          last > first ? limit_flux_row(open, axis, last - first, std::min(n_counted, last) - first,
                                        flux + first, flux_stride)
                       : 0;
      for (int i = 0; i < n; ++i) {
        if (i >= first && i < last) continue;
        const auto limited = limit_wall_flux(row, i, axis, i >= last, flux + i, flux_stride);
        if (i < n_counted) n_limited += limited;
      }
      return n_limited;
    }
  }
  return limit_flux_row(row, axis, n, n_counted, flux, flux_stride);
}

}  // namespace thalweg::numerics::detail

// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include <thalweg/core/centring.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/boundary.hpp>

namespace thalweg::numerics {

/// Fill the points of a view that lie outside the domain, across the faces that are not periodic.
///
/// Outflow repeats the last point, reflecting mirrors; on the faces normal to a wall the component
/// changes its sign. Points on the ends of the domain belong to it and stay as they are. Axis by
/// axis, as fill_boundaries does.
///
/// @param  domain  cells
/// @shape  u  any box; where a face is reflecting, with the mirror images of its ghosts
/// @pre    all points of u inside the domain are set; of no face is_user_defined()
/// @threads safe on distinct views   @verified boundary_points_test.cpp
template <int D>
void fill_boundary_points(const Centring<D>& centring, const View<double, D>& u,
                          const Box<D>& domain, const Boundaries<D>& kinds) {
  THALWEG_EXPECT(std::ranges::none_of(kinds, is_user_defined), "points outside are not given");
  const Box<D> points = centring.points(domain);
  detail::for_each_boundary(u.box(), points, kinds, [&](int a, int side, const Box<D>& outside) {
    const int last = side == 0 ? points.lo[a] : points.hi[a] - 1;
    const bool mirrors = kinds[static_cast<std::size_t>(2 * a + side)] == Boundary::reflecting;
    const double factor = mirrors && centring.is_face(a) ? -1.0 : 1.0;
    // A point at the end is its own image; the image of a centre is the next one across it.
    const int sum = 2 * last + (centring.between[a] ? 0 : side == 0 ? -1 : 1);
    for (int c = 0; c < u.n_components(); ++c)
      for_each(outside, [&](const Index<D>& ghost) {
        Index<D> image = ghost;
        image[a] = mirrors ? sum - ghost[a] : last;
        u[c, ghost] = factor * u[c, image];
      });
  });
}

}  // namespace thalweg::numerics

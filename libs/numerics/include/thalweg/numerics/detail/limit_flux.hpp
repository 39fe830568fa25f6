// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <thalweg/numerics/carrying_system.hpp>
#include <thalweg/numerics/face_flux.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

// How the new states are kept admissible.
//
// With lambda = dt/dx_a the new state is the mean over the 2D faces of a cell of the face states
//     U -+ 2D lambda_a (F - F(U))       (- at an upper face, + at a lower face),
// as the F(U) of the two faces along an axis cancel. Admissible states form a convex set, so the
// new state is admissible if every face state is. Where the flux F2 of a scheme makes the face
// state on either side inadmissible, it is replaced by F1 + theta (F2 - F1): F1 is the HLLE flux
// between the states at the start of the step, theta in [0, 1) the largest found by bisection that
// makes both face states good.
//
// The decision reads the two cells at the face and F1, F2 only: blocks that share a face decide
// alike and the scheme stays conservative. As F1 - F(U) = s (U* - U), the face states of F1 are
// means of admissible states, and the new state is guaranteed admissible, if 2D lambda_a |s| <= 1
// for every signal speed s of the Riemann solver. At larger steps F1 may be no better than F2:
// where it makes a face state inadmissible, too, nothing is proven, and it is taken without the
// tension with which it would hold gas back that is torn apart, if the system knows that
// (without_tension). A new state that is inadmissible then is reported by the step. Source: in the
// spirit of Hu, Adams, Shu, JCP 242 (2013) 169, and Zhang, Shu, JCP 229 (2010) 8918.

/// u + scale F(u) - change, where w is the primitive form of u.
template <class System>
constexpr typename System::State plus_flux(const System& system, const typename System::State& u,
                                           const typename System::Primitive& w, double scale,
                                           const typename System::State& change, int axis) {
  if constexpr (requires { system.plus_flux(u, w, scale, change, axis); })
    return system.plus_flux(u, w, scale, change, axis);
  else
    return map_components(
        [=](double value, double f, double less) { return value + (scale * f - less); }, u,
        system.flux(w, axis), change);
}

/// The cells on one side of a row of faces: conserved and primitive, at the start of the step.
struct SideOfRow {
  const double* u;
  const double* w;
};

/// What the limiter needs to know of a row of faces.
template <class System>
struct FaceRow {
  using State = typename System::State;
  using Primitive = typename System::Primitive;

  System system;
  SideOfRow below;
  SideOfRow above;
  std::ptrdiff_t u_stride;
  std::ptrdiff_t w_stride;
  double weight;  ///< 2D dt/dx

  /// The same without its first faces.
  constexpr FaceRow from(std::ptrdiff_t place) const {
    FaceRow rest = *this;
    for (SideOfRow* side : {&rest.below, &rest.above}) {
      side->u += place;
      side->w += place;
    }
    return rest;
  }
  /// Say whether the face states on both sides of face i are good with this flux.
  constexpr bool is_good(int i, const State& flux, int axis) const {
    const State out = map_components([k = weight](double f) { return k * f; }, flux);
    const State in = map_components([](double f) { return -f; }, out);
    return bool(int(is_good_on(below, i, weight, out, axis)) &
                int(is_good_on(above, i, -weight, in, axis)));
  }

  /// The flux nearest to `high` on the way from the first-order one that is good.
  constexpr State limited(int i, const State& high, int axis) const {
    constexpr int n_bisections = 5;  // theta to 1/32: the flux is first-order in spirit anyway
    const auto l = load<Primitive>(below.w + i, w_stride);
    const auto r = load<Primitive>(above.w + i, w_stride);
    const State low = face_flux<RiemannHlle>(system, l, r, axis);
    State best = low;
    double theta = 0.0;
    double width = 0.5;
    for (int n = 0; n < n_bisections; ++n, width *= 0.5) {
      const double trial = theta + width;
      const State blend =
          map_components([=](double a, double b) { return a + trial * (b - a); }, low, high);
      if (!is_good(i, blend, axis)) continue;
      theta = trial;
      best = blend;
    }
    if constexpr (requires { system.without_tension(low, l, r, axis); }) {
      static_assert(!MeetingSystem<System>, "the states that met are not known here");
      if (theta == 0.0 && !is_good(i, low, axis)) return system.without_tension(low, l, r, axis);
    }
    return best;
  }

 private:
  constexpr bool is_good_on(const SideOfRow& side, int i, double scale, const State& change,
                            int axis) const {
    const auto w = load<Primitive>(side.w + i, w_stride);
    return system.passes_floor(
        plus_flux(system, load<State>(side.u + i, u_stride), w, scale, change, axis), w);
  }
};

/// Say whether all fluxes of a row of n faces are good.
template <int Axis, class System>
[[gnu::flatten]] bool all_good(const FaceRow<System>& row, int n, const double* flux,
                               std::ptrdiff_t flux_stride) {
  using State = typename System::State;
  return !any_in_row(
      n, [=](int i) { return !row.is_good(i, load<State>(flux + i, flux_stride), Axis); });
}

/// Limit what n faces of a row let through of what is carried, so that the shares of the face
/// states on both sides are within 0 and 1, as far as those of the cells are.
///
/// Of a side with density r, carried mass s and velocity v the face state has a mass within its
/// density if, with a = 1/weight +- v (+ below the face, - above) and the flux F of mass, the flux
/// f of what is carried is
///     below:  F - (r - s) a <= f <= s a        above:  -s a <= f <= F + (r - s) a.
/// The flux that takes the share of the cell that mass comes from is within these where a > 0 and
/// the flux of mass leaves a density on both sides; it is taken where they exclude each other.
template <CarryingSystem System>
void limit_carried_row(const FaceRow<System>& row, int axis, int n, double* flux,
                       std::ptrdiff_t flux_stride) {
  const double* const mass = flux + System::density_at * flux_stride;
  const double* const r_l = row.below.u + System::density_at * row.u_stride;
  const double* const r_r = row.above.u + System::density_at * row.u_stride;
  const double* const v_l = row.below.w + (System::velocity_at + axis) * row.w_stride;
  const double* const v_r = row.above.w + (System::velocity_at + axis) * row.w_stride;
  const double inverse = 1.0 / row.weight;
  for (int c = System::n_components - System::n_carried; c < System::n_components; ++c) {
    double* const f = flux + c * flux_stride;
    const double* const s_l = row.below.u + c * row.u_stride;
    const double* const s_r = row.above.u + c * row.u_stride;
    for_each_in_row(n, [=](int i) {
      const double a_l = inverse + v_l[i];
      const double a_r = inverse - v_r[i];
      const double least = std::max(mass[i] - (r_l[i] - s_l[i]) * a_l, -s_r[i] * a_r);
      const double most = std::min(s_l[i] * a_l, mass[i] + (r_r[i] - s_r[i]) * a_r);
      const double upwind =
          std::max(mass[i], 0.0) * (s_l[i] / r_l[i]) + std::min(mass[i], 0.0) * (s_r[i] / r_r[i]);
      const double within = std::min(std::max(f[i], least), most);
      f[i] = least <= most ? within : upwind;
    });
  }
}

/// How many of a row of n faces are lower ones of valid cells. Limited fluxes are counted there
/// alone: a face between two blocks counts once.
/// @param row  the cell above the first face
template <int D>
int n_lower_faces(const Box<D>& valid, int axis, const Index<D>& row, int n) {
  if (axis == 0) return std::min(n, valid.hi[0] - row[0]);
  return row[axis] < valid.hi[axis] ? n : 0;
}

/// Limit the fluxes of a row of n faces to those that leave admissible states; the number of faces
/// changed among the first n_counted.
///
/// The test of a whole row is vectorised; only rows with a bad face are looked at one by one.
template <class System>
std::int64_t limit_inadmissible_row(const FaceRow<System>& row, int axis, int n, int n_counted,
                                    double* flux, std::ptrdiff_t flux_stride) {
  using State = typename System::State;
  if (with_axis<System::dim>(axis, [&](auto a) { return all_good<a>(row, n, flux, flux_stride); }))
    return 0;
  std::int64_t n_limited = 0;
  for (int i = 0; i < n; ++i) {
    const State high = load<State>(flux + i, flux_stride);
    if (row.is_good(i, high, axis)) continue;
    store(row.limited(i, high, axis), flux + i, flux_stride);
    n_limited += i < n_counted;
  }
  return n_limited;
}

/// Limit the fluxes of a row of n faces where they must be; the number of faces among the first
/// n_counted whose flux would have left an inadmissible state.
template <class System>
std::int64_t limit_flux_row(const FaceRow<System>& row, int axis, int n, int n_counted,
                            double* flux, std::ptrdiff_t flux_stride) {
  const std::int64_t n_limited = limit_inadmissible_row(row, axis, n, n_counted, flux, flux_stride);
  if constexpr (CarryingSystem<System>)
    if (row.system.has_bounded_shares()) limit_carried_row(row, axis, n, flux, flux_stride);
  return n_limited;
}

}  // namespace thalweg::numerics::detail

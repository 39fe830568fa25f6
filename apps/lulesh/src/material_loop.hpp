// SPDX-License-Identifier: MIT
#pragma once
// Viscosity and equation of state, over N elements side by side. Anonymous namespace: see
// lanes.hpp.
#include <concepts>

#include "loop_tools.hpp"

namespace thalweg::lulesh {
namespace {

/// What material() keeps of a piece between its loops.
struct PieceScratch {
  PieceScratch(double* from, std::size_t n)
      : ql(from),
        qq(from + n),
        e(from + 2 * n),
        p(from + 3 * n),
        q(from + 4 * n),
        ss(from + 5 * n) {}

  double *ql, *qq;         ///< linear and quadratic viscosity
  double *e, *p, *q, *ss;  ///< new values
};

/// The slope limiter of the viscosity along an axis. @source Christensen, UCRL-JC-105269 (1990)
template <class V>
V limited_slope(const Fields& f, int axis, const Places<V>& at, const V& own) {
  using namespace constants;
  const double* const delv = f.delv_of[axis];
  const std::uint32_t* const sides = f.neighbours + 6 * std::size_t{*at.begin()} + 2 * axis;
  V below, above;
  if (at.is_run() && f.runs[*at.begin()] >= n_lanes<V>) {
    below = load<V>(delv + sides[0]);
    above = load<V>(delv + sides[1]);
  } else {
    for (int l = 0; l < n_lanes<V>; ++l) {
      const std::uint32_t* const of_lane = f.neighbours + 6 * std::size_t{at.begin()[l]} + 2 * axis;
      set_lane(below, l, delv[of_lane[0]]);
      set_lane(above, l, delv[of_lane[1]]);
    }
  }
  const V norm = 1.0 / (own + tiny);
  below = below * norm;
  above = above * norm;
  V phi = 0.5 * (below + above);
  below = below * monoq_limiter;
  above = above * monoq_limiter;
  phi = below < phi ? below : phi;
  phi = above < phi ? above : phi;
  phi = phi < 0 ? fill<V>(0) : phi;
  return phi > monoq_max_slope ? fill<V>(monoq_max_slope) : phi;
}

template <class V>
void viscosity_of(const Fields& f, const Places<V>& at, std::uint32_t i, const PieceScratch& s) {
  using namespace constants;
  V phi[3], stretch[3];
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    const V own = at.of(f.delv_of[a]);
    phi[a] = limited_slope(f, a, at, own);
    stretch[a] = own * at.of(f.delx[a]);
    stretch[a] = stretch[a] > 0 ? fill<V>(0) : stretch[a];
  }
  const V volo = at.of(f.volo);
  const V density = volo / (volo * at.of(f.vnew));
  const V linear =
      -qlc_monoq * density *
      (stretch[0] * (1.0 - phi[0]) + stretch[1] * (1.0 - phi[1]) + stretch[2] * (1.0 - phi[2]));
  const V quadratic = qqc_monoq * density *
                      (stretch[0] * stretch[0] * (1.0 - phi[0] * phi[0]) +
                       stretch[1] * stretch[1] * (1.0 - phi[1] * phi[1]) +
                       stretch[2] * stretch[2] * (1.0 - phi[2] * phi[2]));
  const auto expands = at.of(f.vdov) > 0;
  store(expands ? fill<V>(0) : linear, s.ql + i);
  store(expands ? fill<V>(0) : quadratic, s.qq + i);
}

template <class V>
V clamped_volume(const V& v) {
  using namespace constants;
  const V raised = v < eos_v_min ? fill<V>(eos_v_min) : v;
  return raised > eos_v_max ? fill<V>(eos_v_max) : raised;
}

/// Of an ideal gas with gamma = 5/3: p = (2/3) (1 + compression) e, per reference volume.
template <class V>
struct GasLaw {
  static constexpr double c1s = 2.0 / 3.0;

  V bvc;  ///< dp/de
  V volume;

  GasLaw(const V& compression, const V& v) : bvc(c1s * (compression + 1.0)), volume(v) {}
  V pressure(const V& e) const {
    using namespace constants;
    V p = bvc * e;
    p = magnitude(p) < p_cut ? fill<V>(0) : p;
    p = volume >= eos_v_max ? fill<V>(0) : p;
    return p < p_min ? fill<V>(p_min) : p;
  }
  /// @param v  relative volume that the sound speed is for
  V sound_speed(const V& e, const V& p, const V& v) const {
    const V square = (c1s * e + v * v * bvc * p) / constants::reference_density;
    return square <= .1111111e-36 ? fill<V>(.3333333e-18) : square_root(square);
  }
};

template <class V>
V cut_energy(const V& e) {
  using namespace constants;
  const V cut = magnitude(e) < e_cut ? fill<V>(0) : e;
  return cut < e_min ? fill<V>(e_min) : cut;
}

/// The new energy, pressure, viscosity and sound speed, in stages.
template <class V>
void gas_of(const Fields& f, const Places<V>& at, std::uint32_t i, const PieceScratch& s) {
  using namespace constants;
  constexpr double work = 0;
  constexpr double sixth = 1.0 / 6.0;
  const V volume = clamped_volume(at.of(f.vnew));
  const V delv = at.of(f.delv);
  const V e_old = at.of(f.e);
  const V q_old = at.of(f.q);
  const V ql = load<V>(s.ql + i);
  const V qq = load<V>(s.qq + i);
  const auto is_thin = volume >= eos_v_max;
  const V p_old = is_thin ? fill<V>(0) : at.of(f.p);
  V compression = 1.0 / volume - 1.0;
  V half_compression = 1.0 / (volume - delv * 0.5) - 1.0;
  half_compression = volume <= eos_v_min ? compression : half_compression;
  compression = is_thin ? fill<V>(0) : compression;
  half_compression = is_thin ? fill<V>(0) : half_compression;
  const auto expands = delv > 0;

  V e = e_old - 0.5 * delv * (p_old + q_old) + 0.5 * work;
  e = e < e_min ? fill<V>(e_min) : e;
  const GasLaw<V> half(half_compression, volume);
  const V p_half = half.pressure(e);
  const V v_half = 1.0 / (1.0 + half_compression);
  V q = expands ? fill<V>(0) : half.sound_speed(e, p_half, v_half) * ql + qq;
  e = e + 0.5 * delv * (3.0 * (p_old + q_old) - 4.0 * (p_half + q));
  e = cut_energy(e + 0.5 * work);

  const GasLaw<V> whole(compression, volume);
  V p = whole.pressure(e);
  const V q_tilde = expands ? fill<V>(0) : whole.sound_speed(e, p, volume) * ql + qq;
  e = cut_energy(e - (7.0 * (p_old + q_old) - 8.0 * (p_half + q) + (p + q_tilde)) * delv * sixth);
  p = whole.pressure(e);
  const V sound_speed = whole.sound_speed(e, p, volume);
  const V q_last = sound_speed * ql + qq;
  q = expands ? q : (magnitude(q_last) < q_cut ? fill<V>(0) : q_last);
  store(e, s.e + i);
  store(p, s.p + i);
  store(q, s.q + i);
  store(sound_speed, s.ss + i);
}

/// Once for a piece.
template <int N>
void gas(const Fields& f, const Piece& piece, const PieceScratch& s) {
  for_each<N>(0, piece.n_elements,
              [&]<class V>(std::uint32_t i) { gas_of<V>(f, Places<V>(piece.elements + i), i, s); });
}

template <class V>
void finish(const Fields& f, const Places<V>& at, std::uint32_t i, const PieceScratch& s,
            V& courant, V& hydro) {
  using namespace constants;
  at.put(load<V>(s.e + i), f.e);
  at.put(load<V>(s.p + i), f.p);
  at.put(load<V>(s.q + i), f.q);
  const V ss = load<V>(s.ss + i);
  at.put(ss, f.ss);
  const V vnew = at.of(f.vnew);
  at.put(magnitude(vnew - 1.0) < v_cut ? fill<V>(1) : vnew, f.v);

  const V vdov = at.of(f.vdov);
  const V length = at.of(f.arealg);
  constexpr double qqc2 = 64.0 * qqc * qqc;
  V square = ss * ss;
  square = vdov < 0 ? square + qqc2 * length * length * vdov * vdov : square;
  const V crossing = length / square_root(square);
  const V change = dvov_max / (magnitude(vdov) + 1e-20);
  const auto changes = vdov != 0;
  const V crossing_bound = changes ? crossing : fill<V>(1e20);
  const V change_bound = changes ? change : fill<V>(1e20);
  courant = crossing_bound < courant ? crossing_bound : courant;
  hydro = change_bound < hydro ? change_bound : hydro;
}

/// Bounds of several lanes, N or one.
template <class V>
struct Bounds {
  V courant = fill<V>(1e20);
  V hydro = fill<V>(1e20);

  void put_into(Constraints& least) const {
    for (int l = 0; l < n_lanes<V>; ++l) {
      if (lane_of(courant, l) < least.courant) least.courant = lane_of(courant, l);
      if (lane_of(hydro, l) < least.hydro) least.hydro = lane_of(hydro, l);
    }
  }
};

template <int N>
Fault material(const Fields& f, const Piece& piece, double* scratch, Constraints& constraints) {
  Fault fault;
  const auto n = piece.n_elements;
  const std::uint32_t* const elements = piece.elements;
  const PieceScratch s(scratch, n);
  for_each<N>(0, n, [&]<class V>(std::uint32_t i) {
    const Places<V> at(elements + i);
    viscosity_of<V>(f, at, i, s);
    note<V>(fault, Check::viscosity, at.of(f.q) > constants::q_stop, elements + i);
  });
  for (std::int64_t r = 0; r < piece.n_repetitions; ++r) {
    gas<N>(f, piece, s);
    // Repetitions are work that the problem asks for: as if somebody had changed what they read.
    asm volatile("" ::: "memory");
  }
  Bounds<Lanes<N>> bounds;
  Bounds<double> rest;
  for_each<N>(0, n, [&]<class V>(std::uint32_t i) {
    const Places<V> at(elements + i);
    if constexpr (std::same_as<V, double>)
      finish<V>(f, at, i, s, rest.courant, rest.hydro);
    else
      finish<V>(f, at, i, s, bounds.courant, bounds.hydro);
  });
  bounds.put_into(constraints);
  rest.put_into(constraints);
  return fault;
}

}  // namespace
}  // namespace thalweg::lulesh

// SPDX-License-Identifier: MIT
#pragma once
// The loops of a cycle over N elements side by side. Anonymous namespace: see lanes.hpp.
#include "element_math.hpp"
#include "loop_tools.hpp"
#include "material_loop.hpp"

namespace thalweg::lulesh {
namespace {

template <class V>
void put_corner_forces(const Point<V>& stress, const Point<V>& hourglass, CornerForce* to) {
  for (int l = 0; l < n_lanes<V>; ++l)
    to[8 * l] = {{lane_of(stress.x, l), lane_of(stress.y, l), lane_of(stress.z, l),
                  lane_of(hourglass.x, l), lane_of(hourglass.y, l), lane_of(hourglass.z, l)}};
}

template <class V>
void force_of(const Fields& f, std::uint32_t i, Fault& fault) {
  const std::uint32_t* const nodes = f.nodes + 8 * std::size_t{i};
  const bool is_run = f.runs[i] >= n_lanes<V>;
  const Corners<V> place = gather_corners<V>(f.x, f.y, f.z, nodes, is_run);
  const V stress = -load<V>(f.p + i) - load<V>(f.q + i);
  note_run<V>(fault, Check::jacobian, jacobian_of(place).volume <= 0, i);
  Corners<V> stress_force = corner_normals(place);
#pragma GCC unroll 8
  for (Point<V>& at : stress_force.at) at = {-(stress * at.x), -(stress * at.y), -(stress * at.z)};

  const V v = load<V>(f.v + i);
  const V volo = load<V>(f.volo + i);
  note_run<V>(fault, Check::volume, v <= 0, i);
  const V volume = volo * v;
  const V coefficient = -constants::hourglass * 0.01 * load<V>(f.ss + i) * volo / cube_root(volume);
  const Corners<V> velocity = gather_corners<V>(f.xd, f.yd, f.zd, nodes, is_run);
  const Corners<V> hourglass = hourglass_forces(place, velocity, volume, coefficient);
  CornerForce* const to = f.corners + 8 * std::size_t{i};
#pragma GCC unroll 8
  for (int c = 0; c < 8; ++c) put_corner_forces(stress_force[c], hourglass[c], to + c);
}

template <int N>
Fault force(const Fields& f, Block elements) {
  Fault fault;
  for_each<N>(elements.begin, elements.end,
              [&]<class V>(std::uint32_t i) { force_of<V>(f, i, fault); });
  return fault;
}

inline void accelerate(const Fields& f, Block nodes) {
  for (std::uint32_t n = nodes.begin; n < nodes.end; ++n) {
    const std::uint32_t* const slots = f.corner_slots + 8 * std::size_t{n};
    // Three numbers of stress and the first of three of hourglass forces; the other two.
    Lanes<4> first = fill<Lanes<4>>(0);
    Lanes<2> last = fill<Lanes<2>>(0);
    for (int i = 0; i < 8; ++i) {
      const double* const force = f.corners[slots[i]].numbers;
      first += load<Lanes<4>>(force);
      last += load<Lanes<2>>(force + 4);
    }
    const double force[3] = {first[0] + first[3], first[1] + last[0], first[2] + last[1]};
    const auto acceleration = [&](int a) {
      return (f.fixed[n] >> a & 1) != 0 ? 0.0 : force[a] / f.nodal_mass[n];
    };
    f.xdd[n] = acceleration(0);
    f.ydd[n] = acceleration(1);
    f.zdd[n] = acceleration(2);
  }
}

template <class V>
void move_along(double* place, double* velocity, const double* acceleration, std::uint32_t n,
                double dt) {
  V v = load<V>(velocity + n) + load<V>(acceleration + n) * dt;
  v = magnitude(v) < constants::u_cut ? fill<V>(0) : v;
  store(v, velocity + n);
  store(load<V>(place + n) + v * dt, place + n);
}

template <int N>
void move(const Fields& f, Block nodes, double dt) {
  for_each<N>(nodes.begin, nodes.end, [&]<class V>(std::uint32_t n) {
    move_along<V>(f.x, f.xd, f.xdd, n, dt);
    move_along<V>(f.y, f.yd, f.ydd, n, dt);
    move_along<V>(f.z, f.zd, f.zdd, n, dt);
  });
}

/// Gradients of place and velocity along an axis, of the vectors along the other two.
template <class V>
void put_gradients(const Fields& f, int axis, std::uint32_t i, const Point<V>& area,
                   const Point<V>& velocity, const V& volume, const V& norm) {
  store(volume / square_root(dot(area, area) + constants::tiny), f.delx[axis] + i);
  store(dot(Point<V>{area.x * norm, area.y * norm, area.z * norm}, velocity), f.delv_of[axis] + i);
}

/// Four times the mean difference of vectors between opposite faces.
template <class V>
Point<V> between_faces(const Corners<V>& u, const int (&above)[4], const int (&below)[4]) {
  return (u[above[0]] + u[above[1]] + u[above[2]] + u[above[3]]) -
         (u[below[0]] + u[below[1]] + u[below[2]] + u[below[3]]);
}
template <class V>
struct Differences {
  Point<V> xi, eta, zeta;
};
template <class V>
Differences<V> mean_differences(const Corners<V>& u) {
  return {0.25 * between_faces(u, {1, 2, 6, 5}, {0, 3, 7, 4}),
          -0.25 * between_faces(u, {0, 1, 5, 4}, {3, 2, 6, 7}),
          0.25 * between_faces(u, {4, 5, 6, 7}, {0, 1, 2, 3})};
}

template <class V>
void kinematics_of(const Fields& f, std::uint32_t i, double dt, Fault& fault) {
  const std::uint32_t* const nodes = f.nodes + 8 * std::size_t{i};
  const bool is_run = f.runs[i] >= n_lanes<V>;
  const Corners<V> place = gather_corners<V>(f.x, f.y, f.z, nodes, is_run);
  const V volo = load<V>(f.volo + i);
  const V volume = volume_of(place);
  const V vnew = volume / volo;
  store(vnew, f.vnew + i);
  store(vnew - load<V>(f.v + i), f.delv + i);
  store(characteristic_length(place, volume), f.arealg + i);
  note_run<V>(fault, Check::new_volume, vnew <= 0, i);

  const Corners<V> velocity = gather_corners<V>(f.xd, f.yd, f.zd, nodes, is_run);
  Corners<V> half_way;
#pragma GCC unroll 8
  for (int c = 0; c < 8; ++c) half_way[c] = place[c] - (0.5 * dt) * velocity[c];
  store(divergence_of(velocity, jacobian_of(half_way)), f.vdov + i);

  const V vol = volo * vnew;
  const V norm = 1.0 / (vol + constants::tiny);
  const Differences<V> d = mean_differences(place);
  const Differences<V> dv = mean_differences(velocity);
  put_gradients(f, 2, i, cross(d.xi, d.eta), dv.zeta, vol, norm);
  put_gradients(f, 0, i, cross(d.eta, d.zeta), dv.xi, vol, norm);
  put_gradients(f, 1, i, cross(d.zeta, d.xi), dv.eta, vol, norm);
}

template <int N>
Fault kinematics(const Fields& f, Block elements, double dt) {
  Fault fault;
  for_each<N>(elements.begin, elements.end,
              [&]<class V>(std::uint32_t i) { kinematics_of<V>(f, i, dt, fault); });
  return fault;
}

template <int N>
constexpr Loops loops_of(std::string_view name) {
  return {name, force<N>, accelerate, move<N>, kinematics<N>, material<N>};
}

}  // namespace
}  // namespace thalweg::lulesh

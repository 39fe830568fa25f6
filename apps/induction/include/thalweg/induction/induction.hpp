// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/constrained_transport.hpp>
#include <thalweg/numerics/prolong.hpp>

namespace thalweg::induction {

/// What is known of a cell.
struct State {
  Vec<2> b;           ///< the mean magnetic field
  double energy;      ///< b^2 / 2
  double divergence;  ///< of the field, over its volume [field/length]; rounding alone
};

/// The induction equation in a uniform flow: a magnetic field b on faces that the flow carries,
///     d_t b = -curl e,    e = -v x b
struct Induction : numerics::FaceLaw<Induction, State> {
  Vec<2> velocity;

  /// The electric field at a node, along z: each component of b from where the flow comes.
  double electric_field(const numerics::ConstFaceViews<2>& b, const Index<2>& node) const {
    return velocity[1] * upwind(b[0], node, 1) - velocity[0] * upwind(b[1], node, 0);
  }
  State cell(const numerics::ConstFaceViews<2>& b, const Index<2>& i, const Vec<2>& dx) const {
    const Vec<2> mean = numerics::mean_over_cell<2>(b, i);
    return {mean, 0.5 * dot(mean, mean), numerics::divergence<2>(b, i, dx)};
  }
  numerics::Speeds speeds(State, int axis) const { return {velocity[axis], velocity[axis]}; }

 private:
  /// A component between the faces below and above a node: linear in the half cell of the face,
  /// with a limited slope.
  double upwind(const View<const double, 2>& b, const Index<2>& node, int axis) const {
    const Index<2> one = Index<2>::unit(axis);
    const bool from_below = velocity[axis] > 0;
    const Index<2> face = from_below ? node - one : node;
    const double slope =
        numerics::slope_monotonised_central(b[0, face - one], b[0, face], b[0, face + one]);
    return b[0, face] + (from_below ? 0.5 : -0.5) * slope;
  }
};

/// A loop of field in a periodic box: its potential along z, (1 - (r / radius)^2)^3 around a centre
/// that the flow carries, at the time of the node. An exact solution.
struct Loop {
  Vec<2> velocity, centre, box;
  double radius;

  double operator()(const numerics::CellContext<2>& node) const {
    double r2 = 0;
    for (int a = 0; a < 2; ++a) {
      const double x = node.centre[a] - centre[a] - velocity[a] * node.time;
      r2 += std::pow(x - box[a] * std::round(x / box[a]), 2);
    }
    return std::pow(std::max(0.0, 1.0 - r2 / (radius * radius)), 3);
  }
};

}  // namespace thalweg::induction

// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <numbers>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/riemann_solution.hpp>
#include <thalweg/numerics/cell_context.hpp>

namespace thalweg::hydro {

// A problem is a value: the gas, the numbers that define the problem, and a call that gives the
// average of the conserved state over a cell.

/// The share of a cell that lies in a ball, by n^D sub-samples; those on its surface count half.
/// @pre n > 0   @cost n^D only for cells that the sphere may cut
template <int D>
double share_in_ball(Vec<D> cell_centre, Vec<D> dx, Vec<D> centre, double radius, int n);

/// The image of a point that is nearest to x where the domain repeats itself.
/// @param period  by axis, the width of what is repeated; 0: nothing is
template <int D>
Vec<D> nearest_image(Vec<D> point, const Vec<D>& x, const Vec<D>& period) {
  for (int a = 0; a < D; ++a)
    if (period[a] > 0) point[a] += period[a] * std::nearbyint((x[a] - point[a]) / period[a]);
  return point;
}

/// The volume of a ball of this radius in D dimensions.
template <int D>
constexpr double ball_volume(double radius) {
  if constexpr (D == 1) return 2.0 * radius;
  if constexpr (D == 2) return std::numbers::pi * radius * radius;
  if constexpr (D == 3) return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

/// A point explosion: energy put as pressure into a small ball in a cold gas at rest.
///
/// The energy is that of the full ball, whatever part of it the domain holds: put the centre on a
/// corner of the domain with reflecting faces for an octant.
/// @source Sedov, "Similarity and Dimensional Methods in Mechanics" (1959); set up as in Kamm and
///         Timmes, LA-UR-07-2849 (2007)
template <int D>
struct Sedov {
  Euler<D> gas{};
  Vec<D> centre{};
  Vec<D> period{};        ///< the explosions repeat themselves so, as nearest_image() has it
  double radius = 0.03;   ///< of the ball that gets the energy
  double energy = 1.0;    ///< in the full ball
  double rho = 1.0;       ///< density everywhere
  double p = 1e-5;        ///< pressure outside the ball
  int n_subsamples = 10;  ///< along each axis of a cell

  GasState<D> operator()(const numerics::CellContext<D>& cell) const {
    const double share = share_in_ball(
        cell.centre, cell.dx, nearest_image(centre, cell.centre, period), radius, n_subsamples);
    const double p_ball = (gas.eos.gamma - 1.0) * energy / ball_volume<D>(radius);
    return gas.to_conserved({.rho = rho, .vel = {}, .p = share * p_ball + (1.0 - share) * p});
  }
};

/// A ball of hot gas in a moving one, in a periodic box: conserves everything, and strains it.
/// @source Stone and Gardiner, New Astronomy 14 (2009) 139, sec. 6.4 (p = 10 | 0.1, radius 0.1)
template <int D, EquationOfState Eos = GammaLaw>
struct Blast {
  Euler<D, Eos> gas{.eos = {.gamma = 5.0 / 3.0}};
  Vec<D> centre{};
  Vec<D> period{};  ///< the balls repeat themselves so, as nearest_image() has it
  Vec<D> velocity{};
  double radius = 0.1;
  double rho = 1.0;
  double p_inside = 10.0;
  double p_outside = 0.1;
  int n_subsamples = 10;

  GasState<D> operator()(const numerics::CellContext<D>& cell) const {
    const double share = share_in_ball(
        cell.centre, cell.dx, nearest_image(centre, cell.centre, period), radius, n_subsamples);
    return gas.to_conserved(
        {.rho = rho, .vel = velocity, .p = share * p_inside + (1.0 - share) * p_outside});
  }
};

/// Two states side by side along an axis: a shock tube.
///
/// The defaults are Sod's. exact() gives the average over a cell at a later time.
/// @source Sod, JCP 27 (1978) 1; Toro (2009), sec. 4.3.3 for other tubes
template <int D, ShiftedGammaLaw Eos = GammaLaw>
struct ShockTube {
  Euler<D, Eos> gas{};
  int axis = 0;
  double interface = 0.0;  ///< where the states meet at t = 0
  Euler<1>::Primitive left{.rho = 1.0, .vel = {}, .p = 1.0};
  Euler<1>::Primitive right{.rho = 0.125, .vel = {}, .p = 0.1};
  int n_subsamples = 10;

  GasState<D> operator()(const numerics::CellContext<D>& cell) const;
  /// The cell average of the exact solution at cell.time, as long as no wave has met a boundary.
  GasState<D> exact(const numerics::CellContext<D>& cell) const;
};

/// Which wave a LinearWave is.
enum class Wave {
  sound_backward,  ///< runs against the wave vector, in a gas at rest
  sound_forward,   ///< runs along it
  entropy,         ///< carried by the gas, which moves along it with the speed of sound
};

/// A sine wave of small amplitude in a periodic box, in cell averages exact to first order in it.
///
/// Background rho = 1, p = 1/gamma, so c = 1; after one period() the exact solution is the initial
/// state. One wave along each axis of a box 3 x 1.5 x 1.5 has wave length 1 and is oblique to all.
/// @source Gardiner and Stone, JCP 227 (2008) 4123, sec. 6.1 (the hydrodynamic part)
template <int D>
struct LinearWave {
  Euler<D> gas{.eos = {.gamma = 5.0 / 3.0}};
  Wave wave = Wave::sound_backward;
  Vec<D> box = Vec<D>::filled(1.0);      ///< edge lengths of the domain; it begins at the origin
  Index<D> n_waves = Index<D>::unit(0);  ///< wave lengths that fit along each axis
  double amplitude = 1e-6;

  GasState<D> operator()(const numerics::CellContext<D>& cell) const;
  /// The time after which the wave has moved by one wave length.
  double period() const;
};

}  // namespace thalweg::hydro

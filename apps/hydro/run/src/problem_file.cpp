// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/joined_text.hpp>

namespace thalweg::hydro {

namespace {

constexpr std::string_view slower =
    "as what is below about 1e-16 rho v^2 does); raise it, or take a slower frame";

/// Say whether the kinetic energy of a gas drowns its pressure: what is stored is their sum.
template <int D>
bool is_drowned(const Gas<D>& gas, const GasPrimitive<D>& w) {
  return !gas.admissible(gas.to_conserved(w)) && w.p < 0.5e-15 * w.rho * dot(w.vel, w.vel);
}

}  // namespace

template <int D>
GasPrimitive<1> ProblemReader<D>::state_along(const std::string& name) const {
  const auto& values = deck.deck().reals("problem." + name);
  const GasPrimitive<1> w{.rho = values[0], .vel = {{values[1]}}, .p = values[2]};
  if (!Gas<1>{gas.eos}.admissible(w))
    deck.complain(
        fmt::format("problem.{} = [{}] (density, velocity and pressure: the first must be above 0, "
                    "the last above {}); give a gas",
                    name, joined_text(values), gas.eos.least_pressure()));
  else if (is_drowned(Gas<1>{gas.eos}, w))
    deck.complain(fmt::format(
        "problem.{} = [{}] (its pressure drowns in the rounding of the kinetic energy, {}", name,
        joined_text(values), slower));
  return w;
}

template <int D>
double ProblemReader<D>::pressure_at(const Vec<D>& velocity, double density) const {
  const double p = real("pressure");
  if (is_drowned(gas, {density, velocity, p}))
    deck.complain(fmt::format(
        "problem.pressure = {} (in gas of density {} and velocity [{}] it drowns in the rounding "
        "of the kinetic energy, {:g}, {}",
        p, density, joined_text(velocity.at), 0.5 * density * dot(velocity, velocity), slower));
  return p;
}

template <int D>
Blast<D, DeckEos> ProblemReader<D>::ball(const Vec<D>& velocity) const {
  const double density = real("density");
  return {.gas = gas,
          .centre = centre(),
          .period = period,
          .velocity = velocity,
          .radius = radius(),
          .rho = density,
          .p_inside = real("pressure_inside"),
          .p_outside = pressure_at(velocity, density)};
}

template <int D>
Vec<D> ProblemReader<D>::centre() const {
  const Vec<D> centre = reals("centre");
  for (int a = 0; a < D; ++a)
    if (period[a] == 0 && (centre[a] < lower[a] || centre[a] > upper[a]))
      deck.complain(fmt::format(
          "problem.centre = [{}] (outside the domain, which goes from {} to {} along {}); give one "
          "in it",
          joined_text(centre.at), lower[a], upper[a], axis_name(a)));
  return centre;
}

template <int D>
double ProblemReader<D>::radius() const {
  constexpr double least = 0.2;  // cells: what is in a ball is found by ten points along each axis
  const double radius = real("radius");
  const double cell = *std::ranges::max_element(coarsest_cell.at);
  if (radius < least * cell)
    deck.complain(fmt::format(
        "problem.radius = {} (cells of level 0 are {} wide: so small a ball is not seen "
        "in them); give {} at least, or more cells on level 0",
        radius, cell, least * cell));
  double farthest = 0;  // corner of the domain, squared
  for (int a = 0; a < D; ++a) {
    const double centre = reals("centre")[a];
    const double most = std::max(std::abs(lower[a] - centre), std::abs(upper[a] - centre));
    farthest += std::pow(period[a] > 0 ? 0.5 * period[a] : most, 2);
  }
  if (radius * radius >= farthest)
    deck.complain(
        fmt::format("problem.radius = {} (the ball covers the whole domain: there would be one "
                    "state); give less than {:g}",
                    radius, std::sqrt(farthest)));
  return radius;
}

template <int D>
void ProblemReader<D>::check_interface(int axis, double place, const std::string& whose) const {
  if (place > lower[axis] && place < upper[axis]) return;
  deck.complain(
      fmt::format("{} {} (outside the domain, which goes from {} to {} along {}: there would be "
                  "one state); let it lie inside",
                  whose, place, lower[axis], upper[axis], axis_name(axis)));
}

template <int D>
void ProblemReader<D>::check_unit_extent(int axis) const {
  if (lower[axis] == 0 && upper[axis] == 1) return;
  deck.complain(
      fmt::format("mesh.lower and mesh.upper are {} and {} along {} (the states of the problem "
                  "\"{}\" have their places between 0 and 1 there); give 0 and 1",
                  lower[axis], upper[axis], axis_name(axis), deck.string("problem.name")));
}

template <int D>
Euler<D> ProblemReader<D>::ideal_gas() const {
  if (!is_ideal(deck.deck()))
    deck.complain(fmt::format(
        "problem.name = \"{}\" with hydro.eos = '{}' (the problem is one of an ideal gas); give "
        "'gamma_law', or choose another problem",
        deck.string("problem.name"), deck.string("hydro.eos")));
  return {.eos = {.gamma = gas.eos.gamma}};
}

template <int D>
Euler<D> ProblemReader<D>::ideal_gas_of(double gamma) const {
  if (gas.eos.gamma != gamma)
    deck.complain(
        fmt::format("problem.gamma = {} (the states of the problem \"{}\" are those of a shock for "
                    "{} alone); give {}",
                    gas.eos.gamma, deck.string("problem.name"), gamma, gamma));
  return ideal_gas();
}

template <int D>
double ProblemReader<D>::vortex_speed() const {
  const double speed = real("speed"), gamma = gas.eos.gamma;
  const double most = std::sqrt(2.0 * gamma / (gamma - 1.0) / std::numbers::e);
  if (!(std::abs(speed) < most))
    deck.complain(fmt::format(
        "problem.speed = {} (with problem.gamma = {} no gas would be left in the middle "
        "of the vortex from {:g} on); give less",
        speed, gamma, most));
  return speed;
}

template <int D>
int ProblemReader<D>::axis() const {
  const int axis = integer("axis");
  if (axis >= D)
    deck.complain(fmt::format(
        "problem.axis = {} (mesh.dim = {} has axes below {}); give one of those", axis, D, D));
  return std::min(axis, D - 1);
}

template <int D>
double ProblemReader<D>::gravity_down() const {
  const double down = gravity[D - 1];
  if (!(down < 0))
    deck.complain(
        fmt::format("source.gravity of the last axis is {:g} (this problem has the light gas below "
                    "the heavy one, and needs what pulls it down); give one below 0",
                    down));
  return down;
}

template <int D>
double ProblemReader<D>::interface_pressure() const {
  const double p = real("pressure"), least = gas.eos.least_pressure();
  const double weight = real("density_ratio") * -gravity[D - 1] * upper[D - 1];
  if (gravity[D - 1] < 0 && upper[D - 1] > 0 && !(p - weight > least))
    deck.complain(fmt::format(
        "problem.pressure = {} (the gas above the interface weighs {:g}, and {} would be "
        "left at the top, where it must be above {}); give more than {:g}",
        p, weight, p - weight, least, weight + least));
  return p;
}

template <int D>
Index<D> ProblemReader<D>::box_waves() const {
  const Index<D> n_waves = integers("n_waves");
  if (n_waves == Index<D>{})
    deck.complain(
        "problem.n_waves is zero on every axis (there would be no wave); give one axis 1");
  check_cells_of(n_waves);
  return n_waves;
}

template <int D>
void ProblemReader<D>::check_cells_of(const Index<D>& n_waves) const {
  for (int a = 0; a < D; ++a) {
    const double n_cells = std::round((upper[a] - lower[a]) / coarsest_cell[a]);
    if (2.0 * n_waves[a] >= n_cells)
      deck.complain(fmt::format(
          "problem.n_waves is {} along {} (level 0 has {} cells there, and a wave needs "
          "more than two); give {} at most, or more cells",
          n_waves[a], axis_name(a), n_cells, std::ceil(0.5 * n_cells) - 1.0));
  }
}

template <int D>
LinearWave<D> ProblemReader<D>::linear_wave(Wave wave) const {
  const LinearWave<D> made{.gas = ideal_gas(),
                           .wave = wave,
                           .box = upper - lower,
                           .n_waves = box_waves(),
                           .amplitude = real("amplitude")};
  if (made.n_waves == Index<D>{}) return made;
  const double pi = std::numbers::pi;
  Vec<D> k;
  for (int a = 0; a < D; ++a) k[a] = 2.0 * pi * made.n_waves[a] / made.box[a];
  for (const double phase : {-0.5 * pi, 0.5 * pi})
    if (!made.gas.admissible(made(Cell<D>{.centre = (phase / dot(k, k)) * k, .dx = {}})))
      deck.complain(
          fmt::format("problem.amplitude = {} (the density or the pressure would not be above 0 in "
                      "all of the wave, which is small beside 1); give less",
                      made.amplitude));
  return made;
}

template <int D>
Index<D> ProblemReader<D>::interface_waves() const {
  constexpr int up = D - 1;
  Index<D> across = integers("n_waves");
  if (across[up] != 0)
    deck.complain(
        fmt::format("problem.n_waves is {} along {} (the interface is flat along the other axes "
                    "alone, and has its waves there); give 0",
                    across[up], axis_name(up)));
  across[up] = 0;
  if (across == Index<D>{})
    deck.complain(
        "problem.n_waves is zero along the interface (nothing would grow); set it to 1 or more "
        "along an axis other than the last");
  check_cells_of(across);
  if (!(lower[up] < 0 && upper[up] > 0))
    deck.complain(
        fmt::format("mesh.lower and mesh.upper are {} and {} along the last axis (the interface is "
                    "where that is 0); let 0 lie between them",
                    lower[up], upper[up]));
  return across;
}

#define THALWEG_INSTANTIATE(D) template struct ProblemReader<D>
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydro

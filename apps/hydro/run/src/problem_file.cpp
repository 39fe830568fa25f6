// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <thalweg/core/dimensions.hpp>

namespace thalweg::hydro {

template <int D>
GasPrimitive<1> ProblemReader<D>::state_along(const std::string& name) const {
  const auto& values = deck.deck().reals("problem." + name);
  const GasPrimitive<1> w{.rho = values[0], .vel = {{values[1]}}, .p = values[2]};
  if (!Gas<1>{gas.eos}.admissible(w))
    deck.complain(
        fmt::format("problem.{} = [{}] (density, velocity and pressure: the first must be above 0, "
                    "the last above {}); give a gas",
                    name, fmt::join(values, ", "), gas.eos.least_pressure()));
  return w;
}

template <int D>
Vec<D> ProblemReader<D>::centre() const {
  const Vec<D> centre = reals("centre");
  for (int a = 0; a < D; ++a)
    if (period[a] == 0 && (centre[a] < lower[a] || centre[a] > upper[a]))
      deck.complain(fmt::format(
          "problem.centre = [{}] (outside the domain, which goes from {} to {} along {}); give one "
          "in it",
          fmt::join(centre.at, ", "), lower[a], upper[a], "xyz"[a]));
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
  return radius;
}

template <int D>
void ProblemReader<D>::check_interface(int axis, double place, const std::string& whose) const {
  if (place > lower[axis] && place < upper[axis]) return;
  deck.complain(
      fmt::format("{} {} (outside the domain, which goes from {} to {} along {}: there would be "
                  "one state); let it lie inside",
                  whose, place, lower[axis], upper[axis], "xyz"[axis]));
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
Index<D> ProblemReader<D>::interface_waves() const {
  constexpr int up = D - 1;
  Index<D> across = integers("n_waves");
  across[up] = 0;
  if (across == Index<D>{})
    deck.complain(
        "problem.n_waves is zero along the interface (nothing would grow); set it to 1 or more "
        "along an axis other than the last");
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

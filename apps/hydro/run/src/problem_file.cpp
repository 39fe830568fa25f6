// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>

#include <algorithm>

namespace thalweg::hydro {

template <int D>
Euler<1>::Primitive ProblemReader<D>::state_along(const std::string& name) const {
  const auto& values = deck.deck().reals("problem." + name);
  if (!(values[0] > 0) || !(values[2] > 0))
    deck.complain(
        fmt::format("problem.{} = [{}] (density, velocity and pressure: the first and the last "
                    "must be positive); give a gas",
                    name, fmt::join(values, ", ")));
  return {.rho = values[0], .vel = {{values[1]}}, .p = values[2]};
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

template struct ProblemReader<1>;
template struct ProblemReader<2>;
template struct ProblemReader<3>;

}  // namespace thalweg::hydro

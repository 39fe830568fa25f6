// SPDX-License-Identifier: MIT
// Functions of a problem that take the wrong arguments: the compiler says what each of them is.
#include <thalweg/exchange/emit/outside_states.hpp>
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/step/cell_functions.hpp>

using namespace thalweg;

struct Heat {
  double u;
};
struct Still : numerics::ConservationLaw<Still, 2, Heat> {
  Heat flux(Heat, int) const { return {0}; }
  numerics::Speeds speeds(Heat, int) const { return {0, 0}; }
};
using Cell = numerics::CellContext<2>;
using Beside = numerics::BoundaryCell<Still>;

/// As app::Problem has them, in a set-up.
struct Problem {
  step::InitialState<Heat, 2> initial;
  exchange::OutsideStates<Still> outside{};
  step::SourceUpdate<Heat, 2> source{};
  step::SourceRate<Heat, 2> rate{};
  step::RefinedState<Heat, 2> refined{};
  step::RefinementTags<Heat, 2> tag{};
};
struct Setup {
  Problem problem;
};

Setup set_up() {
#ifdef THALWEG_RIGHT
  return {.problem = {.initial = [](const Cell&) { return Heat{1}; },
                      .outside = [](const Beside& cell) { return cell.inside; },
                      .source = [](const Cell&, Heat heat, double) { return heat; },
                      .rate = [](const Cell&, const auto& at) { return Heat{at()}; },
                      .refined = [](const Cell&, Heat heat, Heat) { return heat; },
                      .tag = [](const Cell&, const auto& at) { return at().u > 1; }}};
#else
  return {.problem = {.initial = [](double, double) { return Heat{1}; },
                      .outside = [](const Cell&, Heat inside) { return inside; },
                      .source = [](const Cell&, Heat heat) { return heat; },
                      .rate = [](const Cell&) { return Heat{1}; },
                      .refined = [](Heat heat) { return heat; },
                      .tag = [](const Cell&) { return true; }}};
#endif
}

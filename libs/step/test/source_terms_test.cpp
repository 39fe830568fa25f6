// SPDX-License-Identifier: MIT
#include <thalweg/step/source_terms.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::step {
namespace {

/// Burgers' equation: signals are as fast as the state.
struct Burgers {
  static constexpr int dim = 1;
  static constexpr int n_components = 1;
  struct State {
    double u;
  };
  using Primitive = State;

  Primitive to_primitive(State w) const { return w; }
  State to_conserved(Primitive w) const { return w; }
  State flux(Primitive w, int) const { return {0.5 * w.u * w.u}; }
  numerics::Speeds riemann_speeds(Primitive l, Primitive r, int) const { return {l.u, r.u}; }
  double max_speed(Primitive w, int) const { return std::abs(w.u); }
  bool admissible(State) const { return true; }
  bool passes_floor(State, Primitive) const { return true; }
  State mirror(State w, int) const { return {-w.u}; }
};

/// The growth for two cells of size 1/2 that move as said, in a step of 4 that begins at t = 7.
double growth(double first, double second, const SourceTerms<1>& source) {
  const Box<1> valid{{{1}}, {{3}}};
  std::vector<double> numbers(40, 1e9);  // most of them ghost cells
  numbers[19] = first;
  numbers[20] = second;
  const auto before = numbers;
  const View<double, 1> cells(numbers.data(), valid.grown(19), 1);
  std::vector<std::byte> scratch(1024);
  const double signal = numerics::max_signal(Burgers{}, cells, valid, {{0.5}});

  const double result = signal_growth(Burgers{}, source, cells, valid, {{0.5}}, signal,
                                      {.level = 3, .time = 7.0, .dt = 4.0}, scratch);
  EXPECT_EQ(numbers, before);
  return result;
}

TEST(SignalGrowth, is_how_much_faster_the_largest_signal_gets) {
  const SourceTerms<1> pull = [](const View<double, 1>& cells, const Box<1>& region,
                                 const SourceStep& step) {
    EXPECT_EQ(step.level, 3);
    EXPECT_EQ(step.time, 7.0);
    for_each(region, [&](const Index<1>& i) { cells[0, i] += 2.0 * step.dt; });
  };
  EXPECT_EQ(growth(1.0, 3.0, pull), 4.0);    // 2 over the cell size
  EXPECT_EQ(growth(1.0, -5.0, pull), 2.0);   // from -5 to 9 over 5: another cell is the fastest
  EXPECT_EQ(growth(0.0, -99.0, pull), 0.0);  // slows down
}

}  // namespace
}  // namespace thalweg::step

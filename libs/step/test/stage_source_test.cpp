// SPDX-License-Identifier: MIT
#include <thalweg/step/stage_source.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::step {
namespace {

const Box<2> valid{{{2, -1}}, {{6, 3}}};

struct Amount {
  double q;
};
const mesh::Geometry<2> deep{{.root_blocks = {{4, 4}}, .block_cells = 8, .max_level = 3}};

/// du/dt = u^2, exactly: u(t + dt) = u / (1 - u dt).
void square(const View<double, 2>& cells, const Box<2>& region, const SourceStep& step) {
  EXPECT_EQ(step.level, 3);
  EXPECT_EQ(step.time, 7.0);
  for_each(region, [&](const Index<2>& i) { cells[0, i] /= 1.0 - cells[0, i] * step.dt; });
}

TEST(StageSource, adds_its_rate_to_the_valid_cells_with_an_error_of_third_order) {
  const auto error = [](double dt) {
    std::vector<double> numbers(View<double, 2>::size_of(valid.grown(1), 1), 0.5);
    const View<double, 2> cells(numbers.data(), valid.grown(1), 1);
    StageSource<2> source(valid, 1);
    std::vector<std::byte> scratch(StageSource<2>::scratch_bytes(valid, 1) + 64);

    const auto rest = source.evaluate(square, {}, deep, cells, {3, 7.0, dt}, scratch);
    EXPECT_EQ(rest.size(), 64u);
    EXPECT_EQ((cells[0, {{3, 1}}]), 0.5);  // until it is added
    source.add(cells, 0.25);

    EXPECT_EQ((cells[0, {{1, 0}}]), 0.5);  // a ghost cell
    return (cells[0, {{3, 1}}]) - (0.5 + 0.25 * dt * 0.25);
  };
  EXPECT_NE(error(0.1), 0.0);
  EXPECT_NEAR(error(0.1) / error(0.05), 8.0, 0.1);
}

/// In how many cells of 0.5 a source finds no rate.
std::int64_t unresolved(const std::function<double(double u, double dt)>& after) {
  std::vector<double> numbers(View<double, 2>::size_of(valid, 1), 0.5);
  const View<double, 2> cells(numbers.data(), valid, 1);
  StageSource<2> source(valid, 1);
  std::vector<std::byte> scratch(StageSource<2>::scratch_bytes(valid, 1));
  const SourceTerms<2> terms = [&](const auto& of, const Box<2>& region, const SourceStep& step) {
    for_each(region, [&](const Index<2>& i) { of[0, i] = after(of[0, i], step.dt); });
  };
  source.evaluate(terms, {}, deep, cells, {3, 7.0, 0.1}, scratch);
  return source.n_unresolved();
}

TEST(StageSource, counts_cells_where_a_source_is_too_fast_for_dt_or_cannot_go_backwards) {
  const auto decay = [](double rate) {
    return [rate](double u, double dt) { return u * std::exp(-rate * dt); };
  };
  EXPECT_EQ(unresolved([](double u, double dt) { return u + dt; }), 0);
  EXPECT_EQ(unresolved([](double u, double dt) { return u + 0.01 * dt * dt; }), 0);  // small
  EXPECT_EQ(unresolved(decay(10)), 0);                                               // times dt: 1
  EXPECT_EQ(unresolved(decay(12)), valid.n_cells());
  const auto only_forwards = [](double by) {
    return [by](double u, double dt) { return dt > 0 ? u + by : u; };
  };
  EXPECT_EQ(unresolved(only_forwards(0.1)), valid.n_cells());
  EXPECT_EQ(unresolved(only_forwards(1e-4)), valid.n_cells());
  EXPECT_EQ(unresolved(only_forwards(1e-16)), 0);  // what one rounding makes
}

TEST(StageSource, adds_a_rate_of_the_states_around_a_cell) {
  const Box<2> all = valid.grown(1);
  std::vector<double> numbers(View<double, 2>::size_of(all, 1));
  const View<double, 2> cells(numbers.data(), all, 1);
  for_each(all, [&](const Index<2>& i) { cells[0, i] = i[0] * i[0] + 3.0 * i[1]; });
  StageSource<2> source(valid, 1);
  std::vector<std::byte> scratch(StageSource<2>::scratch_bytes(valid, 1));
  const SourceRate<Amount, 2> rate(
      [](const numerics::CellContext<2>& cell, const numerics::StateStencil<Amount, 2>& u) {
        EXPECT_EQ(cell.level, 3);
        EXPECT_EQ(cell.time, 7.0);
        return Amount{u(0, 1).q - 2 * u().q + u(0, -1).q};
      });

  source.evaluate({}, rate, deep, cells, {3, 7.0, 0.5}, scratch);
  source.add(cells, 0.5);

  for_each(valid, [&](const Index<2>& i) {
    EXPECT_EQ((cells[0, i]), i[0] * i[0] + 3.0 * i[1] + 0.5 * 0.5 * 2.0);
  });
}

}  // namespace
}  // namespace thalweg::step

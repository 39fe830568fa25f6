// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/conjugate_gradient.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/hpccg/solver/operator.hpp>
#include <thalweg/hpccg/solver/task_names.hpp>

#include "on_ranks.hpp"

namespace thalweg::hpccg {
namespace {

using testing::one_rank;
using testing::solve_on;
using testing::Solved;

double largest_error(const Solved& solved) {
  double error = 0;
  for (const double x : solved.x) error = std::max(error, std::abs(x - 1));
  return error;
}

/// -u'' on a line of points whose ends are held at 0: neighbours in other ranks are ghosts.
class Line {
 public:
  /// @param rows  of each rank; some may have none, but then all behind it have none
  Line(const std::vector<std::int64_t>& rows, Rank rank, double diagonal = 2)
      : n_(rows[rank()]), diagonal_(diagonal) {
    const auto r = rank();
    std::int64_t column = n_;
    if (n_ > 0 && r > 0) {
      halo_.push_back({.peer = Rank(r - 1), .sent = {{0, 1}}, .received = {column, column + 1}});
      below_ = column++;
    }
    if (n_ > 0 && r + 1 < rows.size() && rows[r + 1] > 0) {
      halo_.push_back(
          {.peer = Rank(r + 1), .sent = {{n_ - 1, n_}}, .received = {column, column + 1}});
      above_ = column;
    }
  }

  std::int64_t n_rows() const { return n_; }
  std::int64_t piece_rows() const { return 2; }
  const std::vector<HaloMessage>& halo() const { return halo_; }
  std::vector<Rows> columns_of(Rows rows) const {
    std::vector<Rows> columns{
        {std::max<std::int64_t>(rows.begin - 1, 0), std::min(rows.end + 1, n_)}};
    for (const HaloMessage& message : halo_) columns.push_back(message.received);
    return columns;
  }
  void apply(Rows rows, std::span<const double> x, std::span<double> y) const {
    const auto at = [&](std::int64_t c) { return c < 0 ? 0.0 : x[static_cast<std::size_t>(c)]; };
    for (std::int64_t i = rows.begin; i < rows.end; ++i)
      y[static_cast<std::size_t>(i - rows.begin)] =
          diagonal_ * at(i) - at(i == 0 ? below_ : i - 1) - at(i == n_ - 1 ? above_ : i + 1);
  }

 private:
  std::int64_t n_;
  double diagonal_;
  std::vector<HaloMessage> halo_;
  std::int64_t below_ = -1;
  std::int64_t above_ = -1;
};
static_assert(SparseOperator<Line>);

struct OnLine {
  std::vector<double> x;
  std::string error;
  std::int64_t n_iterations = 0;
};

OnLine solve_line(const std::vector<std::int64_t>& rows, const CgSettings& settings,
                  double diagonal = 2, double b_value = 1) {
  OnLine solved;
  std::vector<std::vector<double>> parts(rows.size());
  comm::SimNetwork network({.n_ranks = static_cast<int>(rows.size()), .seed = 5});
  const auto done = network.run([&](flow::Transport& t) {
    const Line line(rows, t.rank(), diagonal);
    const std::vector<double> b(static_cast<std::size_t>(line.n_rows()), b_value);
    std::vector<double>& x = parts[t.rank()()];
    x.resize(b.size());
    flow::Executor executor({}, t, network.clock());
    ConjugateGradient solver(line, b, x, settings, t.rank(), t.n_ranks());
    const auto report = solver.solve(executor);
    if (!report) t.abort(report.error().message);
    solved.n_iterations = report->n_iterations;
  });
  if (!done) solved.error = done.error().message;
  for (const auto& part : parts) solved.x.insert(solved.x.end(), part.begin(), part.end());
  return solved;
}

TEST(ConjugateGradient, has_the_residuals_of_the_specification) {
  const Solved ten = solve_on(one_rank, {{10, 10, 10}}, {.n_blocks = 4});
  ASSERT_EQ(ten.error, "");
  ASSERT_EQ(ten.residuals.size(), 150U);  // with the one before the first of 149 iterations
  EXPECT_EQ(ten.residuals[0], 258.24019826510357);
  EXPECT_NEAR(ten.residuals[15], 2.154015e-6, 1e-12);
  EXPECT_LT(largest_error(ten), 1e-14);
  const Solved twenty = solve_on(one_rank, {{20, 20, 20}}, {.n_blocks = 8, .max_iterations = 15});
  EXPECT_NEAR(twenty.residuals[15], 0.5072424, 5e-8);
}

TEST(ConjugateGradient, adds_in_the_order_of_the_reference) {
  // Residuals of the reference program on one rank, as it prints them.
  const Solved solved =
      solve_on(one_rank, {{10, 10, 10}}, {.sum_order = SumOrder::rows, .n_blocks = 3});
  const auto residual = [&](std::size_t k) { return fmt::format("{:g}", solved.residuals[k]); };
  EXPECT_EQ(residual(15), "2.15402e-06");
  EXPECT_EQ(residual(30), "1.77614e-20");
  EXPECT_EQ(residual(90), "6.31946e-57");
  EXPECT_EQ(residual(149), "2.22672e-92");
}

TEST(ConjugateGradient, ends_after_the_iteration_that_met_the_tolerance) {
  const CgSettings settings{.n_blocks = 3, .tolerance = 1e-3};
  const Solved solved = solve_on({{1, 1, 2}}, {{6, 6, 6}}, settings);
  ASSERT_EQ(solved.error, "");
  ASSERT_GT(solved.residuals.size(), 3U);
  EXPECT_LE(solved.residuals.back(), 1e-3);
  EXPECT_GT(solved.residuals[solved.residuals.size() - 2], 1e-3);
  // All that is left is the one before the first.
  EXPECT_EQ(solve_on(one_rank, {{6, 6, 6}}, {.tolerance = 1e9}).residuals.size(), 1U);
}

TEST(ConjugateGradient, pipelined_takes_the_same_iterations_to_the_same_solution) {
  const Index<3> all{{12, 12, 12}};
  const Solved plain = solve_on({{1, 1, 2}}, all, {.n_blocks = 4, .tolerance = 1e-7});
  const Solved pipelined =
      solve_on({{1, 1, 2}}, all, {.method = Method::pipelined, .n_blocks = 4, .tolerance = 1e-7});
  ASSERT_EQ(pipelined.error, "");
  ASSERT_EQ(pipelined.residuals.size(), plain.residuals.size());
  for (std::size_t k = 0; k < plain.residuals.size(); ++k)
    EXPECT_NEAR(pipelined.residuals[k], plain.residuals[k],
                1e-9 * plain.residuals[k] + 1e-11 * plain.residuals[0]);
  EXPECT_LT(largest_error(pipelined), 1e-8);
}

TEST(ConjugateGradient, solves_what_others_define_on_any_ranks_also_without_rows) {
  // u'' = -1: a parabola, exact for these differences.
  const std::int64_t n = 40;
  for (const auto method : {Method::plain, Method::pipelined})
    for (const std::vector<std::int64_t>& rows : std::vector<std::vector<std::int64_t>>{
             {40}, {22, 18}, {30, 10, 0}, {1, 38, 1}, {40, 0, 0}}) {
      const OnLine solved = solve_line(rows, {.method = method, .n_blocks = 3, .tolerance = 1e-9});
      ASSERT_EQ(solved.error, "");
      for (std::int64_t i = 1; i <= n; ++i)
        EXPECT_NEAR(solved.x[static_cast<std::size_t>(i - 1)],
                    0.5 * static_cast<double>(i * (n + 1 - i)), 1e-9);
    }
}

TEST(ConjugateGradient, ends_where_nothing_is_left_to_do) {
  EXPECT_EQ(solve_line({5}, {}, 2, 0).n_iterations, 0);
  const OnLine solved = solve_line({3}, {});  // exact after two iterations
  EXPECT_EQ(solved.error, "");
  EXPECT_LT(solved.n_iterations, 149);
  EXPECT_NEAR(solved.x[1], 2, 1e-15);
}

TEST(ConjugateGradient, refuses_what_it_cannot_solve) {
  const auto indefinite = solve_line({20, 20}, {.n_blocks = 2}, -1).error;
  EXPECT_NE(indefinite.find("p.Ap is -"), std::string::npos) << indefinite;
  EXPECT_NE(indefinite.find("positive definite"), std::string::npos) << indefinite;
  const auto infinite = solve_line({4, 4}, {}, 2, 1e200).error;
  EXPECT_NE(infinite.find("squared residual is inf"), std::string::npos) << infinite;
}

TEST(ConjugateGradient, replays_its_graph_for_another_right_hand_side) {
  comm::SimNetwork network({});
  const auto done = network.run([&](flow::Transport& t) {
    const Line line({30}, t.rank());
    std::vector<double> b(30, 1);
    std::vector<double> x(30, 0);
    flow::Executor executor({}, t, network.clock());
    ConjugateGradient solver(line, b, x, {.n_blocks = 4, .tolerance = 1e-10}, t.rank(), 1);
    ASSERT_TRUE(solver.solve(executor));
    const std::vector<double> first = x;
    std::ranges::fill(b, 2);
    std::ranges::fill(x, 0);
    ASSERT_TRUE(solver.solve(executor));
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], 2 * first[i]);
  });
  EXPECT_TRUE(done);
}

TEST(ConjugateGradient, names_its_tasks_for_those_who_add_up_times) {
  const Grid grid({{2, 2, 2}}, {{1, 1, 2}}, Rank(0));
  const MatrixFreeStencil a(grid);
  const std::vector<double> b(8, 1);
  std::vector<double> x(8);
  std::set<std::string> names;
  for (const auto method : {Method::plain, Method::pipelined}) {
    const ConjugateGradient solver(a, b, x, {.method = method}, Rank(0), 2);
    const flow::Graph& graph = solver.iteration();
    for (std::uint32_t t = 0; t < graph.n_tasks(); ++t) names.insert(graph.name(flow::TaskId(t)));
  }
  namespace task = task_names;
  for (const char* name :
       {task::product, task::direction, task::update_x, task::update_r, task::update_all,
        task::pack, task::reduce, task::step_length, task::residual})
    EXPECT_TRUE(names.contains(name)) << name;
}

}  // namespace
}  // namespace thalweg::hpccg

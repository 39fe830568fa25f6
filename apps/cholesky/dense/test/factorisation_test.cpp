// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/factorisation.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/generator.hpp>
#include <thalweg/cholesky/dense/task_names.hpp>

#include "on_ranks.hpp"

namespace thalweg::cholesky {
namespace {

using testing::factorise_on;

template <class T>
class FactorisationOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FactorisationOf, Scalars);

/// The largest difference of two factors, in units of the rounding of their largest elements.
template <Scalar T>
double difference(const testing::Dense<T>& a, const testing::Dense<T>& b) {
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    most = std::max<double>(most, std::abs(a.values[i] - b.values[i]));
    largest = std::max<double>(largest, std::abs(b.values[i]));
  }
  return most / largest / std::numeric_limits<Real<T>>::epsilon();
}

TYPED_TEST(FactorisationOf, any_size_is_that_of_the_definition) {
  for (const std::int64_t n : {1, 2, 7, 8, 9, 24, 31})
    for (const auto uplo : {Uplo::lower, Uplo::upper}) {
      const RandomMatrix<TypeParam> element{.seed = 5, .bump = static_cast<double>(n)};
      const auto expected = testing::factor(testing::hermitian<TypeParam>(n, element));
      ASSERT_EQ(expected.second, 0);
      const auto found = factorise_on<TypeParam>({.n = n, .tile = 8, .uplo = uplo}, element, {});
      EXPECT_EQ(found.error, "");
      EXPECT_EQ(found.info, 0);
      // n operations an element, each rounded: LAPACK's bound is n eps.
      EXPECT_LT(difference(found.l, expected.first), static_cast<double>(n + 1)) << n;
    }
}

TYPED_TEST(FactorisationOf, a_matrix_that_is_not_positive_definite_tells_the_exact_index) {
  const std::int64_t n = 13;
  for (const auto uplo : {Uplo::lower, Uplo::upper})
    for (const std::int64_t bad : {1, 4, 5, 9, 13})
      for (const double value : {-3.0, 0.0, std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity()}) {
        const auto element = [&](std::int64_t i, std::int64_t j) {
          const RandomMatrix<TypeParam> random{.seed = 5, .bump = 13};
          return i == j && i == bad - 1 ? TypeParam(static_cast<Real<TypeParam>>(value))
                                        : random(i, j);
        };
        for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 2}, {3, 1}, {2, 2}}) {
          const auto found = factorise_on<TypeParam>(
              {.n = n, .tile = 4, .grid_rows = rows, .grid_columns = columns, .uplo = uplo},
              element, {});
          EXPECT_EQ(found.error, "");
          EXPECT_EQ(found.info, bad) << value << " on " << rows << "x" << columns;
        }
      }
}

TYPED_TEST(FactorisationOf, a_failure_leaves_out_the_work_behind_it) {
  // The second diagonal tile fails: what panel 0 did stays, and nothing is computed from then on.
  using T = TypeParam;
  const std::int64_t n = 14;
  const auto element = [](std::int64_t i, std::int64_t j) {
    const RandomMatrix<T> random{.seed = 5, .bump = 14};
    return i == j && i == 5 ? T(-1) : random(i, j);
  };
  for (const auto uplo : {Uplo::lower, Uplo::upper})
    for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 2}, {3, 1}, {2, 2}}) {
      const auto found = factorise_on<T>(
          {.n = n, .tile = 4, .grid_rows = rows, .grid_columns = columns, .uplo = uplo}, element,
          {});
      EXPECT_EQ(found.info, 6);
      EXPECT_TRUE(std::isnan(std::real(found.l(12, 12)))) << "the last tile does not know of it";
      // From tiles behind it panel 0 was subtracted, and nothing else was done.
      const auto of_panel = [&](int i, int j) {
        T sum = element(i, j);
        for (int k = 0; k < 4; ++k) sum -= found.l(i, k) * conjugate(found.l(j, k));
        return sum;
      };
      for (const auto& [i, j] : {std::pair{13, 12}, {13, 13}, {11, 8}, {9, 5}, {13, 7}})
        EXPECT_LT(std::abs(found.l(i, j) - of_panel(i, j)),
                  64 * std::numeric_limits<Real<T>>::epsilon())
            << i << ", " << j;
    }
}

TEST(Factorisation, of_nothing_is_done_at_once) {
  const auto found =
      factorise_on<double>({.n = 0, .tile = 4, .grid_rows = 2}, RandomMatrix<double>{}, {});
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.info, 0);
}

TEST(Factorisation, again_replays_with_other_values) {
  const RandomMatrix<double> element{.seed = 2, .bump = 20};
  const Layout layout{.n = 20, .tile = 3, .grid_rows = 1, .grid_columns = 3};
  EXPECT_EQ(factorise_on<double>(layout, element, {}, 1, 3),
            factorise_on<double>(layout, element, {}, 1, 1));
  // What has failed once does not stay so.
  comm::SimNetwork network({});
  const auto done = network.run([&](flow::Transport& transport) {
    Matrix<double> a({.n = 9, .tile = 4}, Rank(0));
    const TileKernels<double> kernels(testing::blas(), Uplo::lower);
    Factorisation<double> factorisation(a, kernels, {});
    flow::Executor executor({}, transport, network.clock());
    a.set([](auto i, auto j) { return i == j ? 6.5 - static_cast<double>(i) : 0.0; });
    EXPECT_EQ(factorisation.factorise(executor, transport).value(), 8);
    a.set([](auto i, auto j) { return i == j ? 4.0 : 0.0; });
    EXPECT_EQ(factorisation.factorise(executor, transport).value(), 0);
    EXPECT_EQ(a.tile(2, 2)[0], 2);
  });
  ASSERT_TRUE(done) << done.error().message;
}

/// How many nodes of a kind a rank has, and how many messages leave it.
struct Count {
  std::map<std::string, int> tasks;
  int n_sent = 0;
};
Count count(const Layout& layout, Rank rank, const FactorisationSettings& settings) {
  Matrix<double> a(layout, rank);
  const TileKernels<double> kernels(testing::blas(), layout.uplo);
  const Factorisation<double> factorisation(a, kernels, settings);
  const flow::Graph& graph = factorisation.graph();
  Count counted;
  for (std::size_t t = 0; t < graph.n_tasks(); ++t) {
    const auto& node = graph.node(flow::TaskId(t));
    if (node.kind == flow::NodeKind::task)
      ++counted.tasks[graph.name(flow::TaskId(t))];
    else
      counted.n_sent += node.kind == flow::NodeKind::send;
  }
  return counted;
}

TEST(Factorisation, has_the_tasks_of_the_algorithm) {
  const int nt = 6;
  const Count one = count({.n = nt, .tile = 1}, Rank(0), {});
  EXPECT_EQ(one.tasks,
            (std::map<std::string, int>{{task_names::factorise, nt},
                                        {task_names::solve_panel, nt * (nt - 1) / 2},
                                        {task_names::update_diagonal, nt * (nt - 1) / 2},
                                        {task_names::update, nt * (nt - 1) * (nt - 2) / 6}}));
  EXPECT_EQ(one.n_sent, 0);
}

TEST(Factorisation, sends_each_panel_tile_once_to_each_rank_that_reads_it) {
  const Layout layout{.n = 8, .tile = 1, .grid_rows = 2, .grid_columns = 3};
  int expected = 0;
  for (int m = 0; m < 8; ++m)
    for (int k = 0; k <= m; ++k) expected += static_cast<int>(readers(layout, m, k).size());
  for (const auto broadcast : {Broadcast::p2p, Broadcast::tree}) {
    int sent = 0;
    for (int r = 0; r < 6; ++r) sent += count(layout, Rank(r), {.broadcast = broadcast}).n_sent;
    EXPECT_EQ(sent, expected);
  }
}

TEST(Factorisation, has_buffers_for_the_panels_it_looks_ahead) {
  const Layout layout{.n = 64, .tile = 4, .grid_rows = 1, .grid_columns = 2};
  // Rank 1 has the odd columns; of panels 0, 2, ... it receives 15, 13, ... tiles.
  for (const auto& [look_ahead, expected] :
       {std::pair{0, 15U}, {1, 15U + 13}, {3, 15U + 13 + 11 + 9}, {30, 64U}}) {
    Matrix<double> a(layout, Rank(1));
    const TileKernels<double> kernels(testing::blas(), layout.uplo);
    const Factorisation<double> factorisation(a, kernels, {.look_ahead = look_ahead});
    std::set<const std::byte*> buffers;
    for (const flow::Message& message : factorisation.graph().messages())
      if (message.target != nullptr) buffers.insert(message.target);
    EXPECT_EQ(buffers.size(), expected) << look_ahead;
  }
}

}  // namespace
}  // namespace thalweg::cholesky

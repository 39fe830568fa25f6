// SPDX-License-Identifier: MIT
// Factors have the same bits however the work is spread and scheduled.
#include <array>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/generator.hpp>
#include <thalweg/core/random.hpp>

#include "on_ranks.hpp"

namespace thalweg::cholesky {
namespace {

using testing::factorise_on;

constexpr std::array models{flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase,
                            flow::Model::dataflow};

TEST(SameBits, on_all_grids_of_ranks_with_any_broadcast_and_look_ahead) {
  const RandomMatrix<double> element{.seed = 1, .bump = 30};
  for (const auto uplo : {Uplo::lower, Uplo::upper}) {
    const auto expected = factorise_on<double>({.n = 30, .tile = 4, .uplo = uplo}, element, {});
    ASSERT_EQ(expected.error, "");
    ASSERT_EQ(expected.info, 0);
    for (int p = 1; p <= 4; ++p)
      for (int q = 1; p * q <= 6; ++q)
        for (const auto broadcast : {Broadcast::p2p, Broadcast::tree})
          for (const int look_ahead : {0, 1, 5})
            EXPECT_EQ(factorise_on<double>(
                          {.n = 30, .tile = 4, .grid_rows = p, .grid_columns = q, .uplo = uplo},
                          element, {.broadcast = broadcast, .look_ahead = look_ahead}),
                      expected)
                << p << "x" << q;
  }
}

TEST(SameBits, with_ranks_that_have_nothing) {
  const RandomMatrix<double> element{.seed = 1, .bump = 9};
  const auto expected = factorise_on<double>({.n = 9, .tile = 5}, element, {});
  EXPECT_EQ(
      factorise_on<double>({.n = 9, .tile = 5, .grid_rows = 3, .grid_columns = 3}, element, {}),
      expected);
}

template <Scalar T>
void expect_same_bits(const Layout& one, const Layout& many) {
  const RandomMatrix<T> element{.seed = 7, .bump = static_cast<double>(one.n)};
  const auto expected = factorise_on<T>(one, element, {});
  for (const auto model : models)
    EXPECT_EQ(factorise_on<T>(many, element, {.model = model}), expected);
}

TEST(SameBits, in_all_models_and_precisions) {
  const Layout one{.n = 21, .tile = 5, .uplo = Uplo::upper};
  const Layout many{.n = 21, .tile = 5, .grid_rows = 2, .grid_columns = 2, .uplo = Uplo::upper};
  expect_same_bits<float>(one, many);
  expect_same_bits<double>(one, many);
  expect_same_bits<std::complex<float>>(one, many);
  expect_same_bits<std::complex<double>>(one, many);
}

TEST(SameBits, on_nine_ranks_under_a_thousand_schedules) {
  const RandomMatrix<double> element{.seed = 3, .bump = 16};
  const auto expected = factorise_on<double>({.n = 16, .tile = 2}, element, {});
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SplitMix64 random(seed);
    const bool is_square = random.below(2) == 0;
    const FactorisationSettings settings{
        .broadcast = random.below(2) == 0 ? Broadcast::p2p : Broadcast::tree,
        .look_ahead = static_cast<int>(random.below(4)),
        .model = models[random.below(4)]};
    ASSERT_EQ(
        factorise_on<double>(
            {.n = 16, .tile = 2, .grid_rows = is_square ? 3 : 9, .grid_columns = is_square ? 3 : 1},
            element, settings, seed, 2),
        expected)
        << "seed " << seed;
  }
}

TEST(SameBits, notices_other_tiles) {
  // Planted: sums in another order have other bits.
  const RandomMatrix<double> element{.seed = 1, .bump = 30};
  EXPECT_NE(factorise_on<double>({.n = 30, .tile = 5}, element, {}),
            factorise_on<double>({.n = 30, .tile = 4}, element, {}));
}

}  // namespace
}  // namespace thalweg::cholesky

// SPDX-License-Identifier: MIT
// Steps that are taken again, between processes and with workers that are threads: what
// retries_test.cpp has of virtual ranks, one worker each.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/app/testing/runtime_main.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/model.hpp>

#include "ruined_spot.hpp"

namespace thalweg::testing {
namespace {

using app::testing::runtime;

TEST(RetriesOverMpi, same_bits_in_all_models_with_one_and_two_workers) {
  const double dt = outcome({}, std::numeric_limits<double>::infinity(), 0).steps.back().dt;
  const RunOutcome alone = outcome({.model = flow::Model::bulk}, 0.3 * dt, 10);
  ASSERT_EQ(alone.failure, "");
  ASSERT_GE(n_retries(alone), 2);

  for (const auto model : flow::all_models)
    for (const std::uint32_t n_workers : {1u, 2u}) {
      if (model == flow::Model::bulk && n_workers > 1) continue;
      const auto context = runtime->context({.model = model, .executor = {.n_workers = n_workers}});
      const RunOutcome mine = run_ruined_spot(context, 0.3 * dt, 10);
      const std::string place = fmt::format("{}, {} workers", to_string(model), n_workers);
      if (runtime->rank() == Rank{0}) {
        EXPECT_TRUE(mine.steps == alone.steps) << place;
      }
      EXPECT_EQ(mine.n_regrids, alone.n_regrids) << place;
      int n_different = 0;
      for (const auto& [at, value] : mine.cells) {
        const auto same = alone.cells.find(at);
        n_different += same == alone.cells.end() || same->second != value;
      }
      EXPECT_EQ(n_different, 0) << place;
      EXPECT_EQ(flow::all_reduce(context.transport, mine.cells.size(), std::plus<std::size_t>{}),
                alone.cells.size())
          << place;
    }
}

}  // namespace
}  // namespace thalweg::testing

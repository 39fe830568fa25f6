// SPDX-License-Identifier: MIT
// No false alarm: ghosts in parts and messages, sums along trees, both field solvers and split
// steps, on one rank and on three.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/application.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/vlasov/application.hpp>

#include "../support/virtual_ranks.hpp"

namespace thalweg::testing {
namespace {

const app::Application& vlasov() {
  static const app::Application application = vlasov::application();
  return application;
}

/// Some steps and a look, on a few tiles that are not all of one size.
void expect_all_declared(int n_ranks, const std::vector<std::string>& scheme) {
  std::vector<std::string> overrides{"vlasov.cells=[20, 22]", "vlasov.tile=[8, 8]",
                                     "vlasov.modes=[{amplitude=0.4}]", "time.dt=0.1",
                                     "time.end=10"};
  overrides.insert(overrides.end(), scheme.begin(), scheme.end());
  const auto deck = app::load_deck({&vlasov(), 1}, "", "test", overrides);
  flow::AccessChecker checker;
  io::MemoryFileSystem files;
  const SimulatedRun run{.n_ranks = n_ranks, .seed = 1, .n_workers = 2, .checker = &checker};
  const auto done = on_virtual_ranks(run, files, [&](const app::Context& context) {
    const auto made = vlasov().set_up(deck)->simulation(context, nullptr, {});
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_TRUE((*made)->advance_to(4));
    EXPECT_EQ((*made)->time_state().step, 4);
    EXPECT_FALSE((*made)->series_values().empty());
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u) << "of " << checker.n_checked();
  EXPECT_GT(checker.n_checked(), 0u);
}

TEST(Vlasov, declares_all_it_uses) {
  for (const int n_ranks : {1, 3}) {
    expect_all_declared(n_ranks, {});
    expect_all_declared(n_ranks, {"vlasov.splitting=strang"});
    expect_all_declared(n_ranks, {"vlasov.predictor=ab2", "vlasov.poisson=fft"});
    expect_all_declared(n_ranks, {"vlasov.decomposition=round_robin"});
  }
}

}  // namespace
}  // namespace thalweg::testing

// SPDX-License-Identifier: MIT
// The tasks of a step of Vlasov-Poisson do not touch the heap, whatever the scheme and field
// solver.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/testing/runtime_main.hpp>
#include <thalweg/core/testing/heap_calls.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/vlasov/application.hpp>

namespace thalweg::app {
namespace {

using testing::runtime;

class SteadyVlasovStep : public ::testing::TestWithParam<flow::Model> {};

TEST_P(SteadyVlasovStep, allocates_nothing) {
  const Application vlasov = vlasov::application();
  const std::uint32_t n_workers = GetParam() == flow::Model::bulk ? 1 : 2;
  for (const std::vector<std::string>& scheme :
       {std::vector<std::string>{}, {"vlasov.splitting=strang"}, {"vlasov.poisson=fft"}}) {
    std::vector<std::string> overrides{"vlasov.cells=[70, 60]", "vlasov.tile=[16, 16]",
                                       "time.dt=0.05", "time.end=10"};
    overrides.insert(overrides.end(), scheme.begin(), scheme.end());
    const auto made =
        vlasov.set_up(load_deck({&vlasov, 1}, "", "test", overrides))
            ->simulation(
                runtime->context({.model = GetParam(), .executor = {.n_workers = n_workers}}),
                nullptr, [](const StepStatistics&) {});
    ASSERT_TRUE(made) << made.error().message;
    AnySimulation& simulation = **made;
    ASSERT_TRUE(simulation.advance_to(3));  // buffers of the executor and of MPI reach their size
    flow::barrier(runtime->transport());

    const std::uint64_t before = thalweg::testing::n_heap_calls();
    const auto done = simulation.advance_to(8);

    EXPECT_EQ(thalweg::testing::n_heap_calls(), before);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(simulation.time_state().step, 8);
  }
}

INSTANTIATE_TEST_SUITE_P(models, SteadyVlasovStep,
                         ::testing::Values(flow::Model::bulk, flow::Model::forkjoin,
                                           flow::Model::phase, flow::Model::dataflow));

}  // namespace
}  // namespace thalweg::app

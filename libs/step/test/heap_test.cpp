// SPDX-License-Identifier: MIT
// What a regrid asks of the heap, from the new forest to the graph of the next step.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include <thalweg/core/testing/heap_calls.hpp>
#include <thalweg/exchange/emit/testing/blocks.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/step/record_step.hpp>
#include <thalweg/step/regrid.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::TracerScheme;
using exchange::testing::VirtualRank;

struct SilentObserver {
  StepSums sample() const { return {}; }
  void report(const TimeState&, const StepSums&) const {}
};

/// Heap calls and blocks of one regrid of random blocks, of all ranks together.
struct Cost {
  std::uint64_t n_calls;
  std::uint64_t n_blocks;
};

Cost cost_of_regrid(int n_ranks, int root_blocks) {
  constexpr PlanSettings plan_settings{.n_ghosts = 3, .max_comm_tasks = 2};
  mesh::Geometry<2>::Config config;
  config.root_blocks = Index<2>::filled(root_blocks);
  config.block_cells = 8;
  config.max_level = 2;
  Cost cost{};
  exchange::testing::on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
    const TracerScheme<2> scheme{{.velocity = {{1.0, 1.0}}}};
    const StepSettings<2> settings{equations_of(scheme, {mesh::Geometry<2>(config), {}}),
                                   {.max_steps = 1}};
    const auto old_mesh = make_mesh(
        mesh::testing::random_forest<2>({config, 12}, self.rank(), n_ranks, self.collectives()),
        plan_settings, self.collectives());
    Pools pools{field::LevelField<2>::array_pools(8, 3, 2),
                field::LevelField<2>::array_pools(8, 0, 2)};
    State<2> old_state = make_state(old_mesh, 3, 2, pools);
    const auto wanted = mesh::testing::random_wanted(old_mesh.forest, 99);
    TimeState time_state;
    SilentObserver observer;

    flow::barrier(self.transport());  // all have made what was before
    const std::uint64_t before = thalweg::testing::n_heap_calls();
    flow::barrier(self.transport());
    const auto mesh = make_mesh(mesh::regrid<2>(old_mesh.forest, wanted, self.collectives()),
                                plan_settings, self.collectives());
    const State<2> state = make_state(mesh, 3, 2, pools, old_state);
    auto moves = self.recorder();
    record_move(moves, settings.equations->boundary({}), old_mesh, old_state, mesh, state, 1,
                plan_settings, {}, 0.0, self.collectives());
    const auto move = flow::capture(std::move(moves), flow::Model::dataflow);
    auto recorder = self.recorder();
    const auto levels = bind(recorder, mesh, state, 1);
    StepRecorder<2>(recorder, settings, mesh, levels, time_state).record_step(observer);
    const auto step = flow::capture(std::move(recorder), flow::Model::dataflow);
    flow::barrier(self.transport());
    if (self.rank() == Rank{0}) cost.n_calls = thalweg::testing::n_heap_calls() - before;
    for (const auto& level : mesh.forest.levels) cost.n_blocks += level.keys.size();
  });
  return cost;
}

TEST(Heap, calls_of_a_regrid_grow_with_lists_that_double_not_with_blocks) {
  for (const int n_ranks : {1, 3}) {
    const Cost few = cost_of_regrid(n_ranks, 4);
    const Cost many = cost_of_regrid(n_ranks, 16);

    ASSERT_GT(many.n_blocks, 10 * few.n_blocks);
    EXPECT_LT(many.n_calls - few.n_calls, many.n_blocks - few.n_blocks) << n_ranks << " ranks";
  }
}

}  // namespace
}  // namespace thalweg::step

// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/fault.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/picker.hpp>

#include "../src/record_cycle.hpp"

namespace thalweg::lulesh {
namespace {

/// Run 8 ranks of 2^3 elements whose last one's fields were spoilt; what their clocks say at the
/// end. @param dt  of the first cycle; 0: what it is
std::vector<CycleClock> run_spoilt(std::int64_t last_cycle, double dt,
                                   const std::function<void(const Fields&)>& spoil) {
  std::vector<CycleClock> clocks(8);
  comm::SimNetwork network({.n_ranks = 8, .seed = 3, .stack_bytes = 256 * 1024});
  const auto done = network.run([&](flow::Transport& transport) {
    const Settings settings{.s = 2, .n_element_tasks = 2, .n_node_tasks = 2};
    State state(Cube(2, 2, transport.rank()), {});
    if (transport.rank() == Rank(7)) spoil(state.fields());
    if (dt > 0) state.clock.dt = dt;
    const Layout layout(state, settings);
    CycleBuffers buffers(state.connectivity(), layout);
    flow::Recorder recorder(transport.rank(), 8);
    CycleRecording(recorder, state, layout, buffers, portable_loops(), 1).record(last_cycle, {});
    flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    flow::UniformPicker picker(transport.rank()());
    flow::Executor executor(
        {.scratch_bytes = material_scratch_size * sizeof(double), .picker = &picker}, transport,
        network.clock());
    if (const auto run = executor.run(graph, static_cast<std::uint64_t>(last_cycle)); !run)
      transport.abort(run.error().message);
    clocks[transport.rank()()] = state.clock;
    if (state.clock.fault.check == Check::none)
      clocks[transport.rank()()].fault = state.verdict.fault;
  });
  EXPECT_TRUE(done) << done.error().message;
  return clocks;
}

// The last rank's element 1 is at (3, 2, 2) of 4^3.
constexpr std::uint64_t spoilt_element = 2 * 16 + 2 * 4 + 3;

void expect_everywhere(const std::vector<CycleClock>& clocks, const Fault& fault) {
  for (const CycleClock& clock : clocks) {
    EXPECT_EQ(clock.fault, fault);
    EXPECT_EQ(clock.cycle, 1);
  }
}

TEST(LuleshFault, of_one_rank_ends_all_in_the_same_cycle) {
  const auto clocks = run_spoilt(50, 0, [](const Fields& f) { f.v[1] = 0; });
  expect_everywhere(clocks, {Check::volume, spoilt_element});
}

TEST(LuleshFault, is_the_first_check_that_fails) {
  const auto clocks = run_spoilt(50, 0, [](const Fields& f) {
    f.q[0] = 2e12;
    f.q[1] = 2e12;
    f.v[1] = -1;
  });
  expect_everywhere(clocks, {Check::volume, spoilt_element});
}

// With a larger step, forces would turn elements inside out before their viscosity is looked at.
constexpr double nothing_moves = 1e-30;

TEST(LuleshFault, is_at_the_first_element) {
  const auto clocks = run_spoilt(50, nothing_moves, [](const Fields& f) {
    for (int e = 7; e > 0; --e) f.q[e] = 2e12;
  });
  expect_everywhere(clocks, {Check::viscosity, spoilt_element});
}

TEST(LuleshFault, of_the_last_cycle_is_seen) {
  const auto clocks = run_spoilt(1, nothing_moves, [](const Fields& f) { f.q[1] = 2e12; });
  expect_everywhere(clocks, {Check::viscosity, spoilt_element});
}

constexpr std::uint32_t outer_nodes[]{2, 5, 8, 11, 14, 17, 20, 23, 26};  // of highest x

TEST(LuleshFault, of_elements_that_are_inside_out) {
  const auto clocks = run_spoilt(50, 0, [](const Fields& f) {
    for (const std::uint32_t n : outer_nodes) f.x[n] = 0;
  });
  expect_everywhere(clocks, {Check::jacobian, spoilt_element});
}

TEST(LuleshFault, of_elements_that_move_inside_out) {
  const auto clocks = run_spoilt(50, 0, [](const Fields& f) {
    for (const std::uint32_t n : outer_nodes) f.xd[n] = -1e9;
  });
  expect_everywhere(clocks, {Check::new_volume, spoilt_element});
}

TEST(LuleshFault, is_where_one_lane_fails_too) {
  for (const Loops* loops : {&portable_loops(), &best_loops()}) {
    State state(Cube(3, 1, Rank(0)), {});
    for (std::uint32_t e = 0; e < 27; ++e) {
      state.fields().v[e] = 0;
      EXPECT_EQ(loops->force(state.fields(), {0, 27}), (Fault{Check::volume, e})) << loops->name;
      state.fields().v[e] = 1;
    }
  }
}

}  // namespace
}  // namespace thalweg::lulesh

// SPDX-License-Identifier: MIT
#include <thalweg/predict/refinement.hpp>

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

/// Two changes of a mesh, the first of which moves a block from one rank to another.
RefinementJob two_changes() {
  RefinementJob job{.n_ranks = 2, .n_blocks = 5, .n_collectives = 3, .n_steps = 4};
  job.changes.push_back(to_and_fro());
  job.changes.push_back(job_of(2, 1, flow::Model::phase, [](flow::Recorder& r, int rank) {
    const auto x = r.data<double>("x", 1);
    r.task(rank == 0 ? "a" : "c", flow::uses(flow::out(x)), nothing);
  }));
  return job;
}

TEST(Refinement, takes_its_changes_one_after_another_and_what_finding_them_takes) {
  Machine machine;
  machine.network = {.latency_ns = 45, .overhead_ns = 0};
  machine.time_factor = 2;
  const auto r = simulate_refinement(two_changes(), machine, {}, 7);
  // Tasks take twice their times: to and fro 200 + 45 + 20 + 45, then 200.
  EXPECT_DOUBLE_EQ(r.mesh_ns, 2 * 7 * 5 + 3 * (2 * 45));
  EXPECT_DOUBLE_EQ(r.ns, 310 + 200 + r.mesh_ns);
  EXPECT_DOUBLE_EQ(r.share(r.ns / 4), 0.5);
}

TEST(Refinement, is_changed_as_steps_are) {
  Machine machine;
  machine.network = {.latency_ns = 45};
  const auto with = [&](const char* text) {
    const WhatIf what_if = parse_what_if(text);
    return simulate_refinement(two_changes(), machine, {}, 7, &what_if);
  };
  EXPECT_DOUBLE_EQ(with("latency=0x").mesh_ns, 7 * 5);
  EXPECT_DOUBLE_EQ(with("latency=0x").ns, 110 + 100 + 7 * 5);
  // "b" is in the first change alone, and "mesh" is what the machine is said to take.
  EXPECT_DOUBLE_EQ(with("kernels.b=0x").ns, 190 + 100 + 7 * 5 + 3 * (2 * 45));
  EXPECT_DOUBLE_EQ(with("kernels.z=0x").ns, 200 + 100 + 7 * 5 + 3 * (2 * 45));
}

TEST(Refinement, asks_a_tree_of_all_ranks_in_each_collective) {
  Machine machine;
  machine.network = {.latency_ns = 100, .overhead_ns = 10};
  machine.memory = {.latency_ns = 1, .overhead_ns = 0};
  machine.ranks_per_node = 2;
  const auto with_ranks = [&](int n_ranks) {
    return simulate_refinement({.n_ranks = n_ranks, .n_collectives = 1}, machine, {}, 0).ns;
  };
  EXPECT_DOUBLE_EQ(with_ranks(1), 0);
  EXPECT_DOUBLE_EQ(with_ranks(2), 2);  // on one node
  EXPECT_DOUBLE_EQ(with_ranks(3), 2 * 2 * 120);
  EXPECT_DOUBLE_EQ(with_ranks(8), 3 * 2 * 120);
}

TEST(Refinement, that_changes_nothing_takes_what_finding_that_takes) {
  EXPECT_DOUBLE_EQ(simulate_refinement({.n_blocks = 5}, {}, {}, 7).ns, 35);
}

}  // namespace
}  // namespace thalweg::predict

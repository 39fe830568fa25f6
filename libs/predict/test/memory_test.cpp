// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/testing/heap_bytes.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/predict/critical_path.hpp>
#include <thalweg/predict/simulate.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

/// A ring of ranks with so many chains of tasks each; the first one waits for both neighbours.
Job ring(int n_ranks, int n_chains, int n_stages) {
  return job_of(n_ranks, 2, flow::Model::dataflow, [=](flow::Recorder& r, int rank) {
    const Rank below((rank + n_ranks - 1) % n_ranks), above((rank + 1) % n_ranks);
    const auto left = r.data<double>("left", 64), right = r.data<double>("right", 64);
    std::vector<flow::Data<double>> x;
    for (int i = 0; i < n_chains; ++i) x.push_back(r.data<double>("x", 64));
    for (int stage = 0; stage < n_stages; ++stage) {
      r.send(flow::in(x[0]), below);
      r.send(flow::in(x[0]), above);
      r.recv(flow::out(left), below);
      r.recv(flow::out(right), above);
      r.task("a", flow::uses(flow::in(left), flow::in(right), flow::inout(x[0])), nothing);
      for (std::size_t i = 1; i < x.size(); ++i)
        r.task("a", flow::uses(flow::inout(x[i])), nothing);
    }
  });
}

TEST(BytesToSimulate, are_what_a_simulation_takes) {
  for (const std::uint32_t depth : {1u, 2u, 4u}) {
    // Small enough for all of it to lie on the heap.
    for (const Job& job : {ring(40, 20, 10), ring(200, 2, 10)}) {
      const Scenario scenario{.n_steps = 3, .depth = depth};
      thalweg::testing::restart_most_heap_bytes();
      const auto before = static_cast<double>(thalweg::testing::heap_bytes());
      simulate(job, {}, scenario);
      const double taken = static_cast<double>(thalweg::testing::most_heap_bytes()) - before;
      const auto expected = static_cast<double>(bytes_to_simulate(job, scenario));
      EXPECT_GT(1.25 * expected, taken) << depth;
      EXPECT_LT(0.5 * expected, taken) << depth;
    }
  }
}

TEST(BytesOfPath, are_the_most_that_finding_one_takes) {
  for (const std::uint64_t n_steps : {10u, 100u})
    for (const Job& job : {ring(40, 20, 10), ring(200, 2, 10)}) {
      const Scenario scenario{.n_steps = n_steps};
      thalweg::testing::restart_most_heap_bytes();
      const auto before = static_cast<double>(thalweg::testing::heap_bytes());
      critical_path(job, {}, scenario);
      const double taken = static_cast<double>(thalweg::testing::most_heap_bytes()) - before;
      const auto expected = static_cast<double>(bytes_of_path(job, scenario));
      EXPECT_LE(taken, expected) << n_steps;
      EXPECT_GT(taken, 0.7 * expected) << n_steps;
    }
}

// A machine file may have more ranks a node than are predicted.
TEST(Simulate, takes_no_memory_for_ranks_that_a_node_does_not_have) {
  const Machine machine{.ranks_per_node = 1 << 20, .shared_memory = {.domain_cores = 1}};
  Job job = ring(3, 2, 2);
  job.is_memory_bound.assign(job.names.size(), 1);
  thalweg::testing::restart_most_heap_bytes();
  const std::uint64_t before = thalweg::testing::heap_bytes();
  simulate(job, machine, {.n_steps = 2});
  EXPECT_LT(thalweg::testing::most_heap_bytes() - before, std::uint64_t{1} << 20);
}

}  // namespace
}  // namespace thalweg::predict

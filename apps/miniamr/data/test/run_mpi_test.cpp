// SPDX-License-Identifier: MIT
// A timestep, a regrid and another timestep under MPI, with threads, against plain loops.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/miniamr/data/regrid.hpp>

#include "forest.hpp"

namespace thalweg::miniamr::data::testing {
namespace {

void expect_plain_run(const Meshes& meshes, flow::Model model, std::uint32_t n_workers) {
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  const SteadyClock clock;
  VirtualRank self{.transport = transport, .clock = clock, .model = model, .n_workers = n_workers};
  const Rank rank = transport.rank();
  const Shape shape{{4, 6, 4}, 5};
  const StageSettings settings{.n_stages = 3,
                               .group_size = 2,
                               .checksum_freq = 2,
                               .max_comm_tasks = 2,
                               .n_workers = n_workers};
  const Plain before = plain_blocks(shape, meshes.before);
  Store store(shape);
  store.assign(keys_of(meshes.before[rank()]));
  load(store, before);
  Checksums checksums{.last = std::vector<double>(5), .tolerance = 1e-13};
  ASSERT_EQ(self.run(shape, [&](auto& r) { record_first_checksums(r, store, checksums); }), "");
  const auto run_timesteps = [&](const Layout& layout) {
    return self.run(
        shape, [&](auto& r) { record_timestep(r, settings, layout, store, checksums); }, 3);
  };
  ASSERT_EQ(run_timesteps(meshes.before[rank()]), "");
  Plain plain = before;
  for (int i = 0; i < 9; ++i) plain_stage(shape, plain, meshes.before, Stencil::seven);
  expect_equal(store, plain, "before the regrid");

  store.begin_regrid(meshes.origins[rank()], rank);
  ASSERT_EQ(
      self.run(shape, [&](auto& r) { record_regrid(r, meshes.origins[rank()], store, n_workers); }),
      "");
  store.end_regrid();
  plain = plain_regrid(shape, plain, meshes.after);
  expect_equal(store, plain, "after the regrid");
  ASSERT_EQ(run_timesteps(meshes.after[rank()]), "");
  for (int i = 0; i < 9; ++i) plain_stage(shape, plain, meshes.after, Stencil::seven);
  expect_equal(store, plain, "in the end");
}

TEST(DataMpi, has_the_bits_of_plain_loops_in_all_models_on_one_and_two_threads) {
  const Meshes meshes = random_meshes(5, comm::test_session->n_ranks());
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (const std::uint32_t n_workers : {1U, 2U}) expect_plain_run(meshes, model, n_workers);
}

TEST(DataMpi, needs_no_blocks_on_every_rank) {
  if (comm::test_session->n_ranks() != 3) GTEST_SKIP() << "for three ranks";
  expect_plain_run(with_idle_rank(random_meshes(4, 2)), flow::Model::dataflow, 2);
}

}  // namespace
}  // namespace thalweg::miniamr::data::testing

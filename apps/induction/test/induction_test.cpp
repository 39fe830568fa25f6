// SPDX-License-Identifier: MIT
#include <thalweg/induction/induction.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/picker.hpp>

#include "../../../libs/flow/test/loopback.hpp"

namespace thalweg::induction {
namespace {

/// What all virtual ranks say of a run, its tasks in an order that a seed chooses.
Summary run_on(int n_ranks, const Settings& settings, std::uint64_t seed = 1,
               flow::Model model = flow::Model::dataflow, std::uint32_t n_workers = 1) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = seed});
  std::vector<Summary> summaries(static_cast<std::size_t>(n_ranks));
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(seed + transport.rank()());
    const auto summary = run(transport, network.clock(),
                             {.n_workers = n_workers, .picker = &picker}, model, settings);
    if (!summary) throw std::runtime_error(summary.error().message);
    summaries[transport.rank()()] = *summary;
  });
  EXPECT_TRUE(done) << done.error().message;
  for (const auto& summary : summaries) EXPECT_EQ(summary.hash, summaries[0].hash);
  return summaries[0];
}

/// A short way, with many regrids.
Settings short_run() {
  Settings settings;
  settings.end = 0.15;
  settings.regrid_interval = 3;
  return settings;
}

// Regrids come late, so that new blocks lie where the field is.
TEST(Induction, no_cell_ever_has_a_divergence) {
  Settings settings;
  settings.end = 0.3;
  settings.regrid_interval = 36;
  settings.regrid_buffer = 0;
  const Summary summary = run_on(1, settings);

  EXPECT_EQ(summary.n_levels, 3);
  EXPECT_GT(summary.n_regridded, 20);
  EXPECT_GT(summary.divergence, 0);
  // A face changes by two roundings a stage, each a few 1e-16 of the field, at random.
  EXPECT_LT(summary.divergence, 1e-12);
}

TEST(Induction, has_the_same_bits_on_any_layout_and_schedule) {
  Settings settings = short_run();
  settings.end = 0.015;
  const Summary alone = run_on(1, settings);
  Settings assigned = settings;
  assigned.partitioner = mesh::Partitioner::round_robin;

  EXPECT_GT(alone.n_regridded, 0);
  for (const std::uint64_t seed : {2, 3}) {
    EXPECT_EQ(run_on(3, settings, seed).hash, alone.hash);
    EXPECT_EQ(run_on(3, assigned, seed).hash, alone.hash);
  }
  for (const auto model : {flow::Model::bulk, flow::Model::phase})
    EXPECT_EQ(run_on(2, settings, 4, model).hash, alone.hash);
  const Summary many = run_on(11, assigned, 5);  // level 0 has 8 blocks
  EXPECT_EQ(many.hash, alone.hash);
  EXPECT_EQ(many.energy, alone.energy);
  EXPECT_EQ(many.divergence, alone.divergence);
}

// Two homes a rank, in every model; a rank of eleven has no block of level 0.
TEST(Induction, has_the_same_bits_with_two_workers) {
  Settings settings = short_run();
  settings.end = 0.015;
  settings.partitioner = mesh::Partitioner::round_robin;
  const Summary alone = run_on(1, settings);
  EXPECT_GT(alone.n_regridded, 0);
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (const int n_ranks : {1, 3}) {
      const Summary two = run_on(n_ranks, settings, 6, model, 2);
      EXPECT_EQ(two.hash, alone.hash);
      EXPECT_EQ(two.energy, alone.energy);
    }
  EXPECT_EQ(run_on(11, settings, 7, flow::Model::dataflow, 2).hash, alone.hash);
}

TEST(Induction, has_the_same_bits_on_two_threads) {
  Settings settings = short_run();
  settings.end = 0.015;
  const Summary alone = run_on(1, settings);
  for (const auto model : {flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (int turn = 0; turn < 3; ++turn) {
      flow::Loopback transport;
      const SteadyClock clock;
      const auto summary = run(transport, clock, {.n_workers = 2}, model, settings);
      ASSERT_TRUE(summary) << summary.error().message;
      EXPECT_EQ(summary->hash, alone.hash);
    }
}

TEST(Induction, is_as_good_as_if_all_were_fine) {
  Settings adaptive = short_run();
  Settings fine = short_run();
  fine.mesh.root_blocks = {{16, 8}};
  fine.mesh.max_level = 0;
  Settings coarse = short_run();
  coarse.mesh.max_level = 0;

  const Summary of_adaptive = run_on(1, adaptive);
  const Summary of_fine = run_on(1, fine);
  const Summary of_coarse = run_on(1, coarse);

  EXPECT_LT(of_adaptive.error, 1.1 * of_fine.error);
  EXPECT_LT(4 * of_adaptive.error, of_coarse.error);
  EXPECT_LT(of_adaptive.energy, of_adaptive.energy_at_start);
}

// Second order but for the ridges of the field, which the limiter clips.
TEST(Induction, converges_at_more_than_order_three_halves) {
  std::vector<double> errors;
  for (const int n : {4, 8, 16}) {
    Settings settings = short_run();
    settings.mesh.root_blocks = {{2 * n, n}};
    settings.mesh.max_level = 0;
    settings.velocity = {{-2.0, 1.0}};
    errors.push_back(run_on(1, settings).error);
  }
  EXPECT_GT(errors[0] / errors[1], 2.83);
  EXPECT_GT(errors[1] / errors[2], 2.83);
}

TEST(Induction, refuses_what_it_cannot_do) {
  comm::SimNetwork network({});
  const auto message_of = [&](const Settings& settings) {
    std::string message;
    const auto done = network.run([&](flow::Transport& transport) {
      try {
        (void)run(transport, network.clock(), {}, flow::Model::dataflow, settings);
      } catch (const Error& error) {
        message = error.what();
      }
    });
    EXPECT_TRUE(done);
    return message;
  };
  Settings settings;
  settings.mesh.ratio = 4;
  EXPECT_NE(message_of(settings).find("ratio = 4"), std::string::npos);
  settings = {};
  settings.mesh.periodic[1] = false;
  EXPECT_NE(message_of(settings).find("periodic"), std::string::npos);
  settings = {};
  settings.radius = 0.6;
  EXPECT_NE(message_of(settings).find("0.6"), std::string::npos);
  settings = {};
  settings.cfl = 0.9;
  EXPECT_NE(message_of(settings).find("0.9"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::induction

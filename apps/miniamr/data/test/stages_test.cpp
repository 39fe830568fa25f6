// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/stages.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/miniamr/data/task_names.hpp>

#include "forest.hpp"

namespace thalweg::miniamr::data::testing {
namespace {

struct Case {
  Shape shape;
  StageSettings settings;
  int n_timesteps = 2;
  std::uint64_t seed = 1;

  /// In which order axes are exchanged. @param stage  of all timesteps
  std::array<int, 3> order_in(int stage) const {
    constexpr std::array<std::array<int, 3>, 6> orders{
        {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}};
    const int turn = settings.permutes ? (settings.first_stage + stage) % 6 : 0;
    return orders[static_cast<std::size_t>(turn)];
  }
};

/// Run timesteps on virtual ranks and compare all cells with plain loops.
void expect_plain_results(const Case& c, int n_ranks, flow::Model model) {
  const Meshes meshes = random_meshes(c.seed, n_ranks);
  const std::string what = "on " + std::to_string(n_ranks) + " ranks, model " +
                           std::string(flow::to_string(model)) + ", seed " + std::to_string(c.seed);
  const Plain before = plain_blocks(c.shape, meshes.before);
  Plain plain = before;
  for (int i = 0; i < c.n_timesteps * c.settings.n_stages; ++i)
    plain_stage(c.shape, plain, meshes.before, c.settings.stencil, c.order_in(i));
  on_virtual_ranks(n_ranks, c.seed, [&](VirtualRank& self) {
    self.model = model;
    const Layout& layout = meshes.before[self.transport.rank()()];
    Store store(c.shape);
    store.assign(keys_of(layout));
    load(store, before);
    Checksums checksums{.last = std::vector<double>(static_cast<std::size_t>(c.shape.n_vars)),
                        .tolerance = c.settings.stencil == Stencil::seven ? 1e-13 : 1e3};
    ASSERT_EQ(self.run(c.shape, [&](auto& r) { record_first_checksums(r, store, checksums); }), "");
    ASSERT_EQ(
        self.run(
            c.shape, [&](auto& r) { record_timestep(r, c.settings, layout, store, checksums); },
            static_cast<std::uint64_t>(c.n_timesteps)),
        "");
    expect_equal(store, plain, what);
  });
}

TEST(Stages, are_those_of_plain_loops_in_all_models) {
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (const int n_ranks : {1, 3})
      expect_plain_results(
          {.shape = {{4, 6, 8}, 3}, .settings = {.n_stages = 3, .checksum_freq = 2}}, n_ranks,
          model);
}

TEST(Stages, are_the_same_where_blocks_are_more_than_the_caches_hold) {
  for (const int n_ranks : {1, 3})
    expect_plain_results(
        {.shape = {{4, 6, 10}, 3}, .settings = {.n_stages = 3, .group_size = 2, .cache_bytes = 1}},
        n_ranks, flow::Model::dataflow);
}

TEST(Stages, are_the_same_for_any_mesh_and_schedule) {
  for (std::uint64_t seed = 2; seed < 8; ++seed)
    expect_plain_results({.shape = {{4, 4, 4}, 2}, .settings = {.n_stages = 2}, .seed = seed}, 3,
                         flow::Model::dataflow);
}

TEST(Stages, are_the_same_for_groups_of_variables_and_any_number_of_messages) {
  for (const int group_size : {1, 2})
    for (const int max_comm_tasks : {0, 1, 4})
      expect_plain_results({.shape = {{4, 2, 6}, 5},
                            .settings = {.n_stages = 4,
                                         .group_size = group_size,
                                         .checksum_freq = 1,
                                         .max_comm_tasks = max_comm_tasks,
                                         .permutes = true,
                                         .has_separate_buffers = group_size == 1}},
                           3, flow::Model::dataflow);
}

TEST(Stages, of_27_points_see_edges_and_corners_new_or_old_in_all_models) {
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (const bool sends_borders : {false, true})
      for (const int n_ranks : {1, 3})
        expect_plain_results({.shape = {{2, 6, 4}, 3, true, sends_borders},
                              .settings = {.stencil = Stencil::twenty_seven,
                                           .n_stages = 3,
                                           .group_size = 2,
                                           .has_separate_buffers = n_ranks == 1},
                              .seed = 3},
                             n_ranks, model);
}

TEST(Stages, of_27_points_see_what_directions_in_their_turns_left) {
  for (std::uint64_t seed = 3; seed < 6; ++seed)
    for (const bool sends_borders : {false, true})
      for (const int max_comm_tasks : {0, 1})
        expect_plain_results({.shape = {{4, 2, 6}, 2, true, sends_borders},
                              .settings = {.stencil = Stencil::twenty_seven,
                                           .n_stages = 6,
                                           .max_comm_tasks = max_comm_tasks,
                                           .permutes = true,
                                           .first_stage = static_cast<int>(seed)},
                              .seed = seed},
                             3, flow::Model::dataflow);
}

TEST(Stages, can_be_one_a_timestep) {
  expect_plain_results({.shape = {{4, 4, 4}, 1}, .settings = {.n_stages = 1}, .n_timesteps = 5}, 3,
                       flow::Model::dataflow);
}

TEST(Stages, need_no_blocks_on_every_rank) {
  const Shape shape{{4, 4, 4}, 2};
  const Meshes meshes = with_idle_rank(random_meshes(4, 2));
  const Plain before = plain_blocks(shape, meshes.before);
  Plain plain = before;
  for (int i = 0; i < 3; ++i) plain_stage(shape, plain, meshes.before, Stencil::seven);
  on_virtual_ranks(3, 4, [&](VirtualRank& self) {
    const Layout& layout = meshes.before[self.transport.rank()()];
    Store store(shape);
    store.assign(keys_of(layout));
    load(store, before);
    Checksums checksums{.last = std::vector<double>(2), .tolerance = 1e-13};
    ASSERT_EQ(self.run(shape, [&](auto& r) { record_first_checksums(r, store, checksums); }), "");
    ASSERT_EQ(self.run(shape,
                       [&](auto& r) {
                         record_timestep(r, {.n_stages = 3, .checksum_freq = 1}, layout, store,
                                         checksums);
                       }),
              "");
    expect_equal(store, plain, "with an idle rank");
  });
}

TEST(Stages, do_not_wait_for_the_check_of_the_one_before) {
  const Shape shape{{4, 4, 4}, 2};
  const Layout layout = random_meshes(1, 1).before[0];
  Store store(shape);
  store.assign(keys_of(layout));
  Checksums checksums{.last = {1.0, 1.0}};
  flow::Recorder recorder(Rank(0), 1);
  record_timestep(recorder, {.n_stages = 4, .checksum_freq = 1}, layout, store, checksums);
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
  std::size_t n_checks = 0;
  for (std::uint32_t t = 0; t < graph.n_tasks(); ++t) {
    if (graph.name(flow::TaskId(t)) != "checksum") continue;
    ++n_checks;
    // Sweeps of the stage after are the next tasks recorded, and later ones may wait.
    std::uint32_t last = t + 1;
    while (last < graph.n_tasks() && graph.name(flow::TaskId(last)) != "checksum") ++last;
    for (const std::uint32_t waits : graph.successors(flow::TaskId(t)))
      EXPECT_FALSE(waits < last && graph.name(flow::TaskId(waits)) == "stencil") << t;
  }
  EXPECT_EQ(n_checks, 4u);
}

TEST(Stages, name_what_is_sent_for_checksums_after_them) {
  const Shape shape{{4, 4, 4}, 2};
  Store store(shape);
  Checksums checksums{.last = {1.0, 1.0}};
  flow::Recorder recorder(Rank(0), 2);
  record_timestep(recorder, {.n_stages = 2, .checksum_freq = 1}, {}, store, checksums);
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
  int n_messages = 0;
  for (std::uint32_t t = 0; t < graph.n_tasks(); ++t) {
    const std::string_view name = graph.name(flow::TaskId(t));
    if (!name.ends_with("recv") && !name.ends_with("send")) continue;
    EXPECT_TRUE(name.starts_with(task_names::reduce_sums)) << name;
    ++n_messages;
  }
  EXPECT_EQ(n_messages, 4) << "there and back, twice";
}

TEST(Stages, check_groups_of_variables_one_after_another) {
  const Meshes meshes = random_meshes(1, 3);
  const Shape shape{{4, 4, 4}, 5};
  for (const std::uint64_t seed : {1, 2, 3}) {
    std::vector<std::array<std::int64_t, 3>> seen;
    on_virtual_ranks(3, seed, [&](VirtualRank& self) {
      const Rank rank = self.transport.rank();
      Store store(shape);
      store.assign(keys_of(meshes.before[rank()]));
      load(store, plain_blocks(shape, meshes.before));
      Checksums checksums{.last = std::vector<double>(5)};
      ASSERT_EQ(self.run(shape, [&](auto& r) { record_first_checksums(r, store, checksums); }), "");
      if (rank == Rank())
        checksums.on_check = [&](const Check& c) {
          seen.push_back({c.timestep, c.stage, c.variable});
        };
      const StageSettings settings{.n_stages = 2, .group_size = 2, .checksum_freq = 1};
      ASSERT_EQ(self.run(
                    shape,
                    [&](auto& r) {
                      record_timestep(r, settings, meshes.before[rank()], store, checksums);
                    },
                    3),
                "");
    });
    EXPECT_EQ(seen.size(), 3U * 2 * 5);
    EXPECT_TRUE(std::ranges::is_sorted(seen)) << seed;
  }
}

/// Who waits for whom between exchanges of different directions, as "waited for > waits": each pair
/// of names once.
std::set<std::string> waits_between_directions(bool has_separate_buffers) {
  const Shape shape{{4, 4, 4}, 2};
  const Layout layout = random_meshes(1, 3).before[1];
  Store store(shape);
  store.assign(keys_of(layout));
  Checksums checksums{.last = {1.0, 1.0}};
  flow::Recorder recorder(Rank(1), 3);
  record_timestep(recorder, {.n_stages = 1, .has_separate_buffers = has_separate_buffers}, layout,
                  store, checksums);
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
  const auto phase = [&](std::uint32_t t) {
    return graph.phase_name(graph.position(flow::TaskId(t)).phase);
  };
  std::set<std::string> waits;
  for (std::uint32_t t = 0; t < graph.n_tasks(); ++t)
    for (const std::uint32_t other : graph.successors(flow::TaskId(t)))
      if (phase(t) != phase(other) && phase(t).starts_with("exchange") &&
          phase(other).starts_with("exchange"))
        waits.insert(phase(t) + ", " + graph.name(flow::TaskId(t)) + " > " +
                     graph.name(flow::TaskId(other)));
  return waits;
}

TEST(Stages, directions_wait_for_each_others_messages_to_leave_unless_buffers_are_separate) {
  EXPECT_EQ(waits_between_directions(false),
            (std::set<std::string>{"exchange x, send > pack y", "exchange y, send > pack z"}));
  EXPECT_EQ(waits_between_directions(true), std::set<std::string>{});
}

TEST(Stages, end_the_run_where_a_checksum_is_off) {
  const Meshes meshes = random_meshes(1, 3);
  const Shape shape{{4, 4, 4}, 2};
  on_virtual_ranks(3, 1, [&](VirtualRank& self) {
    const Layout& layout = meshes.before[self.transport.rank()()];
    Store store(shape);
    store.assign(keys_of(layout));
    load(store, plain_blocks(shape, meshes.before));
    Checksums checksums{.last = {1.0, 1.0}, .first_timestep = 7};
    const std::string message = self.run(
        shape, [&](auto& r) { record_timestep(r, {.n_stages = 2}, layout, store, checksums); });
    EXPECT_NE(message.find("the checksum of variable 0 went from 1 to"), std::string::npos)
        << message;
    EXPECT_NE(message.find("by stage 0 of timestep 7"), std::string::npos) << message;
  });
}

}  // namespace
}  // namespace thalweg::miniamr::data::testing

// SPDX-License-Identifier: MIT
#include <thalweg/app/virtual_ranks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/app/read_setup.hpp>
#include <thalweg/app/virtual_program.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/crc32c.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/checkpoint.hpp>
#include <thalweg/predict/simulate.hpp>

#include "carried.hpp"
#include "set_clock.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

io::Deck small_deck(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), "mesh.max_level=1");
  return testing::spot_deck(overrides);
}

const Application& application() {
  static const auto all = testing::applications();
  return application_of(all, small_deck());
}

Result<predict::Job> job_of(const io::Deck& of, int n_ranks, const predict::TaskTimes& times) {
  return capture_job(virtual_program(application(), of, n_ranks), times);
}

predict::TaskTimes one_microsecond_to_advance() {
  predict::TaskTimes times;
  times.add("advance", 1, 1000);
  return times;
}

/// How many blocks a step in two dimensions advances on all ranks, from a simulation of it.
std::uint64_t n_advanced(const predict::Job& job) {
  const auto run = predict::simulate(job, {}, {.n_steps = 1});
  const auto n_tasks = [&](std::string_view name) {
    const auto it = std::ranges::find(job.names, name);
    return it == job.names.end() ? 0
                                 : run.n_tasks[static_cast<std::size_t>(it - job.names.begin())];
  };
  return n_tasks("advance") + 2 * n_tasks("advance joined 2") + 4 * n_tasks("advance joined");
}

TEST(VirtualRanks, CaptureTheSameTasksOnAnyRanksInAllModels) {
  const auto times = one_microsecond_to_advance();
  const auto alone = job_of(small_deck(), 1, times);
  ASSERT_TRUE(alone) << alone.error().message;
  const std::uint64_t n = n_advanced(*alone);
  EXPECT_GE(n, 12u);
  EXPECT_TRUE(alone->connections.empty());
  for (const char* model : {"bulk", "forkjoin", "phase", "dataflow"})
    for (const int n_ranks : {2, 3, 70}) {  // more ranks than blocks
      const auto job =
          job_of(small_deck({std::string("run.model=") + model, "run.threads=2"}), n_ranks, times);
      ASSERT_TRUE(job) << job.error().message;
      EXPECT_EQ(job->ranks.size(), static_cast<std::size_t>(n_ranks));
      EXPECT_FALSE(job->connections.empty());
      EXPECT_EQ(n_advanced(*job), n) << model << ", " << n_ranks;
    }
}

/// The graphs of all ranks as text, and what a rank takes.
struct Captured {
  std::vector<std::string> graphs;
  std::vector<double> bytes;

  bool operator==(const Captured&) const = default;
};

Captured captured(int n_ranks, const std::function<void(const Context&, const OnGraph&)>& look) {
  Captured all{std::vector<std::string>(static_cast<std::size_t>(n_ranks)), {}};
  all.bytes.resize(all.graphs.size());
  const auto done = on_virtual_ranks(n_ranks, {}, [&](const Context& context) {
    look(context, [&](const flow::Graph& graph, double bytes) {
      std::ostringstream text;
      graph.dump_json(text);
      all.graphs[graph.rank()()] = text.str();
      all.bytes[graph.rank()()] = bytes;
    });
  });
  EXPECT_TRUE(done) << done.error().message;
  return all;
}

TEST(VirtualRanks, CaptureWithoutCellsWhatARunWouldRun) {
  for (const std::vector<std::string>& overrides : std::vector<std::vector<std::string>>{
           {"mesh.max_level=0"},
           {"mesh.max_level=2"},
           {"mesh.max_level=2", "partition.threshold=1.5", "time.retries=2"},
           {"mesh.max_level=2", "partition.method=knapsack"},
           {"mesh.max_level=2", "mesh.mode=leaf"},
           {"mesh.max_level=2", "problem.height=0.1"}})  // nothing is refined
    for (const int n_ranks : {1, 3, 17}) {               // more ranks than blocks of level 0
      const auto deck = testing::spot_deck(overrides);
      const auto with_cells = captured(n_ranks, [&](const Context& context, const OnGraph& look) {
        const auto made = application().set_up(deck)->simulation(context, nullptr, {});
        ASSERT_TRUE(made) << made.error().message;
        const flow::Graph& graph = (*made)->step_graph();
        look(graph, static_cast<double>((*made)->held_bytes()));
      });
      const auto program = virtual_program(application(), deck, n_ranks);
      EXPECT_EQ(captured(n_ranks, program.look_at_step), with_cells)
          << overrides.back() << ", " << n_ranks << " ranks";
    }
}

/// Run some steps and write a checkpoint.
Checkpoint written(const io::Deck& deck, io::FileSystem& files) {
  Checkpoint checkpoint;
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto setup = application().set_up(deck);
    const auto made = setup->simulation(context, nullptr, {});
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_TRUE((*made)->advance_to(40));
    ASSERT_GT((*made)->regrids().n_changes, 0);
    const auto at = (*made)->write_checkpoint({.folder = ".",
                                               .scheme = setup->scheme_name(),
                                               .components = (*made)->component_names(),
                                               .totals_at_start = (*made)->totals(),
                                               .deck = deck.to_toml()});
    ASSERT_TRUE(at) << at.error().message;
    if (context.transport.rank() == Rank{0}) checkpoint = *at;
  });
  EXPECT_TRUE(done) << done.error().message;
  return checkpoint;
}

TEST(VirtualRanks, CaptureWithoutCellsWhatARunThatGoesOnWouldRun) {
  for (const char* mode : {"nested", "leaf"}) {
    const auto deck = testing::spot_deck({"time.max_steps=40", std::string("mesh.mode=") + mode});
    io::MemoryFileSystem files;
    const RestartPoint from{files, written(deck, files)};
    const auto mesh = mesh_of_checkpoint(from);
    for (const int n_ranks : {1, 3, 17}) {
      const auto with_cells = captured(n_ranks, [&](const Context& ours, const OnGraph& look) {
        const Context context{ours.transport, ours.clock, files, ours.log, ours.execution};
        const auto made = application().set_up(deck)->simulation(context, &from.checkpoint, {});
        ASSERT_TRUE(made) << made.error().message;
        const flow::Graph& graph = (*made)->step_graph();
        look(graph, static_cast<double>((*made)->held_bytes()));
      });
      const auto program = virtual_program(application(), deck, n_ranks, mesh);
      SCOPED_TRACE(fmt::format("{}, {} ranks", mode, n_ranks));
      const auto without = captured(n_ranks, program.look_at_step);
      EXPECT_TRUE(without.graphs == with_cells.graphs);
      // Meshes on the way to that of the checkpoint leave memory in pools, a slab of each at most.
      for (std::size_t r = 0; r < without.bytes.size(); ++r) {
        EXPECT_GE(without.bytes[r], with_cells.bytes[r]);
        EXPECT_LE(without.bytes[r], with_cells.bytes[r] + 2 * 0x1p21);
      }
      const auto at_start = virtual_program(application(), deck, n_ranks);
      EXPECT_FALSE(captured(n_ranks, at_start.look_at_step).graphs == with_cells.graphs);
    }
  }
}

TEST(VirtualRanks, RefuseTheMeshOfAnotherDeckAndAnIndexThatHasChanged) {
  io::MemoryFileSystem files;
  RestartPoint from{files, written(testing::spot_deck({"time.max_steps=40"}), files)};
  const auto smaller = testing::spot_deck({"mesh.root_blocks=[1, 1]"});
  const auto program = virtual_program(application(), smaller, 2, mesh_of_checkpoint(from));
  EXPECT_THROW((void)look_at_steps(program, [](const flow::Graph&, double) {}), Error);
  from.checkpoint.manifest.index_crc ^= 1;
  EXPECT_THROW(mesh_of_checkpoint(from), Error);
}

TEST(VirtualRanks, RefuseBlocksThatNoRunHasWrittenInThisOrder) {
  io::MemoryFileSystem files;
  RestartPoint from{files, written(testing::spot_deck({"time.max_steps=40"}), files)};
  io::Manifest& manifest = from.checkpoint.manifest;
  io::CheckpointFiles parts(files, from.checkpoint.path,
                            {manifest.block_bytes(), manifest.blocks_per_file});
  auto index = parts.read_index(0, manifest.n_blocks()).value();
  std::ranges::reverse(index);
  ASSERT_TRUE(parts.write_index(0, index));
  manifest.index_crc = crc32c(std::as_bytes(std::span(index)));
  EXPECT_THROW(mesh_of_checkpoint(from), Error);
}

TEST(VirtualRanks, TimeTheTasksOfARunThatGoesOn) {
  const auto deck =
      testing::spot_deck({"time.max_steps=60", "mesh.max_level=1", "mesh.join_blocks=false"});
  io::MemoryFileSystem files;
  const RestartPoint from{files, written(deck, files)};
  SetClock clock;
  const auto program = virtual_program(application(), deck, 1, mesh_of_checkpoint(from), &from);
  EXPECT_EQ(program.first_step, 41);
  const auto times = measure_tasks(program, 3, clock);
  ASSERT_TRUE(times) << times.error().message;
  const auto job = capture_job(program, *times);
  ASSERT_TRUE(job);
  EXPECT_TRUE(job->unknown_names.empty());
  // The first of three steps does not count: a block of each is advanced once or twice in two.
  EXPECT_EQ(times->fits().at("advance").n, 2 * n_advanced(*job));
}

TEST(VirtualRanks, HaveOneGraphInMemoryAtATime) {
  const auto program = virtual_program(application(), testing::spot_deck(), 5);
  int n_looked = 0, n_now = 0;
  const auto done = on_virtual_ranks(5, {}, [&](const Context& context) {
    program.look_at_step(context, [&](const flow::Graph&, double) {
      EXPECT_EQ(n_now++, 0) << "a graph is looked at while another one is there";
      ++n_looked;
    });
    --n_now;
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(n_looked, 5);
}

// They explore no schedules: each is resumed about once a round of a collective.
TEST(VirtualRanks, TakeTurns) {
  constexpr int n = 1024, n_rounds = 10;
  std::int64_t n_polls = 0;
  const auto done = on_virtual_ranks(n, {}, [&](const Context& context) {
    flow::barrier(context.transport);
    n_polls = std::max(n_polls, context.clock.now_ns() / 1000);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_LE(n_polls, 4 * n * n_rounds);
}

TEST(VirtualRanks, SayWhichCellHasNoState) {
  for (const char* levels : {"mesh.max_level=1", "mesh.max_level=0"}) {
    try {
      const auto program =
          virtual_program(application(), small_deck({"problem.height=-4", levels}), 2);
      static_cast<void>(measure_tasks(program, 2, SteadyClock()));
      ADD_FAILURE() << "it is taken, " << levels;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("cell ("), std::string::npos) << error.what();
    }
  }
}

TEST(VirtualRanks, HaveNoGraphOfAStepInMemoryWhileARegridIsLookedAt) {
  const auto mesh = mesh_at_start(application(), testing::spot_deck());
  ASSERT_TRUE(*mesh) << mesh->error().message;
  const auto done = on_virtual_ranks(3, {}, [&](const Context& context) {
    const auto made =
        application().set_up(testing::spot_deck())->simulation_without_cells(context, **mesh);
    ASSERT_TRUE(made) << made.error().message;
    const std::size_t without = (*made)->held_bytes();
    (*made)->step_graph();
    EXPECT_GT((*made)->held_bytes(), without);
    int n_looked = 0;
    (*made)->look_at_regrid([&](const flow::Graph&) {
      ++n_looked;
      EXPECT_EQ((*made)->held_bytes(), without);
    });
    EXPECT_EQ(n_looked, 1);
    EXPECT_EQ((*made)->held_bytes(), without);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(VirtualRanks, SimulateAsMuchWorkOnTwoRanksAsOnOne) {
  const auto times = one_microsecond_to_advance();
  const auto one = job_of(small_deck(), 1, times);
  const auto two = job_of(small_deck(), 2, times);
  ASSERT_TRUE(one && two);
  const auto alone = predict::simulate(*one, {}, {.n_steps = 2});
  const auto both = predict::simulate(*two, {}, {.n_steps = 2});
  EXPECT_EQ(alone.workers[0].work_ns, both.workers[0].work_ns + both.workers[1].work_ns);
  EXPECT_LT(both.total_ns(), alone.total_ns());
}

TEST(VirtualRanks, MeasureTheTasksOfSteps) {
  const auto times =
      measure_tasks(virtual_program(application(), small_deck(), 1), 3, SteadyClock());
  ASSERT_TRUE(times) << times.error().message;
  ASSERT_TRUE(times->is_known("advance"));
  EXPECT_GT(times->at("advance", 1), 0);
  // All tasks of a step on three ranks are known, packing and unpacking too.
  const auto job = job_of(small_deck(), 3, *times);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->unknown_names, std::vector<std::string>());
}

TEST(VirtualRanks, MeasureTasksOfBlocksAloneAndJoined) {
  const auto deck = small_deck({"mesh.root_blocks=[8, 8]"});
  const auto times = measure_tasks(virtual_program(application(), deck, 1), 3, SteadyClock());
  ASSERT_TRUE(times) << times.error().message;
  for (const std::string name : {"advance", "fill", "signal"}) {
    EXPECT_TRUE(times->is_known(name));
    EXPECT_TRUE(times->is_known(name + " joined"));
  }
  for (const int n_ranks : {1, 24, 40}) {  // more joined, two together, and none
    const auto job = job_of(deck, n_ranks, *times);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->unknown_names, std::vector<std::string>());
  }
}

TEST(VirtualRanks, KnowTasksOfJoinedBlocksFromThoseOfOneAndTheOtherWayRound) {
  predict::TaskTimes joined;
  joined.add("advance joined", 1, 4000);
  const auto deck = small_deck({"mesh.root_blocks=[8, 8]"});
  const auto work_ns = [&](int n_ranks, const predict::TaskTimes& times) {
    const auto job = job_of(deck, n_ranks, times);
    EXPECT_TRUE(job);
    const auto by_name = predict::simulate(*job, {}, {.n_steps = 1}).work_ns;
    return std::accumulate(by_name.begin(), by_name.end(), std::int64_t{0});
  };
  const auto expected = work_ns(1, one_microsecond_to_advance());
  EXPECT_GT(expected, 64'000);
  for (const int n_ranks : {1, 24, 40}) EXPECT_EQ(work_ns(n_ranks, joined), expected);
}

TEST(VirtualRanks, KnowOfTasksOfJoinedBlocksAllThatIsKnownOfThoseOfOne) {
  auto times = one_microsecond_to_advance();
  times.set_memory_bound("advance");
  times.set_spread("advance", {0.5, 1.5});
  const auto job = job_of(small_deck({"mesh.root_blocks=[8, 8]"}), 1, times);
  ASSERT_TRUE(job);
  const auto joined = std::ranges::find(job->names, "advance joined");
  ASSERT_NE(joined, job->names.end());
  const auto name = static_cast<std::size_t>(joined - job->names.begin());
  EXPECT_TRUE(job->is_memory_bound[name]);
  ASSERT_FALSE(job->spreads.empty());
  EXPECT_EQ(job->spreads[name], (std::vector<double>{0.5, 1.5}));
}

/// How many tasks of a name a change of the mesh has on all ranks.
std::uint64_t n_of(const predict::RefinementJob& job, const std::string& name) {
  std::uint64_t n = 0;
  for (const predict::Job& change : job.changes) {
    const auto run = predict::simulate(change, {}, {.n_steps = 1});
    for (std::size_t i = 0; i < change.names.size(); ++i)
      if (change.names[i] == name) n += run.n_tasks[i];
  }
  return n;
}

TEST(VirtualRanks, LookAtARegridOnAnyRanksInAllModels) {
  for (const char* mode : {"nested", "leaf"})
    for (const char* model : {"bulk", "forkjoin", "phase", "dataflow"})
      for (const int n_ranks : {1, 2, 3, 70}) {  // more ranks than blocks
        const auto deck = small_deck({std::string("mesh.mode=") + mode, "regrid.interval=3",
                                      std::string("run.model=") + model});
        const auto program = virtual_program(application(), deck, n_ranks);
        ASSERT_TRUE(program.refinement);
        EXPECT_EQ(program.refinement->n_steps, 3);
        const auto job = capture_refinement(program, {});
        ASSERT_TRUE(job) << job.error().message;
        EXPECT_EQ(n_of(*job, "tag"), 12u) << model << ", " << n_ranks;  // each block of level 0
        EXPECT_GT(n_of(*job, "fill") + n_of(*job, "fill joined 2") + n_of(*job, "fill joined"), 0u);
        EXPECT_EQ(job->n_ranks, n_ranks);
        EXPECT_GE(job->n_blocks * n_ranks, 12);
        EXPECT_LE(job->n_blocks, n_ranks == 1 ? 100 : 50);
        EXPECT_GT(job->n_collectives, 0);
      }
}

TEST(VirtualRanks, CountTheCollectivesOfARegrid) {
  const auto n_collectives = [](const std::vector<std::string>& overrides) {
    auto all = overrides;
    all.insert(all.end(), {"regrid.interval=3", "mesh.max_level=1"});
    const auto job =
        capture_refinement(virtual_program(application(), testing::spot_deck(all), 3), {});
    EXPECT_TRUE(job) << job.error().message;
    return job ? job->n_collectives : 0;
  };
  const auto n = n_collectives({});
  EXPECT_GT(n, 6);  // ranks agree on tags, on memory, and on whether anything changes
  // Without substeps they add up, for each of two levels, the blocks that are not advanced.
  EXPECT_EQ(n_collectives({"time.subcycle=false"}), n + 2);
}

TEST(VirtualRanks, HaveTheSameStepAfterARegridWasLookedAt) {
  for (const int n_ranks : {1, 3}) {
    const auto mesh = mesh_at_start(application(), testing::spot_deck());
    ASSERT_TRUE(*mesh) << mesh->error().message;
    enum class Between : std::uint8_t { nothing, looks, regrids };
    const auto steps = [&](Between between) {
      return captured(n_ranks, [&](const Context& context, const OnGraph& look) {
        const auto made =
            application().set_up(testing::spot_deck())->simulation_without_cells(context, **mesh);
        ASSERT_TRUE(made) << made.error().message;
        for (int n = 0; n < 2; ++n) {
          int n_looked = 0;
          if (between == Between::looks) {
            (*made)->look_at_regrid([&](const flow::Graph&) { ++n_looked; });
          }
          EXPECT_EQ(n_looked, between == Between::looks ? 1 : 0);
          if (between == Between::regrids) {
            EXPECT_GT((*made)->make_anew(), 0);
          }
        }
        look((*made)->step_graph(), 0);
      });
    };
    const auto expected = steps(Between::nothing).graphs;
    EXPECT_EQ(steps(Between::looks).graphs, expected) << n_ranks << " ranks";
    EXPECT_EQ(steps(Between::regrids).graphs, expected) << n_ranks << " ranks";
  }
}

TEST(VirtualRanks, LookAtNoRegridWhereARunHasNone) {
  for (const char* none : {"mesh.max_level=0", "regrid.interval=0"})
    EXPECT_FALSE(virtual_program(application(), small_deck({none}), 2).refinement) << none;
}

TEST(VirtualRanks, MeasureWhatARegridTakes) {
  const auto program = virtual_program(application(), small_deck({"regrid.interval=50"}), 3);
  const auto times = measure_tasks(program, 3, SteadyClock());
  ASSERT_TRUE(times) << times.error().message;
  for (const char* name : {"tag", "mesh"}) {
    ASSERT_TRUE(times->is_known(name)) << name;
    EXPECT_GT(times->at(name, 1), 0) << name;
  }
  const auto job = capture_refinement(program, *times);
  ASSERT_TRUE(job) << job.error().message;
  for (const predict::Job& change : job->changes)
    EXPECT_EQ(change.unknown_names, std::vector<std::string>());
}

TEST(VirtualRanks, SayOnWhichRankSomethingFailed) {
  const auto done = on_virtual_ranks(3, {}, [](const Context& context) {
    if (context.transport.rank() == Rank{1}) throw std::runtime_error("no more ink");
  });
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("no more ink"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::app

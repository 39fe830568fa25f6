// SPDX-License-Identifier: MIT
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/checkpoint_target.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/mesh_simulation.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/io/testing/failing_files.hpp>

#include "../../../tests/support/text.hpp"
#include "carried.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;
using thalweg::testing::error_of;

CheckpointTarget target() {
  return {.folder = "out",
          .keep = 2,
          .scheme = "advection",
          .components = {"q"},
          .totals_at_start = {1.5},
          .deck = "[time]\n"};
}

Result<Checkpoint> write(const MeshSimulation<2>& simulation) {
  return write_checkpoint(simulation.context(), simulation.mesh(), simulation.state(),
                          simulation.time_state(), simulation.last_regrid(), target());
}

/// Run a program on virtual ranks; it says what is wrong by throwing.
void on_ranks(int n_ranks, io::FileSystem& files,
              const std::function<void(const Context&)>& program) {
  const auto done = testing::on_ranks(n_ranks, files, program);
  ASSERT_TRUE(done) << done.error().message;
}

/// Hash where every block of this rank is and what is in it, in any order of ranks; of the coarsest
/// levels, if not of all.
std::uint64_t hash_of(const MeshSimulation<2>& simulation, int n_levels = 30) {
  std::uint64_t sum = 0;
  const auto& mesh = simulation.mesh();
  for (int l = 0; l < std::min(n_levels, mesh.n_levels()); ++l) {
    const auto& level = simulation.state().cells[static_cast<std::size_t>(l)];
    for (std::size_t b = 0; b < level.size(); ++b) {
      std::uint64_t h = hash_number(level.keys()[b].code, static_cast<std::uint64_t>(l));
      for_each_row(mesh.forest.geometry.cells(level.keys()[b]), [&](const Index<2>& i, int n) {
        h = hash_bytes(
            std::as_bytes(std::span(level.view(b).at(0, i), static_cast<std::size_t>(n))), h);
      });
      sum += h;
    }
  }
  return flow::all_reduce(simulation.context().transport, sum, std::plus<std::uint64_t>{});
}

std::map<std::string, std::string> files_in(const io::FileSystem& files, const std::string& path) {
  std::map<std::string, std::string> all;
  const auto names = files.list(path).value();
  for (const auto& name : names) all[name] = io::read_text(files, path + "/" + name).value();
  return all;
}

TEST(Checkpoint, has_the_same_bytes_whoever_writes_it) {
  std::map<std::string, std::string> alone;
  for (const auto partitioner : {mesh::Partitioner::morton, mesh::Partitioner::round_robin})
    for (const int n_ranks : {1, 2, 3, 5, 40}) {  // with 40 most ranks have nothing to write
      auto settings = testing::settings();
      settings.partition.partitioner = partitioner;
      io::MemoryFileSystem files;
      ASSERT_TRUE(files.make_directory("out"));
      on_ranks(n_ranks, files, [&](const Context& context) {
        const auto simulation = testing::made(context, testing::carried_spot(), settings);
        ASSERT_TRUE(simulation->advance_to(7));
        ASSERT_TRUE(write(*simulation));
      });
      const auto found = files_in(files, "out/chk00007");
      EXPECT_EQ(found.size(), 3u);
      if (alone.empty()) alone = found;
      EXPECT_EQ(found, alone) << n_ranks << " ranks";
    }
}

TEST(Checkpoint, goes_on_to_the_same_bits_on_any_number_of_ranks) {
  std::uint64_t straight = 0;
  step::TimeState end;
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  on_ranks(3, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    for (const int step : {0, 5, 6}) {  // at the start, between regrids, and where one is due
      ASSERT_TRUE(simulation->advance_to(step));
      auto all = target();
      all.keep = 3;
      ASSERT_TRUE(write_checkpoint(context, simulation->mesh(), simulation->state(),
                                   simulation->time_state(), simulation->last_regrid(), all));
    }
    ASSERT_TRUE(simulation->advance_to(20));
    straight = hash_of(*simulation);
    end = simulation->time_state();
  });

  for (const int n_ranks : {1, 2, 3, 5, 40})
    for (const char* path : {"out/chk00000", "out/chk00005", "out/chk00006"})
      on_ranks(n_ranks, files, [&](const Context& context) {
        const auto from = whole_checkpoint(context, path);
        ASSERT_TRUE(from) << from.error().message;
        const auto simulation =
            testing::made(context, testing::carried_spot(), testing::settings(), *from);
        ASSERT_TRUE(simulation->advance_to(20));
        EXPECT_EQ(hash_of(*simulation), straight) << path << " on " << n_ranks << " ranks";
        EXPECT_EQ(simulation->time_state(), end);
      });
}

TEST(Checkpoint, another_end_of_time_gives_the_run_that_had_it_from_the_start) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  auto settings = testing::settings();
  std::uint64_t straight = 0;
  on_ranks(2, files, [&](const Context& context) {
    const auto to_the_end = testing::made(context, testing::carried_spot(), settings);
    ASSERT_TRUE(to_the_end->advance_to(12));
    straight = hash_of(*to_the_end);
    settings.time.end = to_the_end->time_state().time;
  });
  on_ranks(2, files, [&](const Context& context) {
    // The dt of the step after this one is cut, so that it ends the run.
    auto shorter = settings;
    shorter.time.end = 0.5 * settings.time.end;
    const auto simulation = testing::made(context, testing::carried_spot(), shorter);
    ASSERT_TRUE(simulation->advance_to(1000));
    const auto last = simulation->time_state().step - 1;
    const auto cut = testing::made(context, testing::carried_spot(), shorter);
    ASSERT_TRUE(cut->advance_to(last));
    ASSERT_TRUE(write(*cut));
  });
  on_ranks(3, files, [&](const Context& context) {
    const auto from = newest_checkpoint(context, "out");
    ASSERT_TRUE(from) << from.error().message;
    settings.time.end = 1e9;
    const auto simulation = testing::made(context, testing::carried_spot(), settings, *from);
    ASSERT_TRUE(simulation->advance_to(12));
    EXPECT_EQ(hash_of(*simulation), straight);
  });
}

TEST(Checkpoint, goes_on_with_a_level_more_or_fewer_to_the_same_bits_on_any_number_of_ranks) {
  for (const auto mode : {MeshMode::nested, MeshMode::leaf}) {
    auto settings = testing::settings();
    settings.mode = mode;
    settings.time.subcycle = mode == MeshMode::nested;
    auto problem = testing::carried_spot();
    problem.tag = [](const auto&, const auto& here) { return here().q > 2; };  // on any level
    io::MemoryFileSystem files;
    ASSERT_TRUE(files.make_directory("out"));
    std::uint64_t two_levels = 0;
    double total = 0;
    on_ranks(3, files, [&](const Context& context) {
      const auto simulation = testing::made(context, problem, settings);
      ASSERT_TRUE(simulation->advance_to(5));
      ASSERT_EQ(simulation->mesh().n_levels(), 3);
      ASSERT_TRUE(write(*simulation));
      two_levels = hash_of(*simulation, 2);
      total = simulation->totals()[0];
    });
    for (const int max_level : {1, 3}) {
      settings.mesh.max_level = max_level;
      std::uint64_t alone = 0;
      for (const int n_ranks : {1, 2, 16})  // with 16 some ranks have nothing
        on_ranks(n_ranks, files, [&](const Context& context) {
          auto here = context;
          here.execution.model = n_ranks == 2 ? flow::Model::bulk : flow::Model::dataflow;
          const auto from = whole_checkpoint(here, "out/chk00005").value();
          const auto simulation = testing::made(here, problem, settings, from);
          EXPECT_EQ(simulation->mesh().n_levels(), std::min(max_level + 1, 3));
          EXPECT_NEAR(simulation->totals()[0], total, 1e-14 * total);
          if (max_level == 1) {
            EXPECT_EQ(hash_of(*simulation), two_levels);
          }
          ASSERT_TRUE(simulation->advance_to(7));
          EXPECT_EQ(simulation->mesh().n_levels(), max_level + 1);
          EXPECT_NEAR(simulation->totals()[0], total, 1e-13 * total);
          const auto hash = hash_of(*simulation);
          if (n_ranks == 1) alone = hash;
          EXPECT_EQ(hash, alone) << n_ranks << " ranks";
        });
    }
  }
}

TEST(Checkpoint, damaged_ones_are_passed_over_on_all_ranks_alike) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  on_ranks(2, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    for (const int step : {2, 4}) {
      ASSERT_TRUE(simulation->advance_to(step));
      ASSERT_TRUE(write(*simulation));
    }
  });
  ASSERT_TRUE(files.write("out/chk00004/cells_00000", 600, std::vector<std::byte>(1)));
  for (const int n_ranks : {1, 3})
    on_ranks(n_ranks, files, [&](const Context& context) {
      const auto from = newest_checkpoint(context, "out");
      ASSERT_TRUE(from) << from.error().message;
      EXPECT_EQ(from->path, "out/chk00002");
      const auto damaged = whole_checkpoint(context, "out/chk00004");
      ASSERT_FALSE(damaged);
      EXPECT_NE(damaged.error().message.find("block 1 of 'out/chk00004'"), std::string::npos)
          << damaged.error().message;
    });
  ASSERT_TRUE(files.remove("out/chk00002"));
  on_ranks(3, files, [&](const Context& context) {
    EXPECT_NE(newest_checkpoint(context, "out").error().message.find("no whole checkpoint"),
              std::string::npos);
    EXPECT_FALSE(newest_checkpoint(context, "elsewhere"));
  });
}

TEST(Checkpoint, is_written_with_a_warning_where_what_a_run_left_cannot_be_removed) {
  io::MemoryFileSystem memory;
  ASSERT_TRUE(memory.make_directory("out/chk00001.trash"));
  io::testing::FailingFiles files(memory);
  files.keep(".trash");
  std::FILE* const sink = std::tmpfile();
  on_ranks(2, files, [&](const Context& context) {
    Logger log(sink, context.transport.rank());
    const Context heard{context.transport, context.clock, context.files, log, {}};
    const auto simulation = testing::made(heard, testing::carried_spot(), testing::settings());
    const auto written = write(*simulation);
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(written->path, "out/chk00000");
  });
  char line[256] = "";
  std::rewind(sink);
  EXPECT_NE(std::fgets(line, sizeof line, sink), nullptr);
  std::fclose(sink);
  EXPECT_NE(std::string(line).find("(cannot remove 'out/chk00001.trash': "), std::string::npos)
      << line;
}

TEST(Checkpoint, an_index_of_blocks_that_make_no_mesh_is_refused) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  on_ranks(1, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    const auto good = write(*simulation);
    ASSERT_TRUE(good);
    const auto& geometry = simulation->mesh().forest.geometry;
    ASSERT_TRUE(read_forest<2>(context, geometry, *good));

    const auto with = [&](std::uint64_t position, io::IndexEntry entry) {
      io::CheckpointFiles at(files, good->path,
                             {good->manifest.block_bytes(), good->manifest.blocks_per_file});
      const auto before = at.read_index(position, 1).value();
      EXPECT_TRUE(at.write_index(position, {&entry, 1}));
      const auto forest = read_forest<2>(context, geometry, *good);
      EXPECT_TRUE(at.write_index(position, before));
      return forest ? std::string("accepted") : forest.error().message;
    };
    EXPECT_NE(with(0, {.level = 0, .code = 1}).find("does not have"), std::string::npos);
    EXPECT_NE(with(3, {.level = 1, .code = 3}).find("does not have"), std::string::npos);
    EXPECT_NE(with(11, {.level = 0, .code = 1u << 30}).find("does not have"), std::string::npos);
    // The first block of level 2 becomes another one, under which there is nothing of level 1.
    const auto n_below = static_cast<std::uint64_t>(12 + good->manifest.blocks_per_level[1]);
    EXPECT_NE(with(n_below, {.level = 2, .code = 0}).find("not nested"), std::string::npos);
  });
}

TEST(Checkpoint, another_mesh_or_other_components_are_refused) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  on_ranks(2, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    auto from = write(*simulation);
    ASSERT_TRUE(from);
    auto other = testing::settings();
    other.mesh.ratio = {2, 4};
    EXPECT_THROW(testing::made(context, testing::carried_spot(), other, *from), Error);
    const auto with_components = [&](std::vector<std::string> names) {
      from->manifest.components = std::move(names);
      return error_of([&] {
        (void)testing::made(context, testing::carried_spot(), testing::settings(), *from);
      });
    };
    EXPECT_EQ(with_components({"q"}), "");
    EXPECT_NE(with_components({"q", "r"}).find("components q, r"), std::string::npos);
    EXPECT_NE(with_components({"r"}).find("components r, and the problem q"), std::string::npos);
    from->manifest.dimension = 3;
    EXPECT_THROW(testing::made(context, testing::carried_spot(), testing::settings(), *from),
                 Error);
  });
}

TEST(Checkpoint, an_inadmissible_state_is_refused_with_its_cell) {
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    io::MemoryFileSystem files;
    ASSERT_TRUE(files.make_directory("out"));
    on_ranks(1, files, [&](const Context& context) {
      const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
      ASSERT_TRUE(simulation->advance_to(2));
      const auto& blocks = simulation->state().cells[0];
      const auto last = blocks.size() - 1;
      const auto valid = simulation->mesh().forest.geometry.cells(blocks.keys()[last]);
      ASSERT_TRUE(valid.contains(Index<2>{{29, 22}}));
      blocks.view(last)[0, {{29, 22}}] = bad;
      ASSERT_TRUE(write(*simulation));
    });
    on_ranks(3, files, [&](const Context& context) {
      const auto from = newest_checkpoint(context, "out");
      ASSERT_TRUE(from) << from.error().message;
      thalweg::testing::expect_parts(
          error_of([&] {
            (void)testing::made(context, testing::carried_spot(), testing::settings(), *from);
          }),
          {"rank 2", "'out/chk00002' (step 2)", "cell (29, 22) on level 0", "not admissible"});
    });
  }
}

TEST(Checkpoint, a_fault_at_any_operation_is_told_on_all_ranks_and_leaves_the_older_one) {
  io::MemoryFileSystem memory;
  io::testing::FailingFiles files(memory);
  ASSERT_TRUE(memory.make_directory("out"));
  on_ranks(3, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    ASSERT_TRUE(write(*simulation));
    flow::barrier(context.transport);
    if (context.transport.rank() == Rank{0}) files.plan({});
    flow::barrier(context.transport);
    ASSERT_TRUE(simulation->advance_to(1));
    ASSERT_TRUE(write(*simulation));
    flow::barrier(context.transport);
    const std::uint64_t n_operations = files.n_operations();
    ASSERT_GT(n_operations, 15u);

    std::int64_t last = 1;
    for (const std::uint64_t n_failing : {std::uint64_t{1}, std::uint64_t{1000}})
      for (std::uint64_t n = 0; n < n_operations; ++n) {
        ASSERT_TRUE(simulation->advance_to(simulation->time_state().step + 1));
        flow::barrier(context.transport);
        if (context.transport.rank() == Rank{0}) files.plan({n, n_failing});
        flow::barrier(context.transport);
        const auto written = write(*simulation);
        flow::barrier(context.transport);
        if (context.transport.rank() == Rank{0}) files.plan({});
        flow::barrier(context.transport);
        const auto all = flow::all_gather(context.transport, written.has_value() ? 1 : 0);
        EXPECT_EQ(std::ranges::count(all, all[0]), 3);
        if (written)
          last = simulation->time_state().step;
        else
          EXPECT_NE(written.error().message.find("No space left"), std::string::npos);
        const auto from = newest_checkpoint(context, "out");
        ASSERT_TRUE(from) << from.error().message;
        EXPECT_EQ(from->manifest.step, last);
      }
  });
}

}  // namespace
}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <thalweg/app/deck_run.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/io/testing/failing_files.hpp>
#include <thalweg/io/testing/passing_files.hpp>

#include "../../../tests/support/text.hpp"
#include "carried.hpp"
#include "set_clock.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using thalweg::testing::expect_parts;

io::Deck moving_spot() {
  return testing::spot_deck({"output.plot_interval=6", "output.series_interval=6"});
}

/// What a run into "out" leaves: series and the hash of its last plotfile.
struct Left {
  std::string series;
  std::uint64_t hash;
  bool operator==(const Left&) const = default;
};

/// Let each of some ranks do with a run what it wants, to the end.
Left left_by(int n_ranks, const std::function<void(DeckRun&)>& drive) {
  io::MemoryFileSystem files;
  EXPECT_TRUE(files.make_directory("out"));
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    const auto run = begin_run(testing::applications()[0], moving_spot(), context, "out");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_TRUE((*run)->start());
    drive(**run);
  });
  EXPECT_TRUE(done) << done.error().message;
  return {io::read_text(files, std::string("out/") + series_file_name).value(),
          io::hash_plotfile(files, "out/plt00009").value()};
}

TEST(DeckRun, writes_nothing_before_it_is_started) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    EXPECT_TRUE(begin_run(testing::applications()[0], moving_spot(), context, "out"));
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(files.list("out").value(), std::vector<std::string>{});
}

TEST(DeckRun, does_not_start_with_a_series_of_other_columns_and_leaves_all_as_it_is) {
  io::MemoryFileSystem files;
  const auto deck = testing::spot_deck(
      {"output.series_interval=3", "checkpoint.interval=3", "checkpoint.keep=9", "run.log=both"});
  const auto run_from = [&](const std::string& from) {
    return testing::on_ranks(3, files, [&](const Context& context) {
      std::optional<Checkpoint> point;
      if (!from.empty()) point = whole_checkpoint(context, from).value();
      const auto run = begin_run(testing::applications()[0], deck, context, "out", point).value();
      EXPECT_TRUE(run->start());
      EXPECT_TRUE(run->advance());
    });
  };
  ASSERT_TRUE(files.make_directory("out"));
  ASSERT_TRUE(run_from(""));
  const auto names = files.list("out").value();
  const auto log = io::read_text(files, std::string("out/") + log_file_name).value();
  ASSERT_TRUE(io::write_text(files, std::string("out/") + series_file_name, "garbage"));

  const auto done = run_from("out/chk00003");

  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("out/series.csv' has other columns"), std::string::npos)
      << done.error().message;
  EXPECT_EQ(files.list("out").value(), names);
  EXPECT_EQ(io::read_text(files, std::string("out/") + log_file_name).value(), log);
}

TEST(DeckRun, has_the_same_bits_wherever_it_pauses) {
  const auto straight =
      left_by(2, [](DeckRun& run) { EXPECT_EQ(run.advance().value(), RunEnd::finished); });
  for (const int n_ranks : {1, 3})
    EXPECT_EQ(left_by(n_ranks,
                      [](DeckRun& run) {
                        EXPECT_EQ(run.advance({.step = 1}).value(), RunEnd::paused);
                        const auto before = run.simulation().time_state();
                        const double wanted = before.time + 2.5 * before.dt;
                        EXPECT_EQ(run.advance({.time = wanted}).value(), RunEnd::paused);
                        const auto after = run.simulation().time_state();
                        EXPECT_GE(after.time, wanted);
                        EXPECT_LT(after.time - after.dt_before, wanted) << "a step too far";
                        EXPECT_EQ(run.advance({.step = 5, .time = 5}).value(), RunEnd::paused);
                        EXPECT_EQ(run.simulation().time_state().step, 5);
                        EXPECT_EQ(run.advance({.step = 9}).value(), RunEnd::finished);
                        EXPECT_EQ(run.advance().value(), RunEnd::finished);
                      }),
              straight);
}

TEST(DeckRun, calls_what_was_added_and_ends_where_that_fails) {
  std::vector<std::int64_t> steps;
  left_by(1, [&](DeckRun& run) {
    EXPECT_TRUE(run.advance({.step = 2}));
    run.add({.every = {.steps = 3},
             .call = [&](AnySimulation& simulation, const Context&) -> Result<void> {
               steps.push_back(simulation.time_state().step);
               return {};
             },
             .at_end = false});
    EXPECT_TRUE(run.advance());
  });
  EXPECT_EQ(steps, (std::vector<std::int64_t>{3, 6, 9}));

  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    const auto run = begin_run(testing::applications()[0], moving_spot(), context, "").value();
    ASSERT_TRUE(run->start());
    run->add({.every = {.steps = 4}, .call = [](auto&, const Context& on) -> Result<void> {
                if (on.transport.rank() != Rank{1}) return {};
                return std::unexpected(Failure{"too cold"});
              }});
    const auto end = run->advance();
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().message, "callback after step 4: rank 1: too cold");
    EXPECT_EQ(run->simulation().time_state().step, 4);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(DeckRun, writes_what_is_due_where_a_callback_fails_and_goes_on) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  const auto deck =
      testing::spot_deck({"output.plot_interval=3", "checkpoint.interval=3", "checkpoint.keep=9"});
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto run = begin_run(testing::applications()[0], deck, context, "out").value();
    ASSERT_TRUE(run->start());
    int n_later = 0;
    run->add({.every = {.steps = 3},
              .call = [](AnySimulation& simulation, const Context&) -> Result<void> {
                if (simulation.time_state().step == 3) return std::unexpected(Failure{"once"});
                return {};
              }});
    run->add({.every = {.steps = 3}, .call = [&](auto&, const Context&) -> Result<void> {
                ++n_later;
                return {};
              }});
    EXPECT_EQ(run->advance().error().message, "callback after step 3: rank 0: once");
    EXPECT_EQ(n_later, 0) << "what comes after it is left out";
    EXPECT_EQ(run->advance().value(), RunEnd::finished);
    EXPECT_EQ(n_later, 2);
  });
  EXPECT_TRUE(done) << done.error().message;
  for (const char* plotfile : {"out/plt00003", "out/plt00006", "out/plt00009"})
    EXPECT_TRUE(io::hash_plotfile(files, plotfile)) << plotfile;
  EXPECT_TRUE(files.list("out/chk00003"));
}

TEST(DeckRun, calls_what_a_callback_has_added_from_the_next_step_on) {
  std::vector<std::int64_t> steps;
  left_by(1, [&](DeckRun& run) {
    run.add({.every = {.steps = 4},
             .call = [&](auto&, const Context&) -> Result<void> {
               for (int n = 0; n < 40 && steps.empty(); ++n)  // more than there is room for
                 run.add({.every = {.steps = 1},
                          .call = [&, n](AnySimulation& s, const Context&) -> Result<void> {
                            if (n == 0) steps.push_back(s.time_state().step);
                            return {};
                          },
                          .at_end = false});
               return {};
             },
             .at_end = false});
    EXPECT_TRUE(run.advance());
  });
  EXPECT_EQ(steps, (std::vector<std::int64_t>{5, 6, 7, 8, 9}));
}

/// What each of three ranks is told where an application cannot be begun.
std::vector<std::string> told_of(const Application& application) {
  std::vector<std::string> told(3);
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    try {
      EXPECT_FALSE(begin_run(application, moving_spot(), context, ""));
    } catch (const Error& error) {
      told[context.transport.rank()()] = error.what();
    }
  });
  EXPECT_TRUE(done) << done.error().message;
  return told;
}

TEST(DeckRun, does_not_begin_on_any_rank_where_the_application_complains_on_one) {
  // Virtual ranks come one after another: the second is rank 1, or whichever asks second.
  auto application = testing::applications()[0];
  int n_asked = 0;
  application.set_up = [&, own = application.set_up](const io::Deck& deck) {
    if (++n_asked == 2) throw Error("no table (it is not on this machine); copy it");
    return own(deck);
  };
  const auto expect_one = [](const std::vector<std::string>& told, const std::string& what) {
    EXPECT_TRUE(told[0].starts_with("rank ")) << told[0];
    EXPECT_NE(told[0].find(what), std::string::npos) << told[0];
    EXPECT_EQ(told, std::vector<std::string>(3, told[0]));
  };
  expect_one(told_of(application), "no table");

  application = testing::applications()[0];
  n_asked = 0;
  application.callbacks = [&](const io::Deck&) -> std::vector<Callback> {
    if (++n_asked == 3) throw Error("no probe");
    return {};
  };
  expect_one(told_of(application), "no probe");
}

TEST(DeckRun, does_not_begin_with_a_callback_that_is_no_function) {
  auto application = testing::applications()[0];
  application.callbacks = [](const io::Deck&) { return std::vector<Callback>(1); };
  for (const auto& told : told_of(application))
    EXPECT_NE(told.find("Callback::call"), std::string::npos) << told;
}

TEST(DeckRun, does_not_begin_with_a_callback_of_a_cadence_below_0) {
  const auto nothing = [](auto&, const Context&) -> Result<void> { return {}; };
  for (const Cadence every : {Cadence{.steps = -2}, Cadence{.time = -0.5}}) {
    auto application = testing::applications()[0];
    application.callbacks = [=](const io::Deck&) {
      return std::vector<Callback>{{.every = every, .call = nothing}};
    };
    for (const auto& told : told_of(application))
      EXPECT_NE(told.find("Callback::every"), std::string::npos) << told;
  }
}

TEST(DeckRun, warns_of_levels_that_nothing_refines_to) {
  const auto log = [](const std::string& levels) {
    io::MemoryFileSystem files;
    EXPECT_TRUE(files.make_directory("out"));
    const auto deck = testing::deck(
        "", {"problem.name=plane", "mesh.dim=2", "mesh.root_blocks=[2, 2]", "mesh.block_cells=8",
             "time.max_steps=1", "run.log=both", "mesh.max_level=" + levels});
    const auto done = testing::on_ranks(2, files, [&](const Context& context) {
      EXPECT_TRUE(run(testing::applications()[0], deck, context, "out"));
    });
    EXPECT_TRUE(done) << done.error().message;
    return io::read_text(files, std::string("out/") + log_file_name).value();
  };
  const auto warning = "mesh.max_level = 1, and nothing says which cells to refine";
  EXPECT_NE(log("1").find(warning), std::string::npos) << log("1");
  EXPECT_EQ(log("0").find("nothing says which"), std::string::npos);
}

TEST(DeckRun, warns_of_buffers_that_a_signal_crosses_before_the_next_regrid) {
  const auto warning_with = [](std::vector<std::string> overrides) {
    io::MemoryFileSystem files;
    EXPECT_TRUE(files.make_directory("out"));
    for (const char* more : {"time.max_steps=1", "time.cfl=0.3", "run.log=both"})
      overrides.emplace_back(more);
    const auto deck = testing::spot_deck(overrides);
    const auto done = testing::on_ranks(1, files, [&](const Context& context) {
      EXPECT_TRUE(run(testing::applications()[0], deck, context, "out"));
    });
    EXPECT_TRUE(done) << done.error().message;
    const auto log = io::read_text(files, std::string("out/") + log_file_name).value();
    const auto at = log.find("waves may leave the refined region");
    return at == std::string::npos ? "" : log.substr(at, log.find('\n', at) - at);
  };
  const std::string seldom = "regrid.interval=6", four = "mesh.max_level=3";  // 1.8, 3.6, 7.2 cells
  expect_parts(
      warning_with({four, seldom, "regrid.buffer=2"}),
      {"in regrid.interval = 6 steps of level 0", "7.2 cells of level 2, where regrid.buffer is 2",
       "regrid.buffer = [2, 4, 8], or regrid.interval = 1, or time.subcycle = false"});
  expect_parts(warning_with({four, seldom, "regrid.buffer=1"}),
               {"7.2 cells of level 2", "set regrid.buffer = [2, 4, 8]"});
  for (const char* enough :
       {"regrid.buffer=4", "regrid.buffer=[2, 2, 4]", "regrid.interval=3", "regrid.interval=0",
        "time.subcycle=false", "time.max_dt=1e-5", "mesh.max_level=2"})
    EXPECT_EQ(warning_with({four, seldom, "regrid.buffer=2", enough}), "") << enough;
  EXPECT_EQ(warning_with({four, seldom, "time.max_dt=1e-5", "time.initial_shrink=0.5"}), "");
  EXPECT_NE(warning_with({four, seldom, "regrid.buffer=2", "time.max_dt=10"}), "");
  EXPECT_NE(warning_with({four, seldom, "time.subcycle=false", "regrid.buffer=0"}), "");
  expect_parts(warning_with({"mesh.max_level=2", "mesh.ratio=4", "regrid.interval=8"}),
               {"9.6 cells of level 1", "set regrid.interval = 1"});
}

TEST(DeckRun, warns_of_sources_where_no_signal_bounds_the_first_step) {
  auto application = testing::applications()[0];
  application.set_up = set_up_in<2>([](DeckReader<2>& reader) {
    ProblemSetup<testing::Carried> setup{.problem = testing::carried_spot(), .scheme_name = "vl2"};
    setup.problem.scheme.system = {reader.reals("stream.wind")};
    setup.problem.source = [](const auto&, auto u, double) { return u; };
    return setup;
  });
  const auto log = [&](const std::string& wind, const std::string& max_dt) {
    io::MemoryFileSystem files;
    EXPECT_TRUE(files.make_directory("out"));
    const auto deck = testing::deck(
        "", {"problem.name=spot", "mesh.dim=2", "mesh.root_blocks=[2, 2]", "mesh.block_cells=8",
             "time.end=1", "run.log=both", "stream.wind=" + wind, "time.max_dt=" + max_dt});
    const auto done = testing::on_ranks(2, files, [&](const Context& context) {
      EXPECT_TRUE(run(application, deck, context, "out"));
    });
    EXPECT_TRUE(done) << done.error().message;
    return io::read_text(files, std::string("out/") + log_file_name).value();
  };
  const auto warning = "the first step reaches time.end = 1: no signal";
  EXPECT_NE(log("[0, 0]", "0").find(warning), std::string::npos) << log("[0, 0]", "0");
  EXPECT_EQ(log("[0, 0]", "0.5").find(warning), std::string::npos);
  EXPECT_EQ(log("[1, 0]", "0").find(warning), std::string::npos);
}

TEST(DeckRun, that_has_stopped_as_a_plotfile_could_not_be_written_goes_on) {
  io::MemoryFileSystem disk;
  ASSERT_TRUE(disk.make_directory("out"));
  const auto done = testing::on_ranks(2, disk, [&](const Context& context) {
    io::testing::FailingFiles files(disk, "plt00006");
    Context on_it{context.transport, context.clock, files, context.log, {}};
    const auto deck = testing::spot_deck({"output.plot_interval=6", "output.on_failure=\"stop\""});
    const auto run = begin_run(testing::applications()[0], deck, on_it, "out").value();
    ASSERT_TRUE(run->start());
    EXPECT_EQ(run->advance().value(), RunEnd::stopped);
    EXPECT_EQ(run->simulation().time_state().step, 6);
    EXPECT_EQ(run->advance().value(), RunEnd::finished);
    EXPECT_EQ(run->simulation().time_state().step, 9);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(DeckRun, writes_what_is_missing_of_the_step_that_it_goes_on_from_in_its_own_folder) {
  io::MemoryFileSystem files;
  const std::string series = std::string("out/") + series_file_name;
  const auto run_from = [&](const std::string& from, const std::string& identity) {
    const auto deck = testing::spot_deck({"output.plot_interval=6", "output.series_interval=3",
                                          "checkpoint.interval=3", "checkpoint.keep=9",
                                          "run.identity=" + identity});
    const auto done = testing::on_ranks(3, files, [&](const Context& context) {
      std::optional<Checkpoint> point;
      if (!from.empty()) point = whole_checkpoint(context, from).value();
      const auto run = begin_run(testing::applications()[0], deck, context, "out", point).value();
      EXPECT_TRUE(run->start());
      EXPECT_TRUE(run->advance());
    });
    EXPECT_TRUE(done) << done.error().message;
  };
  ASSERT_TRUE(files.make_directory("out"));
  run_from("", "a");
  const auto names = files.list("out").value();
  const auto table = io::read_text(files, series).value();
  const auto hash = io::hash_plotfile(files, "out/plt00006").value();
  const auto lose = [&] {
    ASSERT_TRUE(files.remove("out/plt00006"));
    ASSERT_TRUE(io::write_text(files, series, table.substr(0, table.find("\n6,") + 1)));
  };

  lose();
  run_from("out/chk00006", "a");
  EXPECT_EQ(io::read_text(files, series).value(), table);
  EXPECT_EQ(io::hash_plotfile(files, "out/plt00006").value(), hash);

  // The last plotfile, where there is nothing else to do; and none of a step where none is due.
  ASSERT_TRUE(files.remove("out/plt00009"));
  run_from("out/chk00009", "a");
  EXPECT_EQ(files.list("out").value(), names);
  run_from("out/chk00003", "a");
  EXPECT_FALSE(*files.status("out/plt00003"));

  // In another folder a run begins with what comes next.
  lose();
  run_from("out/chk00006", "b");
  EXPECT_FALSE(*files.status("out/plt00006"));
  EXPECT_EQ(io::read_text(files, series)->find("\n6,"), std::string::npos);
}

TEST(DeckRun, that_goes_on_in_another_folder_writes_a_checkpoint_of_its_first_state_there) {
  const auto deck = [](const char* identity) {
    return testing::spot_deck({"checkpoint.interval=3", std::string("run.identity=") + identity});
  };
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out") && files.make_directory("other"));
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto& application = testing::applications()[0];
    const auto first = begin_run(application, deck("a"), context, "out").value();
    ASSERT_TRUE(first->start() && first->advance({.step = 3}));
    const auto from = whole_checkpoint(context, "out/chk00003").value();

    const auto other = begin_run(application, deck("b"), context, "other", from).value();
    ASSERT_TRUE(other->start());
    EXPECT_EQ(other->write_checkpoint().value(), "other/chk00003");
    EXPECT_TRUE(whole_checkpoint(context, "other/chk00003"));

    const auto same = begin_run(application, deck("a"), context, "out", from).value();
    ASSERT_TRUE(same->start());
    EXPECT_EQ(same->write_checkpoint().value(), "out/chk00003");
    EXPECT_EQ(whole_checkpoint(context, "out/chk00003")->manifest, from.manifest);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(DeckRun, writes_what_is_missing_of_its_start_where_it_goes_on_from_there) {
  const auto deck = testing::spot_deck(
      {"output.series_interval=3", "output.on_failure=\"stop\"", "run.identity=a"});
  const std::string series = std::string("out/") + series_file_name;
  io::MemoryFileSystem files, straight_files;
  const auto end_of_run = [&](io::FileSystem& disk, const std::string& full, bool from_start) {
    RunEnd end = RunEnd::paused;
    const auto done = testing::on_ranks(2, files, [&](const Context& context) {
      io::testing::FailingFiles failing(disk, full);
      const Context on_it{context.transport, context.clock, failing, context.log, {}};
      std::optional<Checkpoint> point;
      if (!from_start) point = whole_checkpoint(on_it, "out/chk00000").value();
      const auto ended = run(testing::applications()[0], deck, on_it, "out", point);
      ASSERT_TRUE(ended) << ended.error().message;
      if (context.transport.rank() == Rank{0}) end = *ended;
    });
    EXPECT_TRUE(done) << done.error().message;
    return end;
  };
  ASSERT_TRUE(files.make_directory("out") && straight_files.make_directory("out"));
  EXPECT_EQ(end_of_run(straight_files, "", true), RunEnd::finished);
  EXPECT_EQ(end_of_run(files, "plt00000", true), RunEnd::stopped);
  EXPECT_FALSE(*files.status("out/plt00000"));
  const auto table = io::read_text(files, series).value();  // a header, and the line of step 0
  ASSERT_TRUE(io::write_text(files, series, table.substr(0, table.find('\n') + 1)));

  EXPECT_EQ(end_of_run(files, "", false), RunEnd::finished);
  EXPECT_EQ(io::hash_plotfile(files, "out/plt00000").value(),
            io::hash_plotfile(straight_files, "out/plt00000").value());
  EXPECT_EQ(io::read_text(files, series).value(), io::read_text(straight_files, series).value());
}

/// Files of another file system, where each plotfile takes 10 s, and so does the first read.
class SlowFiles final : public io::testing::PassingFiles {
 public:
  SlowFiles(io::FileSystem& files, SetClock& clock) : PassingFiles(files), clock_(clock) {}

  Result<void> make_directory(const std::string& path) override {
    if (path.ends_with("/Level_0")) wait();
    return files_.make_directory(path);
  }
  Result<void> read(const std::string& path, std::uint64_t offset,
                    std::span<std::byte> bytes) const override {
    if (!std::exchange(has_read_, true)) wait();
    return files_.read(path, offset, bytes);
  }

 private:
  void wait() const { clock_.ns += 10'000'000'000; }

  SetClock& clock_;
  mutable bool has_read_ = false;
};

TEST(DeckRun, leaves_time_for_its_first_checkpoint) {
  io::MemoryFileSystem memory;
  ASSERT_TRUE(memory.make_directory("out"));
  const auto step_at_end = [&](const std::string& from, int wall_limit_s) {
    std::int64_t step = -1;
    const auto done = testing::on_ranks(1, memory, [&](const Context& context) {
      SetClock clock;
      SlowFiles files(memory, clock);
      const Context slow{context.transport, clock, files, context.log, {}};
      std::optional<Checkpoint> point;
      if (!from.empty()) point = whole_checkpoint(context, from).value();
      const auto deck = testing::spot_deck({fmt::format("run.wall_limit={}", wall_limit_s)});
      const auto run = begin_run(testing::applications()[0], deck, slow, "out", point).value();
      EXPECT_TRUE(run->start());
      EXPECT_TRUE(run->advance());
      step = run->simulation().time_state().step;
    });
    EXPECT_TRUE(done) << done.error().message;
    return step;
  };
  // 10 s are over, and a checkpoint may take twice as long as the first plotfile. A step is made.
  EXPECT_EQ(step_at_end("", 25), 1);
  EXPECT_EQ(step_at_end("", 1000), 9);
  // Or as reading the one that the run goes on from.
  EXPECT_EQ(step_at_end("out/chk00001", 25), 2);
  EXPECT_EQ(step_at_end("out/chk00001", 1000), 9);
}

TEST(DeckRun, whose_last_state_is_nowhere_says_why) {
  io::MemoryFileSystem disk;
  ASSERT_TRUE(disk.make_directory("out"));
  const auto done = testing::on_ranks(2, disk, [&](const Context& context) {
    io::testing::FailingFiles files(disk, "plt00009");
    const Context on_it{context.transport, context.clock, files, context.log, {}};
    const auto run =
        begin_run(testing::applications()[0], testing::spot_deck(), on_it, "out").value();
    ASSERT_TRUE(run->start());
    const auto end = run->advance();
    ASSERT_FALSE(end);
    for (const char* part : {"state after step 9", "plt00009", "No space left", "make room"})
      EXPECT_NE(end.error().message.find(part), std::string::npos) << end.error().message;
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(DeckRun, calls_what_was_added_before_it_writes_a_plotfile) {
  std::vector<bool> is_written;
  left_by(1, [&](DeckRun& run) {
    run.add({.every = {.steps = 6},
             .call = [&](AnySimulation&, const Context& context) -> Result<void> {
               is_written.push_back(context.files.status("out/plt00006")->has_value());
               return {};
             },
             .at_end = false});
    EXPECT_TRUE(run.advance());
  });
  EXPECT_EQ(is_written, (std::vector<bool>{false}));
}

TEST(Pause, is_by_steps_or_time_and_bounds_how_far_to_go) {
  const step::TimeState now{.step = 3, .time = 1.0, .dt = 0.5};
  EXPECT_FALSE(Pause{}.is_at(now));
  EXPECT_TRUE((Pause{.step = 3}).is_at(now));
  EXPECT_TRUE((Pause{.time = 1.0}).is_at(now));
  EXPECT_FALSE((Pause{.step = 4, .time = 1.5}).is_at(now));
  EXPECT_EQ(Pause{}.next_stop(now, 1.1), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ((Pause{.step = 7}).next_stop(now, 1.1), 7);
  // Two steps of 0.5 and 0.55 cannot pass it, three may.
  EXPECT_EQ((Pause{.time = 2.06}).next_stop(now, 1.1), 6);
  const double missed = std::nextafter(2.06, 0);  // by a rounding: it is still to be reached
  EXPECT_EQ((Pause{.time = 2.06}).next_stop({.step = 5, .time = missed, .dt = 0.5}, 1.1), 6);
  EXPECT_EQ((Pause{.step = 4, .time = 2.06}).next_stop(now, 1.1), 4);
}

}  // namespace
}  // namespace thalweg::app

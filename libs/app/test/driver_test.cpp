// SPDX-License-Identifier: MIT
#include <thalweg/app/driver.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/callback.hpp>
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/app/requests.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/io/testing/failing_files.hpp>

#include "carried.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using testing::applications;

io::Deck spot_deck(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), {"output.derived=[\"square\"]", "output.plot_interval=6",
                                       "output.series_interval=3", "checkpoint.interval=6"});
  return testing::spot_deck(overrides);
}

/// Run a deck on virtual ranks into "out", perhaps from a checkpoint there.
RunEnd run_on(int n_ranks, const io::Deck& deck, io::FileSystem& files,
              const std::string& from = "") {
  std::optional<RunEnd> end;
  if (from.empty()) {
    EXPECT_TRUE(files.make_directory("out"));
  }
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    std::optional<Checkpoint> checkpoint;
    if (!from.empty()) {
      checkpoint = whole_checkpoint(context, from).value();
      check_restart(applications(), deck, *checkpoint);
    }
    const auto ended = run(applications()[0], deck, context, "out", checkpoint);
    ASSERT_TRUE(ended) << ended.error().message;
    if (context.transport.rank() == Rank{0}) end = *ended;
  });
  EXPECT_TRUE(done) << done.error().message;
  return end.value_or(RunEnd::stopped);
}

TEST(Run, of_an_application_of_ones_own_writes_the_same_on_any_ranks) {
  std::vector<std::string> hashes, series;
  for (const int n_ranks : {1, 3}) {
    io::MemoryFileSystem files;
    EXPECT_EQ(run_on(n_ranks, spot_deck(), files), RunEnd::finished);
    for (const char* plot : {"out/plt00000", "out/plt00006", "out/plt00009"})
      hashes.push_back(std::to_string(io::hash_plotfile(files, plot).value()));
    series.push_back(io::read_text(files, std::string("out/") + series_file_name).value());
    const auto last = io::read_plotfile(files, "out/plt00009").value();
    EXPECT_EQ(last.variables, (std::vector<std::string>{"q", "square"}));
    EXPECT_EQ(last.levels.size(), 3u);
  }
  EXPECT_EQ(std::vector(hashes.begin(), hashes.begin() + 3),
            std::vector(hashes.begin() + 3, hashes.end()));
  EXPECT_NE(hashes[0], hashes[2]);
  EXPECT_EQ(series[0], series[1]);
  for (const char* part : {"q total", "q min", "square max", "mass"})
    EXPECT_NE(series[0].find(part), std::string::npos) << series[0];
}

TEST(Run, goes_on_from_a_checkpoint_to_the_same_bits) {
  io::MemoryFileSystem straight, in_parts;
  run_on(2, spot_deck(), straight);
  run_on(3, spot_deck({"time.max_steps=6"}), in_parts);
  EXPECT_EQ(run_on(1, spot_deck(), in_parts, "out/chk00006"), RunEnd::finished);

  EXPECT_EQ(io::hash_plotfile(in_parts, "out/plt00009").value(),
            io::hash_plotfile(straight, "out/plt00009").value());
  const auto path = std::string("out/") + series_file_name;
  EXPECT_EQ(io::read_text(in_parts, path).value(), io::read_text(straight, path).value());
}

/// A deck whose totals change, as its wind blows out of the box, with a checkpoint at each line of
/// the series.
io::Deck open_box(int n_steps) {
  return spot_deck({"boundary.lower=['outflow', 'outflow']",
                    "boundary.upper=['outflow', 'outflow']", "checkpoint.interval=3",
                    "checkpoint.keep=100", "run.identity=a",
                    "time.max_steps=" + std::to_string(n_steps)});
}

/// What was written to a temporary file, which is closed.
std::string text_of(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

/// The table of integrals at the end of the log of a run from a checkpoint, or from the start.
std::string integrals_of(int n_ranks, io::FileSystem& files, const std::string& from = "",
                         const Application& application = applications()[0]) {
  std::FILE* const sink = std::tmpfile();
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    Logger log(sink, context.transport.rank());
    std::optional<Checkpoint> checkpoint;
    if (!from.empty()) checkpoint = whole_checkpoint(context, from).value();
    const Context heard{context.transport, context.clock, context.files, log, {}};
    EXPECT_TRUE(run(application, open_box(9), heard, "out", checkpoint));
  });
  EXPECT_TRUE(done) << done.error().message;
  const std::string text = text_of(sink);
  const std::size_t begin = std::min(text.find("integral"), text.size());
  return text.substr(begin, text.find("plotfiles", begin) - begin);
}

TEST(Run, that_goes_on_leaves_and_says_what_the_unbroken_one_does) {
  io::MemoryFileSystem straight, in_parts;
  ASSERT_TRUE(straight.make_directory("out"));
  const std::string said = integrals_of(2, straight);
  run_on(3, open_box(6), in_parts);

  EXPECT_EQ(integrals_of(1, in_parts, "out/chk00006"), said);

  EXPECT_NE(said.find("change"), std::string::npos) << said;
  EXPECT_EQ(in_parts.list("out").value(), straight.list("out").value());
  const auto path = std::string("out/") + series_file_name;
  EXPECT_EQ(io::read_text(in_parts, path).value(), io::read_text(straight, path).value());
  const auto last = [](const io::FileSystem& files) {
    return io::read_manifest(files, "out/chk00009").value();
  };
  EXPECT_EQ(last(in_parts), last(straight));
}

TEST(Run, says_changes_of_integrals_as_parts_of_what_there_was) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  std::istringstream table(integrals_of(1, files));
  std::string line;
  std::getline(table, line);
  EXPECT_NE(line.find("relative"), std::string::npos) << line;
  struct Row {
    std::string name, relative;
    double start, change;
  };
  std::vector<Row> rows;
  double all = 0;
  std::string name, relative;
  for (double end, change; table >> name >> end >> change >> relative;) {
    rows.push_back({name, relative, end - change, change});
    all += std::abs(end - change);
  }
  int n_parts = 0;
  for (const Row& row : rows) {
    if (std::abs(row.start) <= 1e-15 * all) {
      EXPECT_EQ(row.relative, "-") << row.name;
      continue;
    }
    const double part = row.change / row.start;
    EXPECT_NEAR(std::stod(row.relative), part, 1e-3 * std::abs(part)) << row.name;
    EXPECT_GT(std::abs(part - row.change), 1e-2 * std::abs(part))
        << "the test cannot tell them apart";
    ++n_parts;
  }
  EXPECT_GT(n_parts, 0);
}

/// More flows out of the box than in; the integral of a derived field is negative, so it rises.
Application with_debts() {
  using State = testing::Carried::State;
  Application debts = applications()[0];
  debts.set_up = set_up_in<2>([](DeckReader<2>&) {
    ProblemSetup<testing::Carried> setup{
        .problem = testing::carried_spot(), .scheme_name = "debts", .inflow_needs = "an amount"};
    setup.problem.initial = [](const numerics::CellContext<2>& cell) {
      return State{1.0 + cell.centre[0]};
    };
    setup.problem.derived = {{.name = "square",  // as the deck names it
                              .integral_unit = "mass",
                              .compute = compute_cells<State, 2>(
                                  [](const auto&, const auto& here) { return -2.0 * here().q; })}};
    return setup;
  });
  return debts;
}

TEST(Run, says_changes_of_negative_integrals_with_their_sign_and_those_of_derived_fields) {
  io::MemoryFileSystem straight, in_parts;
  for (io::MemoryFileSystem* files : {&straight, &in_parts})
    ASSERT_TRUE(files->make_directory("out"));
  const std::string said = integrals_of(2, straight, "", with_debts());
  std::istringstream table(said);
  std::string line, q, derived;
  double q_end, q_change, q_relative, end, change, relative;
  std::getline(table, line);
  ASSERT_TRUE(table >> q >> q_end >> q_change >> q_relative) << said;
  ASSERT_TRUE(table >> derived >> end >> change >> relative) << said;
  EXPECT_EQ(q, "q");
  EXPECT_GT(q_end, 0);
  EXPECT_LT(q_relative, 0);
  EXPECT_EQ(derived, "square");
  EXPECT_NEAR(end, -2.0 * q_end, 1e-14 * q_end);
  EXPECT_GT(change, 0);
  EXPECT_NEAR(relative, -q_relative, -1e-3 * q_relative);

  integrals_of(1, in_parts, "", with_debts());
  EXPECT_EQ(integrals_of(3, in_parts, "out/chk00006", with_debts()), said);
}

TEST(Run, that_goes_on_from_before_results_renames_them_until_it_writes_its_own) {
  const std::vector<std::string> more{"output.plot_interval=3", "checkpoint.interval=3",
                                      "checkpoint.keep=100"};
  const auto to = [&](int n_steps) {
    auto overrides = more;
    overrides.push_back("time.max_steps=" + std::to_string(n_steps));
    return spot_deck(overrides);
  };
  io::MemoryFileSystem straight, again;
  run_on(1, to(9), straight);
  run_on(2, to(12), again);
  run_on(3, to(5), again, "out/chk00003");
  run_on(3, to(9), again, "out/chk00005");
  EXPECT_EQ(io::last_plotfile(again, "out"), "out/plt00009");
  EXPECT_TRUE(again.status("out/plt00012.superseded")->has_value());
  for (const char* extra : {"plt00012.superseded", "chk00012.superseded", "plt00005", "chk00005"})
    EXPECT_TRUE(again.remove(std::string("out/") + extra));
  EXPECT_EQ(again.list("out").value(), straight.list("out").value());
  EXPECT_EQ(io::hash_plotfile(again, "out/plt00006").value(),
            io::hash_plotfile(straight, "out/plt00006").value());
}

/// Asks a run to stop when it has been looked at so often.
class StopAt final : public Requests {
 public:
  explicit StopAt(int n_looks) : n_left_(n_looks) {}
  Request take() override { return {.stop = --n_left_ <= 0}; }

 private:
  int n_left_;
};

TEST(Run, that_is_stopped_leaves_a_trace_of_the_steps_it_has_made) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  const auto run_with = [&](int n_looks, const std::string& from = "") {
    const auto done = testing::on_ranks(2, files, [&](const Context& context) {
      StopAt stop(n_looks);
      const Context asked{context.transport, context.clock, context.files, context.log, {}, &stop};
      std::optional<Checkpoint> point;
      if (!from.empty()) point = whole_checkpoint(context, from).value();
      EXPECT_TRUE(run(applications()[0], spot_deck({"trace.steps=[1, 2]"}), asked, "out", point));
    });
    EXPECT_TRUE(done) << done.error().message;
    return io::read_text(files, "out/trace.pftrace").value_or("");
  };
  EXPECT_EQ(run_with(1), "") << "no step was traced";
  const std::string traced = run_with(3, "out/chk00000");
  EXPECT_NE(traced, "");
  ASSERT_TRUE(files.status("out/chk00003")->has_value());
  EXPECT_EQ(run_with(100, "out/chk00003"), traced) << "of the steps before, it stays";
}

TEST(Run, told_to_stop_where_it_goes_on_leaves_that_to_go_on_from) {
  io::MemoryFileSystem files;
  run_on(2, open_box(9), files);
  const auto before = io::read_manifest(files, "out/chk00006").value();
  auto names = files.list("out").value();
  for (auto& name : names)
    if (name.ends_with("00009")) name += ".superseded";
  for (const int n_ranks : {3, 1}) {
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      StopAt stop(1);
      Context asked{context.transport, context.clock, context.files, context.log, {}, &stop};
      const Checkpoint from = n_ranks == 3 ? whole_checkpoint(context, "out/chk00006").value()
                                           : newest_checkpoint(context, "out").value();
      EXPECT_EQ(from.path, "out/chk00006");
      EXPECT_EQ(run(applications()[0], open_box(9), asked, "out", from).value(), RunEnd::stopped);
    });
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(files.list("out").value(), names);
    EXPECT_EQ(io::read_manifest(files, "out/chk00006").value(), before);
  }
}

TEST(Run, with_nothing_to_do_where_it_goes_on_leaves_what_is_there_as_it_is) {
  io::MemoryFileSystem files;
  run_on(2, open_box(9), files);
  const auto names = files.list("out").value();
  const auto path = std::string("out/") + series_file_name;
  const auto series = io::read_text(files, path).value();
  EXPECT_EQ(run_on(3, open_box(6), files, "out/chk00006"), RunEnd::finished);
  EXPECT_EQ(files.list("out").value(), names);
  EXPECT_EQ(io::read_text(files, path).value(), series);
}

TEST(Run, says_that_older_checkpoints_are_as_they_were_where_there_are_some) {
  for (const int failing : {3, 6}) {
    io::MemoryFileSystem disk;
    ASSERT_TRUE(disk.make_directory("out"));
    std::FILE* const sink = std::tmpfile();
    const auto done = testing::on_ranks(2, disk, [&](const Context& context) {
      io::testing::FailingFiles files(disk, "chk0000" + std::to_string(failing));
      Logger log(sink, context.transport.rank());
      Context on_it{context.transport, context.clock, files, log, {}};
      EXPECT_TRUE(run(applications()[0], open_box(9), on_it, "out"));
    });
    EXPECT_TRUE(done) << done.error().message;
    const std::string said = text_of(sink);
    EXPECT_NE(said.find("no checkpoint of step " + std::to_string(failing)), std::string::npos);
    EXPECT_EQ(said.find("older ones are as they were") != std::string::npos, failing == 6) << said;
  }
}

TEST(Run, goes_on_without_a_plotfile_that_cannot_be_written) {
  for (const auto& [choice, wanted] :
       {std::pair("go_on", RunEnd::finished), std::pair("stop", RunEnd::stopped)}) {
    io::MemoryFileSystem disk;
    ASSERT_TRUE(disk.make_directory("out"));
    const auto done = testing::on_ranks(2, disk, [&](const Context& context) {
      io::testing::FailingFiles files(disk, "plt00006");
      Context on_it{context.transport, context.clock, files, context.log, {}};
      const auto ended = run(applications()[0],
                             spot_deck({std::string("output.on_failure=") + choice}), on_it, "out");
      ASSERT_TRUE(ended) << ended.error().message;
      EXPECT_EQ(*ended, wanted);
    });
    ASSERT_TRUE(done) << done.error().message;
    const auto names = disk.list("out").value();
    const bool has_last = std::ranges::count(names, "plt00009") > 0;
    EXPECT_EQ(has_last, wanted == RunEnd::finished);
    EXPECT_EQ(std::ranges::count(names, "chk00006"), 1);
    for (const auto& name : names) EXPECT_FALSE(name.starts_with("plt00006")) << name;
  }
}

TEST(Run, fails_where_the_last_state_is_nowhere) {
  for (const char* checkpoints : {"checkpoint.interval=0", "checkpoint.interval=9"}) {
    io::MemoryFileSystem disk;
    ASSERT_TRUE(disk.make_directory("out"));
    const auto done = testing::on_ranks(2, disk, [&](const Context& context) {
      io::testing::FailingFiles files(disk, "plt00009");
      Context on_it{context.transport, context.clock, files, context.log, {}};
      const auto ended =
          run(applications()[0], spot_deck({checkpoints, "run.log=both"}), on_it, "out");
      const bool is_kept = disk.status("out/chk00009").value().has_value();
      EXPECT_EQ(ended.has_value(), is_kept) << checkpoints;
      EXPECT_EQ(is_kept, std::string(checkpoints).ends_with('9'));
      if (!ended) {
        const auto& why = ended.error().message;
        EXPECT_NE(why.find("after step 9 could not be written"), std::string::npos) << why;
        EXPECT_NE(why.find("run again from the start"), std::string::npos) << why;
      }
    });
    ASSERT_TRUE(done) << done.error().message;
    const auto log = io::read_text(disk, std::string("out/") + log_file_name).value();
    const bool is_kept = disk.status("out/chk00009").value().has_value();
    const std::size_t failed = log.find(R"("event":"failed")");
    EXPECT_EQ(failed == std::string::npos, is_kept) << log;
    EXPECT_EQ(log.find(R"("event":"failed")", failed + 1), std::string::npos) << log;
  }
}

TEST(Run, says_at_its_start_where_there_are_more_ranks_than_blocks) {
  const auto said_on = [](int n_ranks) {
    io::MemoryFileSystem files;
    std::FILE* const sink = std::tmpfile();
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      Logger log(sink, context.transport.rank());
      const Context heard{context.transport, context.clock, context.files, log, {}};
      EXPECT_TRUE(run(applications()[0], spot_deck({"mesh.root_blocks=[2, 1]", "mesh.max_level=0"}),
                      heard, ""));
    });
    EXPECT_TRUE(done) << done.error().message;
    return text_of(sink);
  };
  EXPECT_NE(said_on(3).find("2 blocks for 3 ranks: until there are more, at least 1 of"),
            std::string::npos)
      << said_on(3);
  for (const int n_ranks : {1, 2}) EXPECT_EQ(said_on(n_ranks).find("ranks:"), std::string::npos);
}

TEST(Run, ends_well_without_a_trace_that_cannot_be_written_and_keeps_the_one_there) {
  io::MemoryFileSystem disk;
  ASSERT_TRUE(disk.make_directory("out"));
  const std::string old = "a trace";
  ASSERT_TRUE(disk.write("out/trace.pftrace", 0, std::as_bytes(std::span(old))));
  const auto done = testing::on_ranks(3, disk, [&](const Context& context) {
    io::testing::FailingFiles files(disk, context.transport.rank() == Rank{1} ? "trace" : "none");
    Context on_it{context.transport, context.clock, files, context.log, {}};
    const auto ended = run(applications()[0], spot_deck({"trace.steps=[2, 4]"}), on_it, "out");
    ASSERT_TRUE(ended) << ended.error().message;
    EXPECT_EQ(*ended, RunEnd::finished);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(io::read_text(disk, "out/trace.pftrace").value(), old);
  EXPECT_EQ(std::ranges::count(disk.list("out").value(), "trace.pftrace.tmp"), 0);
}

TEST(Run, writes_by_time_after_the_first_step_that_reaches_a_multiple) {
  const std::vector<std::string> by_time{"output.plot_interval=0",   "checkpoint.interval=0",
                                         "output.plot_time=0.02",    "checkpoint.time=0.03",
                                         "output.series_interval=1", "checkpoint.keep=100"};
  std::vector<std::vector<std::string>> names;
  for (const int n_ranks : {1, 3}) {
    io::MemoryFileSystem files;
    run_on(n_ranks, spot_deck(by_time), files);
    names.push_back(files.list("out").value());
    std::istringstream lines(io::read_text(files, std::string("out/") + series_file_name).value());
    std::vector<std::string> expected;
    double before = 0;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const int step = std::stoi(line);
      const double time = std::stod(line.substr(line.find(',') + 1));
      const auto reaches = [&](double every) {
        return std::floor(time / every) > std::floor(before / every);
      };
      if (step == 0 || step == 9 || reaches(0.02))
        expected.push_back("plt0000" + std::to_string(step));
      if (step == 9 || reaches(0.03)) expected.push_back("chk0000" + std::to_string(step));
      before = time;
    }
    expected.emplace_back(series_file_name);
    std::ranges::sort(expected);
    EXPECT_EQ(names.back(), expected);
    EXPECT_GT(expected.size(), 6u);
  }
  EXPECT_EQ(names[0], names[1]);
}

TEST(Run, calls_back_at_the_start_when_due_and_at_the_end) {
  for (const int n_ranks : {1, 3}) {
    std::vector<std::int64_t> by_steps, by_time;  // steps after which rank 0 was called
    auto application = applications()[0];
    application.callbacks = [&](const io::Deck& of) {
      const auto note = [](std::vector<std::int64_t>& steps) {
        return [&steps](AnySimulation& simulation, const Context& context) {
          const auto total = simulation.totals();  // by all ranks together
          EXPECT_GT(total[0], 0);
          if (context.transport.rank() == Rank{0}) steps.push_back(simulation.time_state().step);
          return Result<void>{};
        };
      };
      return std::vector<Callback>{
          {.every = {.steps = of.integer("output.series_interval") + 1}, .call = note(by_steps)},
          {.every = {.time = 1e-9}, .call = note(by_time), .at_start = false, .at_end = false}};
    };
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      EXPECT_TRUE(run(application, spot_deck(), context, ""));
    });
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(by_steps, (std::vector<std::int64_t>{0, 4, 8, 9}));
    EXPECT_EQ(by_time, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  }
}

TEST(Run, ends_on_all_ranks_where_a_callback_fails_on_one) {
  auto application = applications()[0];
  application.callbacks = [](const io::Deck&) {
    const auto fail_on_2 = [](AnySimulation& simulation, const Context& context) -> Result<void> {
      if (context.transport.rank() != Rank{2} || simulation.time_state().step < 4) return {};
      return std::unexpected(Failure{"too hot"});
    };
    return std::vector<Callback>{{.every = {.steps = 2}, .call = fail_on_2}};
  };
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    const auto ended = run(application, spot_deck(), context, "");
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().message, "callback after step 4: rank 2: too hot");
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(Run, throws_what_a_callback_throws_with_the_step) {
  const auto thrown = [](const auto& exception) -> std::string {
    auto application = applications()[0];
    application.callbacks = [&](const io::Deck&) {
      const auto throw_it = [&](AnySimulation& simulation, const Context&) -> Result<void> {
        if (simulation.time_state().step >= 4) throw exception;
        return {};
      };
      return std::vector<Callback>{{.every = {.steps = 2}, .call = throw_it}};
    };
    std::string what;
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(1, files, [&](const Context& context) {
      try {
        (void)run(application, spot_deck(), context, "");
      } catch (const Error& error) {
        what = std::string("bad request: ") + error.what();
      } catch (const std::exception& error) {
        what = error.what();
      }
    });
    EXPECT_TRUE(done) << done.error().message;
    return what;
  };
  EXPECT_EQ(thrown(std::runtime_error("too hot")), "callback after step 4: too hot");
  EXPECT_EQ(thrown(Error("no probe; give one")), "callback after step 4: no probe; give one");
}

TEST(Run, without_a_folder_writes_nothing) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    EXPECT_TRUE(run(applications()[0], spot_deck(), context, ""));
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_FALSE(files.status("out/plt00000").value_or(std::nullopt));
}

TEST(Run, says_on_all_ranks_which_cell_has_no_initial_state) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    try {
      static_cast<void>(run(applications()[0], spot_deck({"problem.height=-40"}), context, ""));
      ADD_FAILURE() << "it is taken";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("initial state"), std::string::npos) << error.what();
    }
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(CheckRestart, does_not_go_back) {
  io::MemoryFileSystem files;
  run_on(1, spot_deck(), files);
  const Checkpoint from{"out/chk00006", io::read_manifest(files, "out/chk00006").value()};
  EXPECT_NO_THROW(check_restart(applications(), spot_deck({"time.max_steps=6"}), from));
  EXPECT_THROW(check_restart(applications(), spot_deck({"time.max_steps=5"}), from), Error);
  EXPECT_THROW(check_restart(applications(), spot_deck({"time.end=1e-6"}), from), Error);
}

TEST(CheckRestart, names_what_must_stay) {
  io::MemoryFileSystem files;
  run_on(1, spot_deck(), files);
  const Checkpoint from{"out/chk00006", io::read_manifest(files, "out/chk00006").value()};
  const auto complaint = [&](const std::vector<std::string>& overrides) -> std::string {
    try {
      check_restart(applications(), spot_deck(overrides), from);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint({"time.end=20", "run.model=bulk", "checkpoint.keep=1"}), "");
  EXPECT_EQ(complaint({"mesh.max_level=3"}), "");
  EXPECT_EQ(complaint({"mesh.max_level=1"}), "");
  EXPECT_EQ(complaint({"mesh.max_level=3", "mesh.ratio=[2, 2, 4]"}), "");
  EXPECT_NE(complaint({"mesh.max_level=3", "mesh.ratio=[2, 4, 4]"}).find("mesh.ratio = [2, 4, 4]"),
            std::string::npos);
  EXPECT_NE(complaint({"mesh.max_level=3", "regrid.interval=0"}).find("regrid.interval = 0"),
            std::string::npos);
  EXPECT_EQ(complaint({"mesh.max_level=1", "regrid.interval=0"}), "");
  EXPECT_EQ(complaint({"regrid.buffer=3"}), "");
  EXPECT_NE(complaint({"regrid.buffer=3", "regrid.interval=0"}).find("regrid.buffer = [3] with"),
            std::string::npos);
  EXPECT_NE(complaint({"stream.wind=[1, 1]"}).find("stream.wind"), std::string::npos);
  EXPECT_NE(complaint({"mesh.mode=leaf"}).find("mesh.mode = \"leaf\""), std::string::npos);
  EXPECT_NE(complaint({"problem.width=0.1"}).find("problem.width = 0.1"), std::string::npos);
  const auto other = testing::deck("", {"problem.name=plane", "mesh.dim=2"});
  try {
    check_restart(applications(), other, from);
    FAIL() << "another problem is taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("problem.name = \"plane\""), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace thalweg::app

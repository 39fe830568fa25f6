// SPDX-License-Identifier: MIT
#include <thalweg/app/run_log.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/output_folder.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/testing/failing_files.hpp>
#include <thalweg/io/testing/passing_files.hpp>

#include "../../../tests/support/text.hpp"

namespace thalweg::app {
namespace {

constexpr std::int64_t max_steps = 10;

/// What was logged for people, by all ranks, and what the file for programs has.
struct Logged {
  std::string text;
  std::string file;
};

/// Log on two virtual ranks what a body has to say, each by body(log, transport).
template <class Body>
Logged log_of(const std::string& what, const Body& body, const std::string& before = "",
              StepDisplay steps = StepDisplay::lines, std::int64_t interval = 1) {
  Logged logged;
  io::MemoryFileSystem files;
  EXPECT_TRUE(files.make_directory("out"));
  const auto path = std::string("out/") + log_file_name;
  if (!before.empty()) {
    EXPECT_TRUE(io::write_text(files, path, before));
  }
  std::FILE* const sink = std::tmpfile();
  comm::SimNetwork network({.n_ranks = 2});
  const auto done = network.run([&](flow::Transport& transport) {
    Logger log(sink, transport.rank());
    const Context context{transport, network.clock(), files, log, {}};
    RunLog run_log(
        context,
        {.what = what, .folder = "out", .steps = steps, .interval = interval, .terminal = sink},
        {.end = 2.0, .max_steps = max_steps}, 2);
    body(run_log, transport);
  });
  EXPECT_TRUE(done) << done.error().message;
  std::rewind(sink);
  for (int c = std::fgetc(sink); c != EOF; c = std::fgetc(sink))
    logged.text += static_cast<char>(c);
  std::fclose(sink);
  if (const auto file = io::read_text(files, path)) logged.file = *file;
  return logged;
}

/// A step, which rank 0 alone hears of, something that happens, and the end.
void some_run(RunLog& log, flow::Transport& transport) {
  const std::array<std::int64_t, 2> blocks{4, 8};
  // As the step under way has left it, which may have the next dt already.
  const step::TimeState time_state{.step = 3, .time = 0.5, .dt = 0.125, .dt_before = 0.25};
  if (transport.rank() == Rank{0})
    log({.time_state = time_state,
         .blocks_per_level = blocks,
         .zone_updates = 1000,
         .fallbacks = {},
         .wall_s = 0.5,
         .parallel_efficiency = 0.75,
         .memory_bytes = 4096});
  log.log_event({.event = "plotfile", .time_state = time_state, .path = "out/plt00003"});
  log.log_event({.event = "warning", .time_state = time_state, .text = "no \"room\""},
                LogLevel::warn);
  log.print("for people only");
  log.summarise(time_state);
}

int n_lines(const std::string& text) {
  return static_cast<int>(std::ranges::count(text, '\n'));
}

using thalweg::testing::has;

TEST(RunLog, warns_once_of_sources_that_may_act_at_a_wrong_rate) {
  const auto logged = log_of("text", [](RunLog& log, flow::Transport& transport) {
    const std::array<std::int64_t, 1> blocks{4};
    for (std::int64_t step = 1; step < 4; ++step)
      if (transport.rank() == Rank{0})
        log({.time_state = {.step = step, .time = 0.5, .dt = 0.125, .dt_before = 0.25},
             .blocks_per_level = blocks,
             .zone_updates = 1000,
             .fallbacks = {.unresolved_sources = step == 1 ? 0 : 7},
             .wall_s = 0.5,
             .parallel_efficiency = 0.75,
             .memory_bytes = 4096});
    log.summarise({.step = 3, .time = 0.5, .dt = 0.125, .dt_before = 0.25});
  });
  EXPECT_TRUE(has(logged.text,
                  "step 2: sources may act at a wrong rate in 7 cells (counted in each stage)"))
      << logged.text;
  EXPECT_FALSE(has(logged.text, "step 3: ")) << logged.text;
  EXPECT_TRUE(has(logged.text, "unresolved sources: 14")) << logged.text;
}

TEST(RunLog, of_text_is_for_people_alone) {
  const auto logged = log_of("text", some_run);
  EXPECT_EQ(logged.file, "");
  for (const char* part : {"no \"room\"", "for people only", "3 steps to t = 0.5"})
    EXPECT_TRUE(has(logged.text, part)) << logged.text;
  EXPECT_FALSE(has(logged.text, "plt00003")) << "nothing is said of it";
  EXPECT_FALSE(has(logged.text, "{\"event\""));
}

TEST(RunLog, of_a_bar_is_one_line_that_others_take_the_place_of) {
  const auto text = log_of("text", some_run, "", StepDisplay::bar).text;
  EXPECT_TRUE(text.starts_with("[=======>                ]  30 %")) << text;
  EXPECT_TRUE(has(text, "step 3, t = 0.5, 12 blocks\r\x1b[Kwarning: no \"room\"\n")) << text;
  EXPECT_FALSE(has(text, "zones/s")) << "a header of columns";
  EXPECT_EQ(std::ranges::count(text, '\r'), 1) << "what is gone is not erased again";
  EXPECT_TRUE(has(text, "3 steps to t = 0.5"));
}

TEST(RunLog, of_no_steps_has_what_happens_and_the_end) {
  const auto text = log_of("text", some_run, "", StepDisplay::none).text;
  EXPECT_TRUE(text.starts_with("warning: no \"room\"\n")) << text;
  EXPECT_TRUE(has(text, "3 steps to t = 0.5"));
  EXPECT_FALSE(has(text, "zones/s"));
}

TEST(RunLog, has_a_bar_for_programs_nowhere) {
  const auto json = log_of("json", some_run, "", StepDisplay::bar).text;
  EXPECT_TRUE(json.starts_with("{\"event\":\"step\"")) << json;
  EXPECT_FALSE(has(json, "\r"));
}

TEST(RunLog, shows_how_long_the_step_was_that_was_made) {
  const auto text = log_of("text", some_run).text;
  EXPECT_TRUE(has(text, "2.500e-01") && !has(text, "1.250e-01")) << text;
}

TEST(RunLog, has_large_numbers_of_updates_without_powers_of_ten) {
  const auto text = log_of("text", [](RunLog& log, flow::Transport& transport) {
                      const std::array<std::int64_t, 1> blocks{1};
                      const step::TimeState time_state{.step = 1, .time = 0.5, .dt = 0.5};
                      if (transport.rank() == Rank{0})
                        log({.time_state = time_state,
                             .blocks_per_level = blocks,
                             .zone_updates = 123'456'000'000,
                             .fallbacks = {},
                             .wall_s = 10});
                      log.summarise(time_state);
                    }).text;
  EXPECT_TRUE(has(text, "123456 million zone updates, 12346 million per second")) << text;
}

/// Steps after the first so many, of which nothing happens.
void make_steps(RunLog& log, flow::Transport& transport, std::int64_t from, std::int64_t n) {
  log.start_at({.step = from});
  const std::array<std::int64_t, 2> blocks{4, 8};
  for (std::int64_t step = from + 1; step <= from + n && transport.rank() == Rank{0}; ++step)
    log({.time_state = {.step = step, .time = 0.01, .dt = 0.01, .dt_before = 0.01},
         .blocks_per_level = blocks,
         .fallbacks = {}});
}

TEST(RunLog, has_a_line_of_each_so_many_steps_and_of_the_last) {
  const auto all = [](RunLog& log, flow::Transport& transport) {
    make_steps(log, transport, 0, max_steps);
  };
  const auto log_at = [&](const std::string& what, StepDisplay steps) {
    return log_of(what, all, "", steps, 4).text;
  };
  const auto lines = log_at("text", StepDisplay::lines);
  EXPECT_EQ(n_lines(lines), 1 + 3) << lines;
  for (const char* step : {"\n       4", "\n       8", "\n      10"})
    EXPECT_TRUE(has(lines, step)) << lines;
  EXPECT_EQ(n_lines(log_at("json", StepDisplay::lines)), 10) << "programs have all steps";
  EXPECT_TRUE(has(log_at("text", StepDisplay::bar), "step 1,")) << "a bar moves";
}

TEST(RunLog, has_a_bar_that_fits_a_narrow_terminal) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
  const winsize narrow{.ws_row = 24, .ws_col = 30, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(::ioctl(terminal, TIOCSWINSZ, &narrow), 0);
  std::FILE* const shown = ::fdopen(::open(::ptsname(terminal), O_RDWR | O_NOCTTY), "w");
  ASSERT_NE(shown, nullptr);
  io::MemoryFileSystem files;
  comm::SimNetwork network({.n_ranks = 1});
  ASSERT_TRUE(network.run([&](flow::Transport& transport) {
    Logger log(shown, transport.rank());
    const Context context{transport, network.clock(), files, log, {}};
    RunLog run_log(context, {.steps = StepDisplay::bar, .terminal = shown}, {.max_steps = 10}, 2);
    make_steps(run_log, transport, 0, 1);
  }));
  std::array<char, 100> text{};
  EXPECT_EQ(::read(terminal, text.data(), text.size()), 29);
  std::fclose(shown);
  ::close(terminal);
}

TEST(RunLog, has_the_header_again_where_the_first_is_out_of_sight) {
  const auto text = log_of("text", [](RunLog& log, flow::Transport& transport) {
                      make_steps(log, transport, 200, 101);
                    }).text;
  EXPECT_EQ(n_lines(text), 101 + 3) << text;
  const auto second = text.find("zones/s", text.find("zones/s") + 1);
  EXPECT_EQ(n_lines(text.substr(0, second)), 1 + 50) << text;
}

TEST(RunLog, has_no_header_before_the_run_begins) {
  EXPECT_EQ(log_of("text", [](RunLog&, flow::Transport&) {}).text, "");
  const auto begun = log_of("text", [](RunLog& log, flow::Transport&) { log.start_at({}); }).text;
  EXPECT_TRUE(has(begun, "zones/s")) << begun;
}

TEST(StepDisplay, is_that_of_the_deck) {
  EXPECT_EQ(step_display("lines"), StepDisplay::lines);
  EXPECT_EQ(step_display("bar"), StepDisplay::bar);
  EXPECT_EQ(step_display("none"), StepDisplay::none);
}

TEST(RunLog, of_json_is_a_line_for_each_event_on_rank_0) {
  const auto logged = log_of("json", some_run);
  EXPECT_EQ(logged.file, "");
  EXPECT_EQ(n_lines(logged.text), 4) << logged.text;
  for (const char* part :
       {R"({"event":"step","step":3,"time":0.5,"dt":0.25,"blocks":[4,8],"zone_updates":1000,)",
        R"("parallel_efficiency":0.75,"memory_bytes":4096})",
        R"({"event":"plotfile","step":3,"time":0.5,"path":"out/plt00003"})",
        R"({"event":"warning","step":3,"time":0.5,"text":"no \"room\""})", R"({"event":"end")"})
    EXPECT_TRUE(has(logged.text, part)) << part << " not in:\n" << logged.text;
}

TEST(RunLog, of_both_has_a_file_that_goes_on_where_a_run_does) {
  const auto logged = log_of("both", some_run, "{\"event\":\"before\"}\n");
  EXPECT_EQ(n_lines(logged.file), 5) << logged.file;
  EXPECT_TRUE(logged.file.starts_with("{\"event\":\"before\"}\n{\"event\":\"step\""));
  EXPECT_TRUE(has(logged.text, "for people only"));
  EXPECT_FALSE(has(logged.text, "{\"event\""));
}

TEST(RunLog, of_both_goes_on_behind_the_last_whole_line) {
  const std::string torn(500, 'x');
  const auto logged = log_of("both", some_run, "{\"event\":\"before\"}\n{\"event\"" + torn);
  EXPECT_EQ(n_lines(logged.file), 5) << logged.file;
  EXPECT_TRUE(logged.file.starts_with("{\"event\":\"before\"}\n{\"event\":\"step\""));
  EXPECT_TRUE(logged.file.ends_with("}\n")) << logged.file;
  EXPECT_TRUE(log_of("both", some_run, torn).file.starts_with("{\"event\":\"step\""));
}

TEST(RunLog, says_once_that_its_file_cannot_be_written) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory(std::string("out/") + log_file_name));
  std::FILE* const sink = std::tmpfile();
  comm::SimNetwork network({.n_ranks = 2});
  ASSERT_TRUE(network.run([&](flow::Transport& transport) {
    Logger log(sink, transport.rank());
    const Context context{transport, network.clock(), files, log, {}};
    RunLog run_log(context, {.what = "both", .folder = "out", .steps = StepDisplay::none}, {}, 2);
    some_run(run_log, transport);
  }));
  std::rewind(sink);
  std::string text;
  for (int c = std::fgetc(sink); c != EOF; c = std::fgetc(sink)) text += static_cast<char>(c);
  std::fclose(sink);
  const auto first = text.find("warning: the log lacks lines from here on: ");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("lacks lines", first + 40), std::string::npos) << text;
}

TEST(RunLog, begins_with_program_and_machine_for_programs_alone) {
  const RunDescription description{.version = "1.2",
                                   .compiler = "C",
                                   .mpi = "M",
                                   .started = "T",
                                   .processor = "a \"P\"",
                                   .hosts = {"a", "b"},
                                   .n_cores = 4,
                                   .n_ranks = 2,
                                   .n_workers = 3};
  const auto begin = [&](RunLog& log, flow::Transport&) {
    log.start_at({.step = 7, .time = 0.5});
    log.begin(description);
  };
  EXPECT_EQ(log_of("both", begin).file,
            R"({"event":"begin","step":7,"time":0.5,"version":"1.2","compiler":"C","mpi":"M",)"
            R"("started":"T","processor":"a \"P\"","hosts":["a","b"],"cores":4,"ranks":2,)"
            "\"workers\":3}\n");
  EXPECT_EQ(log_of("text", begin).text.find("1.2"), std::string::npos);
}

TEST(RunLog, has_the_failure_of_another_rank_in_its_file) {
  const auto fail = [](RunLog& log, flow::Transport& transport) {
    if (transport.rank() == Rank{1}) log.fail({.step = 7, .time = 0.5}, "a disk is full");
  };
  EXPECT_EQ(
      log_of("both", fail).file,
      "{\"event\":\"failed\",\"step\":7,\"time\":0.5,\"rank\":1,\"text\":\"a disk is full\"}\n");
  EXPECT_EQ(log_of("text", fail).file, "");
}

TEST(RunLog, keeps_the_failure_of_another_rank_while_rank_0_goes_on) {
  const auto file = log_of("both", [](RunLog& log, flow::Transport& transport) {
                      log.log_event({.event = "before"});
                      flow::barrier(transport);
                      if (transport.rank() == Rank{1}) log.fail({}, "a disk is full");
                      flow::barrier(transport);
                      log.log_event({.event = "after"});
                    }).file;
  EXPECT_EQ(file,
            "{\"event\":\"before\",\"step\":0,\"time\":0}\n"
            "{\"event\":\"failed\",\"step\":0,\"time\":0,\"rank\":1,\"text\":\"a disk is full\"}\n"
            "{\"event\":\"after\",\"step\":0,\"time\":0}\n");
}

/// Files of which a rank of another process writes to the log right after one looked at its size.
class SharedFiles final : public io::testing::PassingFiles {
 public:
  using PassingFiles::PassingFiles;
  Result<std::optional<io::FileStatus>> status(const std::string& path) const override {
    const auto before = PassingFiles::status(path);
    if (path.ends_with(log_file_name) && n_lines < 3) {
      const std::string line = "of another rank " + std::to_string(n_lines++) + "\n";
      EXPECT_TRUE(files_.append(path, std::as_bytes(std::span(line))));
    }
    return before;
  }
  Result<void> append(const std::string& path, std::span<const std::byte> bytes) override {
    return files_.append(path, bytes);
  }
  mutable int n_lines = 0;
};

TEST(RunLog, keeps_the_failures_of_ranks_that_fail_at_one_time) {
  io::MemoryFileSystem memory;
  ASSERT_TRUE(memory.make_directory("out"));
  SharedFiles files(memory);
  comm::SimNetwork network({.n_ranks = 2});
  const auto done = network.run([&](flow::Transport& transport) {
    Logger log(stderr, transport.rank());
    const Context context{transport, network.clock(), files, log, {}};
    RunLog run_log(context, {.what = "both", .folder = "out"}, {.end = 2.0, .max_steps = max_steps},
                   2);
    if (transport.rank() == Rank{1})
      for (int n = 0; n < 3; ++n) run_log.fail({}, "a disk is full");
  });
  EXPECT_TRUE(done) << done.error().message;
  const std::string ours =
      R"({"event":"failed","step":0,"time":0,"rank":1,"text":"a disk is full"})"
      "\n";
  const std::string text = io::read_text(files, std::string("out/") + log_file_name).value();
  EXPECT_EQ(text, "of another rank 0\n" + ours + "of another rank 1\n" + ours +
                      "of another rank 2\n" + ours);
}

TEST(RunLog, goes_on_without_the_part_of_a_line_that_a_full_disk_had_room_for) {
  io::MemoryFileSystem memory;
  ASSERT_TRUE(memory.make_directory("out"));
  io::testing::FailingFiles files(memory);
  std::FILE* const sink = std::tmpfile();
  comm::SimNetwork network({.n_ranks = 1});
  ASSERT_TRUE(network.run([&](flow::Transport& transport) {
    Logger log(sink, transport.rank());
    const Context context{transport, network.clock(), files, log, {}};
    RunLog run_log(context, {.what = "both", .folder = "out", .steps = StepDisplay::none}, {}, 2);
    files.plan({.first = 1});
    for (const char* event : {"one", "two", "six"}) run_log.log_event({.event = event});
  }));
  std::fclose(sink);
  EXPECT_EQ(io::read_text(memory, std::string("out/") + log_file_name).value(),
            "{\"event\":\"one\",\"step\":0,\"time\":0}\n"
            "{\"event\":\"six\",\"step\":0,\"time\":0}\n");
}

}  // namespace
}  // namespace thalweg::app

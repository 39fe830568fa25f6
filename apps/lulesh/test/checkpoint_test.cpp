// SPDX-License-Identifier: MIT
#include "../src/checkpoint.hpp"

#include <string>

#include <gtest/gtest.h>

#include <thalweg/core/logger.hpp>

#include "on_ranks.hpp"

namespace thalweg::lulesh {
namespace {

using testing::Outcome;
using testing::outcome_of;

/// Run a mesh of 6^3 elements to a cycle on virtual ranks, from a file and into one.
Outcome run_on(int side, std::int64_t last_cycle, io::FileSystem& files, const std::string& from,
               const std::string& to, int n = 6) {
  Outcome outcome = outcome_of(n);
  const Settings settings{.s = n / side, .last_cycle = last_cycle, .n_element_tasks = 3};
  comm::SimNetwork network({.n_ranks = side * side * side, .seed = 5, .stack_bytes = 256 * 1024});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(transport.rank()());
    Logger log(nullptr, transport.rank());
    const app::Context context{
        transport, network.clock(), files, log, {.executor = {.picker = &picker}}};
    Simulation simulation(settings, flow::Model::dataflow, 1, transport.rank(),
                          transport.n_ranks());
    flow::Executor executor({.scratch_bytes = simulation.scratch_bytes(), .picker = &picker},
                            transport, network.clock());
    const auto must = [&](const Result<void>& result) {
      if (!result) transport.abort(result.error().message);
    };
    if (!from.empty()) must(simulation.read_checkpoint(context, from));
    must(simulation.run_to(last_cycle, executor, {}));
    if (!to.empty()) must(simulation.write_checkpoint(context, to));
    testing::put_outcome(simulation, transport.rank(), outcome);
  });
  if (!done) outcome.error = done.error().message;
  return outcome;
}

TEST(LuleshCheckpoint, goes_on_to_the_same_bits_on_any_ranks) {
  io::MemoryFileSystem files;
  const Outcome expected = run_on(1, 12, files, "", "whole");
  ASSERT_EQ(expected.error, "");
  for (const int before : {1, 2, 3})
    for (const int after : {1, 2, 3}) {
      EXPECT_EQ(run_on(before, 5, files, "", "part").error, "");
      EXPECT_EQ(run_on(after, 12, files, "part", "end"), expected) << before << after;
      EXPECT_EQ(io::read_text(files, "end").value(), io::read_text(files, "whole").value());
    }
}

TEST(LuleshCheckpoint, may_be_of_the_beginning_or_the_end) {
  io::MemoryFileSystem files;
  run_on(2, 0, files, "", "beginning");
  EXPECT_EQ(run_on(1, 4, files, "beginning", "end"), run_on(1, 4, files, "", ""));
  EXPECT_EQ(run_on(2, 4, files, "end", ""), run_on(1, 4, files, "", ""));
}

TEST(LuleshCheckpoint, is_refused_if_it_is_missing_damaged_or_of_another_mesh) {
  io::MemoryFileSystem files;
  run_on(1, 2, files, "", "good");
  const auto text = io::read_text(files, "good");
  ASSERT_TRUE(text);
  EXPECT_NE(run_on(2, 4, files, "nowhere", "").error.find("nowhere"), std::string::npos);
  EXPECT_NE(run_on(2, 4, files, "good", "", 4).error.find("6^3 elements, and these ranks one of 4"),
            std::string::npos);
  for (const std::size_t place : {17U, 33U, 70U, 2000U, 12000U}) {
    std::string bad = *text;
    bad[place] = static_cast<char>(bad[place] ^ 1);
    ASSERT_TRUE(io::write_text(files, "bad", bad));
    EXPECT_NE(run_on(2, 4, files, "bad", "").error.find("'bad' is damaged"), std::string::npos)
        << place;
  }
  ASSERT_TRUE(io::write_text(files, "other", std::string(200, 'x')));
  EXPECT_NE(run_on(2, 4, files, "other", "").error.find("no checkpoint"), std::string::npos);
  ASSERT_TRUE(io::write_text(files, "short", text->substr(0, 900)));
  EXPECT_NE(run_on(2, 4, files, "short", "").error, "");
}

}  // namespace
}  // namespace thalweg::lulesh

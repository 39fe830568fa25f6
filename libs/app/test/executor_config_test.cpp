// SPDX-License-Identifier: MIT
#include <thalweg/app/executor_config.hpp>

#include <gtest/gtest.h>

#include <thalweg/trace/sink_memory.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

TEST(ExecutorConfig, is_what_the_context_says_beside_the_sink) {
  io::MemoryFileSystem files;
  trace::MemorySink sink({.n_workers = 3});
  const Execution execution{.n_workers = 3,
                            .depth = 5,
                            .progress = flow::Progress::thread,
                            .posting = flow::Posting::persistent,
                            .watchdog_s = 7,
                            .honours_priorities = false};
  const auto done = testing::on_ranks(
      1, files,
      [&](const Context& context) {
        const auto config = executor_config(context, 64, &sink);
        EXPECT_EQ(config.n_workers, 3u);
        EXPECT_EQ(config.depth, 5u);
        EXPECT_EQ(config.scratch_bytes, 64u);
        EXPECT_EQ(config.sink, &sink);
        EXPECT_EQ(config.progress, flow::Progress::thread);
        EXPECT_EQ(config.posting, flow::Posting::persistent);
        EXPECT_EQ(config.watchdog_s, 7);
        EXPECT_EQ(config.log, &context.log);
        EXPECT_FALSE(config.honours_priorities);
        EXPECT_EQ(config.cpus, processors_of_workers(3));
      },
      execution);
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app

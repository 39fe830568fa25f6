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
  const Execution execution{.executor = {.n_workers = 3,
                                         .depth = 5,
                                         .accounting = flow::Accounting::off,
                                         .honours_priorities = false,
                                         .progress = flow::Progress::thread,
                                         .posting = flow::Posting::persistent,
                                         .watchdog_s = 7}};
  const auto done = testing::on_ranks(
      1, files,
      [&](const Context& context) {
        const auto config = executor_config(context, 64, &sink);
        flow::ExecutorConfig expected = execution.executor;
        expected.scratch_bytes = 64;
        expected.sink = &sink;
        expected.cpus = processors_of_workers(3);
        expected.log = &context.log;
        EXPECT_EQ(config, expected);
      },
      execution);
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app

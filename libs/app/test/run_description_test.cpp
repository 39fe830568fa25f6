// SPDX-License-Identifier: MIT
#include <thalweg/app/run_description.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::app {
namespace {

TEST(RunDescription, is_the_same_on_all_ranks_and_names_this_host_once) {
  io::MemoryFileSystem files;
  comm::SimNetwork network({.n_ranks = 3});
  std::vector<std::string> said(3);
  const auto done = network.run([&](flow::Transport& transport) {
    Logger log(stderr, transport.rank());
    const Context context{transport, network.clock(), files, log, {.executor = {.n_workers = 2}}};
    const auto description = describe_run(context);
    EXPECT_EQ(description.hosts.size(), 1U);
    EXPECT_EQ(description.n_ranks, 3);
    EXPECT_EQ(description.n_workers, 2U);
    EXPECT_EQ(description.started.size(), std::string("2026-01-31T12:00:00Z").size());
    EXPECT_NE(description.version.find('.'), std::string::npos);
    EXPECT_FALSE(description.compiler.empty());
    said[static_cast<std::size_t>(transport.rank()())] = json_of(description);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(said[1], said[0]);
  EXPECT_EQ(said[2], said[0]);
}

}  // namespace
}  // namespace thalweg::app

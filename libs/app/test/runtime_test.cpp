// SPDX-License-Identifier: MIT
#include <thalweg/app/runtime.hpp>

#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <iterator>

#include <gtest/gtest.h>

#include <thalweg/app/testing/runtime_main.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::app {
namespace {

using testing::runtime;

std::size_t machine_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(Runtime, ranks_are_counted_from_0) {
  auto& transport = runtime->transport();
  const auto ranks = flow::all_gather(transport, runtime->rank()());

  ASSERT_EQ(ranks.size(), static_cast<std::size_t>(transport.n_ranks()));
  for (std::uint32_t r = 0; r < ranks.size(); ++r) EXPECT_EQ(ranks[r], r);
}

TEST(Runtime, context_has_what_it_was_asked_for) {
  const auto context =
      runtime->context({.model = flow::Model::phase, .executor = {.n_workers = 3}});

  EXPECT_EQ(context.execution.model, flow::Model::phase);
  EXPECT_EQ(context.execution.executor.n_workers, 3u);
  EXPECT_EQ(&context.transport, &runtime->transport());
  EXPECT_EQ(&context.files, &runtime->files());
  const auto before = context.clock.now_ns();
  flow::barrier(context.transport);
  EXPECT_GE(context.clock.now_ns(), before);
}

TEST(Runtime, ranks_may_take_equal_parts_of_what_their_machine_has) {
  const auto mine = runtime->context({}).memory_bytes;
  const auto n_ranks = static_cast<std::size_t>(runtime->transport().n_ranks());

  EXPECT_GT(mine, std::size_t{1} << 20);
  EXPECT_LE(mine * n_ranks, machine_bytes());
  for (const std::size_t theirs : flow::all_gather(runtime->transport(), mine))
    EXPECT_EQ(theirs, mine);
}

TEST(Runtime, beside_another_has_messages_of_its_own_and_leaves_mpi_when_it_ends) {
  {
    Runtime second(nullptr, nullptr);
    EXPECT_EQ(second.rank(), runtime->rank());
    EXPECT_NE(&second.transport(), &runtime->transport());
    flow::barrier(second.transport());
  }
  const auto ranks = flow::all_gather(runtime->transport(), runtime->rank()());
  EXPECT_EQ(std::ssize(ranks), runtime->transport().n_ranks());
}

TEST(Runtime, a_file_that_may_not_grow_is_no_end) {
  EXPECT_EQ(std::raise(SIGXFSZ), 0);
}

TEST(Runtime, latency_holds_messages_back_until_another_context_is_asked_for) {
  constexpr std::int64_t latency_ns = 2'000'000;
  // Of two: who comes last to the first finds its messages there already.
  const auto time_barriers_ns = [](const Context& context) {
    const auto before = context.clock.now_ns();
    flow::barrier(context.transport);
    flow::barrier(context.transport);
    return context.clock.now_ns() - before;
  };
  const bool has_neighbours = runtime->transport().n_ranks() > 1;

  EXPECT_EQ(time_barriers_ns(runtime->context({.latency_us = 2000})) >= latency_ns, has_neighbours);
  EXPECT_EQ(&runtime->context({}).transport, &runtime->transport());
  EXPECT_THROW(runtime->context({.latency_us = -1}), Error);
}

}  // namespace
}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <thalweg/trace/sink_memory.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/trace/event.hpp>
#include <thalweg/trace/sink.hpp>

namespace thalweg::trace {
namespace {

TEST(MemorySink, names_are_numbered_once) {
  MemorySink sink(1, 4);

  const NameId flux = sink.intern("flux");
  const NameId pack = sink.intern("pack");

  EXPECT_NE(flux, pack);
  EXPECT_EQ(sink.intern("flux"), flux);
  EXPECT_EQ(sink.names()[pack], "pack");
}

TEST(MemorySink, events_stay_with_their_worker_in_order) {
  MemorySink sink(2, 4);

  sink.record({.start_ns = 1, .end_ns = 2, .worker = 1});
  sink.record({.start_ns = 3, .end_ns = 4, .worker = 1});

  EXPECT_TRUE(sink.events(0).empty());
  ASSERT_EQ(sink.events(1).size(), 2u);
  EXPECT_EQ(sink.events(1)[1].start_ns, 3);
}

TEST(MemorySink, full_buffer_counts_what_it_drops) {
  MemorySink sink(1, 2);

  for (int i = 0; i < 5; ++i) sink.record({.start_ns = i});

  EXPECT_EQ(sink.events(0).size(), 2u);
  EXPECT_EQ(sink.n_dropped(), 3u);
  sink.clear();
  EXPECT_EQ(sink.events(0).size(), 0u);
  EXPECT_EQ(sink.n_dropped(), 0u);
}

}  // namespace
}  // namespace thalweg::trace

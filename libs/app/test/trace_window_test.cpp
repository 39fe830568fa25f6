// SPDX-License-Identifier: MIT
#include <thalweg/app/trace_window.hpp>

#include <gtest/gtest.h>

#include <thalweg/trace/sink_memory.hpp>

namespace thalweg::app {
namespace {

TEST(TraceWindow, passes_events_on_only_while_open) {
  trace::MemorySink sink(1, 8);
  TraceWindow window(sink);

  window.record({.start_ns = 1});
  window.open();
  window.record({.start_ns = 2});
  window.close();
  window.record({.start_ns = 3});

  ASSERT_EQ(sink.events(0).size(), 1u);
  EXPECT_EQ(sink.events(0)[0].start_ns, 2);
}

TEST(TraceWindow, names_have_the_sinks_numbers_also_while_closed) {
  trace::MemorySink sink(1, 8);
  TraceWindow window(sink);

  const auto id = window.intern("advance");

  EXPECT_EQ(id, sink.intern("advance"));
}

}  // namespace
}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
// Blocks that move are tasks like all others: while one is packed or on its way, others arrive.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/simulation.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/trace/sink_memory.hpp>

#include "moving_disc.hpp"

namespace thalweg::testing {
namespace {

/// How often what a regrid does at once was seen to be so.
struct Overlap {
  int unpacked_before_last_pack = 0;  // a block of a level, on the rank that still packs for it
  int done_while_under_way = 0;       // blocks copied in or out beside a message
};

/// Look at the events of one regrid's graph on one rank, in the order they ended.
void look(const trace::RankTrace& trace, const std::vector<trace::Event>& events, Overlap& seen) {
  const auto is_task = [&](const trace::Event& e, const std::string& name) {
    return e.kind == trace::EventKind::task && trace.name_of(e) == name;
  };
  for (std::size_t last = 0; last < events.size(); ++last) {
    const bool is_last_pack =
        is_task(events[last], "move pack") &&
        std::none_of(events.begin() + static_cast<std::ptrdiff_t>(last) + 1, events.end(),
                     [&](const trace::Event& e) {
                       return is_task(e, "move pack") &&
                              trace.node_of(e).level == trace.node_of(events[last]).level;
                     });
    if (!is_last_pack) continue;
    for (std::size_t i = 0; i < last; ++i)
      seen.unpacked_before_last_pack +=
          is_task(events[i], "move") &&
          trace.node_of(events[i]).level == trace.node_of(events[last]).level;
  }
  for (const auto& message : events) {
    if (message.kind != trace::EventKind::send && message.kind != trace::EventKind::recv) continue;
    for (const auto& e : events)
      seen.done_while_under_way += (is_task(e, "move") || is_task(e, "move pack")) &&
                                   e.start_ns > message.start_ns && e.end_ns < message.end_ns;
  }
}

/// Regrid under a model on three ranks.
/// @param seed  of the order of tasks; 0: the one that runs have
Overlap overlap(flow::Model model, std::uint64_t seed) {
  Overlap seen;
  comm::SimNetwork network({.n_ranks = 3, .seed = seed});
  io::MemoryFileSystem files;
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(hash_number(transport.rank()(), seed));
    trace::MemorySink sink({.n_events_per_worker = 200'000});
    Logger log(nullptr, transport.rank());
    double part_of_turn = 0;
    const auto simulation = app::testing::made(
        {transport,
         network.clock(),
         files,
         log,
         {.model = model, .executor = {.sink = &sink, .picker = seed == 0 ? nullptr : &picker}}},
        moving_disc(part_of_turn), disc_settings());
    for (int time = 1; time < 8; ++time) {
      part_of_turn = 0.13 * time;
      const auto regridded = simulation->regrid();
      EXPECT_TRUE(regridded) << regridded.error().message;
    }
    EXPECT_EQ(sink.n_dropped(), 0u);
    const auto trace = sink.trace(transport.rank(), 3, "");
    for (std::uint32_t run = 0; run < trace.runs.size(); ++run) {
      std::vector<trace::Event> events;
      std::ranges::copy_if(trace.events[0], std::back_inserter(events), [&](const auto& e) {
        return e.run == run && e.kind != trace::EventKind::idle;
      });
      look(trace, events, seen);
    }
  });
  EXPECT_TRUE(done) << done.error().message;
  return seen;
}

TEST(MoveOverlap, blocks_are_unpacked_before_the_last_of_their_level_is_packed_if_so_picked) {
  int n_seen = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4})
    n_seen += overlap(flow::Model::dataflow, seed).unpacked_before_last_pack;
  EXPECT_GT(n_seen, 0);
}

TEST(MoveOverlap, blocks_are_packed_and_unpacked_while_messages_of_others_are_under_way) {
  EXPECT_GT(overlap(flow::Model::dataflow, 0).done_while_under_way, 0);
}

}  // namespace
}  // namespace thalweg::testing

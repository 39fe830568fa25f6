// SPDX-License-Identifier: MIT
#include <thalweg/trace/efficiency.hpp>

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

using test::add;
using test::add_idle;

Efficiencies of(const History& history) {
  return efficiencies(history, tile(history));
}

TEST(IdealNetworkNs, message_is_there_as_soon_as_it_is_sent) {
  // It flies from 32 to 60, and all that use waits for is the message.
  EXPECT_EQ(ideal_network_ns(test::history(test::make_and_use())), 100 - 28);
}

TEST(IdealNetworkNs, without_messages_nothing_is_the_networks_fault) {
  EXPECT_EQ(ideal_network_ns(test::history({test::one_after_another()})), 100);
}

TEST(IdealNetworkNs, worker_keeps_its_order) {
  // What needs no message, but runs after what does, is held up as well; what runs before is not,
  // and hides a part of the flight: the worker of the message would be busy until 50.
  auto traces = test::make_and_use();
  RankTrace& user = traces[1];
  user.graphs[0].nodes.resize(4);
  user.graphs[0].names = {"recv", "use", "before", "after"};
  user.graphs[0].nodes[2].name = 2;
  user.graphs[0].nodes[3].name = 3;
  user.events[0] = {};
  add(user, {0, 0, {5, 60}});
  add(user, {0, 2, {0, 50}});
  add_idle(user, 0, {50, 62});
  add(user, {0, 1, {62, 92}});
  add(user, {0, 3, {92, 98}});
  EXPECT_EQ(ideal_network_ns(test::history(traces)), 100 - (30 + 28 - 50));
}

TEST(IdealNetworkNs, is_at_most_the_time_there_was) {
  // By clocks that disagree a message is used before it is sent: 90 + 30 + 3 of 100.
  auto traces = test::make_and_use();
  traces[0].events[0] = {};
  add(traces[0], {0, 0, {0, 90}});
  add(traces[0], {0, 1, {92, 96}});
  EXPECT_EQ(ideal_network_ns(test::history(traces)), 100);
}

TEST(Efficiencies, are_products_of_their_parts) {
  const Efficiencies e = of(test::history(test::make_and_use()));

  EXPECT_DOUBLE_EQ(e.parallel, 0.30);
  EXPECT_DOUBLE_EQ(e.load_balance, 1);
  EXPECT_DOUBLE_EQ(e.communication, 0.30);
  EXPECT_DOUBLE_EQ(e.serialisation, 30.0 / 72);
  EXPECT_DOUBLE_EQ(e.transfer, 0.72);
  EXPECT_DOUBLE_EQ(e.parallel, e.load_balance * e.communication);
  EXPECT_DOUBLE_EQ(e.communication, e.serialisation * e.transfer);
}

TEST(Efficiencies, load_balance_is_the_mean_work_over_the_most) {
  const Efficiencies e = of(test::history({test::one_after_another()}));

  EXPECT_DOUBLE_EQ(e.load_balance, (40 + 25) / 2.0 / 40);
  EXPECT_DOUBLE_EQ(e.communication, 0.40);
  EXPECT_DOUBLE_EQ(e.serialisation, 0.40);
  EXPECT_DOUBLE_EQ(e.transfer, 1);
}

TEST(Efficiencies, are_zero_where_nobody_worked) {
  RankTrace trace = test::rank_trace(0, 1, 1, test::graph({{}}, {"a"}, {}), {0, 100});
  add_idle(trace, 0, {0, 100});

  const Efficiencies e = of(test::history({trace}));

  EXPECT_EQ(e.parallel, 0);
  EXPECT_EQ(e.load_balance, 0);
  EXPECT_EQ(e.transfer, 0);
}

TEST(OverlapRatio, is_work_of_the_receiving_rank_while_its_message_flies) {
  EXPECT_EQ(overlap_ratio(test::history(test::make_and_use())), 0);

  // The message flies from 32 to 60: of two workers, one works from 40 to 50 and on from 55.
  auto traces = test::make_and_use();
  traces[1].graphs[0].nodes.resize(4);
  traces[1].graphs[0].nodes[2].name = traces[1].graphs[0].nodes[3].name = 1;
  traces[1].events.resize(2);
  add(traces[1], {1, 2, {40, 50}});
  add(traces[1], {1, 3, {55, 90}});
  EXPECT_DOUBLE_EQ(overlap_ratio(test::history(traces)), 15.0 / (2 * 28));
  traces[1].events[1].pop_back();  // and is idle after 50
  EXPECT_DOUBLE_EQ(overlap_ratio(test::history(traces)), 10.0 / (2 * 28));
}

TEST(OverlapRatio, is_zero_without_messages) {
  EXPECT_EQ(overlap_ratio(test::history({test::one_after_another()})), 0);
}

}  // namespace
}  // namespace thalweg::trace

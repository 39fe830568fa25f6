// SPDX-License-Identifier: MIT
#include <thalweg/flow/placement.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/flow/recorder.hpp>

#include "nothing.hpp"

namespace thalweg::flow {
namespace {

using Owners = std::vector<std::uint32_t>;

TEST(NodeOwners, CutEachPhaseIntoEqualParts) {
  Recorder r(Rank{0}, 1);
  for (int phase = 0; phase < 2; ++phase) {
    r.phase(phase == 0 ? "first" : "second", PhaseKind::step);
    for (int i = 0; i < 4; ++i) r.task("task", uses(), nothing);
  }
  const Graph graph = capture(std::move(r), Model::dataflow);
  EXPECT_EQ(node_owners(graph, 2), (Owners{0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(node_owners(graph, 1), Owners(8, 0));
}

TEST(NodeOwners, FollowTasksInSequenceWhereThereAreNoPhases) {
  Recorder r(Rank{0}, 1);
  for (int i = 0; i < 17; ++i) r.task("task", uses(), nothing);
  const Owners owners = node_owners(capture(std::move(r), Model::dataflow), 2);
  EXPECT_EQ(owners[7], 0u);
  EXPECT_EQ(owners[8], 1u);
  EXPECT_EQ(owners[16], 0u);
}

/// A task on worker 1 packs what is sent; one on worker 1 unpacks what is received.
Graph with_messages(Model model) {
  Recorder r(Rank{0}, 2);
  const auto out_buffer = r.data<double>("out", 1);
  const auto in_buffer = r.data<double>("in", 1);
  r.task("pack", uses(out(out_buffer)), nothing, {.preferred_worker = 3});
  r.send(in(out_buffer), Rank{1});
  r.recv(out(in_buffer), Rank{1});
  r.task("unpack", uses(in(in_buffer)), nothing, {.preferred_worker = 1});
  return capture(std::move(r), model);
}

TEST(NodeOwners, KeepMessagesWithTheTasksThatPackAndUnpackThem) {
  EXPECT_EQ(node_owners(with_messages(Model::dataflow), 2), (Owners{1, 1, 1, 1}));
}

TEST(NodeOwners, LeaveMessagesToWorkerZeroWhereOnlyThatOneCommunicates) {
  EXPECT_EQ(node_owners(with_messages(Model::forkjoin), 2), (Owners{1, 0, 0, 1}));
}

TEST(PriorityClassesOfNodes, AreDenseAndKnowTheUsualOne) {
  Recorder r(Rank{0}, 1);
  for (const int priority : {0, 70, -5, 70})
    r.task("task", uses(), nothing, {.priority = priority});
  const PriorityClasses classes = priority_classes(capture(std::move(r), Model::dataflow));
  EXPECT_EQ(classes.n, 3u);
  EXPECT_EQ(classes.base, 1u);
  EXPECT_EQ(classes.of_node, (Owners{1, 2, 0, 2}));
}

}  // namespace
}  // namespace thalweg::flow

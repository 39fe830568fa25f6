// SPDX-License-Identifier: MIT
// Two ranks and more, whose messages' times a sum by hand gives.
#include <thalweg/predict/simulate.hpp>

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/flow/combine.hpp>
#include <thalweg/predict/critical_path.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

using flow::Model;
using flow::Recorder;
using flow::uses;
using trace::IdleCause;

/// L = 1000, o = 20 and O = 0.01 a byte, g = 300, G = 0.1 a byte [ns]; 8000 bytes take 800, and
/// 100 at either end.
Machine network() {
  Machine machine;
  machine.network = {.latency_ns = 1000,
                     .overhead_ns = 20,
                     .overhead_ns_per_byte = 0.01,
                     .gap_ns = 300,
                     .ns_per_byte = 0.1};
  return machine;
}

constexpr std::size_t n_doubles = 1000;  // 8000 bytes

/// Rank 0 makes numbers ("a"), rank 1 uses them ("b").
void one_way(Recorder& r, int rank) {
  const auto x = r.data<double>("x", n_doubles);
  if (rank == 0) {
    r.task("a", uses(flow::out(x)), nothing);
    r.send(flow::in(x), Rank{1});
  } else if (rank == 1) {
    r.recv(flow::out(x), Rank{0});
    r.task("b", uses(flow::in(x)), nothing);
  }
}

TEST(SimulatedMessages, AnIdealNetworkTakesNoTime) {
  EXPECT_EQ(one_step_ns(job_of(2, 1, Model::dataflow, one_way)), 110);
}

TEST(SimulatedMessages, AShortOneTakesOverheadsLatencyAndBandwidth) {
  // 100 task, 100 to send, 800 on the way, 1000 latency, 100 to receive, 10 task
  EXPECT_EQ(one_step_ns(job_of(2, 1, Model::dataflow, one_way), network()), 2110);
}

TEST(SimulatedMessages, ItIsTheSameInAllModels) {
  for (const Model model : flow::all_models)
    EXPECT_EQ(one_step_ns(job_of(2, 2, model, one_way), network()), 2110);
}

TEST(SimulatedMessages, ARankWithNothingAddsNothing) {
  EXPECT_EQ(one_step_ns(job_of(3, 2, Model::dataflow, one_way), network()), 2110);
}

TEST(SimulatedMessages, InANodeMemoryCarriesThem) {
  Machine machine = network();
  machine.ranks_per_node = 2;
  machine.memory = {.latency_ns = 50, .overhead_ns = 5, .ns_per_byte = 0.01};
  EXPECT_EQ(one_step_ns(job_of(2, 1, Model::dataflow, one_way), machine),
            100 + 5 + 80 + 50 + 5 + 10);
}

TEST(SimulatedMessages, IdleTimeIsCutWhereTheOneThatArrivesWasPosted) {
  // Posted at 200 and 400, there at 2000 and 2800: the sender is ahead of the receiver.
  const auto run = simulate(job_of(2, 1, Model::dataflow, one_way), network(), {.n_steps = 2});
  EXPECT_EQ(run.total_ns(), 2910);
  EXPECT_EQ(run.workers[1].idle(IdleCause::message_not_sent), 200);
  EXPECT_EQ(run.workers[1].idle(IdleCause::message_in_flight), 1800 + 690);
}

TEST(SimulatedMessages, ALongOneAsksFirst) {
  Machine machine = network();
  machine.eager_bytes = 7999;
  // 100 task, 100 to send, 1000 request, 1000 permission, then as above
  EXPECT_EQ(one_step_ns(job_of(2, 1, Model::dataflow, one_way), machine), 4110);
  machine.eager_bytes = 8000;
  EXPECT_EQ(one_step_ns(job_of(2, 1, Model::dataflow, one_way), machine), 2110);
}

/// As one_way, but rank 1 is busy with "a" tasks meanwhile, which the message does not wait for.
Job busy_receiver(int n_tasks) {
  return job_of(2, 1, Model::dataflow, [=](Recorder& r, int rank) {
    one_way(r, rank);
    for (int i = 0; rank == 1 && i < n_tasks; ++i) r.task("a", uses(), nothing);
  });
}

TEST(SimulatedMessages, WorkHidesAShortMessage) {
  // It is there at 2000; the receiver works for 1900: 100 to receive, 10 task.
  EXPECT_EQ(one_step_ns(busy_receiver(19), network()), 2110);
  // It works for 2500: nobody polls before.
  EXPECT_EQ(one_step_ns(busy_receiver(25), network()), 2610);
}

TEST(SimulatedMessages, ALongMessageDoesNotMoveWhileNobodyPolls) {
  Machine machine = network();
  machine.eager_bytes = 0;
  // The request of 1200 is seen at 2500; then 1000 permission, 800 + 1000, 100 and 10.
  EXPECT_EQ(one_step_ns(busy_receiver(25), machine), 2500 + 1000 + 1800 + 110);
}

TEST(SimulatedMessages, PollingAfterEachTaskMovesIt) {
  Machine machine = network();
  machine.eager_bytes = 0;
  // Seen at 1200, data there at 1200 + 1000 + 1800 = 4000, after all tasks: at 2500.
  const SimulatedRun run = simulate(busy_receiver(25), machine,
                                    {.n_steps = 1, .progress = flow::Progress::task_boundary});
  EXPECT_EQ(run.total_ns(), 4110);
}

TEST(SimulatedMessages, ALongMessageWaitsForItsReceive) {
  Machine machine = network();
  machine.eager_bytes = 0;
  const Job job = job_of(2, 1, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", n_doubles);
    if (rank == 0) return (void)r.send(flow::in(x), Rank{1});
    for (int i = 0; i < 30; ++i) r.task("a", uses(flow::inout(x)), nothing);
    r.recv(flow::out(x), Rank{0});
  });
  // Receive at 3000, permission at 4000, there at 5800, seen and copied at 5900.
  EXPECT_EQ(one_step_ns(job, machine), 5900);
}

TEST(SimulatedMessages, AShortOneWaitsThereForItsReceive) {
  const Job job = job_of(2, 1, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", n_doubles);
    if (rank == 0) return (void)r.send(flow::in(x), Rank{1});
    for (int i = 0; i < 30; ++i) r.task("a", uses(flow::inout(x)), nothing);
    r.recv(flow::out(x), Rank{0});
  });
  EXPECT_EQ(one_step_ns(job, network()), 3100);
}

TEST(SimulatedMessages, TheSenderOfALongOneMayWriteWhenItHasLeft) {
  Machine machine = network();
  machine.eager_bytes = 0;
  const Job job = job_of(2, 1, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", n_doubles);
    if (rank == 1) return (void)r.recv(flow::out(x), Rank{0});
    r.send(flow::in(x), Rank{1});
    for (int i = 0; i < 20; ++i) r.task("a", uses(flow::out(x)), nothing);
  });
  // 100 to send, permission at 2100, left at 2900, then 20 tasks; else the receiver ends at 4000.
  EXPECT_EQ(one_step_ns(job, machine), 4900);
}

/// n messages of 8000 bytes from rank 0 to rank 1, without tasks.
Job several(int n) {
  return job_of(2, 1, Model::dataflow, [=](Recorder& r, int rank) {
    for (int i = 0; i < n; ++i) {
      const auto x = r.data<double>("x", n_doubles);
      if (rank == 0)
        r.send(flow::in(x), Rank{1});
      else
        r.recv(flow::out(x), Rank{0});
    }
  });
}

TEST(SimulatedMessages, OneNodeSendsOneAfterAnother) {
  // Posted at 100, 200, 300; on the way from 100, 900, 1700; the last there at 3500, copied 3600.
  EXPECT_EQ(one_step_ns(several(3), network()), 3600);
}

TEST(SimulatedMessages, TheGapIsBetweenSmallMessages) {
  Machine machine = network();
  machine.network.ns_per_byte = 0;
  // Start at 100, 400, 700; there at 1700.
  EXPECT_EQ(one_step_ns(several(3), machine), 1800);
}

/// Ranks 1 .. n - 1 each send 8000 bytes to rank 0.
Job gather(int n) {
  return job_of(n, 1, Model::dataflow, [=](Recorder& r, int rank) {
    for (int from = 1; from < n; ++from) {
      const auto x = r.data<double>("x", n_doubles);
      if (rank == 0)
        r.recv(flow::out(x), Rank(from));
      else if (rank == from)
        r.send(flow::in(x), Rank{0});
    }
  });
}

TEST(SimulatedMessages, OneNodeReceivesOneAfterAnother) {
  // All start at 100; their last bytes are there at 1900, 2700, 3500; copied at 3600.
  EXPECT_EQ(one_step_ns(gather(4), network()), 3600);
  // Bytes that take no time are there at 1100, 1400, 1700: the gaps stay.
  Machine machine = network();
  machine.network.ns_per_byte = 0;
  EXPECT_EQ(one_step_ns(gather(4), machine), 1800);
}

TEST(SimulatedMessages, RanksOfANodeShareItsNetwork) {
  // 0 -> 2 and 1 -> 3, two ranks a node: the second message starts when the first has left.
  const Job job = job_of(4, 1, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", n_doubles);
    if (rank < 2)
      r.send(flow::in(x), Rank(rank + 2));
    else
      r.recv(flow::out(x), Rank(rank - 2));
  });
  EXPECT_EQ(one_step_ns(job, network()), 2000);
  Machine machine = network();
  machine.ranks_per_node = 2;
  EXPECT_EQ(one_step_ns(job, machine), 2800);
}

TEST(SimulatedMessages, NodesOfAGroupShareTheWayOut) {
  // As above with a node each, two nodes a group: 0.25 ns a byte between groups, 2000 a message.
  const Job job = job_of(4, 1, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", n_doubles);
    if (rank < 2)
      r.send(flow::in(x), Rank(rank + 2));
    else
      r.recv(flow::out(x), Rank(rank - 2));
  });
  Machine machine = network();
  machine.nodes_per_group = 2;
  machine.group_ns_per_byte = 0.25;
  // The second one's last byte has passed it at 4100.
  EXPECT_EQ(one_step_ns(job, machine), 4100 + 1000 + 100);
  machine.nodes_per_group = 4;
  EXPECT_EQ(one_step_ns(job, machine), 2000);
}

/// Each of these pairs is a message of 8000 bytes from one rank to another.
Job pairs(int n_ranks, const std::vector<std::pair<int, int>>& messages) {
  return job_of(n_ranks, 1, Model::dataflow, [&](Recorder& r, int rank) {
    for (const auto& [from, to] : messages) {
      const auto x = r.data<double>("x", n_doubles);
      if (rank == from) r.send(flow::in(x), Rank(to));
      if (rank == to) r.recv(flow::out(x), Rank(from));
    }
  });
}

TEST(SimulatedMessages, NodesOfAGroupShareTheWayInWhichIsNotTheWayOut) {
  Machine machine = network();
  machine.nodes_per_group = 2;
  machine.group_ns_per_byte = 0.25;
  // Groups 0-1, 2-3 and 4-5: two messages into the last one, then one each way between two.
  EXPECT_EQ(one_step_ns(pairs(6, {{0, 4}, {2, 5}}), machine), 4100 + 1000 + 100);
  EXPECT_EQ(one_step_ns(pairs(4, {{0, 2}, {3, 1}}), machine), 2100 + 1000 + 100);
}

TEST(SimulatedMessages, ALoneMessageTakesTheSlowerOfTheWays) {
  Machine machine = network();  // 800 ns for the message
  machine.nodes_per_group = 1;
  const Job job = pairs(2, {{0, 1}});
  for (const auto& [ns_per_byte, ns] :
       {std::pair{0.05, 800}, {0.1, 800}, {0.25, 2000}, {1.0, 8000}}) {
    machine.group_ns_per_byte = ns_per_byte;
    EXPECT_EQ(one_step_ns(job, machine), 100 + ns + 1000 + 100) << ns_per_byte;
    EXPECT_EQ(critical_path(job, machine, {.n_steps = 1}).length_ns, 100 + ns + 1000 + 100);
  }
}

TEST(SimulatedMessages, OnlyWorkerZeroPostsInForkjoin) {
  // Worker 1 makes the message ready at 10, worker 0 is in "a" until 100.
  const auto record = [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", 1);
    if (rank == 1) return (void)r.recv(flow::out(x), Rank{0});
    r.task("a", uses(), nothing, {.preferred_worker = 0});
    r.task("b", uses(flow::out(x)), nothing, {.preferred_worker = 1});
    r.send(flow::in(x), Rank{1});
  };
  Machine machine;
  machine.network.latency_ns = 1000;
  EXPECT_EQ(one_step_ns(job_of(2, 2, Model::dataflow, record), machine), 1010);
  EXPECT_EQ(one_step_ns(job_of(2, 2, Model::forkjoin, record), machine), 1100);
}

TEST(SimulatedMessages, APingPongTakesTwiceTheWayInEachStep) {
  const Job job = job_of(2, 1, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", n_doubles);
    if (rank == 0) r.send(flow::in(x), Rank{1});
    r.recv(flow::out(x), Rank(1 - rank));
    if (rank == 1) r.send(flow::in(x), Rank{0});
  });
  // Each way 100 + 800 + 1000 + 100.
  const SimulatedRun run = simulate(job, network(), {.n_steps = 3});
  EXPECT_EQ(run.step_end_ns, (std::vector<std::int64_t>{4000, 8000, 12000}));
  EXPECT_EQ(run.n_messages, 6u);
  EXPECT_EQ(run.n_message_bytes, 48000u);
}

TEST(SimulatedMessages, AnAllReduceTakesLogPRounds) {
  for (const auto& [n_ranks, n_rounds] : {std::pair{1, 0}, {2, 1}, {4, 2}, {8, 3}}) {
    const Job job = job_of(n_ranks, 1, Model::dataflow, [](Recorder& r, int) {
      const auto x = r.data<double>("x", 1);
      r.all_reduce("least", flow::inout(x), flow::Min{});
    });
    Machine machine;
    machine.network.latency_ns = 1000;
    EXPECT_EQ(one_step_ns(job, machine), 1000 * n_rounds) << n_ranks;
  }
}

TEST(SimulatedMessages, WaitingIsCutWhereTheSendWasPosted) {
  const SimulatedRun run =
      simulate(job_of(2, 1, Model::dataflow, one_way), network(), {.n_steps = 1});
  EXPECT_EQ(run.workers[1].idle(IdleCause::message_not_sent), 200);
  EXPECT_EQ(run.workers[1].idle(IdleCause::message_in_flight), 1800);
  EXPECT_EQ(run.workers[1].overhead_ns, 100);
  EXPECT_EQ(run.workers[1].work_ns, 10);
  EXPECT_EQ(run.workers[0].idle(IdleCause::no_task), 1910);
}

}  // namespace
}  // namespace thalweg::predict

// SPDX-License-Identifier: MIT
#include <thalweg/predict/job.hpp>

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

using flow::Model;
using flow::Recorder;
using flow::uses;

std::string complaint_of(const std::function<void(Recorder&, int)>& record,
                         const TaskTimes& times = hand_times()) {
  try {
    job_of(2, 1, Model::dataflow, record, times);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Jobs, PairTheKthSendWithTheKthReceive) {
  const Job job = job_of(3, 1, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", 2), y = r.data<double>("y", 3);
    if (rank == 2) {
      r.send(flow::in(x), Rank{0});
      r.send(flow::in(y), Rank{0});
    } else if (rank == 0) {
      r.task("a", uses(), nothing);
      r.recv(flow::out(x), Rank{2});
      r.recv(flow::out(y), Rank{2});
    }
  });
  ASSERT_EQ(job.connections.size(), 2u);
  for (std::uint32_t k = 0; k < 2; ++k) {
    const Connection& c = job.connections[k];
    EXPECT_EQ(std::pair(c.from_rank, c.from_node), std::pair(2u, k));
    EXPECT_EQ(std::pair(c.to_rank, c.to_node), std::pair(0u, k + 1));
    EXPECT_EQ(c.n_bytes, 16u + 8 * k);
    EXPECT_EQ(job.connection_of(2, job.graph_of(2).nodes[k]), k);
    EXPECT_EQ(job.connection_of(0, job.graph_of(0).nodes[k + 1]), k);
  }
  EXPECT_EQ(job.n_nodes(), 5u);
  EXPECT_EQ(job.graph_of(1).n_nodes(), 0u);
}

TEST(Jobs, NameAMessageWithoutAPartner) {
  EXPECT_NE(complaint_of([](Recorder& r, int rank) {
              const auto x = r.data<double>("x", 1);
              if (rank == 0) r.send(flow::in(x), Rank{1});
            }).find("from rank 0 to rank 1 with tag 0 has no receive"),
            std::string::npos);
  EXPECT_NE(complaint_of([](Recorder& r, int rank) {
              const auto x = r.data<double>("x", 1);
              if (rank == 0) r.recv(flow::out(x), Rank{1});
            }).find("from rank 1 to rank 0 with tag 0 has no send"),
            std::string::npos);
}

TEST(Jobs, NameAMessageOfTwoSizes) {
  EXPECT_NE(complaint_of([](Recorder& r, int rank) {
              const auto x = r.data<double>("x", rank == 0 ? 1 : 2);
              if (rank == 0)
                r.send(flow::in(x), Rank{1});
              else
                r.recv(flow::out(x), Rank{0});
            }).find("sent with 8 bytes and received with 16"),
            std::string::npos);
}

TEST(Jobs, RefuseATaskTooLongForANode) {
  TaskTimes times;
  times.add("a", 1, 5e9);
  EXPECT_NE(complaint_of([](Recorder& r, int) { r.task("a", uses(), nothing); }, times)
                .find("task 'a' takes 5 s"),
            std::string::npos);
}

TEST(Jobs, SayWhichTasksHaveNoTime) {
  const Job job = job_of(2, 1, Model::dataflow, [](Recorder& r, int rank) {
    r.task("a", uses(), nothing);
    r.task(rank == 0 ? "x" : "y", uses(), nothing);
  });
  EXPECT_EQ(job.unknown_names, (std::vector<std::string>{"x", "y"}));
}

TEST(Jobs, KeepAnyNumberOfPrioritiesApart) {
  const Job job = job_of(1, 1, Model::dataflow, [](Recorder& r, int) {
    for (int i = 0; i < 300; ++i) r.task("a", uses(), nothing, {.priority = 10 * i});
  });
  EXPECT_EQ(job.graph_of(0).n_priority_classes, 300u);
  for (std::uint16_t i = 0; i < 300; ++i) EXPECT_EQ(job.graph_of(0).nodes[i].priority_class, i);
}

TEST(Jobs, TakeTimesByTheSizeOfMessages) {
  TaskTimes times;
  for (const double bytes : {8.0, 80.0}) times.add("pack", bytes, 10 * bytes);
  const Job job = job_of(
      2, 1, Model::dataflow,
      [](Recorder& r, int rank) {
        const auto x = r.data<double>("x", 4);
        if (rank == 0) {
          r.task("pack", uses(flow::out(x)), nothing);
          r.send(flow::in(x), Rank{1});
        } else {
          r.recv(flow::out(x), Rank{0});
          r.task("pack", uses(flow::in(x)), nothing);
        }
      },
      times);
  EXPECT_EQ(job.graph_of(0).nodes[0].value, 320u);  // what is sent
  EXPECT_EQ(job.graph_of(1).nodes[1].value, 320u);  // what is received
}

TEST(Jobs, ShareTheGraphsOfRanksThatAreAlike) {
  constexpr int n = 6;  // a ring, whose rank 3 has more to do
  const Job job = job_of(n, 2, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", 2), left = r.data<double>("left", 2);
    r.task("a", uses(flow::out(x)), nothing);
    if (rank == 3) r.task("b", uses(flow::inout(x)), nothing);
    r.send(flow::in(x), Rank((rank + 1) % n));
    r.recv(flow::out(left), Rank((rank + n - 1) % n));
  });
  EXPECT_EQ(job.graphs.size(), 2u);
  EXPECT_EQ(job.n_nodes(), 3u * n + 1);

  Job own = job;  // each rank with a graph of its own
  own.graphs.clear();
  for (std::uint32_t r = 0; r < n; ++r) {
    own.graphs.push_back(job.graph_of(r));
    own.ranks[r].graph = r;
  }
  const Machine machine{.network = {.latency_ns = 30, .overhead_ns = 2},
                        .noise = {.kind = Noise::Kind::pareto, .scale = 0.3}};
  EXPECT_EQ(simulate(job, machine, {.n_steps = 5}), simulate(own, machine, {.n_steps = 5}));
}

TEST(Jobs, TakeLessThan64BytesANode) {
  const Job job = job_of(1, 2, Model::dataflow, [](Recorder& r, int) {
    // A stencil: each task reads three data and writes one.
    std::vector<flow::Data<double>> x;
    for (int i = 0; i < 64; ++i) x.push_back(r.data<double>("x", 1));
    for (int step = 0; step < 32; ++step)
      for (std::size_t i = 1; i + 1 < x.size(); ++i)
        r.task("a", uses(flow::in(x[i - 1]), flow::in(x[i + 1]), flow::inout(x[i])), nothing);
  });
  const double n = static_cast<double>(job.n_nodes());
  constexpr double counters = 3 * sizeof(std::uint32_t);  // what simulate() adds, with depth 2
  EXPECT_LT(static_cast<double>(job.n_bytes()) / n + counters, 64);
}

}  // namespace
}  // namespace thalweg::predict

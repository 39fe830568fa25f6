// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/message_bundle.hpp>

namespace thalweg::comm {
namespace {

using flow::Graph;
using flow::Model;
using flow::Recorder;
using flow::Transport;

constexpr int n_ranks = 4;
constexpr std::uint64_t n_replays = 3;

/// How many numbers part i from one rank to another has; the last rank takes no part.
std::size_t size_of(std::uint32_t from, std::uint32_t to, std::uint32_t i) {
  return 1 + (3 * from + 5 * to + 7 * i) % 6;
}
std::uint32_t n_parts(std::uint32_t from, std::uint32_t to) {
  const bool is_idle = from == n_ranks - 1 || to == n_ranks - 1;
  return is_idle || from == to ? 0 : 1 + (from + 2 * to) % 7;
}
std::uint64_t value(std::uint32_t from, std::uint32_t to, std::uint32_t i, std::uint64_t replay) {
  return hash_number(hash_number(hash_number(from, to), i), replay);
}

/// Exchange parts between all ranks; each checks what it gets. Returns the messages to each rank.
std::map<std::uint32_t, int> exchange(Recorder& r, int max_comm_tasks, int& n_checked,
                                      Graph* captured, Model model) {
  const std::uint32_t here = r.rank()();
  flow::MessageBundle bundle("halo", max_comm_tasks);
  std::vector<flow::Data<std::uint64_t>> arrived;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> origins;
  for (std::uint32_t peer = 0; peer < n_ranks; ++peer) {
    for (std::uint32_t i = 0; i < n_parts(here, peer); ++i) {
      auto part = r.data<std::uint64_t>("part", size_of(here, peer, i));
      r.task("make", uses(out(part)), [=](auto v, flow::TaskContext& context) {
        for (auto& x : v) x = value(here, peer, i, context.replay());
      });
      bundle.send(in(part), Rank(peer));
    }
    for (std::uint32_t i = 0; i < n_parts(peer, here); ++i) {
      arrived.push_back(r.data<std::uint64_t>("ghost", size_of(peer, here, i)));
      origins.emplace_back(peer, i);
      bundle.recv(out(arrived.back()), Rank(peer));
    }
  }
  bundle.record(r);
  for (std::size_t k = 0; k < arrived.size(); ++k) {
    const auto [peer, i] = origins[k];
    r.task("check", uses(in(arrived[k])),
           [&n_checked, here, peer, i](auto v, flow::TaskContext& context) {
             for (const auto x : v) EXPECT_EQ(x, value(peer, here, i, context.replay()));
             ++n_checked;
           });
  }
  Graph graph = flow::capture(std::move(r), model);
  std::map<std::uint32_t, int> n_sent;
  for (const flow::Message& m : graph.messages())
    if (graph.node(m.node).kind == flow::NodeKind::send) ++n_sent[m.peer()];
  *captured = std::move(graph);
  return n_sent;
}

TEST(MessageBundle, parts_arrive_whole_in_at_most_so_many_messages) {
  for (const int max_comm_tasks : {0, 1, 2, 3, 100})
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SimNetwork network({.n_ranks = n_ranks, .seed = seed});
      const auto result = network.run([&](Transport& t) {
        int n_checked = 0;
        Recorder r(t.rank(), n_ranks);
        Graph graph = flow::capture(Recorder(t.rank(), n_ranks), Model::dataflow);
        const auto n_sent =
            exchange(r, max_comm_tasks, n_checked, &graph, static_cast<Model>(seed % 4));
        flow::UniformPicker picker(seed + t.rank()());
        flow::Executor executor({.depth = 2, .picker = &picker}, t, network.clock());

        const auto report = executor.run(graph, n_replays);

        ASSERT_TRUE(report) << report.error().message;
        int n_expected = 0;
        for (std::uint32_t peer = 0; peer < n_ranks; ++peer) {
          const int n = static_cast<int>(n_parts(t.rank()(), peer));
          const int most = max_comm_tasks == 0 ? n : std::min(n, max_comm_tasks);
          EXPECT_EQ(n == 0 ? 0 : n_sent.at(peer), most);
          n_expected += static_cast<int>(n_parts(peer, t.rank()()));
        }
        EXPECT_EQ(n_checked, n_expected * static_cast<int>(n_replays));
      });
      ASSERT_TRUE(result) << result.error().message;
    }
}

TEST(MessageBundle, part_alone_in_its_message_is_not_packed) {
  Recorder r(Rank(0), 2);
  auto x = r.data<int>("x", 4);
  flow::MessageBundle bundle("halo", 2);
  bundle.send(in(x.range(0, 2)), Rank(1));
  bundle.send(in(x.range(2, 4)), Rank(1));
  bundle.record(r);
  bundle.record(r);  // of what was recorded nothing is left

  const Graph graph = flow::capture(std::move(r), Model::dataflow);

  EXPECT_EQ(graph.n_tasks(), 2u);
  EXPECT_EQ(graph.n_messages(), 2u);
}

TEST(MessageBundle, says_what_is_possible) {
  EXPECT_THROW(flow::MessageBundle("halo", -1), Error);
}

}  // namespace
}  // namespace thalweg::comm

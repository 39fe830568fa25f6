// SPDX-License-Identifier: MIT
// Collectives as nodes of a graph, on any number of ranks, some with nothing else to do.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/exact_sum.hpp>
#include <thalweg/flow/executor.hpp>

namespace thalweg::comm {
namespace {

using flow::Graph;
using flow::Model;
using flow::Recorder;
using flow::Transport;

constexpr std::uint64_t n_times = 3;
constexpr int rank_counts[] = {1, 2, 3, 4, 5, 8, 11};

/// Record on each rank, run under random schedules and delays, then look.
template <class Record>
void simulate(Record record) {
  for (const int n : rank_counts)
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SimNetwork network({.n_ranks = n, .seed = seed});
      const auto result = network.run([&](Transport& t) {
        Recorder recorder(t.rank(), n);
        const auto check = record(recorder, seed);
        Graph graph = flow::capture(std::move(recorder), static_cast<Model>(seed % 4));
        flow::UniformPicker picker(seed + t.rank()());
        flow::Executor executor({.depth = 3, .picker = &picker}, t, network.clock());
        const auto report = executor.run(graph, n_times);
        ASSERT_TRUE(report) << report.error().message;
        check();
      });
      ASSERT_TRUE(result) << n << " ranks, seed " << seed << ": " << result.error().message;
    }
}

/// A number of a rank that is rounded when it is added to another.
double number(std::uint32_t rank, std::uint64_t replay) {
  return std::exp(static_cast<double>((5 * rank + 3 * replay) % 17)) / 3;
}

TEST(RecorderBroadcast, gives_all_ranks_the_values_of_any_root_in_each_replay) {
  simulate([](Recorder& r, std::uint64_t seed) {
    const auto n = static_cast<std::uint32_t>(r.n_ranks());
    const Rank root(seed % n);
    auto x = r.data<double>("x", 2);
    auto seen = r.data<double>("seen", 1);
    if (r.rank() == root)
      r.task("make", uses(out(x)),
             [](auto v, flow::TaskContext& context) { v[0] = v[1] = number(0, context.replay()); });
    r.broadcast(inout(x), root);
    r.task("look", uses(in(x), inout(seen)), [](auto v, auto s) { s[0] += v[0] * v[1]; });
    return [seen] {
      double expected = 0;
      for (std::uint64_t k = 0; k < n_times; ++k) expected += number(0, k) * number(0, k);
      EXPECT_EQ(seen.view()[0], expected);
    };
  });
}

TEST(RecorderAllReduce, has_each_rank_once_and_in_order) {
  simulate([](Recorder& r, std::uint64_t) {
    // x -> a x + b, composed: does not commute.
    using Affine = std::array<std::uint32_t, 2>;
    const auto affine = [](std::uint32_t rank, std::uint64_t replay) {
      return Affine{2 * rank + 3, rank * rank + static_cast<std::uint32_t>(replay)};
    };
    const auto then = [](const Affine& f, const Affine& g) {
      return Affine{f[0] * g[0], g[0] * f[1] + g[1]};
    };
    const auto n = static_cast<std::uint32_t>(r.n_ranks());
    auto x = r.data<Affine>("x", 1);
    auto n_wrong = r.data<int>("wrong", 1);
    r.task("make", uses(out(x)),
           [affine, here = r.rank()()](std::span<Affine> v, flow::TaskContext& context) {
             v[0] = affine(here, context.replay());
           });
    r.all_reduce("compose", inout(x), then);
    r.task("look", uses(in(x), inout(n_wrong)),
           [=](std::span<const Affine> v, auto wrong, flow::TaskContext& context) {
             Affine expected{1, 0};
             for (std::uint32_t k = 0; k < n; ++k)
               expected = then(expected, affine(k, context.replay()));
             if (v[0] != expected) ++wrong[0];
           });
    return [n_wrong] { EXPECT_EQ(n_wrong.view()[0], 0); };
  });
}

TEST(RecorderAllReduce, ordered_sums_have_the_bits_of_one_order_on_all_ranks) {
  simulate([](Recorder& r, std::uint64_t) {
    const auto n = static_cast<std::uint32_t>(r.n_ranks());
    auto x = r.data<double>("x", 1);
    auto seen = r.data<double>("seen", n_times);
    r.task("make", uses(out(x)), [here = r.rank()()](auto v, flow::TaskContext& context) {
      v[0] = number(here, context.replay());
    });
    r.all_reduce_ordered("sum", inout(x), std::plus<>());
    r.task("look", uses(in(x), inout(seen)),
           [](auto v, auto s, flow::TaskContext& context) { s[context.replay()] = v[0]; });
    return [seen, n] {
      for (std::uint64_t k = 0; k < n_times; ++k) {
        // The binomial tree: neighbours first, then pairs of them.
        std::vector<double> sums;
        for (std::uint32_t i = 0; i < n; ++i) sums.push_back(number(i, k));
        for (std::uint32_t distance = 1; distance < n; distance *= 2)
          for (std::uint32_t i = 0; i + distance < n; i += 2 * distance)
            sums[i] = sums[i] + sums[i + distance];
        EXPECT_EQ(seen.view()[k], sums[0]);
      }
    };
  });
}

TEST(RecorderAllReduce, exact_sums_have_the_same_bits_on_any_number_of_ranks) {
  constexpr std::uint32_t n_terms = 23;
  simulate([](Recorder& r, std::uint64_t seed) {
    const auto n = static_cast<std::uint32_t>(r.n_ranks());
    // Ranks beyond the third have no terms.
    const std::uint32_t n_busy = std::min(n, 3u);
    std::vector<double> own;
    for (std::uint32_t i = 0; i < n_terms; ++i)
      if ((i + seed) % n_busy == r.rank()()) own.push_back((i % 2 == 0 ? 1e16 : -1) * number(i, 0));
    auto terms = r.data<double>("terms", own.size());
    std::ranges::copy(own, terms.view().begin());
    auto sum = r.data<double>("sum", 1);
    r.all_reduce_exact_sum("sum", in(terms), out(sum));
    return [sum] {
      ExactSum expected;
      for (std::uint32_t i = 0; i < n_terms; ++i)
        expected.add((i % 2 == 0 ? 1e16 : -1) * number(i, 0));
      EXPECT_EQ(sum.view()[0], expected.value());
    };
  });
}

TEST(RecorderBarrier, no_rank_goes_on_before_all_have_come) {
  for (const int n : rank_counts)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SimNetwork network({.n_ranks = n, .seed = seed});
      std::vector<int> n_come(n_times, 0);  // of all ranks: they are fibers of one thread
      const auto result = network.run([&](Transport& t) {
        Recorder r(t.rank(), n);
        auto x = r.data<int>("x", 1);
        auto y = r.data<int>("y", 1);
        r.task("come", uses(out(x)),
               [&](auto, flow::TaskContext& context) { ++n_come[context.replay()]; });
        r.barrier("all here", std::vector{x.datum(), y.datum()});
        r.task("go", uses(in(y)),
               [&](auto, flow::TaskContext& context) { EXPECT_EQ(n_come[context.replay()], n); });
        Graph graph = flow::capture(std::move(r), Model::dataflow);
        flow::UniformPicker picker(seed + t.rank()());
        flow::Executor executor({.depth = 3, .picker = &picker}, t, network.clock());
        ASSERT_TRUE(executor.run(graph, n_times));
      });
      ASSERT_TRUE(result) << result.error().message;
    }
}

}  // namespace
}  // namespace thalweg::comm

// SPDX-License-Identifier: MIT
#include <thalweg/flow/reduction.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "order.hpp"
#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

constexpr std::size_t n_parts = 12;

/// A number that is rounded when it is added to another.
double term(std::size_t part, std::size_t i, std::uint64_t replay) {
  return std::exp(static_cast<double>((7 * part + 3 * i + replay) % 13)) / 3;
}

TEST(Reduction, tasks_that_contribute_run_at_the_same_time_and_one_node_combines) {
  Recorder r(Rank(0), 1);
  auto sum = r.data<double>("sum", 2);
  auto seen = r.data<double>("seen", 2);
  r.task("zero", uses(out(sum)), [](auto) {});
  for (int i = 0; i < 3; ++i)
    r.task("add", uses(reduce(sum, std::plus<>(), 0.0)), [](std::span<double>) {});
  const TaskId read = r.task("read", uses(in(sum), out(seen)), [](auto, auto) {});
  const Graph g = capture(std::move(r), Model::dataflow);

  const Order before = order_of(g, 1);
  const TaskId combine(4);
  EXPECT_EQ(read, TaskId(5));
  EXPECT_EQ(g.name(combine), "reduce");
  EXPECT_EQ(g.n_predecessors(combine), 4u);
  for (std::size_t i = 1; i < 4; ++i)
    for (std::size_t j = 1; j < 4; ++j) EXPECT_FALSE(before[i][j]);
  EXPECT_FALSE(before[0][1]);  // a contribution does not wait for what it is added to
}

TEST(Reduction, has_the_bits_of_combining_in_recording_order_under_any_schedule) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Recorder r(Rank(0), 1, {.grain = 1 + static_cast<std::uint32_t>(seed % 3)});
    auto sum = r.data<double>("sum", 3, 1.0);
    auto seen = r.data<double>("seen", 3);
    for (std::size_t p = 0; p < n_parts; ++p) {
      r.task("add", uses(reduce(sum, std::plus<>(), 0.0)),
             [p](std::span<double> v, TaskContext& context) {
               for (std::size_t i = 0; i < v.size(); ++i) v[i] += term(p, i, context.replay());
             });
      if (p == 4) r.task("look", uses(in(sum), inout(seen)), [](auto s, auto v) { v[0] += s[1]; });
    }
    for (std::size_t p = 0; p < n_parts; ++p)
      r.task("times", uses(reduce(sum, std::multiplies<>(), 1.0)),
             [p](std::span<double> v) { v[0] *= 1 / (1 + term(p, 0, 0)); });
    Graph graph = capture(std::move(r), all_models[seed % 4]);
    UniformPicker picker(seed);
    SingleRank machine({.n_workers = 1 + static_cast<std::uint32_t>(seed % 2),
                        .depth = 1 + static_cast<std::uint32_t>(seed % 3),
                        .picker = seed % 5 == 0 ? nullptr : &picker});

    ASSERT_TRUE(machine.executor.run(graph, 3));

    std::vector<double> expected(3, 1.0);
    double looked = 0;
    for (std::uint64_t replay = 0; replay < 3; ++replay) {
      for (std::size_t p = 0; p < n_parts; ++p) {
        for (std::size_t i = 0; i < 3; ++i) expected[i] += term(p, i, replay);
        if (p == 4) looked += expected[1];
      }
      for (std::size_t p = 0; p < n_parts; ++p) expected[0] *= 1 / (1 + term(p, 0, 0));
    }
    for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(sum.view()[i], expected[i]) << "seed " << seed;
    ASSERT_EQ(seen.view()[0], looked) << "seed " << seed;
  }
}

TEST(Reduction, task_that_also_reads_the_array_does_not_see_its_own_contribution) {
  Recorder r(Rank(0), 1);
  auto sum = r.data<double>("sum", 1, 1.0);
  for (int i = 0; i < 3; ++i)
    r.task("double", uses(in(sum), reduce(sum, std::plus<>(), 0.0)),
           [](std::span<const double> now, std::span<double> more) { more[0] += now[0]; });
  Graph graph = capture(std::move(r), Model::dataflow);
  SingleRank machine({.n_workers = 2});

  ASSERT_TRUE(machine.executor.run(graph, 2));

  EXPECT_EQ(sum.view()[0], 64.0);
}

}  // namespace
}  // namespace thalweg::flow

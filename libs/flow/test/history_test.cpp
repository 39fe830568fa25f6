// SPDX-License-Identifier: MIT
// Parts of a datum: what tasks that use them depend on.
#include <thalweg/flow/detail/history.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/recorder.hpp>

#include "order.hpp"
#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

constexpr std::uint32_t n_elements = 10;

/// Random tasks on random parts of two arrays, some on all of them, some on none.
std::vector<std::vector<Access>> random_accesses(std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<std::vector<Access>> tasks(4 + random.below(10));
  for (auto& accesses : tasks)
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      Access access{DatumId(random.below(2)), static_cast<Mode>(random.below(3))};
      const std::uint64_t a = random.below(n_elements + 1), b = random.below(n_elements + 1);
      if (random.below(4) != 0) access.range = Range::of(std::min(a, b), std::max(a, b));
      accesses.push_back(access);
    }
  return tasks;
}

/// The elements of an access to one of the arrays.
std::span<std::uint64_t> part(std::vector<std::uint64_t>& values, const Access& access) {
  const std::uint32_t end = std::min(access.range.end, n_elements);
  return std::span(values).subspan(access.datum() * n_elements + access.range.begin,
                                   end - access.range.begin);
}

/// Hash what is read into what is written.
void run(std::vector<std::uint64_t>& values, std::span<const Access> accesses, std::uint64_t salt) {
  std::uint64_t seen = salt;
  for (const Access& a : accesses)
    if (a.mode != Mode::out)
      for (const std::uint64_t x : part(values, a)) seen = hash_number(x, seen);
  for (const Access& a : accesses)
    if (a.mode != Mode::in)
      for (std::uint64_t& x : part(values, a)) x = seen = hash_number(seen, 1);
}

Graph captured(const std::vector<std::vector<Access>>& tasks, std::vector<std::uint64_t>& values) {
  Recorder recorder(Rank(0), 1);
  recorder.datum("a");
  recorder.datum("b");
  for (std::size_t i = 0; i < tasks.size(); ++i)
    recorder.task("t", tasks[i], [&values, &accesses = tasks[i], i](TaskContext& context) {
      run(values, accesses, hash_number(context.replay(), i));
    });
  return capture(std::move(recorder), Model::dataflow);
}

TEST(AccessHistory, orders_parts_exactly_where_they_overlap_across_three_replays) {
  std::vector<std::uint64_t> none;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const auto tasks = random_accesses(seed);
    ASSERT_EQ(order_of(captured(tasks, none), 3), oracle(tasks, 3)) << "seed " << seed;
  }
}

TEST(AccessHistory, programs_on_parts_give_the_serial_bits_under_any_schedule) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto tasks = random_accesses(seed);
    std::vector<std::uint64_t> values(2 * n_elements), expected(2 * n_elements);
    std::iota(values.begin(), values.end(), 0);
    expected = values;
    for (std::uint64_t r = 0; r < 4; ++r)
      for (std::size_t i = 0; i < tasks.size(); ++i) run(expected, tasks[i], hash_number(r, i));
    Graph graph = captured(tasks, values);
    UniformPicker picker(seed);
    SingleRank machine({.n_workers = 1 + static_cast<std::uint32_t>(seed % 2),
                        .depth = 1 + static_cast<std::uint32_t>(seed % 3),
                        .picker = seed % 4 == 0 ? nullptr : &picker});

    ASSERT_TRUE(machine.executor.run(graph, 4));

    ASSERT_EQ(values, expected) << "seed " << seed;
  }
}

TEST(AccessHistory, part_that_is_written_again_is_one_again) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 100);
  for (std::size_t i = 0; i < 100; i += 10)
    r.task("part", uses(out(x.range(i, i + 10))), [](auto) {});
  r.task("all", uses(inout(x)), [](auto) {});
  const TaskId last = r.task("again", uses(inout(x)), [](auto) {});
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_EQ(g.n_predecessors(TaskId(last() - 1)), 10u);
  EXPECT_EQ(g.n_predecessors(last), 1u);
  EXPECT_EQ(g.n_wrap_edges(), 10u);
}

TEST(DataRange, gives_its_elements_and_refuses_others) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 4);
  std::iota(x.view().begin(), x.view().end(), 0);

  EXPECT_EQ(x.range(1, 3).view().size(), 2u);
  EXPECT_EQ(x.borrow().range(1, 3).const_view()[0], 1);
  EXPECT_EQ(in(x.range(1, 3)).access(), (Access{x.datum(), Mode::in, {1, 3}}));
  EXPECT_THROW(x.range(1, 5), ContractViolation);
  EXPECT_THROW(x.range(3, 1), ContractViolation);
}

}  // namespace
}  // namespace thalweg::flow

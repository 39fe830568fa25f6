// SPDX-License-Identifier: MIT
#include <thalweg/flow/recorder.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/data.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/reduction.hpp>
#include <thalweg/flow/sendable.hpp>
#include <thalweg/flow/task.hpp>

#include "../../../tests/support/text.hpp"
#include "nothing.hpp"

namespace thalweg::flow {
namespace {

using thalweg::testing::error_of;

// What tests/compile_fail/send_of_pointers.cpp relies on.
static_assert(SendableDatum<Data<double>> && !SendableDatum<Data<std::string>>);
static_assert(SendableDatum<DataRef<int>> && !Sendable<std::vector<int>>);
static_assert(!Sendable<const char*> && !SendableDatum<Data<int*>>);

/// Whether there is a direct edge within a replay.
bool has_edge(const Graph& g, TaskId from, TaskId to) {
  for (const std::uint32_t s : g.successors(from))
    if (s == to()) return true;
  return false;
}

TEST(Recorder, readers_wait_for_the_writer_and_the_next_writer_for_the_readers) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  const TaskId write = r.task("write", uses(out(x)), nothing);
  const TaskId read1 = r.task("read 1", uses(in(x)), nothing);
  const TaskId read2 = r.task("read 2", uses(in(x)), nothing);
  const TaskId again = r.task("again", uses(inout(x)), nothing);
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_TRUE(has_edge(g, write, read1));
  EXPECT_TRUE(has_edge(g, write, read2));
  EXPECT_TRUE(has_edge(g, read1, again));
  EXPECT_TRUE(has_edge(g, read2, again));
  EXPECT_EQ(g.n_edges(), 4u);  // not write -> again: it follows
}

TEST(Recorder, data_without_values_take_no_memory_before_they_are_written) {
  // Larger than what an allocator keeps for later, so that its pages come from the system.
  constexpr std::size_t n = std::size_t{64} << 20;
  Recorder r(Rank(0), 1);
  const auto x = r.data_unset<char>("x", n);
  const auto is_there = [&](std::size_t at) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(x.view().data() + at) / page * page;
    unsigned char resident = 0;
    EXPECT_EQ(mincore(reinterpret_cast<void*>(address), page, &resident), 0);
    return (resident & 1) != 0;
  };

  const bool was_there = is_there(n / 2);
  x.view()[n / 2] = 1;

  EXPECT_FALSE(was_there);
  EXPECT_TRUE(is_there(n / 2));
}

TEST(Recorder, data_of_a_graph_to_be_looked_at_take_addresses_alone) {
  constexpr std::size_t n = std::size_t{1} << 44;  // more than there is memory
  Recorder r(Rank(0), 2, {.is_for_inspection = true});
  const auto x = r.data_unset<char>("x", n);
  const TaskId recv = r.recv(out(x), Rank(1));
  const TaskId read = r.task("read", uses(in(x)), [](std::span<const char>) {});
  const Graph g = capture(std::move(r), Model::dataflow);
  EXPECT_TRUE(has_edge(g, recv, read));
  EXPECT_GE(g.n_bytes(), n);  // as in a run
}

TEST(Recorder, writers_of_one_datum_are_ordered) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  const TaskId first = r.task("first", uses(out(x)), nothing);
  const TaskId second = r.task("second", uses(out(x)), nothing);
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_TRUE(has_edge(g, first, second));
}

TEST(Recorder, two_data_in_common_make_one_edge) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  auto y = r.data<int>("y", 1);
  const TaskId a = r.task("a", uses(out(x), out(y)), nothing);
  const TaskId b = r.task("b", uses(in(x), inout(y), in(y)), nothing);
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_EQ(g.n_edges(), 1u);
  EXPECT_EQ(g.n_predecessors(b), 1u);
  EXPECT_TRUE(has_edge(g, a, b));
}

TEST(Recorder, explicit_edges_are_kept_and_not_doubled) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  auto y = r.data<int>("y", 1);
  const TaskId a = r.task("a", uses(out(x)), nothing);
  const TaskId b = r.task("b", uses(out(y)), nothing);
  r.after(a, b);
  r.after(a, b);
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_TRUE(has_edge(g, a, b));
  EXPECT_EQ(g.n_edges(), 1u);
  EXPECT_EQ(g.n_predecessors(b), 1u);
}

TEST(Recorder, accesses_decided_at_run_time_count_like_uses) {
  Recorder r(Rank(0), 1);
  std::vector<Access> all;
  for (int i = 0; i < 5; ++i) all.push_back({r.datum("d"), Mode::out});
  const TaskId a = r.task("a", all, [](TaskContext&) {});
  const TaskId b = r.task("b", std::span(all).first(3), [](TaskContext&) {});
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_TRUE(has_edge(g, a, b));
  EXPECT_EQ(std::vector<Access>(g.accesses(a).begin(), g.accesses(a).end()), all);
  EXPECT_EQ(g.accesses(b).size(), 3u);
}

TEST(Recorder, what_a_task_says_of_itself_reaches_the_graph) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  const TaskId id =
      r.task("stencil", uses(out(x)), nothing,
             {.priority = 2, .cost = 3.5, .preferred_worker = 1, .level = 4, .block = 77});
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_EQ(g.name(id), "stencil");
  EXPECT_EQ(g.node(id).priority, 2);
  EXPECT_EQ(g.node(id).cost, 3.5);
  EXPECT_EQ(g.node(id).preferred_worker, 1u);
  EXPECT_EQ(g.node(id).level, 4);
  EXPECT_EQ(g.node(id).block, 77u);
}

TEST(Recorder, in_gives_a_view_that_cannot_be_written) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);

  static_assert(std::is_same_v<decltype(in(x).view()), std::span<const int>>);
  static_assert(std::is_same_v<decltype(inout(x).view()), std::span<int>>);
  static_assert(BodyOf<decltype([](std::span<const int>) {}), decltype(in(x))>);
  static_assert(!BodyOf<decltype([](std::span<int>) {}), decltype(in(x))>);
  static_assert(Datum<Data<int>> && !Datum<std::span<int>>);
}

TEST(Recorder, bodies_take_the_context_by_reference) {
  static_assert(!std::is_copy_constructible_v<TaskContext>);
  static_assert(!std::is_copy_assignable_v<TaskContext>);
  static_assert(BodyOf<decltype([](auto& context) { context.request_stop(); })>);
  static_assert(!BodyOf<decltype([](auto context) { context.request_stop(); })>);
}

TEST(Recorder, tags_are_dense_for_each_peer_and_direction) {
  Recorder r(Rank(1), 3);
  auto x = r.data<int>("x", 1);
  auto y = r.data<int>("y", 1);
  r.send(in(x), Rank(0));
  r.send(in(x), Rank(2));
  r.recv(out(y), Rank(0));
  r.send(in(x), Rank(0));
  const Graph g = capture(std::move(r), Model::dataflow);

  std::vector<std::uint32_t> tags;
  for (const Message& m : g.messages()) tags.push_back(m.tag());
  EXPECT_EQ(tags, (std::vector<std::uint32_t>{0, 0, 0, 1}));
}

TEST(Recorder, second_deciding_task_is_an_error) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  r.task("first", uses(out(x)), nothing, {.controls_termination = true});

  EXPECT_THROW(r.task("second", uses(out(x)), nothing, {.controls_termination = true}), Error);
}

TEST(Recorder, data_of_another_recorder_are_refused_though_their_number_exists_there) {
  Recorder r(Rank(0), 2);
  const auto x = r.data<int>("x", 2);
  Graph graph = capture(std::move(r), Model::dataflow);
  Recorder other(Rank(0), 2), again = Recorder::replacing(std::move(graph));
  for (Recorder* next : {&other, &again}) {
    const auto own = next->data<int>("own", 2);
    ASSERT_EQ(own.datum(), x.datum());
    const std::vector<std::function<void()>> tries{
        [&] { next->task("t", uses(inout(own), in(x)), nothing); },
        [&] { next->task("t", uses(in(x.range(0, 1))), nothing); },
        [&] { next->task("t", uses(in(x.borrow())), nothing); },
        [&] { next->task("t", uses(reduce(x, std::plus<>(), 0)), nothing); },
        [&] { next->send(in(x), Rank(1)); },
        [&] { next->recv(out(x), Rank(1)); },
        [&] { next->all_reduce("sum", inout(x), std::plus<>()); }};
    for (std::size_t i = 0; i < tries.size(); ++i) EXPECT_THROW(tries[i](), ContractViolation) << i;
    EXPECT_EQ(next->n_tasks(), 0u);

    const DataRef<int> anew(next->datum("x"), x.view());
    next->task("t", uses(in(anew), inout(own)), nothing);
    EXPECT_EQ(next->n_tasks(), 1u);
  }
}

TEST(Recorder, numbers_of_data_that_do_not_exist_are_refused) {
  Recorder r(Rank(0), 1);
  const std::vector<Access> accesses{{DatumId(0)}};

  EXPECT_THROW(r.task("t", accesses, [](TaskContext&) {}), ContractViolation);
}

TEST(Recorder, a_range_that_ends_before_it_begins_is_an_error) {
  for (const std::uint32_t grain : {1u, 8u}) {
    Recorder r(Rank(0), 2, {.grain = grain});
    const DatumId d = r.datum("d");
    const auto record = [&](Range range) {
      return r.task("t", std::array{Access{d, Mode::inout, range}}, [](TaskContext&) {});
    };
    const TaskId first = record({0, 4});
    record({12, 16});
    const std::size_t n = r.n_tasks();
    const Access wrong{d, Mode::inout, {12, 4}};
    const std::string said =
        "the use of 'd' [12, 4) ends before it begins (a range goes from its first element to the "
        "one behind its last); swap the two numbers, or leave out a use of nothing";

    EXPECT_EQ(error_of([&] { record(wrong.range); }), said);
    EXPECT_EQ(error_of([&] { r.send(wrong, {}, Rank(1)); }), said);
    EXPECT_EQ(error_of([&] { r.recv(wrong, {}, Rank(1)); }), said);
    EXPECT_EQ(error_of([&] { r.nested("nest", std::array{wrong}, [](Recorder&) {}); }), said);

    EXPECT_EQ(r.n_tasks(), n);
    const TaskId last = r.task("all", std::array{Access{d, Mode::inout}}, [](TaskContext&) {});
    EXPECT_TRUE(has_edge(capture(std::move(r), Model::dataflow), first, last));
  }
}

TEST(Recorder, an_exact_sum_goes_to_one_number) {
  Recorder r(Rank(0), 1);
  auto terms = r.data<double>("terms", 3);
  for (const std::size_t n : {0u, 2u}) {
    auto sum = r.data<double>("sum", n);
    EXPECT_EQ(error_of([&] { r.all_reduce_exact_sum("mass", in(terms), out(sum)); }),
              "the sum 'mass' goes to an array of " + std::to_string(n) +
                  " (it is one number); give it an array of one");
  }
  EXPECT_EQ(r.n_tasks(), 0u);
}

TEST(Recorder, messages_of_ranks_that_do_not_exist_are_refused_by_name) {
  Recorder r(Rank(1), 3);
  auto u = r.data<int>("u", 1);

  EXPECT_EQ(error_of([&] { r.send(in(u), Rank(3)); }),
            "send of 'u' to rank 3 (there are ranks 0 to 2); name one of them");
  EXPECT_EQ(error_of([&] { r.recv(out(u), Rank(4)); }),
            "recv of 'u' from rank 4 (there are ranks 0 to 2); name one of them");
  EXPECT_EQ(error_of([&] { r.broadcast(inout(u), Rank(3)); }),
            "broadcast from rank 3 (there are ranks 0 to 2); name one of them");
  EXPECT_NE(error_of([] { Recorder(Rank(2), 2); }), "");
}

TEST(Recorder, edges_of_tasks_that_do_not_exist_are_refused) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  const TaskId only = r.task("only", uses(out(x)), nothing);

  EXPECT_EQ(error_of([&] { r.after(only, TaskId(99)); }),
            "after() of task 99 (1 are recorded, numbered from 0); give it what task(), send() and "
            "recv() return");
  EXPECT_NE(error_of([&] { r.after(TaskId(1), only); }), "");
}

TEST(Recorder, is_captured_once) {
  Recorder r(Rank(0), 1);
  const Graph first = capture(std::move(r), Model::dataflow);

  EXPECT_NE(error_of([&] { capture(std::move(r), Model::dataflow); }), "");
}

TEST(Recorder, records_nothing_after_it_was_captured) {
  const std::vector<std::function<void(Recorder&, const Data<double>&)>> uses_of{
      [](Recorder& r, const auto& u) { r.task("t", uses(inout(u)), nothing); },
      [](Recorder& r, const auto&) { r.task("t", std::vector<Access>{}, nothing); },
      [](Recorder& r, const auto& u) { r.task("t", uses(reduce(u, std::plus<>(), 0.0)), nothing); },
      [](Recorder& r, const auto& u) { r.send(in(u), Rank(1)); },
      [](Recorder& r, const auto& u) { r.recv(out(u), Rank(1)); },
      [](Recorder& r, const auto&) { r.data<double>("late", 1); },
      [](Recorder& r, const auto&) { r.array<int>(1); },
      [](Recorder& r, const auto&) { r.phase("late", PhaseKind::step); }};
  for (const std::uint32_t grain : {1u, 8u})
    for (std::size_t i = 0; i < uses_of.size(); ++i) {
      Recorder r(Rank(0), 2, {.grain = grain});
      const auto u = r.data<double>("u", 1);
      r.task("t", uses(inout(u)), nothing);
      const Graph g = capture(std::move(r), Model::dataflow);

      const std::string error = error_of([&] { uses_of[i](r, u); });

      EXPECT_TRUE(error.starts_with("a recorder is used that was captured")) << i << ": " << error;
    }
}

TEST(Recorder, sizes_that_were_negative_are_refused_by_name) {
  Recorder r(Rank(0), 1), looking(Rank(0), 1, {.is_for_inspection = true});
  const auto n = static_cast<std::size_t>(-5);

  EXPECT_EQ(error_of([&] { r.data<double>("u", n); }),
            "'u' of 18446744073709551611 elements (no memory holds that; a negative number becomes "
            "such a size); give it how many there are");
  EXPECT_NE(error_of([&] { r.data<char>("u", n); }), "");
  EXPECT_NE(error_of([&] { r.data_unset<double>("u", n); }), "");
  EXPECT_NE(error_of([&] { looking.data_unset<double>("u", n); }), "");
  EXPECT_NE(error_of([&] { r.array<double>(n); }), "");
}

TEST(Data, outlives_the_graph) {
  auto values = [] {
    Recorder r(Rank(0), 1);
    auto x = r.data<int>("x", 3, 7);
    const Graph g = capture(std::move(r), Model::dataflow);
    return x;
  }();

  EXPECT_EQ(values.view()[2], 7);
}

}  // namespace
}  // namespace thalweg::flow

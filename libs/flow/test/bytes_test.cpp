// SPDX-License-Identifier: MIT
// What graphs and executors say that they take is what the heap gives.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <thalweg/core/testing/heap_bytes.hpp>
#include <thalweg/flow/detail/item.hpp>
#include <thalweg/flow/graph.hpp>

#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

using thalweg::testing::heap_bytes;

/// Rows of tasks that read their neighbours, with messages to the rank itself and arrays.
void record(Recorder& recorder, int width) {
  std::vector<DatumId> cells;
  for (int i = 0; i < width; ++i) cells.push_back(recorder.datum("cell"));
  for (int row = 0; row < 20; ++row)
    for (std::size_t i = 1; i + 1 < cells.size(); ++i)
      recorder.task("step",
                    std::array{Access{cells[i - 1], Mode::in}, Access{cells[i], Mode::inout},
                               Access{cells[i + 1], Mode::in}},
                    [list = recorder.array<double>(16)](TaskContext&) { list[0] += 1; },
                    {.priority = row % 3});
  for (int m = 0; m < width / 4; ++m) {
    const auto from = recorder.data<double>("from", 100);
    const auto to = recorder.data<double>("to", 100);
    recorder.send(in(from), Rank(0));
    recorder.recv(out(to), Rank(0));
  }
}

/// Expect what something says to be at most what it took, and less by a tenth at most.
void expect_close(std::size_t said, std::uint64_t taken) {
  EXPECT_LE(said, taken);
  EXPECT_GE(1.1 * static_cast<double>(said), static_cast<double>(taken));
}

TEST(GraphBytes, are_what_the_heap_gives) {
  for (const auto model : {Model::bulk, Model::dataflow}) {
    const auto before = heap_bytes();
    Recorder recorder(Rank(0), 1);
    record(recorder, 400);
    Graph graph = capture(std::move(recorder), model);
    expect_close(graph.n_bytes(), heap_bytes() - before);

    auto again = Recorder::replacing(std::move(graph));
    record(again, 100);
    const Graph less = capture(std::move(again), model);  // in the memory of more
    expect_close(less.n_bytes(), heap_bytes() - before);
  }
}

/// Bytes that an executor says it takes for a graph, and those that a run took.
struct Bytes {
  std::size_t said;
  std::uint64_t taken;
};

Bytes bytes_of_run(Graph& graph, const ExecutorConfig& config) {
  SingleRank machine(config);
  const auto before = heap_bytes();
  EXPECT_TRUE(machine.executor.run(graph, 10));
  const auto taken = heap_bytes() - before;
  return {machine.executor.n_bytes_to_run(graph), taken};
}

TEST(ExecutorBytes, are_what_a_run_takes) {
  UniformPicker picker(1);
  for (Picker* const p : {static_cast<Picker*>(nullptr), static_cast<Picker*>(&picker)})
    for (const auto model : {Model::bulk, Model::dataflow})
      for (const auto posting : {Posting::fresh, Posting::persistent}) {
        Recorder recorder(Rank(0), 1);
        record(recorder, 400);
        Graph graph = capture(std::move(recorder), model);
        const auto [said, taken] =
            bytes_of_run(graph, {.depth = 3, .picker = p, .posting = posting});
        EXPECT_GE(1.2 * static_cast<double>(said), static_cast<double>(taken));
        EXPECT_LE(static_cast<double>(said), 1.2 * static_cast<double>(taken));
      }
}

TEST(ExecutorBytes, of_what_a_picker_is_offered_are_taken_with_a_picker_only) {
  UniformPicker picker(1);
  Recorder recorder(Rank(0), 1);
  record(recorder, 400);
  Graph graph = capture(std::move(recorder), Model::bulk);  // one replay after another
  const std::size_t offered = graph.n_nodes() * (sizeof(detail::Item) + sizeof(TaskId));

  const Bytes with = bytes_of_run(graph, {.picker = &picker}), without = bytes_of_run(graph, {});

  EXPECT_EQ(with.said, without.said + offered);
  EXPECT_GE(with.taken, without.taken + offered / 10 * 9);  // the heap rounds up
}

TEST(ExecutorBytes, of_persistent_messages_are_taken_where_there_are_messages) {
  Recorder recorder(Rank(0), 1);
  recorder.task("alone", uses(), [] {});
  Graph graph = capture(std::move(recorder), Model::dataflow);
  SingleRank fresh({}), persistent({.posting = Posting::persistent});

  EXPECT_EQ(persistent.executor.n_bytes_to_run(graph), fresh.executor.n_bytes_to_run(graph));
}

}  // namespace
}  // namespace thalweg::flow

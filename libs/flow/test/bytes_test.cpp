// SPDX-License-Identifier: MIT
// What graphs and executors say that they take is what the heap gives.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <thalweg/core/testing/heap_bytes.hpp>
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

TEST(ExecutorBytes, are_what_a_run_takes) {
  for (const auto model : {Model::bulk, Model::dataflow})
    for (const auto posting : {Posting::fresh, Posting::persistent}) {
      Recorder recorder(Rank(0), 1);
      record(recorder, 400);
      Graph graph = capture(std::move(recorder), model);
      SingleRank machine({.depth = 3, .posting = posting});
      const auto before = heap_bytes();
      ASSERT_TRUE(machine.executor.run(graph, 10));
      const auto taken = heap_bytes() - before;
      const auto said = machine.executor.n_bytes_to_run(graph);
      EXPECT_GE(1.2 * static_cast<double>(said), static_cast<double>(taken));
      EXPECT_LE(static_cast<double>(said), 1.2 * static_cast<double>(taken));
    }
}

}  // namespace
}  // namespace thalweg::flow

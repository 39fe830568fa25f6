// SPDX-License-Identifier: MIT
#include <thalweg/backends/program.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <thalweg/backends/detail/pieces.hpp>

#include "random_program.hpp"

namespace thalweg::backends {
namespace {

using flow::Access;
using flow::DatumId;
using flow::Mode;
using flow::TaskId;

std::vector<PieceUse> uses(const Program& program, std::uint32_t task) {
  const auto span = program.uses(task);
  return {span.begin(), span.end()};
}
std::vector<std::uint32_t> group(const Program& program, std::size_t i) {
  const auto span = program.group(i);
  return {span.begin(), span.end()};
}

TEST(BackendProgram, a_datum_counts_once_and_is_written_if_any_access_writes) {
  flow::Recorder recorder(Rank(0), 1);
  const DatumId a = recorder.datum("a"), b = recorder.datum("b");
  recorder.task("t",
                std::vector<Access>{{b, Mode::in}, {a, Mode::in}, {a, Mode::out}, {b, Mode::in}},
                [](flow::TaskContext&) {});
  const Program program(flow::capture(std::move(recorder), flow::Model::dataflow));

  EXPECT_EQ(uses(program, 0), (std::vector<PieceUse>{{0, true}, {1, false}}));
  EXPECT_EQ(program.n_pieces(), 2u);
}

TEST(BackendPieces, accesses_have_a_piece_in_common_exactly_if_they_overlap) {
  const DatumId d(0), other(2);
  const std::vector<Access> accesses{{d},
                                     {d, Mode::in, {0, 4}},
                                     {d, Mode::in, {4, 9}},
                                     {d, Mode::in, {3, 5}},
                                     {d, Mode::in, {6, 6}},
                                     {d, Mode::in, {9, 12}},
                                     {d, Mode::in, {4, flow::Range::no_end}},
                                     {other, Mode::in, {0, 4}}};
  const detail::Pieces pieces(3, accesses);

  for (const Access& a : accesses)
    for (const Access& b : accesses) {
      const auto [a_first, a_last] = pieces.of(a);
      const auto [b_first, b_last] = pieces.of(b);
      const bool share = std::max(a_first, b_first) < std::min(a_last, b_last);
      EXPECT_EQ(share, a.datum == b.datum && a.range.overlaps(b.range))
          << a.range.begin << ".." << a.range.end << " and " << b.range.begin << ".."
          << b.range.end;
    }
  EXPECT_EQ(pieces.size(), 7u + 1u + 2u);
}

TEST(BackendProgram, groups_are_what_lies_between_the_barriers) {
  const auto record = [] {
    flow::Recorder recorder(Rank(0), 1);
    for (int i = 0; i < 5; ++i) {
      if (i == 2) recorder.phase("step", flow::PhaseKind::step);
      if (i == 3) recorder.phase("level", flow::PhaseKind::level);
      recorder.task("t", flow::uses(), [] {});
    }
    return recorder;
  };
  const Program bulk(flow::capture(record(), flow::Model::bulk));
  const Program phase(flow::capture(record(), flow::Model::phase));
  const Program dataflow(flow::capture(record(), flow::Model::dataflow));

  ASSERT_EQ(bulk.n_groups(), 3u);
  EXPECT_EQ(group(bulk, 0), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(group(bulk, 1), (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(group(bulk, 2), (std::vector<std::uint32_t>{3, 4}));
  ASSERT_EQ(phase.n_groups(), 2u);
  EXPECT_EQ(group(phase, 0), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(dataflow.n_groups(), 1u);
}

TEST(BackendProgram, only_edges_that_no_access_explains_become_pieces) {
  flow::Recorder recorder(Rank(0), 1);
  const DatumId x = recorder.datum("x");
  const auto add = [&](Mode mode) {
    return recorder.task("t", std::vector<Access>{{x, mode}}, [](flow::TaskContext&) {});
  };
  const TaskId write = add(Mode::out), read = add(Mode::in), read_too = add(Mode::in);
  recorder.after(write, read);     // the datum says so already
  recorder.after(read_too, read);  // turns their order round
  const Program program(flow::capture(std::move(recorder), flow::Model::dataflow));

  EXPECT_EQ(program.n_pieces(), 2u);
  EXPECT_EQ(uses(program, 0), (std::vector<PieceUse>{{0, true}}));
  EXPECT_EQ(uses(program, 1), (std::vector<PieceUse>{{0, false}, {1, false}}));
  EXPECT_EQ(uses(program, 2), (std::vector<PieceUse>{{0, false}, {1, true}}));
  EXPECT_EQ(group(program, 0), (std::vector<std::uint32_t>{0, 2, 1}));
}

TEST(BackendProgram, the_deciding_task_writes_a_piece_of_its_own) {
  flow::Recorder recorder(Rank(0), 1);
  recorder.task("decide", flow::uses(), [] {}, {.controls_termination = true});
  const Program program(flow::capture(std::move(recorder), flow::Model::dataflow));

  ASSERT_EQ(program.decision(), 0u);
  EXPECT_EQ(uses(program, 0), (std::vector<PieceUse>{{0, true}}));
}

TEST(BackendProgram, order_obeys_all_edges_of_random_graphs) {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const flow::Model model : {flow::Model::bulk, flow::Model::phase, flow::Model::dataflow}) {
      const flow::RandomProgram random({.seed = seed, .n_tasks = 100});
      std::vector<std::uint64_t> values = random.initial();
      flow::Recorder recorder(Rank(0), 1);
      random.record(recorder, values.data());
      const auto n = recorder.n_tasks();
      for (std::uint32_t i = 0; i + 7 < n; i += 13) recorder.after(TaskId(i), TaskId(i + 7));
      const flow::Graph graph = flow::capture(std::move(recorder), model);
      const Program program(graph);

      std::vector<std::size_t> place(n, n);
      std::size_t next = 0;
      for (std::size_t g = 0; g < program.n_groups(); ++g)
        for (const std::uint32_t t : program.group(g)) place[t] = next++;
      EXPECT_EQ(next, n);
      for (std::uint32_t t = 0; t < n; ++t)
        for (const std::uint32_t s : graph.successors(TaskId(t)))
          if (s < n) {
            EXPECT_LT(place[t], place[s]) << "seed " << seed;
          }
    }
}

}  // namespace
}  // namespace thalweg::backends

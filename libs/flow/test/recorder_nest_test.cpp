// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "../../../tests/support/text.hpp"
#include "nothing.hpp"
#include "order.hpp"
#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

using thalweg::testing::error_of;

TEST(RecorderNested, names_tasks_after_their_nests_and_orders_them_one_by_one) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 2);
  auto y = r.data<int>("y", 1);
  r.nested("step", uses(inout(x), out(y)), [&](Recorder& inner) {
    inner.task("left", uses(inout(x.range(0, 1))), nothing);
    inner.nested("right", uses(inout(x.range(1, 2)), out(y)), [&](Recorder& innermost) {
      auto own = innermost.data<int>("own", 1);
      innermost.task("a", uses(inout(x.range(1, 2)), out(own)), nothing);
      innermost.task("b", uses(in(own), out(y)), nothing);
    });
  });
  r.task("left", uses(in(x.range(0, 1))), nothing);
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_EQ(g.name(TaskId(0)), "step/left");
  EXPECT_EQ(g.name(TaskId(1)), "step/right/a");
  EXPECT_EQ(g.name(TaskId(2)), "step/right/b");
  EXPECT_EQ(g.name(TaskId(3)), "left");
  EXPECT_EQ(g.n_edges(), 2u);  // no edge between what does not conflict, in one nest or not
  const Order before = order_of(g, 1);
  EXPECT_TRUE(before[0][3]);
  EXPECT_TRUE(before[1][2]);
}

TEST(RecorderNested, is_the_same_graph_as_without_nests) {
  const auto record = [](Recorder& r, auto nest) {
    std::vector<DatumId> d;
    for (int i = 0; i < 4; ++i) d.push_back(r.datum("d"));
    const auto all = [&](Mode mode) {
      std::vector<Access> accesses;
      for (const DatumId id : d) accesses.push_back({id, mode});
      return accesses;
    };
    for (std::size_t i = 0; i < 3; ++i)
      nest(r, all(Mode::inout), [&](Recorder& inner) {
        for (std::size_t k = 0; k < 4; ++k)
          inner.task("t", std::vector<Access>{{d[k], Mode::inout}, {d[(k + i) % 4], Mode::in}},
                     [](TaskContext&) {});
      });
  };
  Recorder flat(Rank(0), 1), nested(Rank(0), 1);
  record(flat, [](Recorder& r, auto, auto f) { f(r); });
  record(nested, [](Recorder& r, auto accesses, auto f) { r.nested("nest", accesses, f); });

  EXPECT_EQ(order_of(capture(std::move(nested), Model::dataflow), 3),
            order_of(capture(std::move(flat), Model::dataflow), 3));
}

TEST(RecorderNested, names_task_and_datum_of_a_use_that_is_not_declared) {
  Recorder r(Rank(0), 1);
  // Without a recorder, as each has its own below.
  std::vector<double> numbers(8);
  const DataRef<double> velocity(r.datum("velocity"), numbers),
      density(r.datum("density"), numbers);
  const auto error = [&](auto outer, auto inner) {
    return error_of([&] {
      Recorder copy(Rank(0), 1);
      copy.datum("velocity"), copy.datum("density");
      copy.nested("hydro", outer, [&](Recorder& n) { n.task("flux", inner, nothing); });
    });
  };

  const std::string message = error(uses(in(velocity)), uses(in(velocity), in(density)));
  EXPECT_NE(message.find("'hydro/flux' reads 'density'"), std::string::npos) << message;
  EXPECT_NE(message.find("'hydro'"), std::string::npos) << message;
  EXPECT_NE(error(uses(in(velocity)), uses(inout(velocity))), "");
  EXPECT_NE(error(uses(out(velocity)), uses(in(velocity))), "");
  const std::string part = error(uses(in(velocity.range(0, 4))), uses(in(velocity.range(2, 6))));
  EXPECT_NE(part.find("[2, 6)"), std::string::npos) << part;
  EXPECT_EQ(error(uses(in(velocity.range(0, 4)), in(velocity.range(4, 8))),
                  uses(in(velocity.range(2, 6)))),
            "");
  EXPECT_NE(error(uses(in(velocity.range(0, 3)), in(velocity.range(4, 8))),
                  uses(in(velocity.range(2, 6)))),
            "");
  EXPECT_EQ(error(uses(inout(velocity)), uses(reduce(velocity, std::plus<>(), 0.0))), "");
  EXPECT_NE(error(uses(in(velocity)), uses(reduce(velocity, std::plus<>(), 0.0))), "");
}

TEST(RecorderNested, a_nest_may_declare_a_reduction) {
  SingleRank machine({});
  Recorder r(Rank(0), 1);
  auto sum = r.data<double>("sum", 1);
  const auto to_sum = reduce(sum, std::plus<>(), 0.0);
  r.nested("nest", uses(to_sum), [&](Recorder& inner) {
    for (const double x : {1.0, 2.0})
      inner.task("add", uses(to_sum), [x](std::span<double> own) { own[0] += x; });
  });
  Graph graph = capture(std::move(r), Model::dataflow);

  const auto report = machine.executor.run(graph, 3);

  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(sum.view()[0], 9);
}

TEST(RecorderNested, what_a_nest_has_overwritten_it_may_read) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 2);
  r.nested("nest", uses(out(x)), [&](Recorder& inner) {
    EXPECT_THROW(inner.task("too early", uses(in(x)), nothing), Error);
    inner.task("half", uses(out(x.range(0, 1))), nothing);
    inner.task("read", uses(in(x.range(0, 1))), nothing);
    EXPECT_THROW(inner.task("other half", uses(in(x)), nothing), Error);
  });
}

TEST(RecorderNested, exception_leaves_the_nest) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);

  EXPECT_THROW(r.nested("nest", uses(), [](Recorder&) { throw std::runtime_error("no"); }),
               std::runtime_error);
  const TaskId task = r.task("after", uses(out(x)), nothing);

  EXPECT_EQ(capture(std::move(r), Model::dataflow).name(task), "after");
}

TEST(RecorderNested, nest_must_keep_to_what_the_one_around_it_declares) {
  Recorder r(Rank(0), 2);
  auto x = r.data<int>("x", 1);
  auto y = r.data<int>("y", 1);
  r.nested("outer", uses(in(x)), [&](Recorder& inner) {
    const std::string message =
        error_of([&] { inner.nested("inner", uses(out(y)), [](Recorder&) {}); });
    EXPECT_NE(message.find("'outer/inner'"), std::string::npos) << message;
    EXPECT_NE(message.find("'y'"), std::string::npos) << message;
    EXPECT_THROW(inner.recv(out(y), Rank(1)), Error);
  });
}

}  // namespace
}  // namespace thalweg::flow

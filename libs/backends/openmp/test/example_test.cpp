// SPDX-License-Identifier: MIT
// The program of the README.md of all back ends.
#include <thalweg/backends/openmp.hpp>

#include <span>
#include <utility>

#include <gtest/gtest.h>

#include "loopback.hpp"

namespace thalweg::backends {
namespace {

using flow::Graph;
using flow::Model;
using flow::RunReport;

TEST(Example, runs_what_was_recorded) {
  flow::Loopback transport;
  flow::Recorder recorder(Rank(0), 1);
  const auto n = recorder.data<int>("n", 1);
  recorder.task("count", flow::uses(flow::inout(n)), [](std::span<int> v) { ++v[0]; });

  Graph graph = capture(std::move(recorder), Model::dataflow);
  OpenMpExecutor openmp({.n_threads = 2}, transport);  // #include <thalweg/backends/openmp.hpp>
  const Result<RunReport> report = openmp.run(graph, 1000);  // the bits of flow::Executor::run

  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(n.const_view()[0], 1000);
}

}  // namespace
}  // namespace thalweg::backends

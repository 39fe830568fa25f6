// SPDX-License-Identifier: MIT
// The back end on simulated ranks, under many schedules; every task checks its inputs.
#include <thalweg/taskbench/backend.hpp>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/taskbench/task_graph.hpp>

#include "cases.hpp"

namespace thalweg::taskbench {
namespace {

constexpr flow::Model all_models[] = {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase,
                                      flow::Model::dataflow};

struct Schedule {
  int n_ranks = 1;
  std::uint64_t seed = 0;
  flow::Model model = flow::Model::dataflow;
};

/// Run graphs twice on virtual ranks. @param n_replayed counts windows that are replayed
template <BenchmarkGraph G>
Result<void> simulate(const std::vector<G>& graphs, const Schedule& s, int* n_replayed = nullptr) {
  comm::SimNetwork network({.n_ranks = s.n_ranks, .seed = s.seed, .patience = 2000});
  return network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(s.seed * 64 + transport.rank()());
    Backend backend(graphs, s.model,
                    {.depth = 1 + static_cast<std::uint32_t>(s.seed % 3), .picker = &picker},
                    transport, network.clock());
    for (const Segment& segment : backend.segments())
      if (n_replayed != nullptr && segment.n_replays > 1) ++*n_replayed;
    for (int i = 0; i < 2; ++i)
      if (const auto done = backend.run(); !done) transport.abort(done.error().message);
  });
}

TEST(SegmentLimits, are_of_windows_too_long_to_replay_where_fields_have_no_common_factor) {
  std::vector<TaskGraph> graphs;
  for (const long n_fields : {2097169, 2097211, 2097223})  // together more than 2^63
    graphs.push_back({.timesteps = 3'000'000, .nb_fields = n_fields});
  const SegmentLimits limits = detail::limits_of(graphs, 1);
  EXPECT_GT(limits.unit, limits.max_steps);
}

TEST(Backend, all_patterns_have_the_right_inputs_under_any_schedule) {
  for (const Dependence dependence : all_dependences()) {
    int n_replayed = 0;
    for (std::uint64_t seed = 0; seed < 32; ++seed) {
      SplitMix64 random(seed);
      const TaskGraph g = random_graph(dependence, random);

      const auto done = simulate<TaskGraph>(
          {g},
          {.n_ranks = 1 + static_cast<int>(seed % 5), .seed = seed, .model = all_models[seed % 4]},
          &n_replayed);

      ASSERT_TRUE(done) << to_string(dependence) << " seed " << seed << ": "
                        << done.error().message;
    }
    EXPECT_GT(n_replayed, 0) << to_string(dependence);
  }
}

TEST(Backend, several_graphs_of_different_lengths_run_together) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SplitMix64 random(seed);
    std::vector<TaskGraph> graphs;
    for (long i = 0; i < 3; ++i) {
      const auto all = all_dependences();
      graphs.push_back(random_graph(all[random.below(all.size())], random));
      graphs.back().graph_index = i;
    }

    const auto done = simulate(
        graphs,
        {.n_ranks = 1 + static_cast<int>(seed % 3), .seed = seed, .model = all_models[seed % 4]});

    ASSERT_TRUE(done) << "seed " << seed << ": " << done.error().message;
  }
}

TEST(Backend, replays_long_graphs_in_windows) {
  comm::SimNetwork network({.n_ranks = 2});
  const auto done = network.run([&](flow::Transport& transport) {
    const TaskGraph g{.timesteps = 1000, .dependence = Dependence::stencil_1d, .nb_fields = 1000};
    Backend<TaskGraph> backend({g}, flow::Model::dataflow, {}, transport, network.clock());

    EXPECT_EQ(backend.segments(), (std::vector<Segment>{{0, 100, 10}}));
    EXPECT_EQ(backend.n_tasks(), 2000u);
    EXPECT_TRUE(backend.run());
  });
  EXPECT_TRUE(done) << done.error().message;
}

/// A graph that hides a dependency from the back end, but not from its own check.
struct Planted : TaskGraph {
  enum class Fault { none, misses_input, wrong_input, misses_message } fault = Fault::none;

  std::vector<Interval> dependencies(long dset, long point) const {
    auto found = TaskGraph::dependencies(dset, point);
    if (point != 2) return found;
    if (fault == Fault::misses_input) found[0].second = 2;
    if (fault == Fault::wrong_input) found = {{0, 0}, {2, 3}};
    return found;
  }
  std::vector<Interval> reverse_dependencies(long dset, long point) const {
    if (fault == Fault::misses_message && point == 1) return {{0, 1}};
    return TaskGraph::reverse_dependencies(dset, point);
  }
};

TEST(Backend, planted_faults_are_found_and_named) {
  Planted g{{.timesteps = 6, .dependence = Dependence::stencil_1d, .nb_fields = 6}};
  const auto failure = [&](Planted::Fault fault, int n_ranks) {
    g.fault = fault;
    const auto done = simulate<Planted>({g}, {.n_ranks = n_ranks});
    return done ? std::string() : done.error().message;
  };
  EXPECT_EQ(failure(Planted::Fault::none, 2), "");
  const std::string misses = failure(Planted::Fault::misses_input, 1);
  EXPECT_NE(misses.find("timestep 1, point 2: it has too few inputs"), std::string::npos) << misses;
  const std::string wrong = failure(Planted::Fault::wrong_input, 1);
  EXPECT_NE(wrong.find("timestep 1, point 2: input 0 is (timestep 0, point 0)"), std::string::npos)
      << wrong;
  const std::string message = failure(Planted::Fault::misses_message, 2);
  EXPECT_NE(message.find("rank 1 receiving from rank 0"), std::string::npos) << message;
}

}  // namespace
}  // namespace thalweg::taskbench

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/exchange/emit/testing/blocks.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/step/backup.hpp>
#include <thalweg/step/record_step.hpp>
#include <thalweg/step/settings.hpp>
#include <thalweg/step/step_sums.hpp>

namespace thalweg::step::testing {

/// A second of work on each rank adds up to the number of ranks in every step.
struct CountingObserver {
  std::vector<TimeState> time_states;
  std::vector<StepSums> sums;

  StepSums sample() const { return {.work_s = 1}; }
  void report(const TimeState& time_state, const StepSums& all) {
    time_states.push_back(time_state);
    sums.push_back(all);
  }
};

/// A stream through random blocks in a periodic box, or through those of a forest.
template <int D, class Scheme = exchange::testing::TracerScheme<D>>
struct Stream {
  static constexpr PlanSettings plan_settings{.n_ghosts = 3, .max_comm_tasks = 2};

  exchange::testing::VirtualRank& self;
  StepSettings<D> settings;
  Mesh<D> mesh;
  Pools pools;
  State<D> state;
  std::optional<StepBackup<D>> backup{};  ///< where steps may be rejected
  TimeState time_state;
  CountingObserver observer;

  Stream(exchange::testing::VirtualRank& rank, const typename mesh::Geometry<D>::Config& config,
         const TimeSettings& time, const field::JoinRule& rule = {})
      : Stream(rank,
               mesh::testing::random_forest<D>({config, 12}, rank.rank(), rank.n_ranks(),
                                               rank.collectives()),
               time, rule) {}
  Stream(exchange::testing::VirtualRank& rank, mesh::Forest<D> forest, const TimeSettings& time,
         const field::JoinRule& rule = {})
      : self(rank),
        settings{moved_by(Vec<D>::filled(1.0), forest.geometry), time},
        mesh(make_mesh(std::move(forest), plan_settings, self.collectives())),
        pools{array_pools(rule, 3),
              array_pools(rule, n_saved_ghosts(saved_by(*settings.equations, time))),
              {},
              rule},
        state(make_state(mesh, 3, 2, pools, saved_by(*settings.equations, time))) {
    for (std::size_t l = 0; l < state.cells.size(); ++l)
      for (std::size_t b = 0; b < state.cells[l].size(); ++b) {
        const auto& view = state.cells[l].view(b);
        for_each(mesh.forest.geometry.cells(state.cells[l].keys()[b]), [&](const Index<D>& i) {
          for (int c = 0; c < 2; ++c)
            view[c, i] = exchange::testing::random_value(static_cast<int>(l), i, c, 0);
        });
      }
  }

  /// Record by f(step recorder), run, and say how many replays there were.
  template <class Record>
  std::uint64_t run(const Record& record, std::uint64_t n_replays = 1,
                    StepBackup<D>* backup = nullptr) {
    auto recorder = self.recorder();
    const auto levels = bind(recorder, mesh, state, 1);
    StepRecorder<D> step(recorder, settings, mesh, levels, time_state, {}, backup);
    record(step);
    return self.run(std::move(recorder), n_replays);
  }
  void prepare() {
    run([](auto& step) {
      step.record_restriction();
      step.record_first_dt();
    });
  }
  std::uint64_t step(std::uint64_t n_steps) {
    return run([this](auto& recorder) { recorder.record_step(observer); }, n_steps,
               backup ? &*backup : nullptr);
  }
  /// Let steps be rejected from now on.
  void keep() {
    backup.emplace(mesh.forest.geometry.block_cells(), Scheme::n_components);
    backup->set_mesh(mesh, state, saved_by(*settings.equations, settings.time), settings.time);
  }
  /// Make the state what it was before a step that was rejected, all levels one.
  void put_back() {
    backup->put_back(state);
    time_state = backup->time_state;
    run([](auto& step) { step.record_restriction(); });
  }
  /// All valid cells of this rank, for who compares.
  std::vector<double> values() const {
    std::vector<double> all;
    for (const auto& level : state.cells)
      for (std::size_t b = 0; b < level.size(); ++b)
        for_each(mesh.forest.geometry.cells(level.keys()[b]), [&](const Index<D>& i) {
          for (int c = 0; c < Scheme::n_components; ++c) all.push_back(level.view(b)[c, i]);
        });
    return all;
  }
  /// The sum of the first component over the domain, from level 0.
  double total() const {
    double sum = 0;
    for (std::size_t b = 0; b < state.cells[0].size(); ++b)
      for_each(mesh.forest.geometry.cells(state.cells[0].keys()[b]),
               [&](const Index<D>& i) { sum += state.cells[0].view(b)[0, i]; });
    return flow::all_reduce(self.transport(), sum, std::plus<double>{});
  }

  static std::shared_ptr<const Equations<D>> moved_by(const Vec<D>& velocity,
                                                      const mesh::Geometry<D>& geometry) {
    numerics::Boundaries<D> periodic;
    periodic.fill(numerics::Boundary::periodic);
    const Scheme scheme{{.velocity = velocity}};
    return equations_of(scheme, {geometry, periodic});
  }

 private:
  std::vector<field::BlockPool> array_pools(const field::JoinRule& rule, int n_ghosts) const {
    return field::LevelField<D>::array_pools(mesh.forest.geometry.block_cells(), n_ghosts,
                                             Scheme::n_components, rule);
  }
};

template <int D>
typename mesh::Geometry<D>::Config periodic_box(int max_level) {
  typename mesh::Geometry<D>::Config config;
  config.root_blocks = Index<D>::filled(4);
  config.block_cells = 8;
  config.max_level = max_level;
  config.periodic = BasicVec<bool, D>::filled(true);
  return config;
}

}  // namespace thalweg::step::testing

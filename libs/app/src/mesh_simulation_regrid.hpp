// SPDX-License-Identifier: MIT
// How a simulation changes its mesh. Included by mesh_simulation_*d.cpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/mesh_simulation.hpp>
#include <thalweg/mesh/costs.hpp>
#include <thalweg/mesh/leaf_regrid.hpp>
#include <thalweg/mesh/nest.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/step/record_step.hpp>
#include <thalweg/step/regrid.hpp>

#include "first_failure.hpp"

namespace thalweg::app {

template <int D>
Result<void> MeshSimulation<D>::regrid() {
  const std::int64_t start_ns = context_.clock.now_ns();
  const auto changes = change_mesh();
  regrids_.s += 1e-9 * static_cast<double>(context_.clock.now_ns() - start_ns);
  if (!changes) return std::unexpected(changes.error());
  ++regrids_.n;
  if (*changes) ++regrids_.n_changes;
  return {};
}

template <int D>
Result<bool> MeshSimulation<D>::change_mesh() {
  const auto wanted = tagged_blocks();
  if (!wanted) return regrid_failed(wanted.error());
  auto next = next_forest(*wanted);
  const bool changes = is_new(next.forest);
  if (changes)
    if (const auto fits = check_memory(next.forest); !fits) {
      is_refused_ = true;
      return regrid_failed(fits.error());
    }
  last_regrid_ = time_state_.step;
  record_imbalance(next.imbalance);
  if (!changes) return false;
  auto step_recorder = replacing_step();
  const Before before = install_mesh(std::move(next.forest));
  if (const auto done = run_once(recorded_moves(before)); !done) return regrid_failed(done.error());
  if (!mesh_->points.empty())
    if (const auto done =
            run_once(recorded(new_recorder(), [](auto& step) { step.record_restriction(); }));
        !done)
      return regrid_failed(done.error());
  capture_step(std::move(step_recorder));
  return true;
}

template <int D>
flow::Recorder MeshSimulation<D>::recorded_moves(const Before& before) {
  flow::Recorder recorder = new_recorder();
  step::record_move(recorder, boundary(), *before.mesh, before.state, *mesh_, *state_, n_workers(),
                    plan_settings(), problem_.refined, time_state_.time, collectives_);
  return recorder;
}

template <int D>
typename MeshSimulation<D>::Before MeshSimulation<D>::install_mesh_anew() {
  std::vector<mesh::Key<D>> wanted;  // by tags that ask for the mesh there is
  for (int l = 1; l < mesh_->n_levels(); ++l) {
    const auto& keys = mesh_->forest.level(l).keys;
    wanted.insert(wanted.end(), keys.begin(), keys.end());
  }
  auto next = next_forest(wanted);
  static_cast<void>(is_new(next.forest));  // as a regrid asks
  return install_mesh(std::move(next.forest), Plans::made_anew);
}

template <int D>
MeshWork MeshSimulation<D>::look_at_regrid(const std::function<void(const flow::Graph&)>& look) {
  graph_.reset();  // not to be there while ranks wait for each other
  MeshWork work{.n_collectives = -collectives_.n_calls()};
  if (problem_.tag) {
    step::Tags tags;
    look(flow::capture(recorded_tags(problem_.tag, tags), context_.execution.model));
    work.n_collectives += n_collectives_of_check;
  }
  work.n_blocks = n_blocks();
  const Before before = install_mesh_anew();
  static_cast<void>(recorded_moves(before));  // for its collectives
  work.n_collectives += collectives_.n_calls() + n_collectives_of_memory;
  return work;
}

template <int D>
std::int64_t MeshSimulation<D>::make_anew() {
  const std::int64_t n_before = n_blocks();
  if (problem_.tag) {
    step::Tags tags;
    flow::capture(recorded_tags(problem_.tag, tags), context_.execution.model);
  }
  auto step_recorder = replacing_step();
  const Before before = install_mesh_anew();
  flow::capture(recorded_moves(before), context_.execution.model);
  capture_step(std::move(step_recorder));
  return n_before;
}

template <int D>
Result<void> MeshSimulation<D>::tag_cells(std::int64_t n_times) {
  if (!problem_.tag) return {};
  step::Tags tags;
  auto graph = flow::capture(recorded_tags(problem_.tag, tags), context_.execution.model);
  const auto report = executor_.run(graph, static_cast<std::uint64_t>(n_times), 1);
  if (!report) return std::unexpected(report.error());
  return {};
}

template <int D>
bool MeshSimulation<D>::is_new(const mesh::Forest<D>& forest) {
  const int differs = mesh::has_same_blocks(forest, mesh_->forest) ? 0 : 1;
  return collectives_.all_reduce(differs, std::plus<int>{}) > 0;
}

template <int D>
flow::Recorder MeshSimulation<D>::recorded_tags(const step::SetTags<D>& tag, step::Tags& tags) {
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  tags = step::record_tags(recorder, boundary(), *mesh_, levels, tag, time_state_.time);
  return recorder;
}

template <int D>
auto MeshSimulation<D>::tagged_blocks() -> Result<std::vector<mesh::Key<D>>> {
  if (!problem_.tag) return std::vector<mesh::Key<D>>{};
  FirstFailure failure;
  step::Tags tags;
  auto done = run_once(recorded_tags(failure.keeping("tagging cells", problem_.tag), tags));
  if (done) done = check_on_all_ranks(context_.transport, failure.result());
  if (!done) return std::unexpected(done.error());
  return step::wanted_blocks(mesh_->forest, tags, settings_.regrid_buffer);
}

template <int D>
auto MeshSimulation<D>::next_forest(const std::vector<mesh::Key<D>>& wanted)
    -> mesh::PartitionedForest<D> {
  const mesh::Forest<D>& old = mesh_->forest;
  if (settings_.mode == MeshMode::leaf) {
    const auto costs = costs_ ? std::optional(costs_->take<D>(state_->cells)) : std::nullopt;
    return mesh::regrid_leaves<D>(old, wanted, collectives_, mesh::n_levels_after(old),
                                  costs ? &*costs : nullptr, settings_.partition.threshold,
                                  settings_.partition.partitioner);
  }
  const auto sets = mesh::nested_sets<D>(old, wanted, collectives_);
  const auto weights =
      costs_ ? mesh::weights_by_cost(old, sets, costs_->take<D>(state_->cells), collectives_)
             : mesh::unit_weights(sets);
  return mesh::partition(old, sets, weights, collectives_, settings_.partition.threshold,
                         settings_.partition.partitioner);
}

template <int D>
void MeshSimulation<D>::record_imbalance(const std::vector<mesh::LevelImbalance>& imbalance) {
  if (imbalance_.size() < imbalance.size()) imbalance_.resize(imbalance.size(), {{0, 0}, 0});
  for (std::size_t l = 0; l < imbalance.size(); ++l) {
    auto& [sum, n] = imbalance_[l];
    sum.before += imbalance[l].before;
    sum.after += imbalance[l].after;
    ++n;
  }
}

template <int D>
std::vector<mesh::LevelImbalance> MeshSimulation<D>::imbalance() const {
  std::vector<mesh::LevelImbalance> means;
  for (const auto& [sum, n] : imbalance_) means.push_back({sum.before / n, sum.after / n});
  return means;
}

}  // namespace thalweg::app

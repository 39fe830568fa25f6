// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/simulation.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "checkpoint.hpp"
#include "layout.hpp"
#include "loops.hpp"
#include "record_cycle.hpp"
#include "state.hpp"
#include "vtk.hpp"

namespace thalweg::lulesh {
namespace {

Cube cube_of(int s, Rank rank, int n_ranks) {
  const auto side = side_of_ranks(n_ranks);
  THALWEG_EXPECT(side, "a cube of ranks");
  return {s, *side, rank};
}

}  // namespace

class Simulation::Impl {
 public:
  Impl(const Settings& settings, flow::Model model, std::uint32_t n_workers, Rank rank, int n_ranks)
      : settings_(settings),
        state_(cube_of(settings.s, rank, n_ranks), settings.regions),
        layout_(state_, settings),
        buffers_(state_.connectivity(), layout_),
        graph_(record(model, n_workers, rank, n_ranks)) {}

  const State& state() const { return state_; }
  std::size_t scratch_bytes() const { return material_scratch_size * sizeof(double); }

  bool is_over() const { return state_.clock.is_at_end(settings_.last_cycle); }
  State& state() { return state_; }
  const flow::Graph& graph() const { return graph_; }

  Result<void> run_to(std::int64_t cycle, flow::Executor& executor, const OnCycle& on_cycle) {
    last_cycle_ = std::min(cycle, settings_.last_cycle);
    if (state_.clock.is_at_end(last_cycle_)) return {};
    on_cycle_ = on_cycle;
    const std::int64_t before = state_.clock.cycle;
    if (const auto done = executor.run(graph_, static_cast<std::uint64_t>(last_cycle_ - before),
                                       static_cast<std::uint64_t>(before) + 1);
        !done)
      return std::unexpected(done.error());
    // That of the last cycle, after which no other began.
    if (state_.clock.fault.check == Check::none) state_.clock.fault = state_.verdict.fault;
    return {};
  }

 private:
  flow::Graph record(flow::Model model, std::uint32_t n_workers, Rank rank, int n_ranks) {
    flow::Recorder recorder(rank, n_ranks);
    CycleRecording(recorder, state_, layout_, buffers_, best_loops(), n_workers)
        .record(last_cycle_, on_cycle_);
    return flow::capture(std::move(recorder), model);
  }

  Settings settings_;
  State state_;
  Layout layout_;
  CycleBuffers buffers_;
  std::int64_t last_cycle_ = 0;
  OnCycle on_cycle_;
  flow::Graph graph_;
};

Simulation::Simulation(const Settings& settings, flow::Model model, std::uint32_t n_workers,
                       Rank rank, int n_ranks)
    : impl_(std::make_unique<Impl>(settings, model, n_workers, rank, n_ranks)) {}
Simulation::~Simulation() = default;

std::size_t Simulation::scratch_bytes() const {
  return impl_->scratch_bytes();
}
Result<void> Simulation::run_to(std::int64_t cycle, flow::Executor& executor,
                                const OnCycle& on_cycle) {
  return impl_->run_to(cycle, executor, on_cycle);
}
bool Simulation::is_over() const {
  return impl_->is_over();
}
Result<void> Simulation::write_checkpoint(const app::Context& context,
                                          const std::string& path) const {
  THALWEG_EXPECT(clock().fault.check == Check::none, "a state that can go on");
  return lulesh::write_checkpoint(context, path, impl_->state());
}
Result<void> Simulation::read_checkpoint(const app::Context& context, const std::string& path) {
  return lulesh::read_checkpoint(context, path, impl_->state());
}
Result<void> Simulation::write_vtk(const app::Context& context, const std::string& folder,
                                   int n_files) const {
  return lulesh::write_vtk(context, folder, n_files, impl_->state());
}
const flow::Graph& Simulation::graph() const {
  return impl_->graph();
}
const Cube& Simulation::cube() const {
  return impl_->state().cube();
}
const CycleClock& Simulation::clock() const {
  return impl_->state().clock;
}
std::span<const double> Simulation::energy() const {
  return {impl_->state().fields().e, cube().n_elements()};
}

}  // namespace thalweg::lulesh

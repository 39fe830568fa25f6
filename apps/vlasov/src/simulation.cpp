// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/simulation.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/app/shared_plotfile.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>

#include "checkpoint.hpp"
#include "diagnostics.hpp"
#include "field_table.hpp"
#include "record_step.hpp"

namespace thalweg::vlasov {

namespace {

class Simulation final : public app::AnySimulation {
 public:
  Simulation(const app::Context& context, const Settings& settings, const step::TimeState& start,
             const Origin& origin, app::OnStep on_step,
             field::BlockSource block_source = field::BlockSource::slabs)
      : context_(context),
        settings_(settings),
        block_source_(block_source),
        state_(settings, context.transport.rank(), context.transport.n_ranks(), block_source),
        kernels_(settings.vectors == Vectors::widest ? best_kernels(settings.degree)
                                                     : portable_kernels(settings.degree)),
        clock_{.schedule = Schedule(settings.dt, settings.time, start, origin),
               .first_step = start.step},
        executor_(app::executor_config(
                      context, is_for_inspection() ? 0 : sizeof(double) * state_.scratch_size(),
                      context.execution.executor.sink),
                  context.transport, context.clock),
        observer_(executor_, context.clock, context.transport.n_ranks(), std::move(on_step)),
        time_state_(clock_.schedule.at(start.step)) {
    observer_.set_mesh({state_.layout().n_tiles()}, state_.n_points());
  }

  /// Begin with the initial state.
  Result<void> begin() {
    for (Tile& tile : state_.tiles()) state_.set_initial(tile);
    return prepare();
  }
  /// Go on from a checkpoint.
  Result<void> read(const app::Checkpoint& from) {
    if (auto done =
            app::check_on_all_ranks(context_.transport, read_checkpoint(context_, from, state_));
        !done)
      return done;
    return prepare();
  }
  /// Capture the step.
  void capture_step() {
    graph_.emplace(captured([this](StepRecorder& step) {
      step.record_ghosts();
      step.record_advance();
      step.record_field();
      step.record_report(observer_);
    }));
  }

  const step::TimeState& time_state() const override { return time_state_; }
  bool is_over() const override { return time_state_.step >= clock_.schedule.last_step(); }
  std::int64_t last_regrid() const override { return 0; }
  Result<void> advance_to(std::int64_t step) override {
    observer_.restart_clock();
    const std::int64_t target = std::min(step, clock_.schedule.last_step());
    if (target <= time_state_.step) return {};
    if (is_for_inspection()) {
      reach(target);
      return {};
    }
    clock_.use = FieldUse::after_step;
    const auto n_steps = static_cast<std::uint64_t>(target - time_state_.step);
    const auto report =
        executor_.run(*graph_, n_steps, static_cast<std::uint64_t>(time_state_.step + 1));
    if (!report) return std::unexpected(report.error());
    reach(target);
    return {};
  }
  bool is_refused() const override { return false; }
  app::Regrids regrids() const override { return {}; }
  std::vector<mesh::LevelImbalance> imbalance() const override { return {}; }
  const flow::Graph& step_graph() override { return *graph_; }
  app::CostEstimate cost() const override;
  std::size_t held_bytes() const override {
    return state_.n_bytes() + graph_->n_bytes() + (ghosts_ ? ghosts_->n_bytes() : 0) +
           executor_.n_bytes_to_run(*graph_);
  }

  const std::vector<std::string>& component_names() const override { return names_; }
  std::vector<std::string> plot_variables(const app::PlotRequest& request) const override {
    const bool has_none = request.fields && request.fields->empty();
    return has_none ? std::vector<std::string>{} : names_;
  }
  std::vector<io::Column> series_columns() const override;
  std::vector<double> series_values() const override;
  std::vector<double> totals() const override { return {look().mass}; }
  app::LocalBlocks local_blocks() const override;
  std::uint64_t blocks_revision() const override {
    return static_cast<std::uint64_t>(time_state_.step) + 1;
  }
  Result<void> write_plot(const app::PlotRequest& request) override;
  Result<app::Checkpoint> write_checkpoint(const app::CheckpointTarget& target) const override {
    return vlasov::write_checkpoint(context_, target, time_state_, clock_.schedule.origin(),
                                    state_);
  }

 private:
  bool is_for_inspection() const { return block_source_ == field::BlockSource::addresses; }
  void reach(std::int64_t step) {
    clock_.first_step = step;
    time_state_ = clock_.schedule.at(step);
  }
  flow::Recorder recorder() const {
    return {context_.transport.rank(),
            context_.transport.n_ranks(),
            {.grain = context_.execution.grain, .is_for_inspection = is_for_inspection()}};
  }
  // Record by f(step recorder).
  template <class F>
  flow::Graph captured(F f) const {
    flow::Recorder to = recorder();
    StepRecorder step(to, state_, clock_, kernels_, executor_.config().n_workers);
    f(step);
    return flow::capture(std::move(to), context_.execution.model);
  }
  Result<void> run_once(flow::Graph& graph) const {
    const auto report = executor_.run(graph, 1);
    if (!report) return std::unexpected(report.error());
    return {};
  }
  Result<void> run_once(flow::Graph&& graph) const { return run_once(graph); }
  // Find the field of f as it is, and capture the step.
  Result<void> prepare() {
    clock_.use = FieldUse::of_state;
    if (auto done = run_once(captured([](StepRecorder& step) {
          step.record_sums();
          step.record_field();
        }));
        !done)
      return done;
    capture_step();
    if (!needs_trial()) return {};
    // The first step of a predictor that looks back: by Euler's, and once more with the field that
    // came of it.
    clock_.use = FieldUse::trial;
    std::map<int, std::vector<double>> charges;  // of f as it is, of which plotfiles tell
    for (const auto& [slab, field] : state_.fields()) charges[slab] = field.charge;
    auto done = run_once(captured([](StepRecorder& step) {
      step.record_ghosts();
      step.record_advance();
      step.record_field();
    }));
    for (auto& [slab, field] : state_.fields())
      std::ranges::copy(charges.at(slab), field.charge.begin());
    return done;
  }
  bool needs_trial() const {
    return settings_.predictor != Predictor::euler && settings_.splitting == Splitting::none &&
           time_state_.step == 0 && !is_over();
  }

  app::Workers workers() const {
    const std::size_t n = executor_.config().n_workers;
    return {
        n, [this, n](const std::function<void(const app::Share&)>& body) {
          flow::Recorder to = recorder();
          for (std::size_t w = 0; w < n; ++w)
            to.task("look", std::array{flow::Access{to.datum("share"), flow::Mode::out}},
                    [&body, w, n](flow::TaskContext&) { body({w, n}); },
                    {.preferred_worker = static_cast<std::uint32_t>(w)});
          if (const auto done = run_once(flow::capture(std::move(to), context_.execution.model));
              !done)
            throw RankError(done.error().message);
        }};
  }
  // The points of a tile, as cells of the whole grid.
  Box<2> points_of(const Tile& tile) const {
    const int x = state_.layout().columns().begin(tile.place.column);
    const int v = state_.layout().rows().begin(tile.place.row);
    return {{x, v}, {x + tile.nx, v + tile.nv}};
  }
  // The lower corner of the first cell: points are in the middle of cells.
  Vec<2> lower_corner() const {
    const Grid& grid = settings_.grid;
    return {-0.5 * grid.dx(), -grid.v_max - 0.5 * grid.dv()};
  }
  // Make f readable where it lacks half a step in v; collective.
  Result<void> complete() const {
    if (!lacks_kick()) return {};
    if (!ghosts_) ghosts_.emplace(captured([](StepRecorder& step) { step.record_ghosts(); }));
    return run_once(*ghosts_);
  }
  bool lacks_kick() const {
    return settings_.splitting == Splitting::strang && time_state_.step > 0;
  }
  // f of a tile after a whole number of steps. @param room  for a tile
  TileView view(std::size_t t, std::vector<double>& room) const {
    Tile& tile = state_.tiles()[t];
    const int buffer = static_cast<int>(time_state_.step % 2);
    if (!lacks_kick()) return {tile.f(buffer), tile.stride};
    room.resize(state_.scratch_size());
    TileStep work = state_.step_of(tile, buffer, 0, time_state_.dt_before);
    work.scratch = room.data();
    kernels_.kick(work);
    return {room.data(), (tile.nv + 7) / 8 * 8};
  }
  Diagnostics look() const {
    if (const auto done = complete(); !done) throw RankError(done.error().message);
    const auto all = workers();
    std::vector<std::vector<double>> rooms(all.n);
    return diagnose(state_, context_.transport, all,
                    [&](std::size_t t, std::size_t worker) { return view(t, rooms[worker]); });
  }

  app::Context context_;
  Settings settings_;
  field::BlockSource block_source_;
  mutable State state_;
  const Kernels& kernels_;
  StepClock clock_;
  mutable flow::Executor executor_;
  app::StepObserver observer_;
  step::TimeState time_state_;
  std::optional<flow::Graph> graph_;
  mutable std::optional<flow::Graph> ghosts_;  ///< of complete(), once that was called
  std::vector<std::string> names_{component_name};
};

app::CostEstimate Simulation::cost() const {
  const auto sum = [&](std::size_t mine) {
    return static_cast<double>(
        flow::all_reduce(context_.transport, std::uint64_t{mine}, std::plus<std::uint64_t>{}));
  };
  const double bytes = sum(state_.n_bytes());
  return {.levels = {{.n_blocks = state_.layout().n_tiles(),
                      .n_cells = state_.n_points(),
                      .updates = static_cast<double>(state_.n_points()),
                      .bytes = bytes}},
          .field_bytes = bytes,
          .held_bytes = sum(held_bytes())};
}

std::vector<io::Column> Simulation::series_columns() const {
  return {{"time", "time"},
          {"dt", "time"},
          {"mass", "mass"},
          {"momentum", "momentum"},
          {"kinetic", "energy"},
          {"potential", "energy"},
          {"L1", "mass"},
          {"L2", "mass/sqrt(length*velocity)"},
          {"entropy", "mass"},
          {"E1", "velocity/time"},
          {"E2", "velocity/time"},
          {"E3", "velocity/time"},
          {"f min", "mass/length/velocity"},
          {"f max", "mass/length/velocity"}};
}

std::vector<double> Simulation::series_values() const {
  const Diagnostics d = look();
  const auto& now = time_state_;
  return {now.time, now.dt_before, d.mass,     d.momentum, d.kinetic,  d.potential, d.l1,
          d.l2,     d.entropy,     d.modes[0], d.modes[1], d.modes[2], d.f_min,     d.f_max};
}

app::LocalBlocks Simulation::local_blocks() const {
  if (lacks_kick())
    throw Error(
        "between steps of Strang splitting f in memory lacks half a step along v; write a "
        "plotfile, which has it, and read that, or set vlasov.splitting to none");
  const Grid& grid = settings_.grid;
  const Vec<2> lower = lower_corner();
  app::LocalBlocks all{.revision = blocks_revision(),
                       .lower = {lower[0], lower[1]},
                       .upper = {lower[0] + grid.length, lower[1] + 2 * grid.v_max},
                       .levels = {{.cell_size = {grid.dx(), grid.dv()}, .blocks = {}}}};
  for (const Tile& tile : state_.tiles()) {
    const Box<2> points = points_of(tile);
    // Ghosts of a step are as wide as it needs along each axis, and not there after it.
    all.levels[0].blocks.push_back({.lower = {points.lo[0], points.lo[1]},
                                    .extent = {tile.nx, tile.nv},
                                    .data = tile.f(static_cast<int>(time_state_.step % 2)),
                                    .strides = {tile.stride, 1}});
  }
  return all;
}

Result<void> Simulation::write_plot(const app::PlotRequest& request) {
  if (auto done = complete(); !done) return done;
  const Grid& grid = settings_.grid;
  io::PlotLevel<2> level{
      .domain = {{0, 0}, {grid.nx, grid.nv}}, .cell_size = {grid.dx(), grid.dv()}, .boxes = {}};
  for (const Tile& tile : state_.tiles()) level.boxes.push_back(points_of(tile));
  const Vec<2> lower = lower_corner();
  io::PlotDescription<2> plot{.variables = plot_variables(request),
                              .time = time_state_.time,
                              .step = time_state_.step,
                              .lower = lower,
                              .upper = {lower[0] + grid.length, lower[1] + 2 * grid.v_max},
                              .levels = {level},
                              .deck = request.deck,
                              .field = field_table(state_, context_.transport),
                              .numbers = request.numbers};
  std::vector<double> room, cells;
  return app::write_shared_plotfile(
      context_, request.path, std::move(plot), request.ranks_per_file,
      [&](int, std::size_t t, auto&& put) {
        const Tile& tile = state_.tiles()[t];
        const auto [f, stride] = view(t, room);
        cells.resize(static_cast<std::size_t>(tile.nx) * static_cast<std::size_t>(tile.nv));
        auto place = cells.begin();
        for (int j = 0; j < tile.nv; ++j)
          for (int i = 0; i < tile.nx; ++i) *place++ = f[i * stride + j];
        put(View<const double, 2>(cells.data(), level.boxes[t], 1));
      });
}

}  // namespace

Result<std::unique_ptr<app::AnySimulation>> make_simulation(const app::Context& context,
                                                            const Settings& settings,
                                                            const app::Checkpoint* from,
                                                            app::OnStep on_step) {
  step::TimeState start;
  Origin origin;
  if (from != nullptr) {
    start = {.step = from->manifest.step,
             .time = from->manifest.time,
             .dt = settings.dt,
             .dt_before = from->manifest.dt_before};
    origin = {from->manifest.origin_step, from->manifest.origin_time};
  }
  auto simulation =
      std::make_unique<Simulation>(context, settings, start, origin, std::move(on_step));
  const auto done = from != nullptr ? simulation->read(*from) : simulation->begin();
  if (!done) return std::unexpected(done.error());
  return simulation;
}

std::unique_ptr<app::AnySimulation> simulation_without_points(const app::Context& context,
                                                              const Settings& settings) {
  auto simulation = std::make_unique<Simulation>(context, settings, step::TimeState{}, Origin{},
                                                 app::OnStep{}, field::BlockSource::addresses);
  simulation->capture_step();
  return simulation;
}

}  // namespace thalweg::vlasov

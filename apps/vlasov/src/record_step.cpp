// SPDX-License-Identifier: MIT
#include "record_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace thalweg::vlasov {

using flow::Access;
using flow::Mode;
using flow::PhaseKind;
using flow::TaskContext;

namespace {

/// Say where f is not finite, if the sums of a tile are not.
void check_sums(const State& state, const Tile& tile, const double* f, std::int64_t step) {
  for (int i = 0; i < tile.nx; ++i) {
    if (std::isfinite(tile.sums[static_cast<std::size_t>(i)])) continue;
    const double* const row = f + i * tile.stride;
    const auto* const bad =
        std::find_if(row, row + tile.nv, [](double x) { return !std::isfinite(x); });
    const Grid& grid = state.settings().grid;
    const int x = state.layout().columns().begin(tile.place.column) + i;
    const int v = state.layout().rows().begin(tile.place.row) + static_cast<int>(bad - row);
    throw std::runtime_error(
        fmt::format("f is {} at x = {:g}, v = {:g} (point {}, {}) of tile ({}, {}) after step {}",
                    bad == row + tile.nv ? tile.sums[static_cast<std::size_t>(i)] : *bad, grid.x(x),
                    grid.v(v), x, v, tile.place.column, tile.place.row, step));
  }
}

}  // namespace

StepRecorder::StepRecorder(flow::Recorder& recorder, State& state, const StepClock& clock,
                           const Kernels& kernels, std::uint32_t n_workers)
    : recorder_(recorder), state_(state), clock_(clock), kernels_(kernels), n_workers_(n_workers) {
  for (std::size_t t = 0; t < state.tiles().size(); ++t) {
    interiors_.push_back(recorder.datum("f"));
    ghosts_.push_back(recorder.datum("ghosts"));
    sums_.push_back(recorder.datum("sums of a tile"));
  }
  border_points_.resize(state.tiles().size());
  for (const auto& [slab, field] : state.fields()) windows_[slab] = recorder.datum("field");
}

flow::TaskOptions StepRecorder::options_of(const Tile& tile) const {
  const std::size_t t = state_.index_of(tile.place);
  return {.preferred_worker = static_cast<std::uint32_t>(t * n_workers_ / state_.tiles().size()),
          .block = static_cast<std::uint64_t>(state_.layout().number(tile.place))};
}

void StepRecorder::record_advance() {
  recorder_.phase("advance", PhaseKind::step);
  const bool is_split = state_.settings().splitting == Splitting::strang;
  for (Tile& tile : state_.tiles()) {
    const std::size_t t = state_.index_of(tile.place);
    const std::array accesses{Access{ghosts_[t], Mode::in}, Access{interiors_[t], Mode::inout},
                              Access{windows_.at(state_.slab_of(tile.place.column)), Mode::in},
                              Access{sums_[t], Mode::out}};
    flow::TaskOptions options = options_of(tile);
    if (state_.settings().tile_order == TileOrder::border) options.priority = border_points_[t];
    recorder_.task(
        "advance", accesses,
        [this_state = &state_, &clock = clock_, &kernels = kernels_, &tile,
         is_split](TaskContext& context) {
          const std::int64_t step = clock.step_of(context.replay());
          TileStep work =
              this_state->step_of(tile, clock.buffer(context.replay()),
                                  clock.schedule.dt_after(step), clock.schedule.dt_before(step));
          work.scratch = reinterpret_cast<double*>(context.scratch().data());
          is_split ? kernels.advance_split(work) : kernels.advance(work);
          check_sums(*this_state, tile, work.to, step + 1);
        },
        options);
  }
}

void StepRecorder::record_sums() {
  recorder_.phase("sums", PhaseKind::step);
  for (Tile& tile : state_.tiles()) {
    const std::size_t t = state_.index_of(tile.place);
    const std::array accesses{Access{interiors_[t], Mode::in}, Access{sums_[t], Mode::out}};
    recorder_.task(
        "sums", accesses,
        [this_state = &state_, &clock = clock_, &kernels = kernels_, &tile](TaskContext& context) {
          const std::int64_t step = clock.step_of(context.replay());
          const TileStep work = this_state->step_of(tile, clock.buffer(context.replay()), 0, 0);
          kernels.sum(work);
          check_sums(*this_state, tile, work.from, step);
        },
        options_of(tile));
  }
}

void StepRecorder::record_report(app::StepObserver& observer) {
  recorder_.phase("report", PhaseKind::step);
  const auto sums = recorder_.data<step::StepSums>("step sums", 1);
  std::vector<Access> accesses{out(sums).access()};
  for (const auto& [slab, datum] : windows_) accesses.push_back({datum, Mode::in});  // it has ended
  recorder_.task("sample", accesses, [&observer, of_rank = sums.view().data()](TaskContext&) {
    *of_rank = observer.sample();
  });
  recorder_.reduce_to_root("sum of samples", inout(sums), std::plus<step::StepSums>{});
  if (recorder_.rank() != Rank{0}) return;
  recorder_.task(
      "report", std::array{in(sums).access()},
      [&observer, &clock = clock_, all = sums.const_view().data()](TaskContext& context) {
        observer.report(clock.schedule.at(clock.reached(context.replay())), *all);
      });
}

}  // namespace thalweg::vlasov

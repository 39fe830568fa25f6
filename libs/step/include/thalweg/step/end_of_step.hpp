// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/joined_text.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/task_names.hpp>
#include <thalweg/flow/combine.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/step/detail/state_words.hpp>
#include <thalweg/step/settings.hpp>
#include <thalweg/step/source_terms.hpp>
#include <thalweg/step/step_sums.hpp>
#include <thalweg/step/substeps.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step {

/// What a block's tasks say of it; ordered by their accesses to its cells. What those say that
/// advance joined blocks is said of the first one.
struct BlockReport {
  numerics::Fallbacks fallbacks_so_far;  ///< in the step under way
  numerics::Fallbacks fallbacks;         ///< in the step that is over
  bool is_inadmissible_so_far = false;   ///< in the step under way: a state was inadmissible
  bool is_inadmissible = false;          ///< in the step that is over
  double signal = 0;                     ///< the fastest, over cell size
  double growth = 0;                     ///< of it, under the source terms
  double longest_dt = std::numeric_limits<double>::infinity();  ///< that the problem allows
};

/// A cell whose state is not admissible any more.
template <int D>
struct RuinedCell {
  View<const double, D> cells;
  Index<D> at;
  Box<D> block;
  int level;
};

/// Say which cell is ruined, and what to do.
/// @param when       of the step
/// @param n_retries  how often the step was taken again before
template <int D>
[[noreturn]] void fail_in_cell(const Equations<D>& equations, const RuinedCell<D>& ruined,
                               std::string_view when, int n_retries) {
  const auto& [cells, at, block, level] = ruined;
  const std::string advice = n_retries == 0
                                 ? "lower time.cfl, or let time.retries take the step again"
                                 : fmt::format(
                                       "the step was taken again {} times with smaller ones: take "
                                       "a more dissipative scheme or more cells",
                                       n_retries);
  throw std::runtime_error(fmt::format(
      "the new state of cell ({}) of the block of cells ({}) to ({}) on level {}, ({}), is not "
      "admissible {}: it must have {} (the scheme keeps states so for small time steps only); {}{}",
      joined_text(at.at), joined_text(block.lo.at),
      joined_text((block.hi - Index<D>::filled(1)).at), level,
      detail::state_words(equations.component_names(), cells, at), when,
      numerics::and_finite(equations.admissible_states()),
      detail::is_finite(cells, at)
          ? ""
          : "a state that is not finite may come from a source or a boundary: look at these "
            "first; ",
      advice));
}

/// Where a run stands, and what orders the tasks that read or change it.
struct TimeData {
  TimeState& time_state;
  flow::DatumId datum;  ///< of the time
  flow::DatumId dt;     ///< of dt
};

/// What the blocks of all levels and ranks say at the end of a step.
struct EndOfStep {
  flow::Data<double> stable_dt;               ///< of all ranks
  flow::Data<numerics::Fallbacks> fallbacks;  ///< of this rank
};

namespace detail {

/// A block to look at, and where to say what was seen.
template <int D>
struct SeenBlock {
  BlockReport* report;
  Box<D> valid;
};

/// What limits the steps of all cells.
template <int D>
struct StepLimits {
  std::shared_ptr<const Equations<D>> equations;
  SourceTerms<D> source;
  FindLongestDt<D> longest_dt;
  mesh::Geometry<D> geometry;
};

/// The task that looks at the cells of a block, or of joined ones by themselves, when a step is
/// over: whether all states are admissible, how fast signals are, and how long a step may be.
/// @errors throws std::runtime_error that names the cell whose state is inadmissible, where the
/// step cannot be taken again, or the block for which Problem::longest_dt is then no time
template <int D>
struct LookAtGroup {
  std::shared_ptr<const StepLimits<D>> limits;
  const TimeState& time_state;
  View<const double, D> cells;
  std::span<const SeenBlock<D>> blocks;
  int level;
  double cfl;
  int most_retries;  ///< 0: steps are final

  void operator()(flow::TaskContext& context) const {
    for (const auto& [report, valid] : blocks) look(*report, valid, context.scratch());
  }

 private:
  void look(BlockReport& report, const Box<D>& valid, std::span<std::byte> scratch) const {
    const auto& [equations, source, longest_dt, geometry] = *limits;
    report.fallbacks = std::exchange(report.fallbacks_so_far, {});
    report.is_inadmissible = std::exchange(report.is_inadmissible_so_far, false);
    const Vec<D> dx = geometry.cell_size(level);
    report.signal = equations->max_signal(cells, valid, dx);
    // Restriction, refluxing and sources have changed cells since they were advanced.
    if (report.signal == std::numeric_limits<double>::infinity())
      if (const auto cell = equations->find_inadmissible(cells, valid)) {
        if (most_retries == 0 || time_state.n_retries >= most_retries)
          fail_in_cell<D>(*equations, {cells, *cell, valid, level}, "at the end of the step",
                          most_retries == 0 ? 0 : time_state.n_retries);
        report.is_inadmissible = true;
      }
    if (report.is_inadmissible) return;  // nobody will ask for more
    // Over the step that there would be without a source: what there will be is shorter.
    if (source && report.signal > 0)
      report.growth = equations->growth(source, cells, valid, dx, report.signal,
                                        {level, time_state.time, cfl / report.signal}, scratch);
    if (longest_dt) {
      report.longest_dt = longest_dt({geometry, level, time_state.time}, cells, valid);
      if (report.longest_dt > 0) return;
      report.is_inadmissible = true;  // as a step too long may make it
      if (most_retries == 0 || time_state.n_retries >= most_retries)
        throw std::runtime_error(fmt::format(
            "the problem's longest_dt is {} in the block of cells ({}) to ({}) on level {} at t = "
            "{:g} (a step takes more than no time); let it be above 0, and infinity where nothing "
            "limits the step",
            report.longest_dt, joined_text(valid.lo.at),
            joined_text((valid.hi - Index<D>::filled(1)).at), level, time_state.time));
    }
  }
};

/// What the blocks of a level say, and a factor from its dt to that of level 0.
struct LevelReports {
  double factor;
  std::span<const BlockReport> blocks;
};

/// The largest dt of level 0 that is stable in all blocks, and that the problem allows.
inline double smallest_dt(std::span<const LevelReports> all, double cfl) {
  double dt = std::numeric_limits<double>::infinity();
  for (const auto& level : all)
    for (const BlockReport& block : level.blocks)
      dt = flow::Min{}(
          dt, block.is_inadmissible
                  ? inadmissible_dt
                  : level.factor *
                        flow::Min{}(stable_dt(cfl, block.signal, block.growth), block.longest_dt));
  return dt;
}

inline numerics::Fallbacks sum_of_fallbacks(std::span<const LevelReports> all) {
  numerics::Fallbacks sum;
  for (const auto& level : all)
    for (const BlockReport& block : level.blocks) sum += block.fallbacks;
  return sum;
}

}  // namespace detail

/// Record looking at all cells when a step is over: whether all states are admissible, and the
/// largest dt that is stable, and that the problem allows, on all levels and ranks.
/// @param reports  of the blocks, by level
/// @param most_retries  how often the step may be taken again, 0: never; an inadmissible state is
/// counted, not a failure, as long as it may
template <int D>
EndOfStep record_end_of_step(flow::Recorder& recorder, const StepSettings<D>& settings,
                             const mesh::Geometry<D>& geometry,
                             const std::vector<exchange::LevelData<D>>& levels,
                             const std::vector<flow::Data<BlockReport>>& reports,
                             const TimeData& time, int most_retries) {
  recorder.phase("time step", flow::PhaseKind::level);
  const auto stable = recorder.data<double>("stable dt", 1);
  const auto fallbacks = recorder.data<numerics::Fallbacks>("fallbacks", 1);
  std::vector<flow::Access> of_all{{stable.datum(), flow::Mode::out},
                                   {fallbacks.datum(), flow::Mode::out}};
  std::vector<flow::Access> of_block;
  std::vector<detail::LevelReports> all;
  const auto limits = std::make_shared<const detail::StepLimits<D>>(
      detail::StepLimits<D>{settings.equations, settings.source, settings.longest_dt, geometry});
  for (const auto& level : levels) {
    const auto& of_level = reports[static_cast<std::size_t>(level.level)];
    level.for_each_group([&](const exchange::BlockGroup<D>& group) {
      const auto& front = group.front();
      const auto signal_datum = recorder.datum("signal");
      of_block.assign({{front.interior, flow::Mode::in}, {signal_datum, flow::Mode::out}});
      if (limits->source || limits->longest_dt) of_block.push_back({time.datum, flow::Mode::in});
      if (most_retries > 0) of_block.push_back({time.dt, flow::Mode::in});
      const auto blocks = recorder.array<detail::SeenBlock<D>>(group.blocks.size());
      for (std::size_t i = 0; i < blocks.size(); ++i)
        blocks[i] = {&of_level.view()[group.first + i], group.blocks[i].valid};
      recorder.task(group.task_name(exchange::task_names::signal), of_block,
                    detail::LookAtGroup<D>{.limits = limits,
                                           .time_state = time.time_state,
                                           .cells = group.cells,
                                           .blocks = blocks,
                                           .level = level.level,
                                           .cfl = settings.time.cfl,
                                           .most_retries = most_retries},
                    front.task_options());
      of_all.push_back({signal_datum, flow::Mode::in});
    });
    all.push_back({static_cast<double>(n_substeps(geometry, level.level, settings.time)),
                   of_level.const_view()});
  }
  recorder.task("stable dt", of_all,
                [all = std::move(all), cfl = settings.time.cfl, to = stable.view().data(),
                 of_rank = fallbacks.view().data()](flow::TaskContext&) {
                  *to = detail::smallest_dt(all, cfl);
                  *of_rank = detail::sum_of_fallbacks(all);
                },
                {.priority = 1});
  recorder.all_reduce("all ranks' stable dt", flow::inout(stable), flow::Min{}, {.priority = 1});
  return {stable, fallbacks};
}

/// Record telling an observer of a step that is over: see StepRecorder::record_step.
template <class Observer>
void record_report(flow::Recorder& recorder, Observer& observer, const EndOfStep& end,
                   const TimeData& time, const TimeSettings& settings) {
  const auto sums = recorder.data<StepSums>("step sums", 1);
  const auto reached = recorder.data<TimeState>("time state of the step", 1);
  recorder.task(
      "sample",
      std::vector<flow::Access>{{end.stable_dt.datum(), flow::Mode::in},  // the step has ended
                                {end.fallbacks.datum(), flow::Mode::in},
                                {time.datum, flow::Mode::in},
                                {time.dt, flow::Mode::in},
                                {sums.datum(), flow::Mode::out},
                                {reached.datum(), flow::Mode::out}},
      [&observer, &time_state = time.time_state, of_rank = sums.view().data(),
       at = reached.view().data(), fallbacks = end.fallbacks.const_view().data(),
       stable = end.stable_dt.const_view().data(), settings](flow::TaskContext&) {
        *at = time_state;
        at->is_rejected = time_state.is_rejected || must_retry(*stable, time_state, settings);
        *of_rank = observer.sample();
        of_rank->fallbacks = *fallbacks;
      });
  recorder.reduce_to_root("sum of samples", flow::inout(sums), std::plus<StepSums>{});
  if (recorder.rank() != Rank{0}) return;
  recorder.task("report", flow::uses(flow::in(sums), flow::in(reached)),
                [&observer](std::span<const StepSums> all, std::span<const TimeState> at) {
                  if (!at[0].is_rejected) observer.report(at[0], all[0]);
                });
}

/// Record finding the next dt, or, where the step is rejected, the one it is taken again with.
/// @param stable  the largest dt that is stable on all levels and ranks
inline void record_next_dt(flow::Recorder& recorder, const flow::Data<double>& stable,
                           const TimeData& time, const TimeSettings& settings) {
  recorder.task("next dt",
                std::vector<flow::Access>{{stable.datum(), flow::Mode::in},
                                          {time.datum, flow::Mode::in},
                                          {time.dt, flow::Mode::inout}},
                [&time_state = time.time_state, settings,
                 from = stable.const_view().data()](flow::TaskContext&) {
                  if (time_state.is_rejected) return;
                  time_state.is_rejected = must_retry(*from, time_state, settings);
                  if (time_state.is_rejected) {
                    time_state.dt = retry_dt(*from, time_state.dt);
                    return;
                  }
                  time_state.dt = next_dt(*from, time_state.dt, time_state.time, settings);
                  time_state.n_retries = 0;
                },
                {.priority = 1});
}

}  // namespace thalweg::step

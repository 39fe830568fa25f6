// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/plot.hpp>
#include <thalweg/app/run_control.hpp>
#include <thalweg/app/totals.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/hydro/run.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/hydro/simulation.hpp>
#include <thalweg/io/progress.hpp>

namespace thalweg::hydro {

namespace {

// Writes a line for every step and adds them up; used on rank 0 only, by some worker.
class ProgressPrinter {
 public:
  ProgressPrinter(Logger& log, const Clock& clock, const step::TimeSettings& time, int n_levels)
      : log_(log), clock_(clock), time_(time), n_levels_(n_levels), start_ns_(clock.now_ns()) {
    log_.world(LogLevel::info, io::progress_header(n_levels_));
  }

  /// Say where the run begins, if not at step 0.
  void start_at(const step::Moment& start) { start_ = start; }

  void operator()(const app::StepStatistics& s) {
    zone_updates_ += static_cast<double>(s.zone_updates);
    in_steps_s_ += s.wall_s;
    in_tasks_s_ += s.wall_s * s.parallel_efficiency;
    log_.world(LogLevel::info,
               io::progress_line(
                   {.step = s.moment.step,
                    .time = s.moment.time,
                    .dt = s.moment.dt,
                    .blocks_per_level = {s.blocks_per_level.begin(), s.blocks_per_level.end()},
                    .zone_updates_per_s = rate(static_cast<double>(s.zone_updates), s.wall_s),
                    .parallel_efficiency = s.parallel_efficiency,
                    .memory_bytes = s.memory_bytes,
                    .remaining_s = remaining_s(s.moment)},
                   n_levels_));
  }

  void summarise(const step::Moment& end) const {
    log_.world(
        LogLevel::info,
        fmt::format("{} steps to t = {:g} in {:.1f} s: {:.4g} million zone updates, {:.3g} "
                    "million a second, parallel efficiency {:.1f} %",
                    end.step - start_.step, end.time, elapsed_s(), 1e-6 * zone_updates_,
                    1e-6 * rate(zone_updates_, in_steps_s_), 100 * rate(in_tasks_s_, in_steps_s_)));
  }

 private:
  static double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0; }
  double elapsed_s() const { return 1e-9 * static_cast<double>(clock_.now_ns() - start_ns_); }

  // From the part of the run that is over; steps grow and blocks multiply, so this is a guess.
  std::optional<double> remaining_s(const step::Moment& now) const {
    const double part = std::max((now.time - start_.time) / (time_.end - start_.time),
                                 static_cast<double>(now.step - start_.step) /
                                     static_cast<double>(time_.max_steps - start_.step));
    if (!(part > 0)) return std::nullopt;
    return elapsed_s() * std::max(0.0, 1 - part) / part;
  }

  Logger& log_;
  const Clock& clock_;
  step::TimeSettings time_;
  int n_levels_;
  step::Moment start_;
  std::int64_t start_ns_;
  double zone_updates_ = 0;
  double in_steps_s_ = 0;
  double in_tasks_s_ = 0;
};

std::string plot_path(const std::string& folder, std::int64_t step) {
  return fmt::format("{}/plt{:05}", folder, step);
}

template <int D>
class Run {
 public:
  Run(const io::Deck& deck, const app::Context& context, const std::string& folder,
      const std::optional<app::Checkpoint>& from)
      : deck_(deck),
        folder_(folder),
        from_(from),
        tracing_(deck, context.transport.rank(), context.execution.n_workers),
        context_(context),
        control_(context_, deck.real("run.wall_limit")) {
    if (tracing_.sink() != nullptr) context_.execution.sink = tracing_.sink();
  }

  Result<RunEnd> operator()() {
    const auto setup = set_up<D>(deck_);
    ProgressPrinter print(context_.log, context_.clock, setup.settings.time,
                          setup.settings.mesh.max_level + 1);
    auto simulation =
        from_ ? Simulation<D>(context_, setup.problem, setup.settings, *from_, std::ref(print))
              : Simulation<D>(context_, setup.problem, setup.settings, std::ref(print));
    print.start_at(simulation.moment());
    totals_at_start_ = from_ ? from_->manifest.totals_at_start : totals(simulation);
    if (from_) last_checkpoint_ = from_->manifest.step;
    if (!from_)
      if (const auto done = plot(simulation); !done) return std::unexpected(done.error());
    while (!simulation.is_over()) {
      const auto orders = control_.ask(simulation.moment().step);
      if (orders.checkpoint) {
        const auto written = checkpoint(simulation);
        if (orders.stop) return stopped(orders, simulation.moment(), written);
      }
      if (const auto done = advance(simulation, orders.n_steps); !done) {
        if (simulation.is_refused() && !folder_.empty()) return refused(simulation, done.error());
        return std::unexpected(done.error());
      }
    }
    print.summarise(simulation.moment());
    report_imbalance(simulation);
    report(totals(simulation));
    if (!folder_.empty())
      context_.log.world(LogLevel::info, fmt::format("plotfiles: {}", fmt::join(plots_, " ")));
    if (const auto done = write_trace(simulation.moment().step); !done)
      return std::unexpected(done.error());
    return RunEnd::finished;
  }

 private:
  // Make some steps, up to where there is something to write, and write it.
  Result<void> advance(Simulation<D>& simulation, std::int64_t n_steps) {
    const std::int64_t step = simulation.moment().step;
    if (const auto done = simulation.advance_to(std::min(step + n_steps, next_stop(step))); !done)
      return done;
    if (simulation.is_over() || is_due("output.plot_interval", simulation.moment().step))
      if (const auto done = plot(simulation); !done) return done;
    const bool is_last = simulation.is_over() && deck_.integer("checkpoint.interval") > 0;
    if (is_last || is_due("checkpoint.interval", simulation.moment().step)) checkpoint(simulation);
    return {};
  }

  bool is_due(std::string_view interval, std::int64_t step) const {
    const std::int64_t steps = deck_.integer(interval);
    return steps > 0 && step % steps == 0;
  }

  // The next step at which there is something to do beside stepping.
  std::int64_t next_stop(std::int64_t step) const {
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    for (const auto* const name : {"output.plot_interval", "checkpoint.interval"})
      if (const auto interval = deck_.integer(name); interval > 0)
        next = std::min(next, (step / interval + 1) * interval);
    return next;
  }

  std::vector<double> totals(Simulation<D>& simulation) {
    return app::totals(context_.transport, simulation.mesh(), simulation.state(),
                       GasScheme<D>::n_components);
  }

  Result<void> plot(Simulation<D>& simulation) {
    if (folder_.empty()) return {};
    const std::string path = plot_path(folder_, simulation.moment().step);
    // One of the run that this one goes on from may have more files.
    if (from_ && context_.transport.rank() == Rank{0})
      if (const auto gone = context_.files.remove(path); !gone) return gone;
    const auto written =
        app::write_plot(context_, simulation.mesh(), simulation.state(), simulation.moment(),
                        {path, simulation.problem().component_names,
                         static_cast<int>(deck_.integer("output.ranks_per_file"))});
    if (!written) return written;
    if (context_.transport.rank() == Rank{0}) {
      if (const auto done = io::write_text(context_.files, path + "/deck.toml", deck_.to_toml());
          !done)
        return done;
    }
    plots_.push_back(path);
    return {};
  }

  // Write a checkpoint, unless the newest is of this step; complain, on all ranks, if that fails.
  Result<void> checkpoint(Simulation<D>& simulation) {
    if (folder_.empty() || last_checkpoint_ == simulation.moment().step) return {};
    const double before_s = now_s();
    const auto written =
        app::write_checkpoint(context_, simulation.mesh(), simulation.state(), simulation.moment(),
                              simulation.last_regrid(),
                              {.folder = folder_,
                               .keep = static_cast<int>(deck_.integer("checkpoint.keep")),
                               .scheme = scheme_name(deck_),
                               .components = simulation.problem().component_names,
                               .totals_at_start = totals_at_start_,
                               .deck = deck_.to_toml()});
    const double took_s = now_s() - before_s;
    control_.note_checkpoint(took_s);
    if (!written) {
      context_.log.world(LogLevel::warn,
                         fmt::format("no checkpoint of step {}: {}; older ones are as they were",
                                     simulation.moment().step, written.error().message));
      return std::unexpected(written.error());
    }
    last_checkpoint_ = simulation.moment().step;
    const auto& manifest = written->manifest;
    context_.log.world(
        LogLevel::info,
        fmt::format("checkpoint {}: step {}, {:.1f} MiB in {:.2f} s", written->path, manifest.step,
                    0x1p-20 * static_cast<double>(manifest.n_blocks() * manifest.block_bytes()),
                    took_s));
    return {};
  }

  // The end of a run that was told to stop.
  Result<RunEnd> stopped(const app::Orders& orders, const step::Moment& at,
                         const Result<void>& written) {
    if (!written) return std::unexpected(written.error());
    context_.log.world(
        LogLevel::info,
        fmt::format("stopped after step {}, t = {:g} ({}); go on with --restart", at.step, at.time,
                    orders.is_out_of_time ? "run.wall_limit" : "as it was asked"));
    return RunEnd::stopped;
  }

  // The end of a run whose next mesh does not fit.
  Result<RunEnd> refused(Simulation<D>& simulation, const Failure& why) {
    if (const auto written = checkpoint(simulation); !written)
      return std::unexpected(written.error());
    context_.log.world(LogLevel::error, fmt::format("{}; go on with --restart from step {}",
                                                    why.message, simulation.moment().step));
    return RunEnd::stopped;
  }

  double now_s() const { return 1e-9 * static_cast<double>(context_.clock.now_ns()); }

  void report_imbalance(const Simulation<D>& simulation) {
    if (simulation.n_regrids() == 0 || context_.transport.n_ranks() == 1) return;
    std::string levels;
    int level = 0;
    for (const auto& [before, after] : simulation.imbalance()) {
      levels +=
          fmt::format("{} level {} {:.3f} -> {:.3f}", level == 0 ? "" : ",", level, before, after);
      ++level;
    }
    context_.log.world(
        LogLevel::info,
        fmt::format("largest load over mean load, before -> after partitioning, mean "
                    "of {} regrids:{}",
                    simulation.n_regrids(), levels));
  }

  void report(const std::vector<double>& after) {
    const auto names = Euler<D>::component_names();
    context_.log.world(LogLevel::info,
                       fmt::format("{:<10}  {:>23}  {:>12}", "integral", "at the end", "change"));
    for (std::size_t c = 0; c < names.size(); ++c)
      context_.log.world(LogLevel::info, fmt::format("{:<10}  {:> 23.15e}  {:> 12.3e}", names[c],
                                                     after[c], after[c] - totals_at_start_[c]));
  }

  Result<void> write_trace(std::int64_t last_step) {
    if (folder_.empty() || !tracing_.is_reached(last_step)) return {};
    const std::string path = folder_ + "/" + app::trace_file_name;
    if (const auto done = tracing_.write(context_, path); !done) return done;
    context_.log.world(LogLevel::info,
                       fmt::format("trace: {} (thalweg trace summary says what is in it, "
                                   "ui.perfetto.dev shows it)",
                                   path));
    return {};
  }

  const io::Deck& deck_;
  std::string folder_;
  const std::optional<app::Checkpoint>& from_;
  std::vector<double> totals_at_start_;
  std::optional<std::int64_t> last_checkpoint_;  // step of the newest one
  std::vector<std::string> plots_;               // written so far
  app::Tracing tracing_;
  app::Context context_;
  app::RunControl control_;
};

template <int D>
void look_at_step_of(const io::Deck& deck, const app::Context& context,
                     const std::function<void(const flow::Graph&)>& look) {
  const auto setup = set_up<D>(deck);
  const app::Simulation<GasScheme<D>> simulation(context, setup.problem, setup.settings);
  look(simulation.step_graph());
}

}  // namespace

void check(const io::Deck& deck) {
  switch (deck.integer("mesh.dim")) {
    case 1:
      set_up<1>(deck);
      break;
    case 2:
      set_up<2>(deck);
      break;
    default:
      set_up<3>(deck);
      break;
  }
}

Result<RunEnd> run(const io::Deck& deck, const app::Context& context, const std::string& folder,
                   const std::optional<app::Checkpoint>& from) {
  switch (deck.integer("mesh.dim")) {
    case 1:
      return Run<1>(deck, context, folder, from)();
    case 2:
      return Run<2>(deck, context, folder, from)();
    default:
      return Run<3>(deck, context, folder, from)();
  }
}

void look_at_step(const io::Deck& deck, const app::Context& context,
                  const std::function<void(const flow::Graph&)>& look) {
  switch (deck.integer("mesh.dim")) {
    case 1:
      return look_at_step_of<1>(deck, context, look);
    case 2:
      return look_at_step_of<2>(deck, context, look);
    default:
      return look_at_step_of<3>(deck, context, look);
  }
}

}  // namespace thalweg::hydro

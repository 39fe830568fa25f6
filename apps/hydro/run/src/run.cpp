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

#include <thalweg/app/plot.hpp>
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
                    end.step, end.time, elapsed_s(), 1e-6 * zone_updates_,
                    1e-6 * rate(zone_updates_, in_steps_s_), 100 * rate(in_tasks_s_, in_steps_s_)));
  }

 private:
  static double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0; }
  double elapsed_s() const { return 1e-9 * static_cast<double>(clock_.now_ns() - start_ns_); }

  // From the part of the run that is over; steps grow and blocks multiply, so this is a guess.
  std::optional<double> remaining_s(const step::Moment& now) const {
    const double part = std::max(
        now.time / time_.end, static_cast<double>(now.step) / static_cast<double>(time_.max_steps));
    if (!(part > 0)) return std::nullopt;
    return elapsed_s() * std::max(0.0, 1 - part) / part;
  }

  Logger& log_;
  const Clock& clock_;
  step::TimeSettings time_;
  int n_levels_;
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
  Run(const io::Deck& deck, const app::Context& context, const std::string& folder)
      : deck_(deck),
        folder_(folder),
        tracing_(deck, context.transport.rank(), context.execution.n_workers),
        context_(context) {
    if (tracing_.sink() != nullptr) context_.execution.sink = tracing_.sink();
  }

  Result<void> operator()() {
    const auto setup = set_up<D>(deck_);
    ProgressPrinter print(context_.log, context_.clock, setup.settings.time,
                          setup.settings.mesh.max_level + 1);
    app::Simulation<GasScheme<D>> simulation(context_, setup.problem, setup.settings,
                                             std::ref(print));
    const auto before = totals(simulation);
    if (const auto done = plot(simulation); !done) return done;
    while (!simulation.is_over()) {
      const std::int64_t step = simulation.moment().step;
      if (const auto done = simulation.advance_to(next_stop(step)); !done) return done;
      const std::int64_t interval = deck_.integer("output.plot_interval");
      if (simulation.is_over() || (interval > 0 && simulation.moment().step % interval == 0))
        if (const auto done = plot(simulation); !done) return done;
    }
    const auto after = totals(simulation);
    print.summarise(simulation.moment());
    report(before, after);
    if (!folder_.empty())
      context_.log.world(LogLevel::info, fmt::format("plotfiles: {}", fmt::join(plots_, " ")));
    return write_trace(simulation.moment().step);
  }

 private:
  // The next step at which there is something to do beside stepping.
  std::int64_t next_stop(std::int64_t step) const {
    const std::int64_t interval = deck_.integer("output.plot_interval");
    return interval > 0 ? (step / interval + 1) * interval
                        : std::numeric_limits<std::int64_t>::max();
  }

  std::vector<double> totals(app::Simulation<GasScheme<D>>& simulation) {
    return app::totals(context_.transport, simulation.mesh(), simulation.state(),
                       GasScheme<D>::n_components);
  }

  Result<void> plot(app::Simulation<GasScheme<D>>& simulation) {
    if (folder_.empty()) return {};
    const std::string path = plot_path(folder_, simulation.moment().step);
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

  void report(const std::vector<double>& before, const std::vector<double>& after) {
    const auto names = Euler<D>::component_names();
    context_.log.world(LogLevel::info,
                       fmt::format("{:<10}  {:>23}  {:>12}", "integral", "at the end", "change"));
    for (std::size_t c = 0; c < names.size(); ++c)
      context_.log.world(LogLevel::info, fmt::format("{:<10}  {:> 23.15e}  {:> 12.3e}", names[c],
                                                     after[c], after[c] - before[c]));
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
  std::vector<std::string> plots_;  // written so far
  app::Tracing tracing_;
  app::Context context_;
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

Result<void> run(const io::Deck& deck, const app::Context& context, const std::string& folder) {
  switch (deck.integer("mesh.dim")) {
    case 1:
      return Run<1>(deck, context, folder)();
    case 2:
      return Run<2>(deck, context, folder)();
    default:
      return Run<3>(deck, context, folder)();
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

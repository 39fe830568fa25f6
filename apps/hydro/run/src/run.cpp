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

#include <thalweg/app/agree.hpp>
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/derived.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/plot.hpp>
#include <thalweg/app/run_control.hpp>
#include <thalweg/app/totals.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/hydro/run.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/hydro/simulation.hpp>
#include <thalweg/io/time_series.hpp>

#include "derived_fields.hpp"
#include "run_log.hpp"

namespace thalweg::hydro {

namespace {

std::string plot_path(const std::string& folder, std::int64_t step) {
  return fmt::format("{}/plt{:05}", folder, step);
}

template <int D, int N>
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
    const auto setup = set_up<D, N>(deck_);
    RunLog print(context_, {.what = deck_.string("run.log"), .folder = folder_},
                 setup.settings.time, setup.settings.mesh.max_level + 1);
    log_ = &print;
    auto simulation =
        from_ ? Simulation<D, N>(context_, setup.problem, setup.settings, *from_, std::ref(print))
              : Simulation<D, N>(context_, setup.problem, setup.settings, std::ref(print));
    print.start_at(simulation.moment());
    totals_at_start_ = from_ ? from_->manifest.totals_at_start : totals(simulation);
    if (from_) last_checkpoint_ = from_->manifest.step;
    if (const auto done = begin_series(simulation); !done) return std::unexpected(done.error());
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
        print.fail(simulation.moment(), done.error().message);
        return std::unexpected(done.error());
      }
    }
    print.summarise(simulation.moment());
    report_imbalance(simulation);
    report(simulation.problem().component_names, totals(simulation));
    if (!folder_.empty()) log_->say(fmt::format("plotfiles: {}", fmt::join(plots_, " ")));
    if (const auto done = write_trace(simulation.moment().step); !done)
      return std::unexpected(done.error());
    return RunEnd::finished;
  }

 private:
  // Make some steps, up to where there is something to write, and write it.
  Result<void> advance(Simulation<D, N>& simulation, std::int64_t n_steps) {
    const std::int64_t step = simulation.moment().step;
    if (const auto done = simulation.advance_to(std::min(step + n_steps, next_stop(step))); !done)
      return done;
    if (is_due("output.series_interval", simulation.moment().step))
      if (const auto done = add_to_series(simulation); !done) return done;
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
    for (const auto* const name :
         {"output.plot_interval", "output.series_interval", "checkpoint.interval"})
      if (const auto interval = deck_.integer(name); interval > 0)
        next = std::min(next, (step / interval + 1) * interval);
    return next;
  }

  std::vector<double> totals(Simulation<D, N>& simulation) {
    return app::totals(context_.transport, simulation.mesh(), simulation.state(),
                       GasScheme<D, N>::n_components);
  }

  Result<void> plot(Simulation<D, N>& simulation) {
    if (folder_.empty()) return {};
    const std::string path = plot_path(folder_, simulation.moment().step);
    // One of the run that this one goes on from may have more files.
    if (from_ && context_.transport.rank() == Rank{0})
      if (const auto gone = context_.files.remove(path); !gone) return gone;
    const auto derived = chosen_fields<D>(deck_.strings("output.derived"),
                                          gas_of(simulation.problem().scheme.system), N);
    if (std::ranges::any_of(derived,
                            [](const auto& f) { return f.reads == app::Reads::neighbours; }))
      if (const auto filled = simulation.fill_ghosts(); !filled) return filled;
    const auto written =
        app::write_plot(context_, simulation.mesh(), simulation.state(), simulation.moment(),
                        {path, simulation.problem().component_names,
                         static_cast<int>(deck_.integer("output.ranks_per_file"))},
                        derived);
    if (!written) return written;
    if (context_.transport.rank() == Rank{0}) {
      if (const auto done = io::write_text(context_.files, path + "/deck.toml", deck_.to_toml());
          !done)
        return done;
    }
    plots_.push_back(path);
    log_->note({.event = "plotfile", .moment = simulation.moment(), .path = path});
    return {};
  }

  // A line has the total, least and greatest value of each component, then of derived fields.
  Result<void> begin_series(Simulation<D, N>& simulation) {
    if (folder_.empty() || deck_.integer("output.series_interval") == 0) return {};
    series_fields_ = cell_fields<D>(gas_of(simulation.problem().scheme.system), N);
    Result<void> mine;
    if (context_.transport.rank() == Rank{0}) {
      series_.emplace(context_.files, folder_ + "/" + app::series_file_name,
                      series_columns<D>(simulation.problem().component_names, series_fields_));
      mine = from_ ? series_->go_on(simulation.moment().step) : series_->begin();
    }
    if (const auto agreed = app::agree(context_.transport, mine); !agreed) return agreed;
    return from_ ? Result<void>{} : add_to_series(simulation);
  }

  Result<void> add_to_series(Simulation<D, N>& simulation) {
    if (folder_.empty()) return {};
    const auto sums = totals(simulation);
    const auto ranges = app::extremes(context_.transport, simulation.mesh(), simulation.state(),
                                      GasScheme<D, N>::n_components, series_fields_);
    Result<void> mine;
    if (series_) {
      std::vector<double> values{simulation.moment().time, simulation.moment().dt_before};
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (i < sums.size()) values.push_back(sums[i]);
        values.insert(values.end(), {ranges[i].min, ranges[i].max});
      }
      mine = series_->append(simulation.moment().step, values);
    }
    return app::agree(context_.transport, mine);
  }

  // Write a checkpoint, unless the newest is of this step; complain, on all ranks, if that fails.
  Result<void> checkpoint(Simulation<D, N>& simulation) {
    if (folder_.empty() || last_checkpoint_ == simulation.moment().step) return {};
    const double before_s = now_s();
    // The lines so far must be there when a run goes on from this checkpoint.
    const Result<void> synced = series_ ? series_->sync() : Result<void>{};
    if (!synced)
      log_->note(
          {.event = "warning", .moment = simulation.moment(), .text = synced.error().message},
          LogLevel::warn);
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
      log_->note({.event = "warning",
                  .moment = simulation.moment(),
                  .text = fmt::format("no checkpoint of step {}: {}; older ones are as they were",
                                      simulation.moment().step, written.error().message)},
                 LogLevel::warn);
      return std::unexpected(written.error());
    }
    last_checkpoint_ = simulation.moment().step;
    const auto& manifest = written->manifest;
    log_->note(
        {.event = "checkpoint",
         .moment = simulation.moment(),
         .path = written->path,
         .text = fmt::format(
             "checkpoint {}: step {}, {:.1f} MiB in {:.2f} s", written->path, manifest.step,
             0x1p-20 * static_cast<double>(manifest.n_blocks() * manifest.block_bytes()), took_s)});
    return {};
  }

  // The end of a run that was told to stop.
  Result<RunEnd> stopped(const app::Orders& orders, const step::Moment& at,
                         const Result<void>& written) {
    if (!written) return std::unexpected(written.error());
    log_->note({.event = "stopped",
                .moment = at,
                .text = fmt::format("stopped after step {}, t = {:g} ({}); go on with --restart",
                                    at.step, at.time,
                                    orders.is_out_of_time ? "run.wall_limit" : "as it was asked")});
    return RunEnd::stopped;
  }

  // The end of a run whose next mesh does not fit.
  Result<RunEnd> refused(Simulation<D, N>& simulation, const Failure& why) {
    if (const auto written = checkpoint(simulation); !written)
      return std::unexpected(written.error());
    log_->note({.event = "stopped",
                .moment = simulation.moment(),
                .text = fmt::format("{}; go on with --restart from step {}", why.message,
                                    simulation.moment().step)},
               LogLevel::error);
    return RunEnd::stopped;
  }

  double now_s() const { return 1e-9 * static_cast<double>(context_.clock.now_ns()); }

  void report_imbalance(const Simulation<D, N>& simulation) {
    if (simulation.n_regrids() == 0 || context_.transport.n_ranks() == 1) return;
    std::string levels;
    int level = 0;
    for (const auto& [before, after] : simulation.imbalance()) {
      levels +=
          fmt::format("{} level {} {:.3f} -> {:.3f}", level == 0 ? "" : ",", level, before, after);
      ++level;
    }
    log_->say(
        fmt::format("largest load over mean load, before -> after partitioning, mean "
                    "of {} regrids:{}",
                    simulation.n_regrids(), levels));
  }

  void report(const std::vector<std::string>& names, const std::vector<double>& after) {
    log_->say(fmt::format("{:<10}  {:>23}  {:>12}", "integral", "at the end", "change"));
    for (std::size_t c = 0; c < names.size(); ++c)
      log_->say(fmt::format("{:<10}  {:> 23.15e}  {:> 12.3e}", names[c], after[c],
                            after[c] - totals_at_start_[c]));
  }

  Result<void> write_trace(std::int64_t last_step) {
    if (folder_.empty() || !tracing_.is_reached(last_step)) return {};
    const std::string path = folder_ + "/" + app::trace_file_name;
    if (const auto done = tracing_.write(context_, path); !done) return done;
    log_->say(fmt::format(
        "trace: {} (thalweg trace summary says what is in it, ui.perfetto.dev shows it)", path));
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
  RunLog* log_ = nullptr;  // while the run lasts
  std::vector<app::DerivedField<D>> series_fields_;
  std::optional<io::TimeSeries> series_;  // on rank 0
};

template <int D, int N>
void look_at_step_of(const io::Deck& deck, const app::Context& context,
                     const std::function<void(const flow::Graph&)>& look) {
  const auto setup = set_up<D, N>(deck);
  const Simulation<D, N> simulation(context, setup.problem, setup.settings);
  look(simulation.step_graph());
}

}  // namespace

void check(const io::Deck& deck) {
  with_dimensions(deck, [&]<int D, int N>() { set_up<D, N>(deck); });
}

Result<RunEnd> run(const io::Deck& deck, const app::Context& context, const std::string& folder,
                   const std::optional<app::Checkpoint>& from) {
  return with_dimensions(deck,
                         [&]<int D, int N>() { return Run<D, N>(deck, context, folder, from)(); });
}

void look_at_step(const io::Deck& deck, const app::Context& context,
                  const std::function<void(const flow::Graph&)>& look) {
  with_dimensions(deck, [&]<int D, int N>() { look_at_step_of<D, N>(deck, context, look); });
}

}  // namespace thalweg::hydro

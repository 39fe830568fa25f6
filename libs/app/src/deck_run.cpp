// SPDX-License-Identifier: MIT
#include <thalweg/app/deck_run.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/run_control.hpp>
#include <thalweg/app/run_log.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/io/plotfile.hpp>

#include "agreed_callback.hpp"
#include "places.hpp"
#include "run_tables.hpp"
#include "warnings_at_start.hpp"
#include "written_plotfiles.hpp"

namespace thalweg::app {

namespace {

class Run final : public DeckRun {
 public:
  Run(const Application& application, const io::Deck& deck, const Context& context,
      const std::string& folder, const std::optional<Checkpoint>& from, BlockFunctions functions)
      : setup_(set_up(application, deck)),
        deck_(deck),
        folder_(folder),
        from_(from),
        slices_(folder.empty() ? std::vector<Slice>{} : slices_of(deck)),
        tables_(deck, context, folder, from ? std::optional(from->manifest.step) : std::nullopt,
                [this](std::string_view what, const Failure& why) { miss(what, why); }),
        callbacks_(callbacks(application)),
        outputs_(outputs()),
        tracing_(deck, context.transport.rank(), context.execution.executor.n_workers),
        context_(context),
        control_(context_, deck.real("run.wall_limit")),
        log_(context_,
             {.what = deck.string("run.log"),
              .folder = folder,
              .steps = step_display(deck.string("run.display")),
              .interval = deck.integer("run.display_interval")},
             setup_->time(), setup_->max_level() + 1) {
    if (functions.tag) functions_.emplace_back("tags");
    if (functions.source) functions_.emplace_back("source");
    if (functions.longest_dt) functions_.emplace_back("longest_dt");
    if (functions.initial) functions_.emplace_back("initial");
    setup_->take(std::move(functions));
    if (tracing_.sink() != nullptr) context_.execution.executor.sink = tracing_.sink();
  }

  Result<void> build() {
    const double before_s = context_.clock.now_s();
    auto made = setup_->simulation(context_, from_ ? &*from_ : nullptr, std::ref(log_));
    if (!made) return std::unexpected(made.error());
    if (from_) control_.record_similar_time(context_.clock.now_s() - before_s);
    simulation_ = *std::move(made);
    totals_at_start_ = from_ ? from_->manifest.totals_at_start : simulation_->totals();
    if (from_ && is_in_its_folder()) last_checkpoint_ = {from_->manifest.step, from_->path};
    return {};
  }

  Result<void> start(const std::optional<RunDescription>& description) override {
    const std::string lack = from_ ? check_functions(*from_, functions_, *setup_) : "";
    tables_.check(*simulation_);
    const auto& at = simulation_->time_state();
    log_.start_at(at);
    if (description) log_.begin(*description);
    if (!lack.empty()) warn(at, lack);
    for (std::string& text :
         warnings_at_start(deck_, *setup_, *simulation_, context_, from_ ? &*from_ : nullptr))
      warn(at, std::move(text));
    if (from_ && simulation_->is_over()) {  // there is nothing to do: what is there stays as it is
      if (is_in_its_folder()) write_missing_plotfiles();
      return {};
    }
    if (auto done = supersede_later_results(); !done) return done;
    if (auto done = tables_.begin(); !done) return done;
    if (from_ && is_in_its_folder())
      if (auto done = tables_.cut_others(); !done) return done;
    const bool is_over = simulation_->is_over();  // before the first step
    if (!from_) return call([=](const Callback& c) { return c.at_start || (c.at_end && is_over); });
    write_missing();
    return {};
  }

  AnySimulation& simulation() override { return *simulation_; }

  Result<std::string> write_checkpoint() override {
    THALWEG_EXPECT(!folder_.empty(), "a folder for results");
    if (const auto written = checkpoint(); !written) return std::unexpected(written.error());
    return last_checkpoint_.path;
  }

  PlotRequest plot_request(const std::string& path) const override {
    auto request = plot_request_of(deck_, path);
    if (const auto names = functions_of_state(); !names.empty())
      request.deck = fmt::format("# with functions of whole blocks beside this deck: {}\n{}",
                                 joined_text(names), request.deck);
    return request;
  }

  void add(Callback callback) override { callbacks_.push_back(agreed_on(std::move(callback))); }

  Result<RunEnd> advance(const Pause& pause) override {
    while (must_stop_ || !simulation_->is_over()) {
      const auto& now = simulation_->time_state();
      if (std::exchange(must_stop_, false)) return stopped("output.on_failure", checkpoint());
      if (pause.is_at(now)) return RunEnd::paused;
      const auto directives = control_.poll(now.step);
      if (directives.checkpoint) {
        const auto written = checkpoint();
        if (directives.stop)
          return stopped(directives.is_out_of_time ? "run.wall_limit" : "as it was asked", written);
      }
      if (const auto done = make_steps(directives.n_steps, pause); !done) {
        if (simulation_->is_refused() && !folder_.empty()) return refused(done.error());
        log_.fail(simulation_->time_state(), done.error().message);
        return std::unexpected(done.error());
      }
    }
    const std::string why = words_of_lost_state();
    finish(why);
    if (why.empty()) return RunEnd::finished;
    return std::unexpected(Failure{why});
  }

 private:
  // Make some steps, up to where there is something to write or to pause, and write it.
  Result<void> make_steps(std::int64_t n_steps, const Pause& pause) {
    const step::TimeState before = simulation_->time_state();
    const auto stop = std::min({before.step + n_steps, next_stop(before),
                                pause.next_stop(before, setup_->time().max_growth)});
    if (const auto done = simulation_->advance_to(stop); !done) return done;
    return call([&](const Callback& c) {
      return (c.at_end && simulation_->is_over()) ||
             c.every.is_due(before, simulation_->time_state());
    });
  }

  // Call those of the callbacks. One that fails ends the others, but not the output: the run may go
  // on, and then past this step. One that is added by another comes after the next step.
  Result<void> call(const std::function<bool(const Callback&)>& is_due) {
    Result<void> done;
    const std::size_t n_callbacks = callbacks_.size();
    for (std::size_t i = 0; done && i < n_callbacks; ++i)
      if (is_due(callbacks_[i])) done = callbacks_[i].call(*simulation_, context_);
    for (const Callback& output : outputs_)
      if (is_due(output))
        if (const auto written = output.call(*simulation_, context_); done) done = written;
    return done;
  }

  // Of whole blocks: those of this run, and one of an earlier one that has set the initial state.
  std::vector<std::string> functions_of_state() const {
    auto names = functions_;
    if (from_ && std::ranges::count(from_->manifest.functions, "initial") > 0 &&
        std::ranges::count(names, "initial") == 0)
      names.emplace_back("initial");
    return names;
  }

  // Whether the run goes on in the folder that it has written to before.
  bool is_in_its_folder() const {
    if (folder_.empty()) return false;
    const auto before = identity_of(from_->manifest.deck);
    return !before.empty() && before == deck_.string(identity_key);
  }

  // Whether output is due after the step that the run goes on from; before the first step all is.
  // When that step began is known but for rounding: where that decides, nothing is.
  bool is_due_now(const Cadence& every) const {
    const auto& at = simulation_->time_state();
    if (at.step == 0) return true;
    constexpr double slack = 4 * std::numeric_limits<double>::epsilon();
    return every.is_due({.step = at.step - 1,
                         .time = at.time - at.dt_before + slack * at.time,
                         .dt_before = at.dt_before},
                        at);
  }

  // Write what a run before should have of the state that this one goes on from, and could not.
  void write_missing() {
    if (!is_in_its_folder()) return;
    tables_.add_missing(*simulation_, [this](const Cadence& every) { return is_due_now(every); });
    write_missing_plotfiles();
  }

  // Those that are due after the step that the run goes on from; all where that is the last.
  void write_missing_plotfiles() {
    const bool is_over = simulation_->is_over();
    if ((is_over || is_due_now(plot_cadence())) && is_missing(path_of("plt"))) plot();
    if (is_over || is_due_now(slice_cadence()))
      for (const Slice& slice : slices_)
        if (is_missing(path_of(slice.name + "_"))) write_slice(slice);
  }

  bool is_missing(const std::string& path) const {
    bool is_missing = false;
    if (context_.transport.rank() == Rank{0}) {
      const auto there = context_.files.status(path);
      is_missing = there && !*there;
    }
    return is_so_on_rank_0(context_.transport, is_missing);
  }

  // What has become of a last state that is nowhere; "" where it is somewhere.
  std::string words_of_lost_state() const {
    const auto& end = simulation_->time_state();
    if (why_no_last_plot_.empty() || last_checkpoint_.step == end.step) return "";
    return fmt::format(
        "the state after step {} could not be written ({}); make room and run again from {}",
        end.step, why_no_last_plot_,
        last_checkpoint_.path.empty() ? "the start (checkpoint.interval keeps what was done)"
                                      : "the last checkpoint");
  }

  // What has gone through to the end says so, once, and first what is wrong with that.
  void finish(const std::string& why_failed) {
    if (std::exchange(is_finished_, true)) return;
    if (!why_failed.empty() && context_.transport.rank() == Rank{0})
      log_.fail(simulation_->time_state(), why_failed);
    log_.summarise(simulation_->time_state());
    report_regrids();
    report();
    if (const auto plots = plots_.text(); !plots.empty()) log_.print(plots);
    if (n_planes_ > 0) log_.print(fmt::format("plotfiles of planes: {}", n_planes_));
    write_trace();
  }

  // Lines of tables, and then the application's own. Output speaks of what it cannot write itself,
  // on all ranks.
  std::deque<Callback> callbacks(const Application& application) {
    auto all = tables_.callbacks();
    if (application.callbacks)
      for (Callback& own : application.callbacks(deck_)) all.push_back(agreed_on(std::move(own)));
    return all;
  }
  // What is written of the state that they leave: a checkpoint comes when all is done.
  std::deque<Callback> outputs() {
    const auto done = Result<void>{};
    const auto checkpoints = cadence("checkpoint.interval", "checkpoint.time");
    return {{.every = slice_cadence(), .call = [=, this](auto&, auto&) { return slice(), done; }},
            {.every = plot_cadence(), .call = [=, this](auto&, auto&) { return plot(), done; }},
            {.every = checkpoints,
             .call = [=, this](auto&, auto&) { return checkpoint(), done; },
             .at_start = false,
             .at_end = checkpoints.is_set()}};
  }

  Cadence cadence(std::string_view steps, std::string_view time) const {
    return {deck_.integer(steps), deck_.real(time)};
  }
  Cadence plot_cadence() const { return cadence("output.plot_interval", "output.plot_time"); }
  Cadence slice_cadence() const {
    return slices_.empty() ? Cadence{} : cadence("slices.interval", "slices.time");
  }

  // The next step at which there may be something to do beside stepping.
  std::int64_t next_stop(const step::TimeState& now) const {
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    for (const auto* some : {&callbacks_, &outputs_})
      for (const Callback& callback : *some)
        next = std::min(next, callback.every.next_stop(now, setup_->time().max_growth));
    return next;
  }

  // Of this step. @param name  the step follows it
  std::string path_of(std::string_view name) const {
    return fmt::format("{}/{}{:05}", folder_, name, simulation_->time_state().step);
  }

  void plot() {
    if (folder_.empty()) return;
    const std::string path = path_of("plt");
    const double before_s = context_.clock.now_s();
    if (const auto written = write_plotfile("plotfile", path, {}); written)
      plots_.add(path);
    else if (simulation_->is_over())
      why_no_last_plot_ = written.error().message;
    control_.record_similar_time(context_.clock.now_s() - before_s);
  }

  void slice() {
    for (const Slice& slice : slices_) write_slice(slice);
  }
  void write_slice(const Slice& slice) {
    if (write_plotfile("plotfile of a plane", path_of(slice.name + "_"), slice.plane)) ++n_planes_;
  }

  Result<void> write_plotfile(std::string_view what, const std::string& path,
                              const std::optional<PlotPlane>& plane) {
    auto request = plot_request(path);
    request.plane = plane;
    const auto written = simulation_->write_plot(request);
    if (!written) {
      miss(what, written.error());
      return std::unexpected(written.error());
    }
    if (context_.transport.rank() == Rank{0})
      static_cast<void>(context_.files.remove(path + std::string(io::superseded_suffix)));
    log_.log_event({.event = "plotfile", .time_state = simulation_->time_state(), .path = path});
    return {};
  }

  // Say that something could not be written, on all ranks; the deck says whether to go on without.
  void miss(std::string_view what, const Failure& why) {
    const auto& at = simulation_->time_state();
    warn(at, fmt::format("no {} of step {}: {}", what, at.step, why.message));
    must_stop_ = deck_.string("output.on_failure") == "stop";
  }

  void warn(const step::TimeState& at, std::string text) {
    log_.log_event({.event = "warning", .time_state = at, .text = std::move(text)}, LogLevel::warn);
  }

  // Write a checkpoint, unless the newest is of this step; complain, on all ranks, if that fails.
  Result<void> checkpoint() {
    if (folder_.empty() || last_checkpoint_.step == simulation_->time_state().step) return {};
    const double before_s = context_.clock.now_s();
    // The lines so far must be there when a run goes on from this checkpoint.
    for (std::string& failure : tables_.sync()) warn(simulation_->time_state(), std::move(failure));
    const auto written =
        simulation_->write_checkpoint({.folder = folder_,
                                       .keep = static_cast<int>(deck_.integer("checkpoint.keep")),
                                       .scheme = setup_->scheme_name(),
                                       .components = simulation_->component_names(),
                                       .totals_at_start = totals_at_start_,
                                       .deck = deck_.to_toml(),
                                       .functions = functions_of_state()});
    const double took_s = context_.clock.now_s() - before_s;
    control_.record_checkpoint_time(took_s);
    if (!written) {
      const auto& at = simulation_->time_state();
      warn(at, fmt::format("no checkpoint of step {}: {}{}", at.step, written.error().message,
                           last_checkpoint_.path.empty() ? "" : "; older ones are as they were"));
      return std::unexpected(written.error());
    }
    last_checkpoint_ = {simulation_->time_state().step, written->path};
    const auto& manifest = written->manifest;
    log_.log_event(
        {.event = "checkpoint",
         .time_state = simulation_->time_state(),
         .path = written->path,
         .text = fmt::format(
             "checkpoint {}: step {}, {:.1f} MiB in {:.2f} s", written->path, manifest.step,
             0x1p-20 * static_cast<double>(manifest.n_blocks() * manifest.block_bytes()), took_s)});
    return {};
  }

  // The end of a run that was told to stop.
  Result<RunEnd> stopped(std::string_view why, const Result<void>& written) {
    if (!written) return std::unexpected(written.error());
    const auto& at = simulation_->time_state();
    log_.log_event(
        {.event = "stopped",
         .time_state = at,
         .text = fmt::format("stopped after step {}, t = {:g} ({}); go on with --restart", at.step,
                             at.time, why)});
    leave_trace_so_far();
    return RunEnd::stopped;
  }

  // The end of a run whose next mesh does not fit.
  Result<RunEnd> refused(const Failure& why) {
    if (const auto written = checkpoint(); !written) return std::unexpected(written.error());
    log_.log_event({.event = "stopped",
                    .time_state = simulation_->time_state(),
                    .text = fmt::format("{}; go on with --restart from step {}", why.message,
                                        simulation_->time_state().step)},
                   LogLevel::error);
    leave_trace_so_far();
    return RunEnd::stopped;
  }

  // Of a run that goes on from an earlier step than the last: that nothing it wrote then is taken
  // for its own, and the next run goes on with this one, wherever that ends. Before the series is
  // cut: else lines would be lost if that other branch went on.
  Result<void> supersede_later_results() {
    if (!from_ || folder_.empty()) return {};
    const auto renamed =
        supersede_results(context_.transport, context_.files, folder_, from_->manifest);
    if (!renamed) return std::unexpected(renamed.error());
    if (!renamed->empty())
      warn(simulation_->time_state(),
           fmt::format("the run goes on from step {}: what it wrote after that before ({}) has "
                       "names that end with {} until it writes its own",
                       from_->manifest.step, *renamed, io::superseded_suffix));
    return {};
  }

  // Of the runs before this one, which goes on from them.
  std::int64_t steps_before() const { return from_ ? from_->manifest.step : 0; }

  void report_regrids() {
    const Regrids regrids = simulation_->regrids();
    if (regrids.n == 0) return;
    log_.print(fmt::format("regrids: {}, of which {} changed the mesh, in {:.2g} s", regrids.n,
                           regrids.n_changes, regrids.s));
    if (context_.transport.n_ranks() == 1) return;
    std::string levels;
    int level = 0;
    const bool is_of_leaves = deck_.string("mesh.mode") == "leaf";
    for (const auto& [before, after] : simulation_->imbalance()) {
      levels += is_of_leaves ? " leaves" : fmt::format("{} level {}", level == 0 ? "" : ",", level);
      levels += fmt::format(" {:.3f} -> {:.3f}", before, after);
      ++level;
    }
    log_.print(
        fmt::format("largest load over mean load, before -> after partitioning, mean "
                    "of {} regrids:{}",
                    regrids.n, levels));
  }

  void report() {
    const std::vector<std::string> names = simulation_->total_names();
    const auto after = simulation_->totals(), largest = simulation_->largest_totals();
    std::size_t width = 10;
    for (const std::string& name : names) width = std::max(width, name.size());
    log_.print(fmt::format("{:<{}}  {:>23}  {:>12}  {:>12}", "integral", width, "at the end",
                           "change", "relative"));
    // A checkpoint of an earlier version does not say with what derived fields began.
    const bool is_all = totals_at_start_.size() == names.size();
    for (std::size_t c = 0; c < (is_all ? names : simulation_->component_names()).size(); ++c) {
      const double start = totals_at_start_[c], change = after[c] - start;
      // A momentum that is 0 but for rounding measures no change.
      const bool is_measure = std::abs(start) > 1e-15 * largest[c];
      log_.print(
          fmt::format("{:<{}}  {:> 23.15e}  {:> 12.3e}  {:>12}", names[c], width, after[c], change,
                      is_measure ? fmt::format("{:.3e}", change / std::abs(start) + 0.0) : "-"));
    }
  }

  void leave_trace_so_far() {
    if (tracing_.has_traced(steps_before(), simulation_->time_state().step)) write_trace();
  }

  void write_trace() {
    if (folder_.empty() || !tracing_.is_on()) return;
    const auto& last = simulation_->time_state();
    const std::string path = folder_ + "/" + trace_file_name;
    const auto asked = fmt::format("trace.steps = {}", io::toml_text(deck_.any("trace.steps")));
    if (const auto done = tracing_.write(context_, path, asked, steps_before(), last.step); !done)
      warn(last, fmt::format("no trace: {}", done.error().message));
    else
      log_.print(fmt::format(
          "trace: {} (thalweg trace summary says what is in it, ui.perfetto.dev shows it)", path));
  }

  std::unique_ptr<AnySetup> setup_;
  std::vector<std::string> functions_;  // of whole blocks, beside the deck: tags, source, ...
  io::Deck deck_;
  std::string folder_;
  std::optional<Checkpoint> from_;
  std::vector<Slice> slices_;
  RunTables tables_;
  std::deque<Callback> callbacks_;  // in the order in which they are called; one may add others
  std::deque<Callback> outputs_;    // after them, likewise
  std::vector<double> totals_at_start_;
  struct {
    std::int64_t step = -1;  // -1: there is none
    std::string path;
  } last_checkpoint_;
  WrittenPlotfiles plots_;
  int n_planes_ = 0;              // that were written so far
  bool must_stop_ = false;        // as something could not be written
  std::string why_no_last_plot_;  // "": nothing stood against it
  bool is_finished_ = false;      // and has said so
  Tracing tracing_;
  Context context_;
  RunControl control_;
  RunLog log_;
  std::unique_ptr<AnySimulation> simulation_;
};

}  // namespace

bool Pause::is_at(const step::TimeState& now) const {
  return now.step >= step || time_reached(now) >= time;
}

std::int64_t Pause::next_stop(const step::TimeState& now, double max_growth) const {
  if (time == std::numeric_limits<double>::infinity()) return step;
  return std::min(step, first_step_at(time, now, max_growth));
}

Result<std::unique_ptr<DeckRun>> begin_run(const Application& application, const io::Deck& deck,
                                           const Context& context, const std::string& folder,
                                           const std::optional<Checkpoint>& from,
                                           BlockFunctions functions) {
  std::unique_ptr<Run> run;
  // Set-up and callbacks are the application's, which may find something wrong on one rank alone.
  try_on_all_ranks(context.transport, [&] {
    run = std::make_unique<Run>(application, deck, context, folder, from, std::move(functions));
  });
  if (auto done = run->build(); !done) return std::unexpected(done.error());
  return run;
}

}  // namespace thalweg::app

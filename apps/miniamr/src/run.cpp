// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/run.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/app/free_memory.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/app/shared_text.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/miniamr/data/initial.hpp>
#include <thalweg/miniamr/data/stages.hpp>
#include <thalweg/miniamr/measured.hpp>
#include <thalweg/miniamr/plotfile.hpp>
#include <thalweg/miniamr/refinement_report.hpp>
#include <thalweg/miniamr/refining.hpp>
#include <thalweg/miniamr/report.hpp>
#include <thalweg/miniamr/reservation.hpp>
#include <thalweg/miniamr/task_times.hpp>
#include <thalweg/miniamr/time_control.hpp>
#include <thalweg/miniamr/totals.hpp>
#include <thalweg/trace/sink_list.hpp>

#include "graph_of_change.hpp"
#include "timestep.hpp"

namespace thalweg::miniamr {
namespace {

/// Timesteps in a run of the graph: what is to be said of each is in memory before it begins.
constexpr int most_steps_at_once = 10'000;

/// Throws what went wrong, out of the depths of a refinement; run() catches it.
template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

class Run {
 public:
  Run(const Options& options, const app::Context& context)
      : options_(options),
        context_(context),
        rank_(context.transport.rank()),
        n_ranks_(context.transport.n_ranks()),
        cache_bytes_(app::cache_bytes_of(context.execution.executor.n_workers)),
        collectives_(context.transport),
        watch_([this] { return context_.clock.now_s(); }),
        refining_(options, rank_, n_ranks_, collectives_, &watch_),
        times_(context.execution.executor.n_workers),
        tracing_(options.trace, context.execution.executor.n_workers),
        sinks_{is_measured() ? &times_ : nullptr, tracing_.sink(), context.execution.executor.sink},
        executor_(app::executor_config(context, data::scratch_bytes(shape_of(options)), &sinks_),
                  context.transport, context.clock),
        store_(shape_of(options)),
        layout_(refining_.layout()),
        objects_(options.objects) {}

  RunFacts operator()() {
    if (options_.stencil == Stencil::twenty_seven && moves_objects())
      say("WARNING: 27 point stencil with non-uniform refinement: answers may diverge");
    set_first_values();
    const double start_s = context_.clock.now_s();
    facts_.least_blocks = facts_.most_blocks = n_blocks_ =
        Box<3>{{}, options_.root_blocks()}.n_cells();
    if (options_.num_refine > 0 || options_.uniform_refine) refine(0, options_.num_refine);
    facts_.least_blocks = facts_.most_blocks = n_blocks_;
    if (options_.plot_freq > 0) plot(0);
    if (options_.plotfile_freq > 0) write_plotfile(0, 0);
    take_steps();
    mine_.total_s = context_.clock.now_s() - start_s;
    if (options_.fingerprint)
      say(fmt::format("field {:016x}", data::field_hash(store_, context_.transport)));
    add_up();
    // First where least can go wrong: files may not be written.
    if (options_.reports.to_stdout && rank_ == Rank())
      say(report_text(options_, facts_, ReportPlace::terminal));
    app::leave_trace(tracing_, context_, options_.trace, "--trace_steps", 0, facts_.n_steps);
    write_results();
    return std::move(facts_);
  }

 private:
  /// Whether somebody wants to know what tasks take.
  bool is_measured() const { return options_.reports != Reports{false, false, false, false}; }

  /// Print lines; the log ends the last of them.
  void say(std::string_view text) const {
    if (text.ends_with('\n')) text.remove_suffix(1);
    context_.log.world(LogLevel::info, text);
  }

  flow::Recorder new_recorder() const { return {rank_, n_ranks_}; }

  void set_first_values() {
    const double start_s = context_.clock.now_s();
    store_.reserve(blocks_to_reserve(options_),
                   [memory = app::FreeMemory()] { return memory.is_plenty(); });
    mine_.allocate_s = context_.clock.now_s() - start_s;
    store_.assign(keys_of(layout_));
    if (options_.init_values == InitialValues::hash)
      data::set_hashed(store_, options_.root_blocks());
    else
      data::set_drawn(store_, options_.stencil);
    checksums_.last.resize(static_cast<std::size_t>(options_.num_vars));
    checksums_.tolerance = std::pow(10.0, -options_.error_tol);
    checksums_.on_check = [this](const data::Check& c) {
      say_timesteps(c.timestep);
      if (options_.report_diffusion)
        say(fmt::format("{} var {} sum {:f} old {:f} diff {:f} {:f} tol {:f}", c.timestep,
                        c.variable, c.sum, c.before, c.sum - c.before, c.difference(),
                        c.tolerance));
    };
    auto recorder = new_recorder();
    data::record_first_checksums(recorder, store_, checksums_);
    auto graph = flow::capture(std::move(recorder), context_.execution.model);
    value_or_throw(executor_.run(graph, 1));
    facts_.first_checksums = checksums_.last;
    mine_.initial_s = context_.clock.now_s() - start_s - mine_.allocate_s;
    mine_.first_slabs = static_cast<double>(store_.n_slabs());
    mine_.first_bytes = static_cast<double>(store_.size_bytes());
  }

  /// The data's side of a change of the mesh.
  void apply(const Transition& transition, Purpose purpose) {
    auto graph = graph_of_change(transition, store_, context_);
    times_.set_purpose(purpose);
    value_or_throw(executor_.run(graph, 1));
    times_.set_purpose(std::nullopt);
    store_.end_regrid();
    mine_.max_blocks =
        std::max(mine_.max_blocks,
                 static_cast<double>(most_blocks(transition, rank_, layout_.blocks.size())));
    layout_ = transition.layout;
    is_graph_current_ = false;
  }

  void refine(int step, int n_passes) {
    const double start_s = context_.clock.now_s();
    const auto balances = refining_.refine(refinement_of(options_, objects_), n_passes,
                                           [this](const Transition& t, Purpose p) { apply(t, p); });
    const MeshSummary summary = refining_.summary();
    n_blocks_ = summary.n_blocks();
    facts_.least_blocks = std::min(facts_.least_blocks, n_blocks_);
    facts_.most_blocks = std::max(facts_.most_blocks, n_blocks_);
    const auto reports = gather_reports();
    const double took_s = context_.clock.now_s() - start_s;
    mine_.refine_s += took_s;
    refine_s_by_step_.resize(static_cast<std::size_t>(std::max(step, 1)));
    if (step > 0)
      refine_s_by_step_.back() += took_s;
    else
      mine_.refine_parts[RefinePart::initial] = took_s;
    if (options_.fingerprint) say(fmt::format("mesh {} {:016x}", step, summary.hash));
    if (!options_.reports.refinements) return;
    say(level_lines(summary, step));
    for (const BalanceReport& balance : balances) say(balance_lines(balance));
    say(connection_lines(reports));
  }

  /// How the blocks of ranks are connected, of all ranks.
  std::vector<RankReport> gather_reports() {
    partners_.push_back(partners_of(layout_, rank_));
    watch_.begin();
    const auto update = collectives_.all_gather(
        RankReport{partners_.back(), is_measured() ? count_connected_sets(layout_, rank_) : 0});
    watch_.lap(RefinePart::groups);
    const SetCounts sets = count_sets(update);
    if (sets.n <= n_ranks_) return update;
    ++facts_.n_scattered;
    facts_.n_extra_sets += sets.n - n_ranks_;
    facts_.most_sets = std::max(facts_.most_sets, sets.most);
    return update;
  }

  bool moves_objects() const { return options_.num_refine > 0 && !options_.uniform_refine; }

  static bool is_due(int frequency, int step) { return frequency > 0 && step % frequency == 0; }

  void take_steps() {
    int step = 0;
    double time = 0;
    bool over = false;
    while (!over) {
      // Steps up to the next at whose end there is something to do are one run of the graph, if
      // they are not too many.
      const int first = step + 1;
      bool refines = false;
      bool plots = false;
      bool writes = false;
      while (!over && !refines && !plots && !writes && step - first + 1 < most_steps_at_once) {
        const double delta = step_length(options_, objects_);
        ++step;
        if (options_.reports.refinements)
          timestep_lines_.emplace_back(
              step, fmt::format("Timestep {} time {:f} delta {:f}", step, time, delta));
        if (moves_objects())
          for (Object& object : objects_) advance(object, delta, options_.quirks);
        time += delta;
        refines = moves_objects() && is_due(options_.refine_freq, step);
        plots = is_due(options_.plot_freq, step);
        writes = is_due(options_.plotfile_freq, step);
        over = is_over(options_, step, time);
      }
      run_steps(first, step - first + 1);
      say_timesteps(step);
      if (refines) refine(step, options_.passes());
      if (plots) plot(step);
      if (writes) write_plotfile(step, time);
    }
    facts_.n_steps = step;
    facts_.time = time;
  }

  /// Print what is to be said of timesteps up to one: before its first check, or when it is over.
  void say_timesteps(std::int64_t last) {
    while (!timestep_lines_.empty() && timestep_lines_.front().first <= last) {
      say(timestep_lines_.front().second);
      timestep_lines_.pop_front();
    }
  }

  void run_steps(int first, int n_steps) {
    if (options_.stages_per_ts == 0) return;
    const int at_once = has_turns(options_) ? 1 : n_steps;
    for (int step = first; step < first + n_steps; step += at_once) {
      if (!is_graph_current_) record_timestep(step);
      run_graph(step, at_once);
      is_graph_current_ = !has_turns(options_);
    }
  }

  void run_graph(int first, int n_steps) {
    const std::int64_t n_stages = std::int64_t{n_steps} * options_.stages_per_ts;
    facts_.n_stages += n_stages;
    for (std::size_t a = 0; a < 3; ++a)
      mine_.exchanged[a].add(exchanged_[a], static_cast<double>(n_stages));
    facts_.total_blocks += n_blocks_ * n_stages;
    checksums_.first_timestep = first;
    times_.set_purpose(Purpose::timesteps);
    value_or_throw(executor_.run(*graph_, static_cast<std::uint64_t>(n_steps),
                                 static_cast<std::uint64_t>(first)));
    times_.set_purpose(std::nullopt);
  }

  void record_timestep(int step) {
    const double start_s = context_.clock.now_s();
    auto recorder = graph_ ? flow::Recorder::replacing(std::move(*graph_)) : new_recorder();
    graph_.reset();
    auto stages = stages_of(options_, step, context_.execution.executor.n_workers, &mixed_flops_,
                            is_measured() ? &fill_times_ : nullptr);
    stages.cache_bytes = cache_bytes_;
    data::record_timestep(recorder, stages, layout_, store_, checksums_);
    if (is_measured()) exchanged_ = exchanged_in_stage(shape_of(options_), stages, layout_, rank_);
    graph_.emplace(flow::capture(std::move(recorder), context_.execution.model));
    is_graph_current_ = true;
    mine_.record_s += context_.clock.now_s() - start_s;
  }

  void write_plotfile(int step, double time) {
    const double start_s = context_.clock.now_s();
    value_or_throw(miniamr::write_plotfile(
        context_, lattice_of(options_), store_,
        {fmt::format("{}{}plt{:05}", options_.out, options_.out.empty() ? "" : "/", step), step,
         time, options_.n_plotted()}));
    mine_.plot_s += context_.clock.now_s() - start_s;
  }

  void plot(int step) {
    const double start_s = context_.clock.now_s();
    ++facts_.n_plots;
    value_or_throw(
        app::replace_by_shared_text(context_, plot_name(step, options_.timesteps()),
                                    plot_text(lattice_of(options_), n_blocks_, layout_.blocks)));
    mine_.plot_s += context_.clock.now_s() - start_s;
  }

  void write(const std::string& path, std::string_view text) {
    value_or_throw(io::write_text(context_.files, path, text));
  }

  /// What the run came to, of all ranks.
  void add_up() {
    settle_times(mine_, times_, fill_times_, watch_.times(), context_.execution.executor.n_workers);
    mine_.slabs = static_cast<double>(store_.n_slabs());
    mine_.bytes = static_cast<double>(store_.size_bytes());
    mine_.n_parents = static_cast<double>(count_parents(layout_));
    mine_.max_blocks = std::max(mine_.max_blocks, static_cast<double>(store_.size()));
    add_refinements(refining_.totals(), mine_, facts_);
    if (partners_.empty()) partners_.push_back(partners_of(layout_, rank_));
    mine_.partners = over_time(partners_);
    facts_.objects = objects_;
    facts_.checksums = checksums_.last;
    count_operations(options_,
                     collectives_.all_reduce(mixed_flops_.total(),
                                             [](data::Flops a, const data::Flops& b) {
                                               a += b;
                                               return a;
                                             }),
                     facts_);
    for (const auto& [from, of_rank] :
         collectives_.exchange(mesh::Messages<Measured>{{Rank(), mine_}}))
      facts_.ranks.push_back(of_rank);
    add_up_steps(times_.by_step(), refine_s_by_step_, collectives_, facts_);
  }

  void write_results() {
    if (rank_ != Rank()) return;
    if (options_.reports.yaml) write("results.yaml", report_yaml(options_, facts_));
    if (options_.reports.text_file)
      write("results.txt", report_text(options_, facts_, ReportPlace::file));
  }

  const Options& options_;
  app::Context context_;
  Rank rank_;
  int n_ranks_;
  std::size_t cache_bytes_;  ///< that this rank's workers have
  exchange::TransportCollectives collectives_;
  RefineWatch watch_;
  Refining<exchange::TransportCollectives> refining_;
  TaskTimes times_;
  app::Tracing tracing_;
  trace::SinkList sinks_;
  flow::Executor executor_;
  data::Store store_;
  data::Checksums checksums_;
  data::FlopCounter mixed_flops_;
  data::FillTimes fill_times_;
  data::Layout layout_;
  std::deque<std::pair<int, std::string>> timestep_lines_;  ///< of steps that are not over
  std::optional<flow::Graph> graph_;
  bool is_graph_current_ = false;
  ExchangedByAxis exchanged_{};     ///< in a stage of the graph
  std::vector<Partners> partners_;  ///< after each refinement
  std::vector<Object> objects_;
  std::int64_t n_blocks_ = 0;
  std::vector<double> refine_s_by_step_;
  Measured mine_;
  RunFacts facts_;
};

}  // namespace

app::Execution execution_of(const Options& options) {
  app::Execution execution{.model = options.model, .latency_us = options.latency_us};
  app::set_threads(execution, static_cast<std::uint32_t>(options.threads));
  return execution;
}

Result<RunFacts> run(const Options& options, const app::Context& context) try {
  return Run{options, context}();
} catch (const std::exception& error) {
  return std::unexpected(Failure{words_of(error)});
}

}  // namespace thalweg::miniamr

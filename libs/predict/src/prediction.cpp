// SPDX-License-Identifier: MIT
#include <thalweg/predict/prediction.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/counted.hpp>
#include <thalweg/predict/critical_path.hpp>

#include "at_once.hpp"

namespace thalweg::predict {
namespace {

using trace::IdleCause;

/// Messages that take no time, at either end or between, and wait for no receive.
Machine with_ideal_network(Machine machine) {
  machine.eager_bytes = Machine{}.eager_bytes;
  machine.network = machine.memory = {};
  machine.group_ns_per_byte = 0;
  return machine;
}

/// @param ideal_ns  the same with an ideal network. There tasks may be stolen by other workers, so
/// it may be less than the work of the busiest one, or more than the time: then it counts as that.
trace::Efficiencies efficiencies(const SimulatedRun& run, double ideal_ns) {
  const auto total = static_cast<double>(run.total_ns());
  double sum = 0, most = 0;
  for (const trace::WorkerTiling& worker : run.workers) {
    sum += static_cast<double>(worker.work_ns);
    most = std::max(most, static_cast<double>(worker.work_ns));
  }
  if (sum == 0) return {};
  ideal_ns = std::clamp(ideal_ns, most, total);
  const double mean = sum / static_cast<double>(run.workers.size());
  return {.parallel = mean / total,
          .load_balance = mean / most,
          .communication = most / total,
          .serialisation = most / ideal_ns,
          .transfer = ideal_ns / total};
}

void add_tasks(Prediction& result, const Job& job, const SimulatedRun& run, double n_steps) {
  std::vector<std::size_t> order(job.names.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t i) { return run.n_tasks[i] == 0; });
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return run.work_ns[i]; });
  for (const std::size_t i : order) {
    result.names.push_back(job.names[i]);
    result.work_ns.push_back(static_cast<double>(run.work_ns[i]) / n_steps);
  }
}

/// A ratio to something of a step, or "-" where it is none: of steps that take no time.
std::string ratio_text(fmt::format_string<double&> format, double ratio) {
  return std::isfinite(ratio) ? fmt::format(format, ratio) : "-";
}

/// On what a prediction is for, and how it is run.
std::string layout_of(const Prediction& p) {
  return fmt::format("{}, {}, {}", counted(p.n_ranks, "rank"), counted(p.n_threads, "thread"),
                     p.model);
}

/// The critical path with what takes most of it.
std::string path_line(const Prediction& p) {
  if (!p.path_ns) return "";
  constexpr std::size_t n_most = 5;
  std::string text =
      fmt::format("{}: critical path {:.4g} ms per step", layout_of(p), 1e-6 * *p.path_ns);
  const char* separator = ": ";
  for (std::size_t i = 0; i < std::min(n_most, p.path.size()); ++i)
    text += fmt::format("{}{} {:.1f} %", std::exchange(separator, ", "), p.path[i].name,
                        100 * p.path[i].ns / *p.path_ns);
  return text + "\n";
}

/// What a refinement takes, beside steps.
std::string refinement_line(const Prediction& p) {
  if (!p.refinement) return "";
  const Refinement& r = *p.refinement;
  return fmt::format(
      "{}: a {} {:.4g} ms, of which {:.4g} ms beside tasks; one every {} is {} % of the time\n",
      layout_of(p), r.name, 1e-6 * r.ns, 1e-6 * r.mesh_ns, counted(r.n_steps, "step"),
      ratio_text("{:.1f}", 100 * r.share(p.step_ns)));
}

/// What a change would make of a step with its share of refinements, and of one alone.
std::string gain_line(const Prediction& p, const Gain& gain) {
  const std::string head = fmt::format("{}: with {} ", layout_of(p), gain.what_if);
  const std::string alone = fmt::format("{:.4g} ms per step, {} of it", 1e-6 * gain.step_ns,
                                        ratio_text("{:.3f}", gain.step_ns / p.step_ns));
  if (!p.refinement) return head + alone + "\n";
  return fmt::format("{}{:.4g} ms per step with {}s, {} of it; without them {}\n", head,
                     1e-6 * gain.step_with_regrids_ns, p.refinement->name,
                     ratio_text("{:.3f}", gain.step_with_regrids_ns / p.step_with_regrids_ns()),
                     alone);
}

/// What to say where a step takes longer though something costs less.
std::string remark_on_gains(std::span<const Prediction> predictions) {
  constexpr double shown = 1.0005;  // as more than 1.000
  for (const Prediction& p : predictions)
    for (const Gain& gain : p.gains)
      if (gain.removes_cost && gain.step_ns > shown * p.step_ns)
        return fmt::format(
            "with {} a step takes longer though nothing costs more: tasks that are ready are taken "
            "in another order then (Graham's anomaly), so small differences say little.\n",
            gain.what_if);
  return "";
}

double idle_of(const Prediction& p, IdleCause cause) {
  return p.idle[static_cast<std::size_t>(cause)];
}

}  // namespace

Room room_in(double free_bytes, std::size_t n_processors, const Job& job,
             const Scenario& scenario) {
  if (free_bytes == 0) return {};
  const double of_run = std::max(1.0, 1.25 * static_cast<double>(bytes_to_simulate(job, scenario)));
  const auto of_path = static_cast<double>(bytes_of_path(job, scenario));
  const bool has_path = of_path <= free_bytes;
  const double first = has_path ? std::max(of_run, of_path) : of_run;  // others beside it are runs
  const double n = 1 + (free_bytes - first) / of_run;
  return {.n_at_once =
              static_cast<std::size_t>(std::clamp<double>(n, 1, static_cast<double>(n_processors))),
          .has_path = has_path};
}

Prediction predict(const Job& job, const Machine& machine, const Scenario& scenario,
                   std::uint32_t n_threads, std::string_view model,
                   std::span<const WhatIf> what_ifs, const Room& room) {
  SimulatedRun run;
  double ideal_ns = 0;
  std::optional<trace::CriticalPath> path;
  std::vector<Gain> gains(what_ifs.size());
  std::vector<std::function<void()>> calls = {[&] { run = simulate(job, machine, scenario); },
                                              [&] {
                                                const auto ideal = simulate(
                                                    job, with_ideal_network(machine), scenario);
                                                ideal_ns = static_cast<double>(ideal.total_ns());
                                              }};
  if (room.has_path) calls.emplace_back([&] { path = critical_path(job, machine, scenario); });
  for (std::size_t i = 0; i < what_ifs.size(); ++i)
    calls.emplace_back([&, i] {
      Machine other = machine;
      Scenario changed = scenario;
      apply(what_ifs[i], job, other, changed);
      const double step_ns = simulate(job, other, changed).step_ns();
      gains[i] = {what_ifs[i].text, step_ns, step_ns, removes_cost(what_ifs[i])};
    });
  call_at_once(room.n_at_once, calls);
  const auto n_steps = static_cast<double>(scenario.n_steps);
  const double workers_time =
      std::max(1.0, static_cast<double>(run.total_ns()) * static_cast<double>(run.workers.size()));
  Prediction result{.machine = machine.name,
                    .model = std::string(model),
                    .n_ranks = static_cast<int>(job.ranks.size()),
                    .n_threads = n_threads,
                    .n_nodes = n_nodes(machine, static_cast<int>(job.ranks.size())),
                    .step_ns = run.step_ns(),
                    .efficiencies = efficiencies(run, ideal_ns),
                    .idle = std::vector<double>(trace::n_idle_causes, 0),
                    .messages = static_cast<double>(run.n_messages) / n_steps,
                    .bytes = static_cast<double>(run.n_message_bytes) / n_steps};
  for (const trace::WorkerTiling& worker : run.workers) {
    result.work += static_cast<double>(worker.work_ns) / workers_time;
    result.overhead += static_cast<double>(worker.overhead_ns) / workers_time;
    for (std::size_t cause = 0; cause < trace::n_idle_causes; ++cause)
      result.idle[cause] += static_cast<double>(worker.idle_ns[cause]) / workers_time;
  }
  add_tasks(result, job, run, n_steps);
  result.rank_bytes = job.rank_bytes;
  if (path) {
    result.path_ns = static_cast<double>(path->length_ns) / n_steps;
    for (const trace::PathShare& share : path->shares)
      result.path.push_back({share.name, static_cast<double>(share.time_ns) / n_steps});
  }
  result.gains = std::move(gains);
  return result;
}

std::vector<Comparison> compare(std::span<const Prediction> predictions) {
  std::vector<Comparison> all;
  const auto n_cores = [](const Prediction& p) {
    return static_cast<double>(p.n_ranks) * p.n_threads;
  };
  for (const Prediction& p : predictions) {
    const Prediction& first = *std::ranges::find_if(predictions, [&](const Prediction& other) {
      return other.model == p.model && other.machine == p.machine &&
             other.machine_file == p.machine_file;
    });
    const double speed_up =
        first.step_with_regrids_ns() / first.size / (p.step_with_regrids_ns() / p.size);
    all.push_back({speed_up, speed_up * n_cores(first) / n_cores(p)});
  }
  return all;
}

std::string table_of(std::span<const Prediction> predictions) {
  const auto first_with_regrids =
      std::ranges::find_if(predictions, [](const auto& p) { return p.refinement.has_value(); });
  const bool has_regrids = first_with_regrids != predictions.end();
  const auto with_regrids = [&](const std::string& text) {
    return has_regrids ? fmt::format(" {:>12}", text) : "";
  };
  std::string text = fmt::format(
      "{:>7} {:>7} {:>9} {:>11}{} {:>8} {:>6}  {:>8} {:>7} {:>6} {:>9} {:>8}  {:>6} {:>6} {:>8} "
      "{:>6} {:>6} {:>7} {:>7}  {:>10} {:>9} {:>8} {:>6}\n",
      "ranks", "threads", "model", "ms per step", with_regrids("with regrids"), "speed-up", "eff.",
      "parallel", "balance", "comm.", "serial.", "transfer", "work", "overh.", "not sent", "flight",
      "other", "barrier", "no task", "messages", "MB", "MiB/rank", "nodes");
  const auto percent = [](double part) { return fmt::format("{:.1f}", 100 * part); };
  const auto comparisons = compare(predictions);
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const Prediction& p = predictions[i];
    const trace::Efficiencies& e = p.efficiencies;
    text += fmt::format(
        "{:>7} {:>7} {:>9} {:>11.4g}{} {:>8} {:>6}  {:>8.3f} {:>7.3f} {:>6.3f} {:>9.3f} "
        "{:>8.3f}  {:>6} {:>6} ",
        p.n_ranks, p.n_threads, p.model, 1e-6 * p.step_ns,
        with_regrids(fmt::format("{:.4g}", 1e-6 * p.step_with_regrids_ns())),
        ratio_text("{:.3g}", comparisons[i].speed_up),
        ratio_text("{:.3f}", comparisons[i].efficiency), e.parallel, e.load_balance,
        e.communication, e.serialisation, e.transfer, percent(p.work), percent(p.overhead));
    for (const auto& [cause, width] : {std::pair{IdleCause::message_not_sent, 8},
                                       {IdleCause::message_in_flight, 6},
                                       {IdleCause::producer_running, 6},
                                       {IdleCause::barrier, 7},
                                       {IdleCause::no_task, 7}})
      text += fmt::format("{:>{}} ", percent(idle_of(p, cause)), width);
    text += fmt::format(" {:>10.0f} {:>9.4g} {:>8} {:>6}\n", p.messages, 1e-6 * p.bytes,
                        p.rank_bytes > 0 ? fmt::format("{:.4g}", 0x1p-20 * p.rank_bytes) : "-",
                        p.n_nodes);
  }
  text +=
      "eff.: speed-up over the number of cores, both relative to the first row of the model. POP "
      "efficiencies: parallel = balance x comm., comm. = serial. x transfer.\n"
      "In % of the time of all workers: work, overhead, and idle because a message was not sent "
      "yet or "
      "in flight, another worker of the rank still ran what comes before (other), a barrier or "
      "the start of a graph, or nothing was left.\n"
      "messages, MB: of all ranks in a step. MiB/rank: memory of the rank that takes most. "
      "nodes: that the ranks are on.\n";
  if (has_regrids)
    text += fmt::format(
        "with regrids: ms per step with its share of {}s of the mesh; speed-up and eff. are of "
        "that, all else of steps alone.\n",
        first_with_regrids->refinement->name);
  for (const Prediction& p : predictions) text += path_line(p) + refinement_line(p);
  for (const Prediction& p : predictions)
    for (const Gain& gain : p.gains) text += gain_line(p, gain);
  return text + remark_on_gains(predictions);
}

}  // namespace thalweg::predict

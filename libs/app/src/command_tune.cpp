// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/processor_clock.hpp>
#include <thalweg/app/virtual_ranks.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/predict/refinement.hpp>
#include <thalweg/predict/simulate.hpp>
#include <thalweg/predict/task_times.hpp>

#include "commands.hpp"
#include "predict_warnings.hpp"

namespace thalweg::app {

namespace {

/// What a step would take.
struct StepTime {
  double ns = 0;                    ///< without regrids
  double with_regrids_ns = 0;       ///< with its share of one; the same where there are none
  std::set<std::string> unknown{};  ///< tasks that count as nothing, as nobody knows their times
};

/// A way to run a deck, and what a step would take.
struct Layout {
  std::int64_t block_cells = 0;
  int n_ranks = 1;
  int n_threads = 1;  ///< of each rank
  std::int64_t max_comm_tasks = 0;
  std::string overrides{};  ///< of the deck, for all this
  bool has_regrids = false;
  StepTime step{};

  double ns() const { return step.with_regrids_ns; }
};

/// An interval between regrids in the fastest layout.
struct Interval {
  std::int64_t n_steps = 0;  ///< of level 0
  std::string buffer{};      ///< cells, as a deck has it
  std::string overrides{};   ///< of the deck, for both
  StepTime step{};

  double ns() const { return step.with_regrids_ns; }
};

/// Times of tasks by the cells along each axis of a block.
using TimesOfBlocks = std::map<std::int64_t, predict::TaskTimes>;

/// What may be tried of a deck, beside ranks and threads.
struct Candidates {
  std::vector<std::int64_t> block_cells;
  std::vector<std::int64_t> max_comm_tasks;
};

/// The words that make blocks of so many cells along each axis of a mesh, with as many cells of
/// level 0 as it has; none where they do not fit.
std::optional<std::string> with_blocks_of(std::int64_t block_cells, const io::Deck& deck) {
  const auto& before = deck.integers("mesh.block_cells");
  std::vector<std::int64_t> root_blocks = deck.integers("mesh.root_blocks");
  root_blocks.resize(static_cast<std::size_t>(deck.integer("mesh.dim")));  // a default has three
  for (std::size_t a = 0; a < root_blocks.size(); ++a) {
    const std::int64_t n = root_blocks[a] * before[std::min(a, before.size() - 1)];
    if (n % block_cells != 0) return std::nullopt;
    root_blocks[a] = n / block_cells;
  }
  return fmt::format("mesh.block_cells={} mesh.root_blocks=[{}]", block_cells,
                     joined_text(root_blocks, ","));
}

std::vector<std::string> words_of(const std::string& overrides) {
  std::vector<std::string> words(1);
  for (const char c : overrides)
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

/// @errors throws Error listing what is wrong with a request
void check_request(const TuneRequest& request) {
  std::string errors;
  if (request.n_cores < 1 || request.n_cores > n_virtual_ranks_at_most)
    errors += fmt::format("--cores {} (must be 1 to {}); give those you would ask for\n",
                          request.n_cores, n_virtual_ranks_at_most);
  if (request.n_steps < 2 || request.n_steps > 1000)
    errors += fmt::format(
        "--steps {} (must be 2 to 1000, as the first one does not count where times are measured); "
        "give 10\n",
        request.n_steps);
  for (const auto n : request.block_cells)
    if (n < 1) errors += fmt::format("--block-cells {} (must be at least 1); leave it out\n", n);
  for (const auto n : request.max_comm_tasks)
    if (n < 0) errors += fmt::format("--messages {} (must be at least 0); leave it out\n", n);
  if (errors.empty()) return;
  errors.pop_back();
  throw Error(errors);
}

/// What was asked for; else blocks of the deck's size, half and twice of it, as far as decks may
/// have such blocks, and 1, 4 or one message a face to a neighbour.
Candidates candidates_of(const TuneRequest& request, const io::Deck& deck) {
  if (!deck.is_declared("mesh.block_cells") || !deck.is_declared("exchange.max_comm_tasks"))
    throw Error(
        fmt::format("{} (application '{}' has no blocks to choose the size of); sweep "
                    "its layouts with predict",
                    request.deck, deck.string("application.name")));
  Candidates candidates{request.block_cells, request.max_comm_tasks};
  if (candidates.block_cells.empty()) {
    const auto& given = deck.integers("mesh.block_cells");
    candidates.block_cells = {given[0]};
    if (std::ranges::count(given, given[0]) != std::ssize(given))
      throw Error(
          fmt::format("mesh.block_cells = [{}] (blocks of other sizes are tried with as many cells "
                      "along each axis); give them with --block-cells",
                      joined_text(given)));
    if (given[0] % 2 == 0)
      candidates.block_cells.insert(candidates.block_cells.begin(), given[0] / 2);
    candidates.block_cells.push_back(2 * given[0]);
    const auto all = deck.parameters();
    const auto& declared = *std::ranges::find(all, "mesh.block_cells", &io::Parameter::name);
    std::erase_if(candidates.block_cells,
                  [&](std::int64_t n) { return !declared.range.contains(static_cast<double>(n)); });
  }
  if (candidates.max_comm_tasks.empty()) candidates.max_comm_tasks = {1, 4, 0};
  leave_out_repeated(candidates.block_cells);
  leave_out_repeated(candidates.max_comm_tasks);
  return candidates;
}

/// A word as a shell has to be given it.
std::string shell_word(const std::string& word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-+=.,:/@%").contains(c);
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The program of a deck with other blocks, messages and one thread; none, with the reason on
/// stderr, where such a deck cannot be run.
std::optional<io::Deck> try_deck(const Program& all, const TuneRequest& request,
                                 const std::string& overrides) {
  std::vector<std::string> words = request.overrides;
  for (auto& word : words_of(overrides)) words.push_back(std::move(word));
  try {
    return load_for_virtual_ranks(all.applications, read_deck(request.deck), words, request.model,
                                  1);
  } catch (const Error& error) {
    print_to_stderr("not tried: {}: {}\n", overrides, error.what());
    return std::nullopt;
  }
}

/// Simulate a step of a program and, if it has regrids, one of these, as `predict` does.
/// @param times  of tasks with blocks of this size  @errors says which program failed
Result<StepTime> simulate_step(const VirtualProgram& program, const predict::TaskTimes& times,
                               const predict::Machine& machine, std::int64_t n_steps) {
  const auto here = predict::with_threads(machine, program.execution.executor.n_workers);
  const auto scenario = scenario_of(program, n_steps, 0);
  StepTime step;
  {  // a step's job is gone before that of a regrid is made
    const auto job = capture_job(program, times);
    if (!job) return std::unexpected(job.error());
    step.unknown.insert(job->unknown_names.begin(), job->unknown_names.end());
    step.ns = step.with_regrids_ns = predict::simulate(*job, here, scenario).step_ns();
  }
  if (!program.refinement) return step;
  const auto regrid = capture_refinement(program, times);
  if (!regrid) return std::unexpected(regrid.error());
  for (const predict::Job& change : regrid->changes)
    step.unknown.insert(change.unknown_names.begin(), change.unknown_names.end());
  step.with_regrids_ns +=
      predict::simulate_refinement(*regrid, here, scenario, times.at(predict::mesh_time_name, 1))
          .ns_a_step();
  return step;
}

/// Simulate all layouts of the cores with blocks of one size; tasks are timed once for them.
/// @errors says which program failed
Result<void> simulate_layouts(const Program& all, const TuneRequest& request,
                              const predict::Machine& machine, const Candidates& candidates,
                              const Layout& of_blocks, TimesOfBlocks& all_times,
                              std::vector<Layout>& layouts) {
  for (const std::int64_t max_comm_tasks : candidates.max_comm_tasks) {
    Layout layout = of_blocks;
    layout.max_comm_tasks = max_comm_tasks;
    layout.overrides += fmt::format(" exchange.max_comm_tasks={}", max_comm_tasks);
    const auto deck = try_deck(all, request, layout.overrides);
    if (!deck) continue;
    // Timed on the most ranks, which have the most kinds of tasks.
    VirtualProgram program =
        virtual_program(application_of(all.applications, *deck), *deck, request.n_cores);
    auto times = all_times.find(of_blocks.block_cells);
    if (times == all_times.end()) {
      auto measured = measure_tasks(program, request.n_steps, ProcessorClock());
      if (!measured) return std::unexpected(measured.error());
      times = all_times.emplace(of_blocks.block_cells, *std::move(measured)).first;
    }
    const bool is_bulk = program.execution.model == flow::Model::bulk;
    for (int n_threads = 1; n_threads <= (is_bulk ? 1 : request.n_cores); ++n_threads) {
      if (request.n_cores % n_threads != 0) continue;
      if (!predict::can_have(machine, static_cast<std::uint32_t>(n_threads))) continue;
      layout.n_threads = n_threads;
      layout.n_ranks = request.n_cores / n_threads;
      // A rank alone has no messages.
      if (layout.n_ranks == 1 && max_comm_tasks != candidates.max_comm_tasks.front()) continue;
      program.n_ranks = layout.n_ranks;
      program.execution.executor.n_workers = static_cast<std::uint32_t>(n_threads);
      const auto step = simulate_step(program, times->second, machine, request.n_steps);
      if (!step) return std::unexpected(step.error());
      layout.step = *step;
      layout.has_regrids = program.refinement.has_value();
      layouts.push_back(layout);
    }
  }
  return {};
}

/// The fastest layout with regrids as often as in the deck, twice and half as often, and as many
/// cells of buffer a step as there, each on its own mesh. None where the deck does not regrid.
/// @param times  of tasks with the blocks of the layout  @errors says which program failed
Result<std::vector<Interval>> intervals_of(const Program& all, const TuneRequest& request,
                                           const predict::Machine& machine, const io::Deck& of,
                                           const Layout& best, const predict::TaskTimes& times) {
  std::vector<Interval> intervals;
  if (!best.has_regrids) return intervals;
  const std::int64_t given = of.integer("regrid.interval");
  for (const std::int64_t n_steps : {given / 2, given, 2 * given}) {
    if (n_steps == 0) continue;
    auto buffer = of.integers("regrid.buffer");
    for (std::int64_t& n : buffer) n = (n * n_steps + given - 1) / given;
    const std::string numbers = joined_text(buffer, ",");
    Interval interval{.n_steps = n_steps,
                      .buffer = buffer.size() == 1 ? numbers : "[" + numbers + "]"};
    interval.overrides =
        fmt::format("regrid.interval={} regrid.buffer={}", n_steps, interval.buffer);
    const auto deck = try_deck(all, request, best.overrides + " " + interval.overrides);
    if (!deck) continue;
    VirtualProgram program =
        virtual_program(application_of(all.applications, *deck), *deck, best.n_ranks);
    program.execution.executor.n_workers = static_cast<std::uint32_t>(best.n_threads);
    const auto step = simulate_step(program, times, machine, request.n_steps);
    if (!step) return std::unexpected(step.error());
    interval.step = *step;
    intervals.push_back(interval);
  }
  std::ranges::stable_sort(intervals, {}, &Interval::ns);
  return intervals;
}

/// Say on stderr, once, of which tasks nobody knows the times, and in which layouts.
void warn_of_unknown_times(const std::vector<Layout>& layouts) {
  std::set<std::string> names;
  std::map<std::int64_t, std::set<int>> ranks_of_blocks;
  for (const Layout& layout : layouts) {
    if (layout.step.unknown.empty()) continue;
    names.insert(layout.step.unknown.begin(), layout.step.unknown.end());
    ranks_of_blocks[layout.block_cells].insert(layout.n_ranks);
  }
  if (names.empty()) return;
  std::vector<std::string> where;
  for (const auto& [block_cells, n_ranks] : ranks_of_blocks)
    where.push_back(
        fmt::format("of {} block cells on {} ranks", block_cells, joined_text(n_ranks)));
  print_to_stderr(
      "warning: nothing is known of the times of {} (they count as none, so that layouts {} "
      "look faster than they are); look at these with predict and the trace of a run\n",
      joined_text(names), joined_text(where, "; "));
}

/// Say on stderr where layouts of the same cores are on different numbers of nodes, as nobody knows
/// how many cores a node has.
void warn_of_nodes(const predict::Machine& machine, const std::vector<Layout>& layouts) {
  if (machine.cores_per_node != 0) return;
  std::set<int> n_nodes;
  for (const Layout& layout : layouts) n_nodes.insert(predict::n_nodes(machine, layout.n_ranks));
  if (n_nodes.size() < 2) return;
  print_to_stderr(
      "warning: these layouts are on {} to {} nodes (ranks_per_node = {} of machine \"{}\" "
      "counts whatever their threads, so that those of fewer threads have more nodes, and "
      "their network); set cores_per_node in its place\n",
      *n_nodes.begin(), *n_nodes.rbegin(), machine.ranks_per_node, machine.name);
}

/// The words of the deck that is proposed: where two of them set a key, the last one alone.
/// @param of_options  keys that options set, such as run.threads: no word does
std::vector<std::string> words_of_deck(std::vector<std::string> overrides,
                                       const std::vector<std::string>& proposed,
                                       const std::vector<std::string>& of_options) {
  const auto key_of = [](const std::string& word) {
    const std::string key = word.substr(0, word.find('='));
    return key.substr(0, key.find_last_not_of(' ') + 1);
  };
  for (const std::string& word : proposed) {
    std::erase_if(overrides, [&](const std::string& own) { return key_of(own) == key_of(word); });
    overrides.push_back(word);
  }
  std::erase_if(overrides, [&](const std::string& word) {
    return std::ranges::count(of_options, key_of(word)) > 0;
  });
  return overrides;
}

std::string table_of(const std::vector<Interval>& intervals) {
  std::string text = fmt::format("{:>15} {:>7} {:>11} {:>12} {:>10}\n", "regrid interval", "buffer",
                                 "ms per step", "with regrids", "over best");
  for (const Interval& interval : intervals)
    text += fmt::format("{:>15} {:>7} {:>11.4g} {:>12.4g} {:>10.3f}\n", interval.n_steps,
                        interval.buffer, 1e-6 * interval.step.ns, 1e-6 * interval.ns(),
                        interval.ns() / intervals.front().ns());
  return text;
}

std::string table_of(const std::vector<Layout>& layouts) {
  const bool has_regrids = layouts.front().has_regrids;
  const auto with_regrids = [&](const std::string& text) {
    return has_regrids ? fmt::format(" {:>12}", text) : "";
  };
  std::string text =
      fmt::format("{:>12} {:>7} {:>8} {:>9} {:>11}{} {:>10}\n", "block cells", "ranks", "threads",
                  "messages", "ms per step", with_regrids("with regrids"), "over best");
  for (const Layout& layout : layouts)
    text +=
        fmt::format("{:>12} {:>7} {:>8} {:>9} {:>11.4g}{} {:>10.3f}\n", layout.block_cells,
                    layout.n_ranks, layout.n_threads, layout.max_comm_tasks, 1e-6 * layout.step.ns,
                    with_regrids(fmt::format("{:.4g}", 1e-6 * layout.ns())),
                    layout.ns() / layouts.front().ns());
  text +=
      "messages: to one neighbour in a phase, at most; 0: one for each copy between two blocks.\n";
  if (has_regrids)
    text += "with regrids: ms per step with its share of a regrid; over best is of that.\n";
  return text;
}

/// What is assumed of the layouts where the machine's file does not say it.
std::string what_is_assumed(const predict::Machine& machine, const std::vector<Layout>& layouts) {
  std::vector<predict::RankLayout> of_ranks;
  for (const Layout& layout : layouts)
    of_ranks.push_back({layout.n_ranks, static_cast<std::uint32_t>(layout.n_threads)});
  return predict::what_is_assumed(machine, of_ranks);
}

}  // namespace

int command_tune(const Program& program, const TuneRequest& request) {
  const auto failed = [](const Failure& why) {
    print_errors(why.message);
    return exit_failure;
  };
  check_request(request);
  const auto machine = read_machine_file(request.machine);
  const auto deck = load_for_virtual_ranks(program.applications, read_deck(request.deck),
                                           request.overrides, request.model, 1);
  const Candidates candidates = candidates_of(request, deck);
  warn_of_progress(execution_of(deck));
  // Of times that are measured, as they are here, nobody said what bounds them.
  if (const auto warning = predict::warning_of_shared_memory(machine, {}); !warning.empty())
    print_to_stderr("warning: {}\n", warning);
  std::vector<Layout> layouts;
  TimesOfBlocks times;
  for (const std::int64_t block_cells : candidates.block_cells) {
    const auto overrides = with_blocks_of(block_cells, deck);
    if (!overrides) {
      print_to_stderr(
          "not tried: mesh.block_cells={} (level 0 is not a multiple of them along each "
          "axis)\n",
          block_cells);
      continue;
    }
    Layout of_blocks{.block_cells = block_cells, .overrides = *overrides};
    if (const auto done =
            simulate_layouts(program, request, machine, candidates, of_blocks, times, layouts);
        !done)
      return failed(done.error());
  }
  if (layouts.empty())
    throw Error("no layout could be tried (see above); choose others with --block-cells");
  warn_of_unknown_times(layouts);
  warn_of_nodes(machine, layouts);
  std::ranges::stable_sort(layouts, {}, &Layout::ns);
  const Layout& best = layouts.front();
  const auto intervals =
      intervals_of(program, request, machine, deck, best, times.at(best.block_cells));
  if (!intervals) return failed(intervals.error());
  std::vector<std::string> proposed = words_of(best.overrides);
  if (!intervals->empty())
    for (auto& word : words_of(intervals->front().overrides)) proposed.push_back(std::move(word));
  std::vector<std::string> of_options{"run.threads"};
  if (request.model) of_options.emplace_back("run.model");
  auto words = words_of_deck(joined_settings(request.overrides), proposed, of_options);
  words.insert(words.begin(), request.deck);
  if (request.model) words.push_back("--model=" + *request.model);
  for (std::string& word : words) word = shell_word(word);
  fmt::print("{}{}{}proposed: mpirun -n {} {} run {} --threads {}\n", table_of(layouts),
             intervals->empty() ? "" : table_of(*intervals), what_is_assumed(machine, layouts),
             best.n_ranks, program.name, joined_text(words, " "), best.n_threads);
  return exit_success;
}

}  // namespace thalweg::app

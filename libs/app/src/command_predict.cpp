// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/free_memory.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/app/processor_clock.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/app/virtual_ranks.hpp>
#include <thalweg/core/counted.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/io/checkpoint.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/same_file.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/predict/prediction.hpp>
#include <thalweg/predict/refinement.hpp>
#include <thalweg/predict/simulate.hpp>
#include <thalweg/predict/task_times.hpp>
#include <thalweg/predict/what_if.hpp>
#include <thalweg/trace/file.hpp>

#include "commands.hpp"
#include "predict_times.hpp"
#include "predict_warnings.hpp"

namespace thalweg::app {

namespace {

/// Numbers of ranks: one, or those of "P=first:last:factor".
std::vector<int> ranks_of(const PredictRequest& request) {
  const auto check = [](int n, const std::string& text) {
    if (n < 1 || n > n_virtual_ranks_at_most)
      throw Error(fmt::format("{} (there may be 1 to {} ranks); give a number of them", text,
                              n_virtual_ranks_at_most));
    return n;
  };
  if (!request.sweep) return {check(request.n_ranks, fmt::format("--ranks {}", request.n_ranks))};
  const std::string& text = *request.sweep;
  int numbers[3] = {0, 0, 2};
  std::size_t n = 0;
  const char* at = text.data() + (text.starts_with("P=") ? 2 : 0);
  const char* const end = text.data() + text.size();
  bool more = true;
  for (; more && n < 3; ++n) {
    const auto [stop, error] = std::from_chars(at, end, numbers[n]);
    if (error != std::errc()) break;
    more = stop != end && *stop == ':';
    at = more ? stop + 1 : stop;
  }
  if (!text.starts_with("P=") || n < 2 || more || at != end || numbers[2] < 2)
    throw Error(fmt::format(
        "--sweep {} (it reads P=first:last:factor, factor at least 2); P=1:64:4 is 1, 4, 16 and 64",
        text));
  std::vector<int> all;
  for (std::int64_t p = check(numbers[0], "--sweep " + text);
       p <= check(numbers[1], "--sweep " + text); p *= numbers[2])
    all.push_back(static_cast<int>(p));
  if (all.empty())
    throw Error(
        fmt::format("--sweep {} (there is no number in it); the last is the greater one", text));
  return all;
}

/// Complain where no step can be taken from a checkpoint, to see what tasks take.
void check_goes_on(const io::Deck& deck, const Checkpoint& from) {
  const io::Manifest& at = from.manifest;
  if (deck.real("time.end") <= at.time || deck.integer("time.max_steps") < at.step + 2)
    throw Error(
        fmt::format("'{}' is where the run is over, or almost (fewer than two steps are left in "
                    "which to see what tasks take); give a later time.end and time.max_steps, or "
                    "--trace or --times",
                    from.path));
  const double needed = 2.0 * static_cast<double>(at.n_blocks() * at.block_bytes());  // with ghosts
  const auto free_bytes = static_cast<double>(FreeMemory().bytes());  // 0: nobody knows
  if (free_bytes > 0 && needed > free_bytes)
    throw Error(fmt::format(
        "'{}' takes {:.1f} GiB as a run ({:.1f} are free here, where its tasks would be timed); "
        "give the trace of a run with --trace, or --times",
        from.path, needed / 0x1p30, free_bytes / 0x1p30));
}

MeshOfDeck mesh_of(const Application& application, const io::Deck& deck, const RestartPoint* from) {
  return from != nullptr ? mesh_of_checkpoint(*from) : mesh_at_start(application, deck);
}

/// What is predicted of a deck, in a model and on a number of ranks. @errors throws Error
/// @param mesh  of the deck, if it is known already
/// @param of    hears what times of its tasks are of
VirtualProgram program_of_deck(const Program& all, const PredictRequest& request,
                               const RestartPoint* from, const std::optional<std::string>& model,
                               int n_ranks, MeshOfDeck& mesh, predict::TimesOf& of) {
  const bool measures = !request.times && !request.trace;
  const CellsNeeded cells = from != nullptr ? CellsNeeded::none
                            : measures      ? CellsNeeded::all
                                            : CellsNeeded::tagged;
  const auto text = request.deck.empty() ? DeckText{from->checkpoint.manifest.deck,
                                                    from->checkpoint.path + "/manifest"}
                                         : read_deck(request.deck);
  const auto deck = load_for_virtual_ranks(all.applications, text, request.overrides, model,
                                           request.threads, cells);
  const Application& application = application_of(all.applications, deck);
  if (from != nullptr) {
    check_restart(all.applications, deck, from->checkpoint);
    if (measures) check_goes_on(deck, from->checkpoint);
  }
  if (!mesh) mesh = mesh_of(application, deck, from);
  of = times_of_deck(application, deck);
  return virtual_program(application, deck, n_ranks, mesh, from);
}

/// What a program says of the words behind it and of the ranks, for people who start none of them.
std::string complaint_of_command(std::string text, const PredictRequest& request) {
  constexpr std::string_view start = "start as many";  // where it runs, by mpirun
  constexpr std::string_view of_these = " as one of these";
  if (const auto at = text.find(start); at != std::string::npos) {
    if (request.sweep && text.compare(at + start.size(), of_these.size(), of_these) == 0)
      text.replace(at, start.size() + of_these.size(), "with --sweep give some of these");
    else
      text.replace(at, start.size(),
                   fmt::format("with {} give as many", request.sweep ? "--sweep" : "--ranks"));
  }
  constexpr std::string_view own[] = {"--machine", "--restart", "--ranks",    "--sweep",
                                      "--steps",   "--seed",    "--times",    "--save-times",
                                      "--what-if", "-o",        "--timeline", "--force"};
  for (const std::string& word : request.words)
    if (std::ranges::count(own, word.substr(0, word.find('='))) > 0)
      return fmt::format(
          "{0}\n{1} behind {2} (options of predict stand before the program, its own behind it); "
          "if predict's is meant, put it before {2}",
          text, word, request.command);
  return text;
}

/// What is predicted of a program with words of its own. @errors throws Error
VirtualProgram program_of_command(const Program& all, const PredictRequest& request,
                                  const std::optional<std::string>& model, int n_ranks) {
  std::vector<std::string> words = request.words;
  for (const auto& word : words)
    if (word.starts_with("--trace"))
      throw Error(fmt::format(
          "{0} behind {1} (nothing is run that it could trace); put --trace before {1}, for the "
          "times of tasks in a trace that {1} has left",
          word, request.command));
  const auto add = [&](const std::string& option, const std::string& value) {
    if (std::ranges::find(request.words, option) != request.words.end())
      throw Error(fmt::format("{0} before {1} and behind it (which of them?); leave one out",
                              option, request.command));
    words.insert(words.end(), {option, value});
  };
  if (model) add("--model", *model);
  if (request.threads) add("--threads", std::to_string(*request.threads));
  try {
    auto program = std::ranges::find(all.commands, request.command, &Command::name)
                       ->on_virtual(words, n_ranks);
    if (const auto why = warning_of_progress("--progress", program.execution); !why.empty())
      throw Error(why);
    return program;
  } catch (const Error& error) {
    throw Error(complaint_of_command(error.what(), request));
  }
}

/// Where the run of a request goes on, if it says so: at a checkpoint, or at the newest one of a
/// folder. @errors throws Error
std::optional<RestartPoint> restart_point(const PredictRequest& request, io::FileSystem& files) {
  if (!request.restart) return {};
  std::string path = *request.restart;
  if (const auto found = io::find_checkpoints(files, path); found && !found->empty())
    path = found->front().path;
  auto manifest = io::read_manifest(files, path);
  if (!manifest) {
    const auto there = files.status(path);
    const bool is_missing = there && !*there && path != "latest";
    throw Error(fmt::format("--restart {}: {} (there is no mesh to predict steps on); {}",
                            *request.restart, manifest.error().message,
                            is_missing
                                ? "there is no such folder; check the path"
                                : "give a checkpoint, such as out/chk00040, or the folder of "
                                  "a run, of which the newest is taken"));
  }
  return RestartPoint{files, {path, *std::move(manifest)}};
}

/// Complain where there is nothing to predict, or more than one thing.
void check_subject(const Program& all, const PredictRequest& request) {
  const bool has_deck = !request.deck.empty() || request.restart;
  std::vector<std::string> names;
  for (const Command& command : all.commands)
    if (command.on_virtual) names.push_back(command.name);
  const std::string programs =
      names.empty() ? ""
                    : fmt::format(", or one of {} with its options behind it", joined_text(names));
  std::error_code none;  // what cannot be looked at is not there
  if (request.command.empty() && !request.deck.empty() && !request.deck.ends_with(".toml") &&
      !std::filesystem::exists(request.deck, none))
    throw Error(
        fmt::format("'{}' (there is no such deck, and no program of this name); give a deck{}",
                    request.deck, programs));
  if (has_deck == request.command.empty()) return;
  if (request.restart)
    throw Error(fmt::format("--restart with {} (it has no mesh in checkpoints); leave it out",
                            request.command));
  if (request.command.empty())
    throw Error(fmt::format("nothing to predict (there is no deck); give one{}", programs));
  throw Error(fmt::format("a deck '{}' and {} (one of them is predicted); leave one out",
                          request.deck, request.command));
}

/// The machines as ranks of so many threads have them. @errors throws Error where a node has too
/// few cores
std::vector<predict::Machine> machines_of(const std::vector<predict::Machine>& machines,
                                          std::uint32_t n_threads) {
  std::vector<predict::Machine> all;
  for (const auto& machine : machines) {
    if (!predict::can_have(machine, n_threads))
      throw Error(fmt::format(
          "{} threads per rank on machine \"{}\" (a node of it has {} cores); take fewer",
          n_threads, machine.name, machine.cores_per_node));
    all.push_back(predict::with_threads(machine, n_threads));
  }
  return all;
}

/// Add what a refinement takes, and with each change would take, to the last prediction of each
/// machine, if the program has refinements and the times say what they take.
/// @param what_ifs         whose gains the predictions have
/// @param unknown_of_step  names that a warning has said already
Result<void> add_refinement(const VirtualProgram& program, const predict::TaskTimes& times,
                            std::span<const predict::Machine> machines,
                            const predict::Scenario& scenario,
                            std::span<const predict::WhatIf> what_ifs,
                            const std::vector<std::string>& unknown_of_step,
                            std::vector<std::vector<predict::Prediction>>& of_machines) {
  if (!program.refinement || !times.is_known(predict::mesh_time_name)) return {};
  const auto job = capture_refinement(program, times);
  if (!job) return std::unexpected(job.error());
  std::set<std::string> unknown;
  for (const predict::Job& change : job->changes)
    unknown.insert(change.unknown_names.begin(), change.unknown_names.end());
  for (const std::string& name : unknown_of_step) unknown.erase(name);
  warn_of_unknown({unknown.begin(), unknown.end()}, static_cast<std::size_t>(job->n_ranks));
  const double block_ns = times.at(predict::mesh_time_name, 1);
  for (std::size_t m = 0; m < machines.size(); ++m) {
    predict::Prediction& prediction = of_machines[m].back();
    prediction.refinement = predict::simulate_refinement(*job, machines[m], scenario, block_ns);
    prediction.refinement->name = program.refinement->name;
    for (std::size_t i = 0; i < what_ifs.size(); ++i)
      prediction.gains[i].step_with_regrids_ns +=
          predict::simulate_refinement(*job, machines[m], scenario, block_ns, &what_ifs[i])
              .ns_a_step();
  }
  return {};
}

/// The room that there is for predictions of a job; it is said where that is too little for a path.
predict::Room room_for(const predict::Job& job, const predict::Scenario& scenario) {
  const auto free_bytes = static_cast<double>(FreeMemory().bytes(job.n_bytes()));
  const auto room = predict::room_in(free_bytes, n_usable_processors(), job, scenario);
  if (!room.has_path) warn_of_no_path(job, scenario);
  return room;
}

predict::Prediction prediction_of(const VirtualProgram& program, const predict::Job& job,
                                  const predict::Machine& machine,
                                  const predict::Scenario& scenario, const predict::Room& room,
                                  std::span<const predict::WhatIf> what_ifs) {
  auto result = predict::predict(job, machine, scenario, program.execution.executor.n_workers,
                                 flow::to_string(program.execution.model), what_ifs, room);
  result.size = program.size;
  return result;
}

/// A table, and what is taken for granted where the machine's file does not say it.
std::string table_with_notes(std::span<const predict::Prediction> predictions,
                             const predict::Machine& machine) {
  std::vector<predict::RankLayout> layouts;
  for (const predict::Prediction& p : predictions) layouts.push_back({p.n_ranks, p.n_threads});
  return predict::table_of(predictions) + predict::what_is_assumed(machine, layouts);
}

/// Write a trace of the last two steps of a scenario.
Result<void> write_timeline(const predict::Job& job, std::string_view model,
                            const predict::Machine& machine, predict::Scenario scenario,
                            const std::string& path) {
  scenario.traced = {std::max<std::uint64_t>(scenario.n_steps, 2) - 1, scenario.n_steps + 1};
  std::string bytes;
  for (auto& trace : predict::simulate(job, machine, scenario).traces) {
    trace.graphs.front().model = model;
    bytes += trace::perfetto_part(trace);
  }
  io::PosixFileSystem files;
  return io::write_text(files, path, bytes);
}

}  // namespace

predict::Machine read_machine_file(const std::string& path) {
  auto machine = predict::read_machine(
      text_of_option(path, "--machine", "a description of the machine"), path);
  if (const auto warning = predict::warning_of_ranks_per_node(machine); !warning.empty())
    print_to_stderr("warning: {}\n", warning);
  return machine;
}

Result<predict::Job> job_of(const VirtualProgram& program, const predict::TaskTimes& times) {
  auto job = capture_job(program, times);
  if (job) warn_of_unknown(job->unknown_names, job->ranks.size());
  return job;
}

predict::Scenario scenario_of(const VirtualProgram& program, std::int64_t n_steps,
                              std::uint64_t seed) {
  return {.n_steps = program.is_one_step ? 1 : static_cast<std::uint64_t>(n_steps),
          .depth = program.execution.executor.depth,
          .progress = program.execution.executor.progress,
          .honours_priorities = program.execution.executor.honours_priorities,
          .seed = seed};
}

Result<std::string> predicted_step(const Application& application, const io::Deck& deck,
                                   int n_ranks, const predict::Machine& machine,
                                   const RestartPoint* from) try {
  constexpr int n_steps = 5;
  if (from != nullptr)
    check_goes_on(deck, from->checkpoint);
  else
    check_size(application, deck, 1, FreeMemory().bytes());  // all ranks are in this process
  const auto program =
      virtual_program(application, deck, n_ranks, mesh_of(application, deck, from), from);
  const auto times = measure_tasks(program, n_steps, ProcessorClock());
  if (!times) return std::unexpected(times.error());
  const auto here = machines_of({machine}, program.execution.executor.n_workers);
  const auto scenario = scenario_of(program, n_steps, 0);
  std::vector<std::vector<predict::Prediction>> predicted(1);
  std::vector<std::string> unknown;
  {  // a step's job is gone before that of a refinement is made
    const auto job = job_of(program, *times);
    if (!job) return std::unexpected(job.error());
    unknown = job->unknown_names;
    std::set<std::size_t> are_said;
    warn_of_shared_memory(here, *job, are_said);
    predicted[0].push_back(
        prediction_of(program, *job, here[0], scenario, room_for(*job, scenario), {}));
  }
  if (const auto done = add_refinement(program, *times, here, scenario, {}, unknown, predicted);
      !done)
    return std::unexpected(done.error());
  return table_with_notes(predicted[0], machine);
} catch (const Error& error) {
  return std::unexpected(Failure{error.what()});
}

namespace {

// Predictions of all programs, by machine.
using OfMachines = std::vector<std::vector<predict::Prediction>>;

// Refuse files that would replace others, or each other, or what is read: that with --force, too.
void check_targets(const io::FileSystem& files, const PredictRequest& request) {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (const std::string& machine : request.machines) inputs.emplace_back("--machine", machine);
  if (request.times) inputs.emplace_back("--times", *request.times);
  if (request.trace) inputs.emplace_back("--trace", *request.trace);
  if (!request.deck.empty()) inputs.emplace_back("the deck", request.deck);
  std::vector<std::string> targets;
  for (const auto& [option, target] : {std::pair{"-o", request.target},
                                       {"--timeline", request.timeline},
                                       {"--save-times", request.times_target}}) {
    if (!target) continue;
    for (const auto& [reads, input] : inputs)
      if (io::is_same_file(*target, input))
        throw Error(
            fmt::format("{} {} ({} is this file, which is read); choose another name with {}",
                        option, *target, reads, option));
    if (const auto why = objection_to(files, *target, request.force, Target::file, option);
        !why.empty())
      throw Error(why);
    for (const std::string& other : targets)
      if (io::is_same_file(*target, other))
        throw Error(fmt::format(
            "'{}' is named twice (one result would replace the other); give each its own name",
            *target));
    targets.push_back(*target);
  }
}

// Refuse what cannot be done, before anything is read or measured.
void check_request(const Program& program, const PredictRequest& request, std::size_t n_layouts) {
  if (request.n_steps < 2 || request.n_steps > 1000)
    throw Error(
        fmt::format("--steps {} (must be 2 to 1000, as the first one does not count where times "
                    "are measured); give 10",
                    request.n_steps));
  if (request.machines.empty())
    throw Error(complaint_of_command(
        "no machine (--machine names the file that describes it); give one, such as `calibrate` "
        "writes",
        request));
  check_subject(program, request);
  const std::size_t n_models = std::max<std::size_t>(request.models.size(), 1);
  if (request.timeline && n_layouts * n_models * request.machines.size() > 1)
    throw Error(
        "--timeline with several machines, numbers of ranks or models (it is one trace); give one "
        "of each");
}

// A program for each model and number of ranks that it can have, and what times of their tasks are
// of.
struct Programs {
  std::vector<VirtualProgram> all;
  predict::TimesOf of;
};

Programs programs_of(const Program& program, const PredictRequest& request,
                     const std::vector<int>& n_ranks, const RestartPoint* from) {
  std::vector<std::optional<std::string>> models(request.models.begin(), request.models.end());
  if (models.empty()) models.emplace_back();
  MeshOfDeck mesh;
  Programs programs;
  if (!request.command.empty())
    programs.of = {request.command,
                   {},
                   {{"what is behind it", fmt::format("\"{}\"", joined_text(request.words, " "))}}};
  std::map<int, std::string> misfits;
  for (const auto& model : models) {
    const std::size_t n_before = programs.all.size();
    for (const int p : n_ranks) {
      try {
        programs.all.push_back(
            request.command.empty()
                ? program_of_deck(program, request, from, model, p, mesh, programs.of)
                : program_of_command(program, request, model, p));
      } catch (const Error& error) {
        misfits.emplace(p, error.what());
      }
    }
    if (programs.all.size() == n_before) throw Error(misfits.begin()->second);
  }
  for (const auto& [p, why] : misfits)
    print_to_stderr("not tried: {}: {}\n", counted(p, "rank"), why);
  return programs;
}

// Predict steps, and refinements where the request asks for them, of all programs; write times and
// timeline on the way. Throws Error where these cannot be written.
Result<OfMachines> predict_all(const std::vector<VirtualProgram>& programs, PredictTimes& all_times,
                               const PredictRequest& request,
                               const std::vector<predict::Machine>& machines,
                               const std::vector<predict::WhatIf>& what_ifs,
                               io::FileSystem& files) {
  const auto times = all_times.of(programs.front());
  if (!times) return std::unexpected(times.error());
  if (const auto done = check_what_ifs(programs, all_times, what_ifs); !done)
    return std::unexpected(done.error());
  warn_of_no_refinements(programs, **times);
  if (request.times_target)
    value_of(io::write_text(files, *request.times_target, predict::to_toml(**times)));
  OfMachines of_machines(machines.size());
  std::set<std::size_t> with_unused_memory;
  for (const VirtualProgram& each : programs) {
    const auto own_times = all_times.of(each);
    if (!own_times) return std::unexpected(own_times.error());
    const auto scenario = scenario_of(each, request.n_steps, request.seed);
    const auto here = machines_of(machines, each.execution.executor.n_workers);
    std::vector<std::string> unknown;
    {  // a step's job is gone before that of a refinement is made
      const auto job = job_of(each, **own_times);
      if (!job) return std::unexpected(job.error());
      check_times(*job, request);
      warn_of_shared_memory(here, *job, with_unused_memory);
      unknown = job->unknown_names;
      const auto room = room_for(*job, scenario);
      for (std::size_t m = 0; m < machines.size(); ++m) {
        of_machines[m].push_back(prediction_of(each, *job, here[m], scenario, room, what_ifs));
        of_machines[m].back().machine_file = request.machines[m];
      }
      if (request.timeline)
        value_of(write_timeline(*job, flow::to_string(each.execution.model), here[0], scenario,
                                *request.timeline));
    }
    if (const auto done =
            add_refinement(each, **own_times, here, scenario, what_ifs, unknown, of_machines);
        !done)
      return std::unexpected(done.error());
  }
  return of_machines;
}

// Print a table of each machine.
void print_tables(const OfMachines& of_machines, const std::vector<predict::Machine>& machines) {
  for (std::size_t m = 0; m < machines.size(); ++m) {
    const predict::Prediction& first = of_machines[m].front();
    if (machines.size() > 1) fmt::print("{} ({}):\n", first.machine, first.machine_file);
    fmt::print("{}", table_with_notes(of_machines[m], machines[m]));
  }
}

// Of what the predictions of a request are, and how they were made.
// @param first  of the programs that were predicted
// @param from   the checkpoint, where it goes on from one
predict::Provenance provenance_of(const Program& program, const PredictRequest& request,
                                  const VirtualProgram& first, const RestartPoint* from) {
  return {.program = program.name,
          .version = program.version,
          .deck = request.deck,
          .command = request.command,
          .restart = from != nullptr ? from->checkpoint.path : "",
          .words = request.command.empty() ? joined_settings(request.overrides) : request.words,
          .task_times = request.times   ? "--times " + *request.times
                        : request.trace ? "--trace " + *request.trace
                                        : "measured",
          .seed = request.seed,
          .n_steps = first.is_one_step ? 1 : request.n_steps};
}

}  // namespace

int command_predict(const Program& program, PredictRequest request) {
  // The options of a program are another parser's, and so is its help.
  if (asks_for_help(request.words))
    return std::ranges::find(program.commands, request.command, &Command::name)->run({"--help"});
  if (request.trace) request.trace = trace_file(*request.trace);
  if (request.restart) put_words_in_place(request.deck, request.overrides);
  leave_out_repeated(request.machines);
  leave_out_repeated(request.models);
  leave_out_repeated(request.what_ifs);
  const auto n_ranks = ranks_of(request);
  check_request(program, request, n_ranks.size());
  std::vector<predict::WhatIf> what_ifs;
  for (const auto& text : request.what_ifs) what_ifs.push_back(predict::parse_what_if(text));
  std::vector<predict::Machine> machines;
  for (const auto& file : request.machines) machines.push_back(read_machine_file(file));
  io::PosixFileSystem files;
  check_targets(files, request);
  const auto from = restart_point(request, files);
  const auto programs = programs_of(program, request, n_ranks, from ? &*from : nullptr);
  warn_of_unused_threads(programs.all);
  if (request.command.empty()) warn_of_progress(programs.all.front().execution);
  PredictTimes times(program, request, programs.all, programs.of);
  const auto of_machines = predict_all(programs.all, times, request, machines, what_ifs, files);
  if (!of_machines) {
    print_errors(of_machines.error().message);  // each line is an error
    return exit_failure;
  }
  print_tables(*of_machines, machines);
  std::vector<predict::Prediction> all;
  for (const auto& predictions : *of_machines)
    all.insert(all.end(), predictions.begin(), predictions.end());
  if (request.target)
    value_of(io::write_text(
        files, *request.target,
        predict::json_of(
            all, provenance_of(program, request, programs.all.front(), from ? &*from : nullptr))));
  return exit_success;
}

}  // namespace thalweg::app

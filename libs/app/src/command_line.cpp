// SPDX-License-Identifier: MIT
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/requests.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/core/huge_pages.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>

#include "check_declarations.hpp"
#include "commands.hpp"
#include "one_process.hpp"

namespace thalweg::app {

namespace {

constexpr auto exit_codes =
    R"(Exit codes: 0 success, 1 the plotfiles differ, 2 a bad request (no step was made), 3 a failed run,
75 a run that left a checkpoint and stopped: it was told to (SIGTERM, run.wall_limit), its mesh got too large
(run.memory_limit_mib), or results could not be written (output.on_failure=stop))";

// CLI11's own says what the largest number is, in three hundred digits.
const CLI::Validator not_negative(
    [](const std::string& word) {
      if (!std::isfinite(std::strtod(word.c_str(), nullptr)))
        return fmt::format("{} (must be a finite number)", word);
      return word.starts_with('-') ? fmt::format("{} (must be 0 or more)", word) : "";
    },
    "");

// A greater one would be taken for the greatest.
const CLI::Validator fits_64_bits(
    [](const std::string& word) {
      std::uint64_t number = 0;
      const auto error = std::from_chars(word.data(), word.data() + word.size(), number).ec;
      return error == std::errc::result_out_of_range
                 ? fmt::format("{} (must be at most {})", word,
                               std::numeric_limits<std::uint64_t>::max())
                 : "";
    },
    "");

// Make an option one of a list with commas, and its help say so: CLI11 adds dots to that of lists,
// as if blanks would do.
void takes_list(CLI::Option& option, const std::string& what) {
  option.type_name(what)->delimiter(',');
  option.option_text(option.get_required() ? what + " REQUIRED" : what);
}

// What the words of a command line stand for, and how to read them.
struct CommandLine {
  const Program& program;
  CLI::App app{program.doc, program.name};
  RunRequest request;
  GraphRequest graph_request;
  TraceExport export_request;
  ParamsRequest params_request;
  PredictRequest predict_request;
  TuneRequest tune_request;
  CalibrateRequest calibrate_request;
  LineRequest line_request;
  ProfileRequest profile_request;
  std::string first, second;
  bool norms = false;  // of diff
  double tolerance = 0;
  bool as_json = false;
  CLI::App* run =
      app.add_subcommand("run", "Run a deck; start it with mpirun for more than one rank");
  CLI::App* hash = app.add_subcommand(
      "hash",
      "Print a hash of a plotfile's cells; it depends on the blocks, not on ranks or "
      "files");
  CLI::App* diff =
      app.add_subcommand("diff", "Name the first block and cell in which two plotfiles differ");
  CLI::App* line = app.add_subcommand(
      "line", "Print the cells along a line through a plotfile, as comma-separated values");
  CLI::App* profile = app.add_subcommand(
      "profile", "Print means over shells around a point of a plotfile, as comma-separated values");
  CLI::App* params =
      app.add_subcommand("params", "List the parameters of decks with default, unit and range");
  CLI::App* graph =
      app.add_subcommand("graph", "Write the graph of a deck's first step, without running it");
  CLI::App* predict =
      app.add_subcommand("predict", "Say how fast a step is on a machine that a file describes");
  CLI::App* tune = app.add_subcommand("tune",
                                      "Propose blocks, ranks, threads, messages and regrids of a "
                                      "deck for a machine, by simulation");
  CLI::App* calibrate = app.add_subcommand("calibrate",
                                           "Write a file for `predict` that describes this "
                                           "machine; start it with mpirun on two ranks or "
                                           "more, of which the first two measure");
  CLI::App* trace = app.add_subcommand("trace", "Look at the trace of a run");
  CLI::App* summary = trace->add_subcommand(
      "summary",
      "Say where time went: by worker, cause, kind of task; critical path; efficiencies");
  CLI::App* to_other = trace->add_subcommand("export", "Write a trace in another format");

  explicit CommandLine(const Program& of) : program(of) {
    app.set_version_flag("--version", program.name + " " + program.version,
                         "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this, or a command's options, and exit");
    app.require_subcommand(0, 1);
    app.allow_extras();  // an unknown command is complained about by name
    app.footer(program.examples + (program.examples.empty() ? "" : "\n\n") + exit_codes);

    for (const auto& command : program.commands) app.add_subcommand(command.name, command.doc);
    add_run_options();
    app.add_subcommand("report",
                       "Write one page about a run, or two beside each other: report "
                       "OUT [B]; the Python package does it");
    app.add_subcommand("watch",
                       "Follow a run from another shell: watch OUT; the Python package does it");
    app.add_subcommand("vtkhdf",
                       "Write a plotfile as VTKHDF: vtkhdf PLOTFILE; the Python package does it");
    add_graph_options();
    add_predict_options();
    add_tune_options();
    calibrate
        ->add_option("-o,--out", calibrate_request.target, "File to write (default: machine.toml)")
        ->type_name("FILE");
    calibrate->add_flag("--force", calibrate_request.force, "Replace the file");
    add_trace_options();
    params->add_option("application", params_request.application,
                       "One of the applications, or one key (mesh.dim)");
    params->add_option("problem", params_request.problem, "One of its problems: its keys only");
    add_plotfile_options();
    add_table_options();
    // A list ends with its word: the next one may be a deck.
    for (CLI::App* command : app.get_subcommands({}))
      for (CLI::Option* option : command->get_options())
        if (!option->get_positional()) option->allow_extra_args(false);
  }

  void add_run_options() {
    run->add_option("deck", request.deck,
                    "TOML file; `thalweg params` lists what it may set. With --restart it may be "
                    "left out");
    run->add_option("overrides", request.overrides, "section.key=value, in place of the deck's");
    run->add_option("--model", request.model,
                    "Execution model: bulk, forkjoin, phase or dataflow (run.model)")
        ->type_name("NAME");
    run->add_option("--threads", request.threads, "Threads of each rank (run.threads)")
        ->type_name("N");
    run->add_option("--out", request.folder, "Folder for results (output.folder)")
        ->type_name("DIR");
    run->add_option(
           "--restart", request.restart,
           "Continue from this checkpoint, in its folder or as a new run in --out; latest: the "
           "newest complete one in the output folder")
        ->type_name("DIR|latest");
    run->add_flag("--dry-run", request.dry_run,
                  "Print the resolved deck and what the run takes in memory and work, and stop");
    run->add_flag("--quiet", request.quiet, "Show no steps (run.display=none)");
    run->add_option("--machine", request.machine,
                    "With --dry-run, say how fast a step would be on the machine that this file "
                    "describes (machine.toml, if it is there)")
        ->type_name("FILE");
    run->add_flag(
        "--force", request.force,
        "Remove earlier results in the folder (plotfiles, checkpoints, series, points, log, "
        "trace), with --restart only plotfiles and checkpoints of other runs; other files stay");
  }

  void add_plotfile_options() {
    hash->add_option("plotfile", first, "Folder of the plotfile, or of results: the last one")
        ->required();
    diff->add_option("a", first, "Folder of a plotfile, or of results: the last one")->required();
    diff->add_option("b", second, "Folder of another one")->required();
    const auto with_norms =
        diff->add_flag("--norms", norms, "Print norms of the difference by level and variable");
    diff->add_option(
            "--tolerance", tolerance,
            "Largest difference, relative to the largest finite value of a, with which they count "
            "as the same")
        ->check(not_negative)
        ->needs(with_norms);
  }

  void add_table_options() {
    line->add_option("--axis", line_request.axis,
                     "Axis of the line: x, y or z; of phase space x or v (default: its first)")
        ->type_name("AXIS");
    takes_list(
        *line->add_option("--at", line_request.at,
                          "Where the line is on the other axes, in the deck's length (default: the "
                          "middle of the domain)"),
        "PLACE,...");
    takes_list(*profile
                    ->add_option("--centre", profile_request.centre,
                                 "The point, one number per axis, in the deck's length")
                    ->required(),
               "PLACE,...");
    profile
        ->add_option("--shells", profile_request.n_shells,
                     "Shells of equal width up to the farthest corner (default: 64)")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N");
    add_options_of_table(*line, line_request.table);
    add_options_of_table(*profile, profile_request.table);
    line->footer(
        "Columns: the place of the centre of each cell that no finer one covers and its width, in\n"
        "the deck's length; its level; its variables, in the units of the deck. Numbers read back "
        "to\nthe same bits.");
    profile->footer(
        "Columns: the distance in the middle of each shell, in the deck's length; the volume "
        "(area,\n"
        "length) and number of the cells whose centres lie in it, those that no finer ones cover; "
        "means\nof their variables by volume, in the units of the deck. Shells without cells are "
        "left out.");
  }

  static void add_options_of_table(CLI::App& command, TableRequest& to) {
    command
        .add_option("plotfile", to.plotfile, "Folder of the plotfile, or of results: the last one")
        ->required();
    takes_list(
        *command.add_option("--variables", to.variables, "Some of its variables (default: all)"),
        "NAME,...");
    command.add_option("-o,--out", to.target, "File to write (default: standard output)")
        ->type_name("FILE");
    command.add_flag("--force", to.force, "Replace the file");
  }

  void add_graph_options() {
    graph->add_option("deck", graph_request.deck, "TOML file")->required();
    graph->add_option("overrides", graph_request.overrides,
                      "section.key=value, in place of the deck's");
    graph
        ->add_option("--ranks", graph_request.n_ranks,
                     "Ranks that share the mesh; all are looked at, 10,000 take a minute and a "
                     "gigabyte")
        ->required()
        ->type_name("P");
    graph
        ->add_option("--rank", graph_request.rank, "The rank whose graph is written (default: all)")
        ->type_name("R");
    graph->add_option("--model", graph_request.model, "Execution model (run.model)")
        ->type_name("NAME");
    graph->add_option("--threads", graph_request.threads, "Threads of each rank (run.threads)")
        ->type_name("N");
    auto* dot = graph->add_flag("--dot")->description("In the language of Graphviz (default)");
    graph->add_flag("--json", as_json, "As JSON, schema thalweg-graph-1")->excludes(dot);
    graph->add_option("-o,--out", graph_request.target, "File to write (default: standard output)")
        ->type_name("FILE");
    graph->add_flag("--force", graph_request.force, "Replace the file");
  }

  void add_predict_options() {
    PredictRequest& to = predict_request;
    predict->add_option("deck", to.deck, "TOML file");
    predict->add_option("overrides", to.overrides, "section.key=value, in place of the deck's");
    predict
        ->add_option("--machine", to.machines,
                     "TOML file that describes the machine; its keys are in "
                     "docs/guide/machine_files.md. May be given several times; needed")
        ->type_name("FILE");
    predict
        ->add_option(
            "--restart", to.restart,
            "Predict the steps of a run that goes on from this checkpoint, or the newest of "
            "this folder, on its mesh; without a deck its own is used")
        ->type_name("CHECKPOINT");
    auto* ranks =
        predict->add_option("--ranks", to.n_ranks, "Ranks that share the mesh (default: 1)")
            ->type_name("P");
    predict->add_option("--sweep", to.sweep, "Several numbers of ranks, each FACTOR times the last")
        ->type_name("P=FIRST:LAST:FACTOR")
        ->excludes(ranks);
    predict->add_option("--threads", to.threads, "Threads of each rank (run.threads)")
        ->type_name("N");
    takes_list(
        *predict->add_option("--model", to.models, "Execution model, or several (run.model)"),
        "NAME,...");
    predict
        ->add_option("--steps", to.n_steps,
                     "Steps to simulate, and to measure tasks in, 2 at least (default: 10)")
        ->type_name("N");
    predict->add_option("--seed", to.seed, "Seed of the machine's noise (default: 0)")
        ->check(not_negative)
        ->check(fits_64_bits)
        ->type_name("N");
    predict
        ->add_option(
            "--trace", to.trace,
            "Times of tasks from the trace of a run of this deck or program, instead of a short "
            "run here")
        ->type_name("FILE");
    predict
        ->add_option(
            "--times", to.times,
            "Times of tasks from this file, instead; its keys are in docs/guide/machine_files.md")
        ->type_name("FILE")
        ->excludes("--trace");
    predict->add_option("--save-times", to.times_target, "File for the times of tasks")
        ->type_name("FILE");
    predict
        ->add_option("--what-if", to.what_ifs,
                     "Time of a step, with its share of regrids, after a change, each alone, or\n"
                     "after several with commas between (latency=0.5x,bandwidth=2x) together:\n"
                     "latency=0.5x: of [network] and [memory]\n"
                     "bandwidth=2x: of both, and to shared memory\n"
                     "overhead=0x: of messages, tasks and steals\n"
                     "eager=always: no message waits for its receive\n"
                     "noise=0: a machine without noise\n"
                     "kernels.NAME=0.5x: of the tasks of this name\n"
                     "balance=perfect: equal work on all ranks (an estimate, not a bound)")
        ->type_name("CHANGE");
    predict->add_option("-o,--out", to.target, "File for the predictions as JSON")
        ->type_name("FILE");
    predict
        ->add_option("--timeline", to.timeline,
                     "File for a trace of the last two simulated steps: ui.perfetto.dev and `trace "
                     "summary` read it")
        ->type_name("FILE");
    predict->add_flag("--force", to.force, "Replace the files");
    for (const Command& command : program.commands) {
      if (!command.on_virtual) continue;
      CLI::App* own =
          predict->add_subcommand(command.name, "Instead of a deck; what follows are its options");
      own->prefix_command()->callback([&to, &command] { to.command = command.name; });
      own->set_help_flag();
    }
  }

  void add_tune_options() {
    TuneRequest& to = tune_request;
    tune->add_option("deck", to.deck, "TOML file")->required();
    tune->add_option("overrides", to.overrides, "section.key=value, in place of the deck's");
    tune->add_option(
            "--machine", to.machine,
            "TOML file that describes the machine; its keys are in docs/guide/machine_files.md")
        ->required()
        ->type_name("FILE");
    tune->add_option("--cores", to.n_cores, "Cores that ranks and their threads share out")
        ->required()
        ->type_name("N");
    tune->add_option("--model", to.model, "Execution model (run.model)")->type_name("NAME");
    takes_list(*tune->add_option(
                   "--block-cells", to.block_cells,
                   "Cells along each axis of a block to try (default: the deck's, half and twice)"),
               "N,...");
    takes_list(*tune->add_option(
                   "--messages", to.max_comm_tasks,
                   "Messages to a neighbour to try, exchange.max_comm_tasks (default: 1,4,0)"),
               "N,...");
    tune->add_option("--steps", to.n_steps,
                     "Steps to simulate, and to measure tasks in, 2 at least (default: 10)")
        ->type_name("N");
  }

  /// The words behind the command that is predicted, if there is one.
  void take_words_of_command() {
    for (const CLI::App* command : predict->get_subcommands())
      predict_request.words = command->remaining();
  }

  void add_trace_options() {
    summary->add_option("trace", first, "The trace.pftrace of a run, or its folder")->required();
    summary->add_flag("--json", as_json, "For tools, schema thalweg-trace-summary-1");
    to_other->add_option("trace", export_request.trace, "The trace.pftrace of a run, or its folder")
        ->required();
    to_other
        ->add_option("--format", export_request.format,
                     "chrome (one JSON file) or otf2 (an archive)")
        ->required()
        ->type_name("NAME");
    to_other
        ->add_option("-o,--out", export_request.target,
                     "File or folder (default: beside the trace)")
        ->type_name("PATH");
    to_other->add_flag("--force", export_request.force, "Replace what is there");
  }

  OutputFormat format() const { return as_json ? OutputFormat::json : OutputFormat::text; }
};

// What a command line that is wrong may have meant, before it is said where the help is.
std::string hint_of(std::string_view command, std::span<char*> words) {
  const auto has = [&](std::string_view word) {
    return std::ranges::any_of(
        words, [&](const char* each) { return std::string_view(each).starts_with(word); });
  };
  for (const char* word : words)
    if (std::error_code none; *word == '-' && std::filesystem::exists(word, none))
      return fmt::format("'{0}' looks like an option, write ./{0}; ", word);
  if (command == "trace" && !has("summary") && !has("export"))
    return "there are summary and export; ";
  if (command == "run" && has("--trace"))
    return "steps of a deck are traced with trace.steps=[first,last]; ";
  return "";
}

// Say what is wrong with the words of a command, once for all ranks.
int complain(const std::string& error, std::string_view words) {
  if (is_one_of_several_ranks()) return command_wrong_run(error, words);
  print_errors(error);
  return exit_bad_request;
}

std::string names_of_commands(const Program& program) {
  std::string names = fmt::format("{}", common_commands.front());
  for (const auto& command : program.commands) names += ", " + command.name;
  return names + fmt::format(", {}", joined_text(common_commands | std::views::drop(1)));
}

// Do what a line asks for, which is no run. @errors throws Error where nothing can be done
int do_command(CommandLine& line) {
  const Program& program = line.program;
  if (*line.hash) return command_hash(line.first);
  if (*line.diff && line.norms) return command_norms(line.first, line.second, line.tolerance);
  if (*line.diff) return command_diff(line.first, line.second);
  if (*line.line) return command_line(program.applications, line.line_request);
  if (*line.profile) return command_profile(line.profile_request);
  if (*line.params) return command_params(program.applications, line.params_request);
  if (*line.summary) return command_trace_summary(line.first, line.format());
  if (*line.to_other) return command_trace_export(line.export_request);
  if (*line.trace) throw Error("no command for traces (there are summary and export)");
  if (*line.predict) {
    line.take_words_of_command();
    return command_predict(program, line.predict_request);
  }
  if (*line.tune) return command_tune(program, line.tune_request);
  if (*line.calibrate) return command_calibrate(line.calibrate_request);
  if (*line.graph) {
    line.graph_request.format = line.format();
    return command_graph(program, line.graph_request);
  }
  if (prints_for_all_ranks()) print_to_stderr("{}", line.app.help());
  throw Error(fmt::format("no command (there are {})", names_of_commands(program)));
}

}  // namespace

int exit_code_of_printed(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  print_to_stderr("error: standard output could not be written (a part of it is missing)\n");
  return code == exit_success ? exit_failure : code;
}

void warn_of_lost_lines() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  const bool is_unread = ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  if (!is_unread)
    print_to_stderr(
        "warning: standard output could not be written (lines of the log are missing); what "
        "is in the folder for results is whole\n");
}

int run_command_line(int argc, char** argv, const Program& program) try {
  take_early_requests();
  keep_freed_memory();
  const auto words = joined_text(std::span(argv + 1, argv + argc), " ");
  try {
    check_declarations(program);
  } catch (const Error& error) {
    const bool is_run = argc > 1 && std::string_view(argv[1]) == "run";
    return is_run ? command_wrong_run(error.what(), words) : complain(error.what(), words);
  }
  // The options of a command of the program's own are another parser's.
  for (const auto& command : program.commands)
    if (argc > 1 && command.name == argv[1])
      return exit_code_of_printed(command.run({argv + 2, argv + argc}));
  if (const std::string name = argc > 1 ? argv[1] : "";
      name == "report" || name == "watch" || name == "vtkhdf")
    return command_of_python(program, name, {argv + 2, argv + argc});
  CommandLine line(program);
  line.request.words = words;
  try {
    line.app.parse(argc, argv);
    refuse_empty_values(line.app);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0)
      return prints_for_all_ranks() ? exit_code_of_printed(line.app.exit(error)) : exit_success;
    const std::string command = argc > 1 ? argv[1] : "";
    const auto message = fmt::format(
        "{}; {}see {} {} --help", error.what(),
        hint_of(command, std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 1 ? 2 : 1)),
        program.name, command);
    return command == "run" ? command_wrong_run(message, words) : complain(message, words);
  }
  if (const auto unknown = line.app.remaining(); !unknown.empty())
    return complain(fmt::format("unknown command '{}' (there are {}); see {} --help",
                                unknown.front(), names_of_commands(program), program.name),
                    words);
  for (const CLI::App* command : {line.hash, line.diff, line.line, line.profile, line.graph,
                                  line.predict, line.tune, line.trace})
    if (*command && is_refused_on_several_ranks(command->get_name())) return exit_bad_request;
  if (*line.run) return command_run(program.applications, line.request);
  try {
    return exit_code_of_printed(do_command(line));
  } catch (const Error& error) {
    return exit_code_of_printed(complain(error.what(), words));
  }
} catch (const std::exception& error) {
  if (std::ferror(stdout) != 0) return exit_code_of_printed(exit_failure);
  print_errors(words_of(error));
  return exit_failure;
}

}  // namespace thalweg::app

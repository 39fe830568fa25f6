// SPDX-License-Identifier: MIT
#include <exception>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"

namespace {

constexpr auto examples = R"(Examples:
  thalweg run sedov.toml
  mpirun -n 4 thalweg run sedov.toml mesh.max_level=3 --threads 2 --out results
  thalweg run --restart latest --out results time.end=0.2
  thalweg diff results/plt00040 other/plt00040

Exit codes: 0 success, 1 the plotfiles differ, 2 a bad request (nothing was started), 3 a failed run,
75 a run that was told to stop (SIGTERM, run.wall_limit) and left a checkpoint)";

// What the words of a command line stand for, and how to read them.
struct CommandLine {
  CLI::App app{"Thalweg: adaptive mesh refinement as dependent tasks, on MPI ranks and threads.",
               "thalweg"};
  thalweg::RunRequest request;
  std::string first, second;
  CLI::App* run =
      app.add_subcommand("run", "Run a deck; start it with mpirun for more than one rank");
  CLI::App* hash =
      app.add_subcommand("hash", "Print a hash of a plotfile's cells: the same for any layout");
  CLI::App* diff =
      app.add_subcommand("diff", "Name the first block and cell in which two plotfiles differ");
  CLI::App* params =
      app.add_subcommand("params", "List all parameters of decks with default, unit and range");

  CommandLine() {
    app.set_version_flag("--version", "thalweg " THALWEG_VERSION, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this, or a command's options, and exit");
    app.require_subcommand(0, 1);
    app.allow_extras();  // an unknown command is complained about by name
    app.footer(examples);

    run->add_option("deck", request.deck,
                    "TOML file; `thalweg params` lists what it may set. With --restart it may be "
                    "left out");
    run->add_option("overrides", request.overrides, "section.key=value, in place of the deck's");
    run->add_option("--model", request.model,
                    "Execution model: bulk, forkjoin, phase or dataflow (run.model)")
        ->type_name("NAME");
    run->add_option("--threads", request.threads, "Workers of each rank (run.threads)")
        ->type_name("N");
    run->add_option("--out", request.folder, "Folder for results (output.folder)")
        ->type_name("DIR");
    run->add_option("--restart", request.restart,
                    "Go on from this checkpoint, or from the newest whole one in the folder for "
                    "results")
        ->type_name("DIR|latest");
    run->add_flag("--force", request.force,
                  "Replace the plotfiles, checkpoints and traces in the folder; other files stay");
    hash->add_option("plotfile", first, "Folder of the plotfile")->required();
    diff->add_option("a", first, "Folder of a plotfile")->required();
    diff->add_option("b", second, "Folder of another one")->required();
  }
};

int complain(std::string_view error) {
  fmt::print(stderr, "error: {}\n", error);
  return thalweg::exit_bad_request;
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace thalweg;
  CommandLine line;
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return line.app.exit(error);
    const std::string command = argc > 1 ? argv[1] : "";
    const auto message = fmt::format("{}; see thalweg {} --help", error.what(), command);
    return command == "run" ? command_wrong_run(message) : complain(message);
  }
  if (const auto unknown = line.app.remaining(); !unknown.empty())
    return complain(
        fmt::format("unknown command '{}' (there are run, hash, diff and params); see "
                    "thalweg --help",
                    unknown.front()));
  if (*line.run) return command_run(line.request);
  if (*line.hash) return command_hash(line.first);
  if (*line.diff) return command_diff(line.first, line.second);
  if (*line.params) return command_params();
  fmt::print(stderr, "{}", line.app.help());
  return complain("no command (there are run, hash, diff and params)");
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return thalweg::exit_failure;
}

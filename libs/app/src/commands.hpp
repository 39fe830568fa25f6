// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/app/job.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/app/virtual_program.hpp>
#include <thalweg/app/virtual_ranks.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/predict/job.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/predict/simulate.hpp>
#include <thalweg/predict/task_times.hpp>
#include <thalweg/trace/rank_trace.hpp>

namespace thalweg::app {

/// How a result is written.
enum class OutputFormat { text, json };

/// What `thalweg trace export` was asked for.
struct TraceExport {
  std::string trace;
  std::string format;
  std::optional<std::string> target;
  bool force = false;  ///< replace what is there
};

/// What `thalweg graph` was asked for.
struct GraphRequest {
  std::string deck;
  std::vector<std::string> overrides;  ///< "section.key=value"
  std::optional<std::string> model;
  std::optional<int> threads;
  int n_ranks = 1;
  std::optional<int> rank;                   ///< none: all
  OutputFormat format = OutputFormat::text;  ///< text: the language of Graphviz
  std::optional<std::string> target;         ///< none: standard output
  bool force = false;                        ///< replace what is there
};

/// What `thalweg predict` was asked for: a deck, or a command of the program with its words.
struct PredictRequest {
  std::string deck;                    ///< "": that of the checkpoint, if there is one
  std::vector<std::string> overrides;  ///< "section.key=value"
  std::optional<std::string> restart;  ///< a checkpoint, or the folder of a run: its newest one
  std::string command;                 ///< empty: the deck
  std::vector<std::string> words;      ///< of the command
  std::vector<std::string> machines;   ///< files
  std::vector<std::string> models;     ///< none: that of the deck or the words
  std::optional<int> threads;
  int n_ranks = 1;
  std::optional<std::string> sweep;         ///< "P=first:last:factor", in place of n_ranks
  std::int64_t n_steps = 10;                ///< that are simulated, and measured
  std::uint64_t seed = 0;                   ///< of the machine's noise
  std::optional<std::string> trace;         ///< with the times of tasks
  std::optional<std::string> times;         ///< file of them; with neither they are measured
  std::optional<std::string> times_target;  ///< of the times that were used
  std::vector<std::string> what_ifs;
  std::optional<std::string> target;    ///< of the JSON
  std::optional<std::string> timeline;  ///< of the trace of simulated steps
  bool force = false;                   ///< replace them
};

/// What `thalweg tune` was asked for.
struct TuneRequest {
  std::string deck;
  std::vector<std::string> overrides;        ///< "section.key=value"
  std::string machine;                       ///< file
  std::optional<std::string> model;          ///< none: the deck's
  int n_cores = 1;                           ///< for all ranks and threads
  std::vector<std::int64_t> block_cells;     ///< none: the deck's, half and twice of it
  std::vector<std::int64_t> max_comm_tasks;  ///< none: 1, 4 and 0
  std::int64_t n_steps = 10;                 ///< that are simulated, and measured
};

/// Where `thalweg calibrate` writes, and a dry run looks for, a machine that nobody names.
inline constexpr const char* machine_file_name = "machine.toml";

/// What `thalweg calibrate` was asked for.
struct CalibrateRequest {
  std::string target = machine_file_name;
  bool force = false;  ///< replace it
};

/// Numbers of a plotfile that are wanted as text.
struct TableRequest {
  std::string plotfile;
  std::vector<std::string> variables;  ///< none: all
  std::optional<std::string> target;   ///< none: standard output
  bool force = false;                  ///< replace what is there
};

/// What `thalweg line` was asked for.
struct LineRequest {
  TableRequest table;
  std::string axis;        ///< none: the plotfile's first
  std::vector<double> at;  ///< on the other axes, in their order; none: in the middle
};

/// What `thalweg profile` was asked for.
struct ProfileRequest {
  TableRequest table;
  std::vector<double> centre;  ///< one number an axis
  int n_shells = 64;
};

/// What `thalweg params` was asked for.
struct ParamsRequest {
  /// "": the first, and the names of all; a key, as "mesh.dim": its declaration.
  std::string application;
  std::string problem;  ///< "": the keys of each, one after another
};

/// What a command makes.
enum class Target { file, folder };

/// Say what stands against writing a file or a folder; nothing if it may be made, or replaced.
/// @param option  that names it
std::string objection_to(const io::FileSystem& files, const std::string& target, bool force,
                         Target kind = Target::file, std::string_view option = "-o");

/// The exit code of a command whose result is what it printed: on a full disk, say, a part may not
/// have arrived, which only shows when all is written.
int exit_code_of_printed(int code);

/// Say on stderr, on the rank whose log it is, that lines of a run's log have not arrived, unless
/// their reader has gone away; its results have.
void warn_of_lost_lines();

/// With --restart the deck may be left out: then what was taken for it is the first override.
void put_words_in_place(std::string& deck, std::vector<std::string>& overrides);

/// A deck as it was written, and what errors call it.
struct DeckText {
  std::string text;
  std::string name;
};
/// Read a deck. @errors throws Error
DeckText read_deck(const std::string& path);

/// Which cells of a deck are in this process at a time, on all ranks.
enum class CellsNeeded : std::uint8_t {
  none,    ///< its mesh is known, and only graphs are made
  tagged,  ///< of the levels whose tags make the mesh
  all,     ///< steps are taken
};

/// Load a deck that is run in this process on all its ranks, and check it as a run would.
/// @errors throws Error with everything that is wrong
io::Deck load_for_virtual_ranks(std::span<const Application> applications, const DeckText& deck,
                                std::vector<std::string> overrides,
                                const std::optional<std::string>& model, std::optional<int> threads,
                                CellsNeeded cells = CellsNeeded::all);
/// Read a description of a machine. @errors throws Error
predict::Machine read_machine_file(const std::string& path);
/// The job that a step of a program is, with a warning where something is not known of it.
Result<predict::Job> job_of(const VirtualProgram& program, const predict::TaskTimes& times);
/// How its steps are simulated.
predict::Scenario scenario_of(const VirtualProgram& program, std::int64_t n_steps,
                              std::uint64_t seed);
/// The trace of a run, where its folder is named.
std::string trace_file(const std::string& path);
/// Read the trace that a run has left. @errors throws Error, which says how a run leaves one
std::vector<trace::RankTrace> read_trace_file(const std::string& path);

/// Say how fast a step of a deck is on so many ranks of a machine: time its tasks here, and
/// simulate it. As large as the whole run in memory, without MPI.
/// @param from  where the run goes on; null: at the start
/// @errors says why there is no prediction
Result<std::string> predicted_step(const Application& application, const io::Deck& deck,
                                   int n_ranks, const predict::Machine& machine,
                                   const RestartPoint* from);

/// Leave each item once, where it was first.
template <class T>
void leave_out_repeated(std::vector<T>& items) {
  std::set<T> known;
  std::erase_if(items, [&](const T& item) { return !known.insert(item).second; });
}

/// What a command cannot do without. @errors throws Error with why it is not there
template <class T>
T value_of(Result<T> result) {
  if (!result) throw Error(result.error().message);
  return *std::move(result);
}

// Each command prints its result or its errors and returns the exit code. All but command_run and
// command_calibrate, which ranks share, throw Error where nothing can be done.

/// Say, once for all ranks, what is wrong with the words of a command line.
int command_wrong_run(const std::string& error, std::string_view words);
/// Run a deck on all ranks.
int command_run(std::span<const Application> applications, const RunRequest& request);
/// Have the Python package do one of its commands, "report", "watch" or "vtkhdf"; with --help say,
/// without it, what the command does.
int command_of_python(const Program& program, const std::string& name,
                      std::vector<std::string> words);
/// Write the report on a folder of results where the Python package is found; else say, on stderr,
/// how to make it.
void write_report(const std::string& folder);
/// Print one hash over the blocks of a plotfile.
int command_hash(const std::string& path);
/// Print the first difference of two plotfiles.
int command_diff(const std::string& a, const std::string& b);
/// Print how far they are from each other, variable by variable; they count as different where the
/// largest difference is more than so much of the largest finite value of the first.
int command_norms(const std::string& a, const std::string& b, double tolerance);
/// Print the cells along a line through a plotfile as CSV.
int command_line(std::span<const Application> applications, const LineRequest& request);
/// Print means over shells around a point of a plotfile as CSV.
int command_profile(const ProfileRequest& request);
/// Print the parameters of decks.
int command_params(std::span<const Application> applications, const ParamsRequest& request);
/// Print what a trace says: where time went and why.
int command_trace_summary(const std::string& file_or_folder, OutputFormat format);
/// Write a trace in another format.
int command_trace_export(const TraceExport& request);
/// Write the graph of a deck's first step, on so many ranks, without running it.
int command_graph(const Program& program, const GraphRequest& request);
/// Measure what messages and tasks cost here, on all ranks, and write a machine file.
int command_calibrate(const CalibrateRequest& request);
/// Predict how fast a step is on a machine that is described.
int command_predict(const Program& program, PredictRequest request);
/// Propose how to run a deck on so many cores of a machine that is described.
int command_tune(const Program& program, const TuneRequest& request);

}  // namespace thalweg::app

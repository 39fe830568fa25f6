// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/cadence.hpp>
#include <thalweg/app/callback.hpp>
#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/time_series.hpp>

#include "places.hpp"

namespace thalweg::app {

/// The tables of a run that grow by a line at a time: the series first, and that of points.
///
/// Rank 0 has their files; all that touches these but sync() is collective.
class RunTables {
 public:
  /// Hears, on all ranks, which line could not be written, and why.
  using Miss = std::function<void(std::string_view what, const Failure& why)>;

  /// Those that a deck asks for; none without a folder.
  /// @param from_step  that the run goes on from; none: it starts
  RunTables(const io::Deck& deck, const Context& context, std::string folder,
            std::optional<std::int64_t> from_step, Miss miss)
      : transport_(context.transport),
        files_(context.files),
        folder_(std::move(folder)),
        from_step_(from_step),
        miss_(std::move(miss)),
        tables_(tables(deck)) {}
  RunTables(const RunTables&) = delete;
  RunTables& operator=(const RunTables&) = delete;

  /// What adds their lines, for as long as these tables live.
  std::deque<Callback> callbacks() {
    std::deque<Callback> all;
    for (Table& table : tables_)
      all.push_back({.every = table.every,
                     .call =
                         [this, &table](AnySimulation& simulation, const Context&) {
                           add_to(table, simulation);
                           return Result<void>{};  // what it cannot write it speaks of itself
                         },
                     .at_end = false});
    return all;
  }

  /// Look whether they can be gone on with.
  /// @errors throws Error, on all ranks alike, where there is something else to go on with
  void check(const AnySimulation& simulation) {
    for (Table& table : tables_) {
      std::string why;
      if (transport_.rank() == Rank{0}) {
        const auto& file =
            table.file.emplace(files_, folder_ + "/" + table.file_name, table.columns(simulation));
        if (from_step_)
          if (const auto done = file.check(*from_step_); !done) why = done.error().message;
      }
      why = broadcast(transport_, why);
      if (!why.empty()) throw Error(why);
    }
  }

  /// Begin them, or go on with them. @pre check() has passed
  Result<void> begin() {
    for (Table& table : tables_) {
      Result<void> mine;
      if (table.file) mine = from_step_ ? table.file->go_on(*from_step_) : table.file->begin();
      if (auto done = check_on_all_ranks(transport_, mine); !done) return done;
    }
    return {};
  }

  /// Cut those of this run that it does not go on with: they have lines of steps that did not come
  /// to be. @pre it goes on from a step, in its folder
  Result<void> cut_others() {
    Result<void> mine;
    for (const auto& name : {series_file_name, points_file_name})
      if (mine && transport_.rank() == Rank{0} &&
          std::ranges::count(tables_, name, &Table::file_name) == 0)
        mine = io::cut_table(files_, folder_ + "/" + name, *from_step_);
    return check_on_all_ranks(transport_, mine);
  }

  /// Add the lines that are due now and not there: a run before this one could not write them.
  void add_missing(AnySimulation& simulation, const std::function<bool(const Cadence&)>& is_due) {
    const std::int64_t step = simulation.time_state().step;
    for (Table& table : tables_) {
      const auto& file = table.file;
      const bool lacks_line =
          file && file->last_step() < step && (file->last_step() >= 0 || step == 0);
      if (is_due(table.every) && is_so_on_rank_0(transport_, lacks_line)) add_to(table, simulation);
    }
  }

  /// Make the lines so far survive a loss of power; what stands against it, on rank 0.
  std::vector<std::string> sync() {
    std::vector<std::string> failures;
    for (Table& table : tables_)
      if (table.file)
        if (const auto synced = table.file->sync(); !synced)
          failures.push_back(synced.error().message);
    return failures;
  }

 private:
  struct Table {
    std::string file_name;
    std::string_view what_a_line_is;  // for messages
    Cadence every;
    std::function<std::vector<io::Column>(const AnySimulation&)> columns;
    std::function<std::vector<double>(AnySimulation&)> values;
    std::optional<io::TimeSeries> file{};  // on rank 0
  };

  std::vector<Table> tables(const io::Deck& deck) const {
    std::vector<Table> all;
    if (folder_.empty()) return all;
    const Cadence series{deck.integer("output.series_interval"), deck.real("output.series_time")};
    if (series.is_set())
      all.push_back({.file_name = series_file_name,
                     .what_a_line_is = "line of the series",
                     .every = series,
                     .columns = [](const AnySimulation& s) { return s.series_columns(); },
                     .values = [](AnySimulation& s) { return s.series_values(); }});
    if (const auto points = points_of(deck); !points.points.empty())
      all.push_back({.file_name = points_file_name,
                     .what_a_line_is = "line of the points",
                     .every = {deck.integer("points.interval"), deck.real("points.time")},
                     .columns = [=](const AnySimulation& s) { return s.point_columns(points); },
                     .values = [=](AnySimulation& s) { return s.point_values(points); }});
    return all;
  }

  void add_to(Table& table, AnySimulation& simulation) {
    const auto values = table.values(simulation);
    Result<void> mine;
    if (table.file) mine = table.file->append(simulation.time_state().step, values);
    if (const auto done = check_on_all_ranks(transport_, mine); !done)
      miss_(table.what_a_line_is, done.error());
  }

  flow::Transport& transport_;
  io::FileSystem& files_;
  std::string folder_;
  std::optional<std::int64_t> from_step_;
  Miss miss_;
  std::vector<Table> tables_;  // the same on all ranks, but for their files
};

}  // namespace thalweg::app

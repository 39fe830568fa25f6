// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::io {

/// A column of a time series.
struct Column {
  std::string name;  ///< without commas
  std::string unit{};
};

/// Remove the lines after a step from a table that a run leaves as it is, where there is one with
/// no damage among the others.
Result<void> cut_table(FileSystem& files, const std::string& path, std::int64_t step);

/// A table with a line of numbers for some steps, as CSV: one header line "step [steps],time
/// [time],...", then "40,0.125,...". Reals read back to the same bits.
///
/// Lines are written at their offsets, so a run that dies leaves whole lines but perhaps the last.
/// @threads one
class TimeSeries {
 public:
  /// @param columns  those after the first, which is the step
  TimeSeries(FileSystem& files, std::string path, std::span<const Column> columns);

  /// Begin a new table in place of what is there.
  Result<void> begin();
  /// Look whether there is a table to go on with after a step, or none, without touching anything.
  /// @errors says what is there in place of one with these columns, or which line is none that
  /// others up to that step follow
  Result<void> check(std::int64_t step) const;
  /// Go on with the table of an earlier run: what comes after the line of `step` goes, and a torn
  /// last line, as they will come again. A table that is not there, or is empty, is begun.
  /// @errors as check(), and what is there is left alone
  Result<void> go_on(std::int64_t step);
  /// The step of the last line; -1: there is none.
  std::int64_t last_step() const { return last_step_; }

  /// Add a line. @pre as many values as columns; begin() or go_on() has succeeded
  Result<void> append(std::int64_t step, std::span<const double> values);
  /// Make the lines so far survive a loss of power.
  Result<void> sync() { return files_.sync(path_); }

 private:
  // Of the table that is there what stays: the header and lines. "": there is none.
  struct Before {
    std::string text{};
    std::int64_t last_step = -1;
  };
  Result<Before> look_before(std::int64_t step) const;
  Result<void> write_line(const std::string& line);

  FileSystem& files_;
  std::string path_;
  std::string header_;
  std::size_t n_columns_;
  std::uint64_t size_bytes_ = 0;
  std::int64_t last_step_ = -1;
};

}  // namespace thalweg::io

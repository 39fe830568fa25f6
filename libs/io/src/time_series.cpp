// SPDX-License-Identifier: MIT
#include <thalweg/io/time_series.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/joined_text.hpp>

namespace thalweg::io {

namespace {

std::string label(const Column& column) {
  return column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit);
}

/// The step of a line with so many numbers behind it; nothing, if it is no such line.
std::optional<std::int64_t> step_of(std::string_view line, std::size_t n_values) {
  const auto word = line.substr(0, line.find(','));
  std::int64_t step = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), step);
  if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) return std::nullopt;
  const bool is_whole = static_cast<std::size_t>(std::ranges::count(line, ',')) == n_values;
  return is_whole ? std::optional(step) : std::nullopt;
}

/// The number, from 0, of the first line that ends and has no step after that of the one before, if
/// there are lines behind it up to a step; what comes later is of no interest.
std::optional<int> damaged_line(std::string_view lines, std::size_t n_values, std::int64_t last) {
  std::optional<int> damaged;
  std::int64_t before = -1;
  int number = 0;
  for (std::size_t end; (end = lines.find('\n')) != lines.npos; lines.remove_prefix(end + 1)) {
    const auto step = step_of(lines.substr(0, end), n_values);
    if (!step || *step <= before) {
      if (!damaged) damaged = number;
    } else {
      if (*step > last) break;
      if (damaged) return damaged;
      before = *step;
    }
    ++number;
  }
  return std::nullopt;
}

}  // namespace

TimeSeries::TimeSeries(FileSystem& files, std::string path, std::span<const Column> columns)
    : files_(files), path_(std::move(path)), n_columns_(columns.size()) {
  header_ = "step [steps]";
  for (const auto& column : columns) header_ += "," + label(column);
  header_ += "\n";
}

Result<void> TimeSeries::begin() {
  if (const auto done = write_text(files_, path_, header_); !done) return done;
  size_bytes_ = header_.size();
  last_step_ = -1;
  return {};
}

Result<std::string> TimeSeries::table_before(std::int64_t step) const {
  const auto before = files_.status(path_);
  if (!before) return std::unexpected(before.error());
  if (!before->has_value()) return "";
  auto text = read_text(files_, path_);
  if (text && !text->empty() && !text->starts_with(header_))
    return std::unexpected(
        Failure{fmt::format("'{}' has other columns than this run would write (a table has the "
                            "same ones in all lines); move it away",
                            path_)});
  if (!text || text->empty()) return text;
  if (const auto line =
          damaged_line(std::string_view(*text).substr(header_.size()), n_columns_, step))
    return std::unexpected(
        Failure{fmt::format("'{}' line {} is damaged (not a step after that of the line before and "
                            "{} numbers; what follows would be lost); repair it, or move the file "
                            "away",
                            path_, *line + 2, n_columns_)});
  return text;
}

Result<void> TimeSeries::check(std::int64_t step) const {
  const auto text = table_before(step);
  if (!text) return std::unexpected(text.error());
  return {};
}

Result<void> TimeSeries::go_on(std::int64_t step) {
  const auto text = table_before(step);
  if (!text) return std::unexpected(text.error());
  if (text->empty()) return begin();
  std::size_t kept = header_.size();
  last_step_ = -1;
  for (std::size_t end; (end = text->find('\n', kept)) != std::string::npos; kept = end + 1) {
    const auto of_line = step_of(std::string_view(*text).substr(kept, end - kept), n_columns_);
    if (!of_line || *of_line > step || *of_line <= last_step_) break;
    last_step_ = *of_line;
  }
  if (const auto done = write_text(files_, path_, std::string_view(*text).substr(0, kept)); !done)
    return done;
  size_bytes_ = kept;
  return {};
}

Result<void> TimeSeries::append(std::int64_t step, std::span<const double> values) {
  THALWEG_EXPECT(values.size() == n_columns_, "as many values as columns");
  auto done = write_line(fmt::format("{},{}\n", step, joined_text(values, ",")));
  if (done) last_step_ = step;
  return done;
}

Result<void> TimeSeries::write_line(const std::string& line) {
  const auto done = files_.write(path_, size_bytes_, std::as_bytes(std::span(line)));
  if (done) size_bytes_ += line.size();
  return done;
}

}  // namespace thalweg::io

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

/// The lines of a table that a run goes on with.
struct Kept {
  std::size_t n_bytes = 0;
  std::int64_t last_step = -1;
  std::optional<int> damaged{};  ///< the number, from 0, of a line that is none among them
};

/// Find the lines up to a step. One without an end, or without a step after that of the line
/// before, is none; where others follow it up to that step it is damaged, else it is left out.
Kept kept_lines(std::string_view lines, std::size_t n_values, std::int64_t last) {
  Kept kept;
  std::optional<int> wrong;
  int number = 0;
  for (std::size_t at = 0, end; (end = lines.find('\n', at)) != lines.npos; at = end + 1) {
    const auto step = step_of(lines.substr(at, end - at), n_values);
    if (!step || *step <= kept.last_step) {
      if (!wrong) wrong = number;
    } else {
      if (*step > last) break;
      if (wrong) return {.damaged = wrong};
      kept = {.n_bytes = end + 1, .last_step = *step};
    }
    ++number;
  }
  return kept;
}

/// What is in a file; nothing where there is none.
Result<std::string> text_if_there(const FileSystem& files, const std::string& path) {
  const auto there = files.status(path);
  if (!there) return std::unexpected(there.error());
  return there->has_value() ? read_text(files, path) : std::string();
}

}  // namespace

Result<void> cut_table(FileSystem& files, const std::string& path, std::int64_t step) {
  auto text = text_if_there(files, path);
  if (!text) return std::unexpected(text.error());
  const std::size_t n_header = text->find('\n') + 1;  // 0: there is no whole one
  const auto n_values = std::ranges::count(std::string_view(*text).substr(0, n_header), ',');
  const Kept kept = kept_lines(std::string_view(*text).substr(n_header),
                               static_cast<std::size_t>(n_values), step);
  if (n_header == 0 || kept.damaged || n_header + kept.n_bytes == text->size()) return {};
  text->resize(n_header + kept.n_bytes);
  return write_text(files, path, *text);
}

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

Result<TimeSeries::Before> TimeSeries::look_before(std::int64_t step) const {
  auto text = text_if_there(files_, path_);
  if (!text) return std::unexpected(text.error());
  if (text->empty()) return Before{};
  if (!text->starts_with(header_))
    return std::unexpected(
        Failure{fmt::format("'{}' has other columns than this run would write (a table has the "
                            "same ones in all lines); move it away",
                            path_)});
  const Kept kept = kept_lines(std::string_view(*text).substr(header_.size()), n_columns_, step);
  if (kept.damaged)
    return std::unexpected(
        Failure{fmt::format("'{}' line {} is damaged (not a step after that of the line before and "
                            "{} numbers; what follows would be lost); repair it, or move the file "
                            "away",
                            path_, *kept.damaged + 2, n_columns_)});
  text->resize(header_.size() + kept.n_bytes);
  return Before{*std::move(text), kept.last_step};
}

Result<void> TimeSeries::check(std::int64_t step) const {
  const auto before = look_before(step);
  if (!before) return std::unexpected(before.error());
  return {};
}

Result<void> TimeSeries::go_on(std::int64_t step) {
  const auto before = look_before(step);
  if (!before) return std::unexpected(before.error());
  if (before->text.empty()) return begin();
  if (const auto done = write_text(files_, path_, before->text); !done) return done;
  last_step_ = before->last_step;
  size_bytes_ = before->text.size();
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

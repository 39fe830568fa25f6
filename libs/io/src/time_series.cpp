// SPDX-License-Identifier: MIT
#include <thalweg/io/time_series.hpp>

#include <charconv>
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

Result<std::string> TimeSeries::table_before() const {
  const auto before = files_.status(path_);
  if (!before) return std::unexpected(before.error());
  if (!before->has_value()) return "";
  auto text = read_text(files_, path_);
  if (text && !text->empty() && !text->starts_with(header_))
    return std::unexpected(
        Failure{fmt::format("'{}' has other columns than this run would write (a table has the "
                            "same ones in all lines); move it away",
                            path_)});
  return text;
}

Result<void> TimeSeries::check() const {
  const auto text = table_before();
  if (!text) return std::unexpected(text.error());
  return {};
}

Result<void> TimeSeries::go_on(std::int64_t step) {
  const auto text = table_before();
  if (!text) return std::unexpected(text.error());
  if (text->empty()) return begin();
  std::size_t kept = header_.size();
  last_step_ = -1;
  for (std::size_t end; (end = text->find('\n', kept)) != std::string::npos; kept = end + 1) {
    std::int64_t of_line = 0;
    const auto read = std::from_chars(text->data() + kept, text->data() + end, of_line);
    if (read.ec != std::errc{} || of_line > step) break;
    last_step_ = of_line;
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

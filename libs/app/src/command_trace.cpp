// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/same_file.hpp>
#include <thalweg/trace/chrome.hpp>
#include <thalweg/trace/file.hpp>
#include <thalweg/trace/otf2.hpp>
#include <thalweg/trace/summary.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {

/// What an OTF2 archive consists of, in its folder.
constexpr std::array archive_parts = {"traces.otf2", "traces.def", "traces"};

Result<void> export_chrome(const std::vector<trace::RankTrace>& traces, const std::string& path) {
  std::ostringstream text;
  trace::write_chrome_json(text, traces);
  io::PosixFileSystem files;
  return io::write_text(files, path, text.str());
}

/// Whether an export to a place would replace the trace that it is made from.
bool would_replace(const std::filesystem::path& target, const std::filesystem::path& trace) {
  if (io::is_same_file(target, trace)) return true;
  std::error_code none;
  const auto file = std::filesystem::weakly_canonical(trace, none);
  return std::ranges::any_of(archive_parts, [&](const char* part) {
    const auto replaced = std::filesystem::weakly_canonical(target / part, none);
    return !replaced.empty() && std::ranges::mismatch(replaced, file).in1 == replaced.end();
  });
}

/// What an export has left, an earlier one or one that failed, and nothing else: a folder that
/// holds more stays, and is refused.
void remove_archive(const std::filesystem::path& folder) {
  std::error_code none;
  for (const char* part : archive_parts) std::filesystem::remove_all(folder / part, none);
  std::filesystem::remove(folder, none);
}

}  // namespace

std::string trace_file(const std::string& path) {
  std::error_code none;  // what cannot be looked at is no folder
  const bool is_folder = std::filesystem::is_directory(path, none);
  return is_folder ? (std::filesystem::path(path) / "trace.pftrace").string() : path;
}

std::vector<trace::RankTrace> read_trace_file(const std::string& path) {
  const auto bytes = io::read_text(io::PosixFileSystem(), path);
  if (!bytes)
    throw Error(fmt::format(
        "{}; a run of a deck with trace.steps leaves one in its folder, a run of another command "
        "with --trace FILE that file",
        bytes.error().message));
  return value_of(trace::read_traces(*bytes, path));
}

int command_trace_summary(const std::string& file_or_folder, OutputFormat format) {
  const std::string path = trace_file(file_or_folder);
  const auto summary = trace::summarise(read_trace_file(path));
  if (!summary) throw Error(fmt::format("'{}': {}", path, summary.error().message));
  if (format == OutputFormat::json)
    trace::write_json(std::cout, *summary);
  else
    trace::write_text(std::cout, *summary);
  return exit_success;
}

int command_trace_export(const TraceExport& request) {
  if (request.format != "chrome" && request.format != "otf2")
    throw Error(fmt::format(
        "unknown format '{}' (there are chrome and otf2; Perfetto opens the file as it is)",
        request.format));
  const std::filesystem::path trace = trace_file(request.trace);
  const auto traces = read_trace_file(trace.string());
  const bool is_chrome = request.format == "chrome";
  const std::string target = request.target.value_or(
      (trace.parent_path() / (trace.stem().string() + (is_chrome ? ".json" : "-otf2"))).string());
  if (const auto why = objection_to(io::PosixFileSystem(), target, request.force,
                                    is_chrome ? Target::file : Target::folder);
      !why.empty())
    throw Error(why);
  if (would_replace(target, trace))
    throw Error(fmt::format(
        "'{}' is the trace, or where it lies (the export would replace it); choose another name "
        "with -o",
        target));
  if (request.force && !is_chrome) remove_archive(target);
  const auto done = is_chrome ? export_chrome(traces, target) : trace::write_otf2(target, traces);
  if (!done && !is_chrome) remove_archive(target);  // a part of it is of no use
  value_of(done);
  fmt::print("{}\n", is_chrome ? target : target + "/traces.otf2");
  return exit_success;
}

}  // namespace thalweg::app

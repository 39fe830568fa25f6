// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/checkpoint.hpp>

namespace thalweg::app {

namespace {

// Throw what rank 0 complains about on all ranks.
void throw_if_any(flow::Transport& transport, const std::string& error) {
  const std::string agreed = broadcast(transport, error);
  if (!agreed.empty()) throw Error(agreed);
}

bool is_number(std::string_view text) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// Whether a run of this program writes under this name; everything else is somebody's work.
bool is_ours(std::string_view name) {
  constexpr std::string_view plot = "plt";
  if (io::is_checkpoint_name(name) || io::is_retired_name(name)) return true;
  if (name.starts_with(plot)) return name.size() >= plot.size() + 5 && is_number(name.substr(3));
  return name == trace_file_name || name == series_file_name || name == log_file_name;
}

// What stands against results in the folder; nothing if they may go there.
std::string objection(const io::FileSystem& files, const std::string& folder, Existing existing) {
  if (folder.empty()) return "the output folder has no name (results need one); give it with --out";
  const auto before = files.status(folder);
  if (!before)
    return fmt::format("output folder '{}' cannot be looked at ({}); choose another with --out",
                       folder, before.error().message);
  if (!before->has_value()) return {};
  if ((*before)->kind != io::FileStatus::Kind::directory)
    return fmt::format(
        "output folder '{}' is a file (results need a folder); choose another with "
        "--out",
        folder);
  const auto names = files.list(folder);
  if (!names)
    return fmt::format("output folder '{}' cannot be read ({}); choose another with --out", folder,
                       names.error().message);
  if (!names->empty() && existing == Existing::refuse)
    return fmt::format(
        "output folder '{}' is not empty (a run would mix its results with what is "
        "there); choose another with --out, or replace earlier results with --force",
        folder);
  return {};
}

// Make the folder ready and say what went wrong, if anything did.
std::string prepare(io::FileSystem& files, const std::string& folder, Existing existing) {
  if (const auto made = files.make_directory(folder); !made)
    return fmt::format("output folder '{}' cannot be made ({}); choose another with --out", folder,
                       made.error().message);
  const auto names = files.list(folder);
  if (!names)
    return fmt::format("output folder '{}' cannot be read ({}); choose another with --out", folder,
                       names.error().message);
  for (const auto& name : *names)
    if (existing == Existing::replace && is_ours(name))
      if (const auto gone = files.remove(folder + "/" + name); !gone)
        return fmt::format("old results in '{}' cannot be removed ({}); choose another with --out",
                           folder, gone.error().message);
  const std::string probe = folder + "/.thalweg-probe";
  const auto written = files.write(probe, 0, {});
  if (!written)
    return fmt::format("output folder '{}' cannot be written to ({}); choose another with --out",
                       folder, written.error().message);
  if (const auto gone = files.remove(probe); !gone) return gone.error().message;
  return {};
}

// A file's text, or what is wrong with its file.
Result<std::string> read_file(const io::FileSystem& files, const std::string& path) {
  const auto status = files.status(path);
  if (status && *status && (*status)->kind == io::FileStatus::Kind::directory)
    return std::unexpected(Failure{fmt::format("cannot read '{}': it is a folder", path)});
  return io::read_text(files, path);
}

}  // namespace

void check_output_folder(flow::Transport& transport, const io::FileSystem& files,
                         const std::string& folder, Existing existing) {
  std::string error;
  if (transport.rank() == Rank{0}) error = objection(files, folder, existing);
  throw_if_any(transport, error);
}

void prepare_output_folder(flow::Transport& transport, io::FileSystem& files,
                           const std::string& folder, Existing existing) {
  check_output_folder(transport, files, folder, existing);
  std::string error;
  if (transport.rank() == Rank{0}) error = prepare(files, folder, existing);
  throw_if_any(transport, error);
}

std::string read_text_everywhere(flow::Transport& transport, const io::FileSystem& files,
                                 const std::string& path) {
  std::string text;
  std::string error;
  if (transport.rank() == Rank{0}) {
    const auto read = read_file(files, path);
    if (read)
      text = *read;
    else
      error = fmt::format("{} (without a deck there is nothing to run); check the path",
                          read.error().message);
  }
  throw_if_any(transport, error);
  return broadcast(transport, text);
}

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <thalweg/io/checkpoint.hpp>

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>

#include "step_number.hpp"

namespace thalweg::io {

namespace {

constexpr std::string_view prefix = "chk";
constexpr std::uint64_t largest_manifest = 64 << 20;  // [bytes] many times any deck

std::string manifest_file(const std::string& path) {
  return path + "/manifest";
}

bool is_checkpoint_or_superseded_name(std::string_view name) {
  return is_checkpoint_name(name) || is_superseded_name(name);
}

/// Whether a folder has a checkpoint's name, and is what a run left of one that was killed.
Result<bool> is_unfinished(const FileSystem& files, const std::string& path) {
  const auto manifest = files.status(manifest_file(path));
  if (!manifest) return std::unexpected(manifest.error());
  return !manifest->has_value() && is_of_checkpoint(files, path);
}

/// Remove what a run left that was killed while it wrote or removed a checkpoint.
/// @param names  in the folder; loses those of what is removed
/// @return why the first stays of those that cannot be removed; "": none
std::string clear_leftovers(FileSystem& files, const std::string& folder,
                            std::vector<std::string>& names) {
  std::string first;
  std::erase_if(names, [&](const std::string& name) {
    const std::string path = folder + "/" + name;
    Result<bool> is_leftover = is_retired_name(name) && is_of_checkpoint(files, path);
    if (is_checkpoint_or_superseded_name(name)) is_leftover = is_unfinished(files, path);
    if (is_leftover && !*is_leftover) return false;
    Result<void> gone;
    if (is_leftover)
      gone = files.remove(path);
    else
      gone = std::unexpected(is_leftover.error());
    if (!gone && first.empty()) first = gone.error().message;
    return gone.has_value();
  });
  return first;
}

/// Find the checkpoints whose names a function takes, newest first; those that cannot be used last.
/// @param names  in the folder
std::vector<FoundCheckpoint> find_named(const FileSystem& files, const std::string& folder,
                                        const std::vector<std::string>& names,
                                        bool (*is_wanted)(std::string_view)) {
  std::vector<FoundCheckpoint> found;
  for (const std::string& name : names) {
    if (!is_wanted(name)) continue;
    const std::string path = folder + "/" + name;
    found.push_back({path, read_manifest(files, path)});
  }
  const auto age = [](const FoundCheckpoint& c) { return c.manifest ? c.manifest->sequence : 0; };
  std::ranges::stable_sort(found, std::greater<>{}, age);
  std::ranges::stable_partition(found, [](const auto& c) { return c.manifest.has_value(); });
  return found;
}

}  // namespace

bool is_checkpoint_name(std::string_view name) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  const std::size_t dot = name.find('.');
  return detail::is_step_number(name.substr(0, dot)) &&
         (dot == std::string_view::npos || detail::is_number(name.substr(dot + 1)));
}

bool is_of_checkpoint(const FileSystem& files, const std::string& path) {
  const auto names = files.list(path);
  if (!names) return false;
  const auto is_ours = [](const std::string& name) {
    return name == "index" || is_temporary_name(name, "manifest") || name.starts_with("cells_");
  };
  return std::ranges::count(*names, "manifest") > 0 || std::ranges::all_of(*names, is_ours);
}

bool is_superseded_name(std::string_view name) {
  return name.ends_with(superseded_suffix) &&
         is_checkpoint_name(name.substr(0, name.size() - superseded_suffix.size()));
}

bool is_retired_name(std::string_view name) {
  if (!name.ends_with(retired_suffix)) return false;
  name.remove_suffix(retired_suffix.size());
  return is_checkpoint_or_superseded_name(name);
}

Result<Manifest> read_manifest(const FileSystem& files, const std::string& path) {
  const auto status = files.status(manifest_file(path));
  if (!status) return std::unexpected(status.error());
  if (!status->has_value())
    return std::unexpected(Failure{fmt::format("'{}' has no manifest", path)});
  if ((*status)->size_bytes > largest_manifest)
    return std::unexpected(Failure{fmt::format("the manifest of '{}' is too large", path)});
  const auto text = read_text(files, manifest_file(path));
  if (!text) return std::unexpected(text.error());
  auto manifest = parse_manifest(*text);
  if (!manifest)
    return std::unexpected(Failure{
        fmt::format("the manifest of '{}' cannot be used: {}", path, manifest.error().message)});
  return manifest;
}

Result<std::vector<FoundCheckpoint>> find_checkpoints(const FileSystem& files,
                                                      const std::string& folder) {
  const auto names = files.list(folder);
  if (!names) return std::unexpected(names.error());
  return find_named(files, folder, *names, is_checkpoint_name);
}

Result<NewCheckpoint> begin_checkpoint(FileSystem& files, const std::string& folder,
                                       std::int64_t step) {
  auto names = files.list(folder);
  if (!names) return std::unexpected(names.error());
  std::string leftover = clear_leftovers(files, folder, *names);
  const auto before = find_named(files, folder, *names, is_checkpoint_or_superseded_name);
  const bool is_first = before.empty() || !before.front().manifest;
  const std::string usual = fmt::format("{}/{}{:05}", folder, prefix, step);
  NewCheckpoint made{usual, is_first ? 1 : before.front().manifest->sequence + 1,
                     std::move(leftover)};
  // Where a run has been here before, the older one stays whole until this one is; and what could
  // not be removed keeps its name.
  for (auto n = made.sequence; std::ranges::count(before, made.path, &FoundCheckpoint::path) > 0;
       ++n)
    made.path = fmt::format("{}.{}", usual, n);
  if (const auto done = files.make_directory(made.path); !done)
    return std::unexpected(done.error());
  return made;
}

Result<std::string> commit_checkpoint(FileSystem& files, const std::string& path,
                                      const Manifest& manifest) {
  const std::string folder = path.substr(0, path.rfind('/'));
  const std::string text = to_text(manifest);
  if (const auto read = parse_manifest(text); !read)
    return std::unexpected(
        Failure{fmt::format("no run could go on from '{}', whose manifest could "
                            "not be read back: {}",
                            path, read.error().message)});
  auto done = files.sync(path);
  if (done) done = files.sync(folder);
  if (done) done = write_text(files, manifest_file(path), text);
  if (done) done = files.sync(path);
  if (!done) return std::unexpected(done.error());
  // It counts now. One of the same step that was there before, perhaps damaged, makes room for it;
  // if that fails, it has another name.
  const std::string usual = path.substr(0, path.find('.', folder.size()));
  if (usual == path || !is_of_checkpoint(files, usual)) return path;
  const std::string retired = usual + std::string(retired_suffix);
  if (!files.rename(usual, retired) || !files.rename(path, usual) || !files.sync(folder))
    return files.status(path).value_or(std::nullopt) ? path : usual;
  static_cast<void>(files.remove(retired));
  return usual;
}

Result<std::vector<std::string>> supersede_checkpoints(FileSystem& files, const std::string& folder,
                                                       const Manifest& from) {
  auto later = find_checkpoints(files, folder);
  if (!later) return std::unexpected(later.error());
  std::erase_if(*later, [&](const FoundCheckpoint& c) {
    return !c.manifest || (c.manifest->sequence <= from.sequence && c.manifest->step <= from.step);
  });
  // The newest is renamed last: until then a run would go on from it as before.
  std::vector<std::string> renamed;
  for (const FoundCheckpoint& c : std::views::reverse(*later)) {
    const std::string after = c.path + std::string(superseded_suffix);
    auto done = files.remove(after);  // the run had written another one since
    if (done) done = files.rename(c.path, after);
    if (done) done = files.sync(folder);
    if (!done) return std::unexpected(done.error());
    renamed.push_back(c.path);
  }
  return renamed;
}

Result<void> retire_checkpoints(FileSystem& files, const std::string& folder, int keep) {
  THALWEG_EXPECT(keep > 0, "the newest stays");
  const auto names = files.list(folder);
  if (!names) return std::unexpected(names.error());
  const auto found = find_named(files, folder, *names, is_checkpoint_name);
  const auto superseded = find_named(files, folder, *names, is_superseded_name);
  std::vector<std::string> old;
  for (std::size_t i = static_cast<std::size_t>(keep); i < found.size(); ++i) {
    const auto& [path, manifest] = found[i];
    if (!manifest) break;  // somebody may want to look at damaged ones
    old.push_back(path);
  }
  for (const auto& [path, manifest] : superseded) {
    if (!manifest) continue;
    int n_newer = 0;
    bool is_written_again = false;
    for (const FoundCheckpoint& c : found) {
      if (!c.manifest || c.manifest->sequence < manifest->sequence) continue;
      ++n_newer;
      is_written_again = is_written_again || c.path + std::string(superseded_suffix) == path;
    }
    if (n_newer >= keep || is_written_again) old.push_back(path);
  }
  Result<void> all;
  const auto note = [&](const Result<void>& done) {
    if (all && !done) all = done;
    return done.has_value();
  };
  std::vector<std::string> retired;
  for (const std::string& path : old)
    if (const auto name = path + std::string(retired_suffix); note(files.rename(path, name)))
      retired.push_back(name);
  if (retired.empty()) return all;
  // Else after a loss of power the old name might stand for a part of the files.
  if (!note(files.sync(folder))) return all;
  for (const std::string& path : retired) note(files.remove(path));
  return all;
}

}  // namespace thalweg::io

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/io/checkpoint.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/plotfile.hpp>
#include <thalweg/io/plotfile_read.hpp>

namespace thalweg::app {

namespace {

// Throw what rank 0 complains about on all ranks. Where several were started and each is alone, the
// others may be what is in the way.
void throw_if_any(flow::Transport& transport, const std::string& error) {
  const std::string agreed = broadcast(transport, error);
  if (agreed.empty()) return;
  const std::string cause = words_of_lone_rank(transport.n_ranks());
  throw Error(cause.empty() ? agreed
                            : fmt::format("{}. Another rank may be there: {}", agreed, cause));
}

// Whether a run calls a plotfile so, of the whole domain or of a plane.
bool is_plot_name(std::string_view name) {
  return io::is_plotfile_name(name) || io::is_slice_name(name);
}

// Whether a plotfile is called so, or was before or after it was whole.
bool is_of_plotfile(std::string_view name) {
  for (const std::string_view suffix :
       {io::unfinished_suffix, io::retired_suffix, io::superseded_suffix})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return is_plot_name(name);
}

constexpr std::array<std::string_view, 4> names_of_files{trace_file_name, series_file_name,
                                                         points_file_name, log_file_name};

// Whether a run of this program writes under this name; everything else is somebody's work.
bool is_ours(std::string_view name) {
  return io::is_checkpoint_name(name) || io::is_superseded_name(name) ||
         io::is_retired_name(name) || is_of_plotfile(name) ||
         std::ranges::find(names_of_files, name) != names_of_files.end();
}

// Whether a run wrote a deck. Its own have a line that no other run's has, and are not parsed:
// there may be thousands of plotfiles.
bool is_deck_of(std::string_view deck, const std::string& identity) {
  return deck.contains(fmt::format("\nidentity = {}", io::toml_text(identity))) ||
         identity_of(deck) == identity;
}

// Whether a plotfile is another program's: ours are whole and have their deck when they get their
// name.
bool is_foreign_plotfile(const io::FileSystem& files, const std::string& folder,
                         const std::string& name) {
  if (!is_plot_name(name)) return false;
  const auto deck = files.status(folder + "/" + name + "/deck.toml");
  return deck && !deck->has_value();
}

// Whether another run wrote a checkpoint or a plotfile; not what is not whole, and other results.
bool is_of_another_run(const io::FileSystem& files, const std::string& path,
                       const std::string& identity) {
  if (const auto manifest = io::read_manifest(files, path))
    return !is_deck_of(manifest->deck, identity);
  const auto deck = io::read_text(files, path + "/deck.toml");
  return deck && !is_deck_of(*deck, identity);
}

// What something is not whose name says that it is, or was: somebody's work. Plotfiles of a run are
// whole when they get their name.
std::string_view what_it_only_looks_like(const io::FileSystem& files, const std::string& folder,
                                         const std::string& name) {
  const std::string path = folder + "/" + name;
  if (is_of_plotfile(name) && !io::is_plotfile(files, path) &&
      (is_plot_name(name) || !io::is_part_of_plotfile(files, path)))
    return "plotfile";
  const bool is_checkpoint =
      io::is_checkpoint_name(name) || io::is_superseded_name(name) || io::is_retired_name(name);
  if (is_checkpoint && !io::is_of_checkpoint(files, path)) return "checkpoint";
  return "";
}

// Whether what stands in the way goes.
bool is_forced(Existing existing) {
  return existing == Existing::replace || existing == Existing::keep_own;
}

// Whether a result must go, or stands in the way, before a run writes there.
bool must_go(const io::FileSystem& files, const std::string& folder, const std::string& name,
             Existing existing, const std::string& identity) {
  if (!is_ours(name)) return false;
  const bool goes_on = existing == Existing::keep || existing == Existing::keep_own;
  return !goes_on || is_foreign_plotfile(files, folder, name) ||
         is_of_another_run(files, folder + "/" + name, identity);
}

// The file in the path of a folder that stands where a folder would; "" where there is none.
std::string file_in_path(const io::FileSystem& files, std::filesystem::path folder) {
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    const auto there = files.status(folder.string());
    if (!there || !there->has_value()) continue;
    return (*there)->kind == io::FileStatus::Kind::directory ? "" : folder.string();
  }
  return "";
}

// Whether a folder that is called like a checkpoint has one: an empty one has not.
bool holds_checkpoint(const io::FileSystem& files, const std::string& path) {
  const auto names = files.list(path);
  return names && !names->empty() && io::is_of_checkpoint(files, path);
}

// The checkpoint or plotfile that a folder is or lies in; "" where there is none.
std::string result_around(const io::FileSystem& files, const std::string& folder) {
  std::error_code none;
  auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(folder, none), none);
  for (; path.has_relative_path(); path = path.parent_path()) {
    const auto name = path.filename().string();
    if (is_of_plotfile(name) ? io::is_plotfile(files, path.string())
                             : is_ours(name) && holds_checkpoint(files, path.string()))
      return path.string();
  }
  return "";
}

// What stands against results in the folder; nothing if they may go there.
std::string objection(const io::FileSystem& files, const std::string& folder, Existing existing,
                      const std::string& identity) {
  if (folder.empty()) return "the output folder has no name (results need one); give it with --out";
  if (const auto result = result_around(files, folder); !result.empty())
    return fmt::format(
        "output folder '{}' is, or lies in, '{}' (a checkpoint or plotfile, which a run removes "
        "with all that is in it); choose another with --out",
        folder, result);
  const auto before = files.status(folder);
  if (!before)
    return fmt::format("{} (results go to this folder); choose another with --out",
                       before.error().message);
  if (!before->has_value()) {
    const auto file = file_in_path(files, folder);
    return file.empty() ? ""
                        : fmt::format(
                              "output folder '{}' cannot be used ('{}' is a file); choose another "
                              "with --out",
                              folder, file);
  }
  if ((*before)->kind != io::FileStatus::Kind::directory)
    return fmt::format(
        "output folder '{}' is a file (results need a folder); choose another with "
        "--out",
        folder);
  const auto names = files.list(folder);
  if (!names)
    return fmt::format("output folder '{}' cannot be read ({}); choose another with --out", folder,
                       names.error().message);
  for (const auto& name : *names) {
    if (name == io::FolderLock::file_name) continue;
    if (existing == Existing::refuse)
      return fmt::format(
          "output folder '{}' is not empty (a run would mix its results with what is "
          "there); choose another with --out, or replace earlier results with --force",
          folder);
    if (const auto what = what_it_only_looks_like(files, folder, name); !what.empty())
      return fmt::format(
          "'{}/{}' is no {} (results of a run have such names, and would replace it); move it "
          "away, or choose another folder with --out",
          folder, name, what);
    if (!is_forced(existing) && must_go(files, folder, name, existing, identity))
      return fmt::format(
          "'{}/{}' belongs to another run (whose results would be mixed with this one's); choose "
          "another folder with --out, or replace what others have left there with --force",
          folder, name);
  }
  return {};
}

bool is_file(const io::FileSystem& files, const std::string& path) {
  const auto there = files.status(path);
  return there && *there && (*there)->kind == io::FileStatus::Kind::file;
}

// Of a plotfile that was to be replaced when its run was killed: give it its name back, unless the
// new one has it. Of a file that was being written then: remove what there is of it.
void clear_leftover(io::FileSystem& files, const std::string& folder, const std::string& name) {
  for (const std::string_view file : names_of_files)
    if (io::is_temporary_name(name, file) && is_file(files, folder + "/" + name))
      static_cast<void>(files.remove(folder + "/" + name));
  if (!is_of_plotfile(name) || !name.ends_with(io::retired_suffix)) return;
  const std::string retired = folder + "/" + name;
  const std::string path = retired.substr(0, retired.size() - io::retired_suffix.size());
  const auto there = files.status(path);
  if (!there) return;
  static_cast<void>(there->has_value() ? files.remove(retired) : files.rename(retired, path));
}

// Remove a result; a folder such that what a kill leaves of it has another name, if that is free.
Result<void> remove_result(io::FileSystem& files, const std::string& path) {
  const auto there = files.status(path);
  const bool is_folder = there && *there && (*there)->kind == io::FileStatus::Kind::directory;
  const std::string retired = path + std::string(io::retired_suffix);
  if (!is_folder || path.ends_with(io::retired_suffix) || !files.rename(path, retired))
    return files.remove(path);
  return files.remove(retired);
}

// Remove what must go, and say what went wrong, if anything did.
std::string remove_old(io::FileSystem& files, const std::string& folder, Existing existing,
                       const std::string& identity) {
  const auto names = files.list(folder);
  if (!names)
    return fmt::format("output folder '{}' cannot be read ({}); choose another with --out", folder,
                       names.error().message);
  for (const auto& name : *names)
    if (!is_forced(existing) || !must_go(files, folder, name, existing, identity))
      clear_leftover(files, folder, name);
    else if (const auto gone = remove_result(files, folder + "/" + name); !gone)
      return fmt::format("old results in '{}' cannot be removed ({}); choose another with --out",
                         folder, gone.error().message);
  return {};
}

// The step that a name ends with, as text.
std::string_view digits_of(std::string_view name) {
  return name.substr(name.find_last_not_of("0123456789") + 1);
}

// Whether a name ends with a step after one.
bool is_of_later_step(std::string_view name, std::int64_t step) {
  const std::string_view digits = digits_of(name);
  std::int64_t own = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), own);
  return read.ec == std::errc() && own > step;
}

// Put names in the order of their steps, those of each plane together.
void sort_by_step(std::vector<std::string>& names) {
  std::ranges::sort(names, {}, [](std::string_view name) {
    const std::string_view digits = digits_of(name);
    return std::tuple(name.substr(0, name.size() - digits.size()), digits.size(), digits);
  });
}

// Rename plotfiles of later steps. @return the paths that they had, in the order of the steps
Result<std::vector<std::string>> supersede_plotfiles(io::FileSystem& files,
                                                     const std::string& folder, std::int64_t step,
                                                     bool (&has_name)(std::string_view)) {
  auto names = files.list(folder);
  if (!names) return std::unexpected(names.error());
  sort_by_step(*names);
  std::vector<std::string> renamed;
  for (const auto& name : *names) {
    if (!has_name(name) || !is_of_later_step(name, step)) continue;
    const std::string path = folder + "/" + name;
    const std::string after = path + std::string(io::superseded_suffix);
    auto done = files.remove(after);
    if (done) done = files.rename(path, after);
    if (!done) return std::unexpected(done.error());
    renamed.push_back(path);
  }
  return renamed;
}

// A word for paths of one kind, if there are any.
void add_range(std::vector<std::string>& words, const std::vector<std::string>& paths) {
  if (paths.size() == 1) words.push_back(paths.front());
  if (paths.size() > 1) words.push_back(fmt::format("{} to {}", paths.front(), paths.back()));
}

// Checkpoints first: as soon as these are renamed, a run that is killed here does this again.
Result<std::string> supersede(io::FileSystem& files, const std::string& folder,
                              const io::Manifest& from) {
  const auto checkpoints = io::supersede_checkpoints(files, folder, from);
  if (!checkpoints) return std::unexpected(checkpoints.error());
  std::vector<std::string> words;
  add_range(words, *checkpoints);
  for (auto& has_name : {io::is_plotfile_name, io::is_slice_name}) {
    const auto plotfiles = supersede_plotfiles(files, folder, from.step, *has_name);
    if (!plotfiles) return std::unexpected(plotfiles.error());
    add_range(words, *plotfiles);
  }
  return joined_text(words);
}

// A file's text, or what is wrong with its file.
Result<std::string> read_file(const io::FileSystem& files, const std::string& path) {
  const auto status = files.status(path);
  if (status && *status && (*status)->kind == io::FileStatus::Kind::directory)
    return std::unexpected(Failure{fmt::format("cannot read '{}': it is a folder", path)});
  return io::read_text(files, path);
}

}  // namespace

std::string identity_of(std::string_view deck) {
  return io::find_string(deck, {}, identity_key).value_or("");
}

std::string objection_to_plotfile(const io::FileSystem& files, const std::string& path,
                                  bool force) {
  if (path.empty()) return "a plotfile without a name (it is a folder); give the path of one";
  const std::string in_the_way = file_in_path(files, std::filesystem::path(path).parent_path());
  if (!in_the_way.empty())
    return fmt::format("'{}' is a file (the plotfile '{}' would be in it); choose another path",
                       in_the_way, path);
  const auto there = files.status(path);
  if (!there) return there.error().message;
  if (!there->has_value()) return {};
  if (!io::is_plotfile(files, path))
    return fmt::format(
        "'{}' exists, and is no plotfile (it would be replaced); choose another name", path);
  if (force) return {};
  return fmt::format(
      "'{}' exists (it would be replaced); choose another name, or replace it with --force", path);
}

void check_output_folder(flow::Transport& transport, const io::FileSystem& files,
                         const std::string& folder, Existing existing,
                         const std::string& identity) {
  std::string error;
  if (transport.rank() == Rank{0}) error = objection(files, folder, existing, identity);
  throw_if_any(transport, error);
}

void remove_old_results(flow::Transport& transport, io::FileSystem& files,
                        const std::string& folder, Existing existing, const std::string& identity) {
  check_output_folder(transport, files, folder, existing, identity);
  std::string error;
  if (transport.rank() == Rank{0}) error = remove_old(files, folder, existing, identity);
  throw_if_any(transport, error);
}

std::optional<io::FolderLock> take_output_folder(flow::Transport& transport,
                                                 io::PosixFileSystem& files,
                                                 const std::string& folder, Existing existing,
                                                 const std::string& identity) {
  check_output_folder(transport, files, folder, existing, identity);
  std::optional<io::FolderLock> mine;
  std::string error;
  if (transport.rank() == Rank{0}) {
    if (auto lock = io::FolderLock::take(folder))
      mine.emplace(*std::move(lock));
    else
      error = fmt::format("output folder '{}' cannot be used ({}); choose another with --out",
                          folder, lock.error().message);
  }
  throw_if_any(transport, error);
  if (mine && !mine->keeps_out())
    print_to_stderr(
        "warning: output folder '{}' is on a file system that has no locks (a second run in this "
        "folder would not be noticed, and the results of both would be lost); see that there is "
        "one only\n",
        folder);
  return mine;
}

Result<std::string> supersede_results(flow::Transport& transport, io::FileSystem& files,
                                      const std::string& folder, const io::Manifest& from) {
  return made_by_rank_0(transport, [&] { return supersede(files, folder, from); });
}

std::string read_text_everywhere(flow::Transport& transport, const io::FileSystem& files,
                                 const std::string& path, std::string_view why) {
  std::string text;
  std::string error;
  if (transport.rank() == Rank{0}) {
    const auto read = read_file(files, path);
    if (read)
      text = *read;
    else
      error = fmt::format("{} ({}); check the path", read.error().message, why);
  }
  throw_if_any(transport, error);
  return broadcast(transport, text);
}

}  // namespace thalweg::app

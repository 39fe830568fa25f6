// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/folder_lock.hpp>
#include <thalweg/io/manifest.hpp>

namespace thalweg::app {

/// What to do with a folder that holds something already. Results are what a run writes:
/// plotfiles, also of planes, checkpoints, series, points, logs, traces.
enum class Existing {
  refuse,    ///< anything there is an error
  beside,    ///< results are an error; other files stay
  replace,   ///< results go; other files stay
  keep,      ///< a run goes on there: results of another run are an error
  keep_own,  ///< a run goes on there: results of other runs go
};

/// The key of decks that says which run wrote results: the same as long as it goes on in its
/// folder.
inline constexpr const char* identity_key = "run.identity";
/// What a deck has for it; "" where it has none, as decks of older results.
std::string identity_of(std::string_view deck);

inline constexpr const char* series_file_name = "series.csv";  ///< totals and extrema
inline constexpr const char* points_file_name = "points.csv";  ///< the state at some points
inline constexpr const char* log_file_name = "log.jsonl";      ///< what happened, a line each

/// Look whether output may go to a folder, without touching anything. Collective.
/// @param identity  of the run that goes on there, for keep and keep_own
/// @errors throws Error, on all ranks alike, if it is no folder or holds what must not be replaced
void check_output_folder(flow::Transport& transport, const io::FileSystem& files,
                         const std::string& folder, Existing existing,
                         const std::string& identity = {});

/// What stands against writing a plotfile under a name that somebody chose; nothing if it may be
/// written. What is no plotfile is never replaced.
std::string objection_to_plotfile(const io::FileSystem& files, const std::string& path, bool force);

/// Make a folder for output on a disk, and keep other runs out of it by a lock that rank 0 holds;
/// warns on the standard error where the file system has none. Collective. What is there stays
/// until remove_old_results is called.
/// @errors throws Error, on all ranks alike, where check_output_folder does, and if the folder
/// can't be made or written to; names who is in it
std::optional<io::FolderLock> take_output_folder(flow::Transport& transport,
                                                 io::PosixFileSystem& files,
                                                 const std::string& folder, Existing existing,
                                                 const std::string& identity = {});

/// Remove the results of earlier runs that must not stay, once nothing stands against the new one.
/// Collective. @pre the folder is there
/// @errors throws Error, on all ranks alike, where check_output_folder does, and if they can't be
/// removed
void remove_old_results(flow::Transport& transport, io::FileSystem& files,
                        const std::string& folder, Existing existing,
                        const std::string& identity = {});

/// Rename what a run wrote after the checkpoint from which it now goes on, that this be not taken
/// for results of it: io::supersede_checkpoints, then plotfiles and planes of later steps,
/// plt00040 to plt00040.superseded, in place of what has that name. Collective.
/// @return on all ranks, the paths that they had, of many the first and the last; "": there are
/// none
/// @errors on all ranks alike, where one cannot be renamed
Result<std::string> supersede_results(flow::Transport& transport, io::FileSystem& files,
                                      const std::string& folder, const io::Manifest& from);

/// Read a text on rank 0 and give it to all ranks. Collective.
/// @param why  it is needed, for the message
/// @errors throws Error, on all ranks alike, where rank 0 cannot read it
std::string read_text_everywhere(flow::Transport& transport, const io::FileSystem& files,
                                 const std::string& path, std::string_view why);

}  // namespace thalweg::app

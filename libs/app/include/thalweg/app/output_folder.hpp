// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <thalweg/flow/transport.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::app {

/// What to do with a folder that holds something already.
enum class Existing {
  refuse,   ///< it is an error
  replace,  ///< plotfiles, checkpoints, series, logs, traces of an earlier run go; other files stay
  keep,     ///< all stays: a run is continued there
};

inline constexpr const char* series_file_name = "series.csv";  ///< totals and extrema
inline constexpr const char* log_file_name = "log.jsonl";      ///< what happened, a line each

/// Look whether output may go to a folder, without touching anything. Collective.
/// @errors throws Error, on all ranks alike, if it is no folder or holds what must not be replaced
void check_output_folder(flow::Transport& transport, const io::FileSystem& files,
                         const std::string& folder, Existing existing);

/// Make a folder for output, without the results of earlier runs. Collective.
/// @errors throws Error, on all ranks alike, where check_output_folder does, and if the folder
/// can't be made or written to
void prepare_output_folder(flow::Transport& transport, io::FileSystem& files,
                           const std::string& folder, Existing existing);

/// Read a text on rank 0 and give it to all ranks. Collective.
/// @errors throws Error, on all ranks alike, where rank 0 cannot read it
std::string read_text_everywhere(flow::Transport& transport, const io::FileSystem& files,
                                 const std::string& path);

}  // namespace thalweg::app

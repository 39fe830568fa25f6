// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/checkpoint_target.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/folder_lock.hpp>

namespace thalweg::app {

class Runtime;

/// What `thalweg run` was asked for.
struct RunRequest {
  std::string deck;                      ///< empty: that of the checkpoint
  std::vector<std::string> overrides{};  ///< "section.key=value"
  std::optional<std::string> model{};
  std::optional<int> threads{};
  std::optional<std::string> folder{};
  std::optional<std::string> restart{};  ///< path of a checkpoint, or "latest"
  bool force = false;
  bool quiet = false;                    ///< show no steps
  bool dry_run = false;                  ///< say what would be run and what it takes
  std::optional<std::string> machine{};  ///< file; of a dry run, to predict a step for
  std::string words{};                   ///< all of it as it was typed
  /// The deck itself, in place of a file; messages call it what `deck` says.
  std::optional<std::string> deck_text{};
};

/// What a run is to do, and what it goes on from.
struct Job {
  io::Deck deck;
  std::optional<Checkpoint> from;        ///< none: it begins
  Existing existing = Existing::refuse;  ///< what to do with results in its folder
  /// Sequence of the newest checkpoint beside the one that it goes on from, before that was read;
  /// 0: there was none.
  std::uint64_t newest = 0;
};

/// Load the deck that a run was asked for, or else that of the checkpoint it goes on from.
/// Collective.
/// @errors throws Error, on all ranks alike: as load_deck; files that cannot be read; no checkpoint
Job load_job(std::span<const Application> applications, const RunRequest& request,
             Runtime& runtime);

/// Find everything that can be wrong with a run before anything is written. Collective.
/// @param folder  where its results are to go; "": nowhere
/// @errors throws Error with all that is wrong, on all ranks alike
void check_job(std::span<const Application> applications, const Job& job, const std::string& folder,
               Runtime& runtime);

/// As take_output_folder, and see that no other run has gone on there since the job was loaded: it
/// would lose what it has done. Collective.
/// @errors throws Error, on all ranks alike, with nothing touched
std::optional<io::FolderLock> take_folder(const Job& job, const std::string& folder,
                                          Runtime& runtime);

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace thalweg::flow {

/// Who talks to the transport, and when. Messages are posted early in all modes.
enum class Progress : std::uint8_t {
  idle,           ///< workers that have nothing else to do poll, one at a time
  task_boundary,  ///< and after every task
  thread,         ///< a thread of its own, which no worker helps; not in a simulation
};

/// How messages of a graph are begun.
enum class Posting : std::uint8_t {
  fresh,       ///< each time as if for the first time
  persistent,  ///< by operations made once a graph, until another with messages is run
};

/// The policy of a name as decks spell it, or nothing.
std::optional<Progress> progress_from_string(std::string_view name);
std::optional<Posting> posting_from_string(std::string_view name);

}  // namespace thalweg::flow

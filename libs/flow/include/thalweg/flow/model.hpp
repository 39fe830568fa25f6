// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thalweg::flow {

/// Where the barriers are and who talks to the transport; the results are the same.
enum class Model : std::uint8_t {
  bulk,      ///< one worker, a barrier after every phase
  forkjoin,  ///< all workers, a barrier after every phase; only worker 0 communicates
  phase,     ///< a barrier between level phases only; any worker communicates
  dataflow,  ///< no barrier; any worker communicates
};

/// All of them.
inline constexpr std::array all_models{Model::bulk, Model::forkjoin, Model::phase, Model::dataflow};

/// How deep a phase cuts.
enum class PhaseKind : std::uint8_t {
  step,   ///< inner: a barrier in bulk and forkjoin
  level,  ///< outer: a barrier in the phase model too
};

/// The name of a model as decks spell it.
std::string_view to_string(Model model);
/// The model of a name, or nothing.
std::optional<Model> model_from_string(std::string_view name);

}  // namespace thalweg::flow

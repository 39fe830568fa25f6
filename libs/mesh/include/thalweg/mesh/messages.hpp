// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::mesh {

/// One side of a round of messages: to whom each goes, or from whom each came.
///
/// A distributed algorithm of this module is a chain of pure functions: one returns what a rank
/// sends, the next takes what arrived, sorted by source, then in order of sending; a message to
/// oneself arrives too. An *exchange* is any callable that carries out one such round on all ranks
/// together: `Messages<T> exchange(const Messages<T>&)` for every trivially copyable T used here.
template <class T>
using Messages = std::vector<std::pair<Rank, T>>;

}  // namespace thalweg::mesh

// SPDX-License-Identifier: MIT
#pragma once
#include <expected>
#include <stdexcept>
#include <string>

namespace thalweg {

/// A bad request, found before the first step: a deck, an option, a file, the environment, an
/// initial state that is inadmissible.
///
/// The message reads "problem (why it is a problem); what to do" and carries the values.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Something that one rank may have met alone, as MPI refused it or a message was wrong. The others
/// know nothing of it and may wait for this rank: it ends them all.
struct RankError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Why a run failed after it had started: an inadmissible state, a full disk, a lost message.
struct Failure {
  std::string message;
};

/// A value, or the failure that kept it from being made.
template <class T>
using Result = std::expected<T, Failure>;

}  // namespace thalweg

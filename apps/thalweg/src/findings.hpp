// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

namespace thalweg {

/// How what was looked at is.
enum class State {
  good,
  note,   ///< worth to know: something is slower than it need be, or a command has to do without
  wrong,  ///< runs would fail, or cannot be trusted
};

/// What `thalweg doctor` says of one thing.
struct Finding {
  std::string name;
  State state = State::good;
  std::string text;  ///< what it is; where it is not good, why, and what to do
};

/// The worst of all.
State worst_of(std::span<const Finding> findings);
/// A line each, and one at the end that names what is wrong.
std::string text_of(std::span<const Finding> findings);
/// The same for tools, schema thalweg-doctor-1.
std::string json_of(std::span<const Finding> findings);

}  // namespace thalweg

// SPDX-License-Identifier: MIT
// An application of one's own: what a wind carries, with two problems.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::app::testing {

/// application.name = "stream", in two dimensions: problem.name = "spot", which has problem.width,
/// or "plane", which has problem.slope and says what lies outside; both have problem.height.
/// stream.wind carries it; output.derived may name "square".
Application stream();

/// Another with the same name of a problem, in one and two dimensions; it cannot be run.
Application other_stream();

/// These two.
const std::vector<Application>& applications();

io::Deck deck(std::string_view text, const std::vector<std::string>& overrides = {});

/// Nine steps of a spot that moves through a periodic square, on two levels of refinement. Later
/// overrides win.
io::Deck spot_deck(const std::vector<std::string>& overrides = {});

/// What is wrong with a deck: what load_deck throws, or set_up. None: "".
std::string complaint(std::string_view text, const std::vector<std::string>& overrides = {});

}  // namespace thalweg::app::testing

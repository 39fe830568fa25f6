// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::app {

/// The deck on coarser and coarser meshes: with half the cells in a block, without the finest
/// level and the next ones, with half the blocks along each axis of level 0, as long as there are
/// even numbers of them. None where its cells are in no blocks.
std::vector<io::Deck> coarser_decks(const Application& application, const io::Deck& deck);

}  // namespace thalweg::app

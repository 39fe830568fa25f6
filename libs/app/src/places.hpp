// SPDX-License-Identifier: MIT
// Planes and points that a deck asks to be looked at during a run.
#pragma once
#include <string>
#include <vector>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/deck_reader.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::app {

/// A plane of which a run writes plotfiles.
struct Slice {
  std::string name;  ///< as they are called, but for the step: slice_z1
  PlotPlane plane;
};

/// The planes of a deck, those across x first; none where its equations have no such keys.
std::vector<Slice> slices_of(const io::Deck& deck);

/// Its points, and the derived fields that plotfiles have.
PointRequest points_of(const io::Deck& deck);

/// The key that says which fields of the state plotfiles have, and its value for all of them.
inline constexpr const char* key_of_fields = "output.fields";
inline constexpr const char* all_fields = "all";

/// The fields of output.derived; none where a deck has no such key.
std::vector<std::string> derived_of(const io::Deck& deck);

/// Complain of planes and points that are not in the domain from `lower` to `upper`.
template <int D>
void check_places(DeckReader<D>& reader, const Vec<D>& lower, const Vec<D>& upper);

/// What is said of planes or points that there are none of; "": nothing.
std::string warning_of_places(const io::Deck& deck);

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/io/deck.hpp>
#include <thalweg/vlasov/settings.hpp>

namespace thalweg::vlasov {

/// The settings that a deck of this application asks for, with the halo that it leaves open.
/// @errors throws Error listing everything that does not go together
Settings read_settings(const io::Deck& deck);

/// What of settings gives wrong results, although they can be run: a sentence each.
std::vector<std::string> warnings_of(const Settings& settings);

}  // namespace thalweg::vlasov

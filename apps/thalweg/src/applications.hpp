// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/app/application.hpp>

namespace thalweg {

/// The applications that decks choose, of those that the build was told to take, in this order.
std::vector<app::Application> applications();

}  // namespace thalweg

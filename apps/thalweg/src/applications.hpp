// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/command_line.hpp>

namespace thalweg {

/// What the build was told to put into the program, in this order.
std::vector<app::Application> applications();
/// The applications among it that are no decks but commands.
std::vector<app::Command> commands();

}  // namespace thalweg

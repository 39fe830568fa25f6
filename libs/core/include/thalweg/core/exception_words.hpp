// SPDX-License-Identifier: MIT
#pragma once
#include <exception>
#include <string>

namespace thalweg {

/// Say what an exception means for the one who started the program: what() of no memory, or no
/// thread, names neither what is lacking nor what to do.
std::string words_of(const std::exception& error);

}  // namespace thalweg

// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/exchange/emit/rounds.hpp>

namespace thalweg::app {

using exchange::TransportRounds;

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/exchange/emit/collectives.hpp>

namespace thalweg::app {

using exchange::TransportCollectives;

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace thalweg {

/// The name of this machine; empty where the system does not say.
std::string host_name();

}  // namespace thalweg

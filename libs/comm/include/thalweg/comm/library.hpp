// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace thalweg::comm {

/// The name and version of the MPI library, as it says itself, its first clause: "Open MPI v4.1.4".
///
/// May be called before MPI is started, on any thread.
std::string library_version();

}  // namespace thalweg::comm

// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace thalweg::comm {

/// The name and version of the MPI library, as it says itself, its first clause: "Open MPI v4.1.4";
/// or that there is none.
///
/// May be called before MPI is started, on any thread.
std::string library_version();

/// The level of threads that MPI gives this process, by its name in the standard:
/// "MPI_THREAD_SERIALIZED"; "" without MPI. @pre MPI has been started
std::string thread_level();

}  // namespace thalweg::comm

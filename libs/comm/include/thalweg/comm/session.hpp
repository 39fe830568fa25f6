// SPDX-License-Identifier: MIT
#pragma once
#include <mpi.h>

#include <exception>
#include <optional>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::comm {

/// Throw RankError with the text that MPI has for a code, unless the code is MPI_SUCCESS.
/// @param doing what was tried, as in "cannot <doing>"
void check(int code, const char* doing);

/// MPI from here to the end of the scope, for threads that take turns (MPI_THREAD_SERIALIZED).
///
/// Where somebody else has started MPI, it is theirs to end: a session then only uses it.
///
/// Where it starts MPI it sets one or two of Open MPI's variables (OMPI_MCA_...) in the environment
/// for as long as that takes. The environment has no lock: a host with threads makes its session
/// while none of them calls getenv or setenv.
class Session {
 public:
  /// @param communicator  its ranks, by the number that Fortran has for it, of an MPI that somebody
  /// has started; none: all of them
  /// @errors RankError where MPI cannot be started; Error where it has ended already, does not let
  /// threads take turns, there is no such communicator, or this process is not in it
  Session(int* argc, char*** argv, std::optional<MPI_Fint> communicator = {});
  /// Where it ends MPI, waits for all ranks to come here: a rank that fails instead can abort and
  /// end the others. A rank that an exception takes here while others do not come, as they wait for
  /// it in a call of all ranks, says so, and ends all when this process exits: until then whoever
  /// catches the exception can print it.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Rank rank() const { return rank_; }
  int n_ranks() const { return n_ranks_; }
  /// The communicator of all its ranks.
  MPI_Comm world() const { return world_; }
  /// Whether MPI ends with it.
  bool ends_mpi() const { return is_owner_; }
  /// Wait until all ranks have come here; where an exception takes this one here, not for long.
  /// @return whether there is no rank to wait for any more
  bool wait_for_all() const;

 private:
  MPI_Comm world_ = MPI_COMM_WORLD;
  Rank rank_;
  int n_ranks_ = 1;
  bool is_owner_ = true;                           ///< has started MPI, and ends it
  int n_exceptions_ = std::uncaught_exceptions();  ///< under way when it began
};

}  // namespace thalweg::comm

// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>

#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// The processes that were started together, as this one sees them: the ranks of MPI or, where
/// Thalweg is built without (THALWEG_MPI is OFF), this process alone. Without `<mpi.h>`.
///
/// A collective construction and destruction: all ranks make one together.
class World {
 public:
  /// @param communicator  its ranks alone, by the number that Fortran has for it, where somebody
  /// has started MPI; none: all of them
  /// @errors RankError where MPI cannot be started; Error where it has ended already (with an
  /// earlier World), does not let threads take turns, there is no such communicator, or this
  /// process is not in it
  World(int* argc, char*** argv, std::optional<int> communicator = {});
  /// Waits for all ranks to come here; with MPI, a message from another rank that nobody has
  /// received then ends them.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  flow::Transport& transport() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::comm

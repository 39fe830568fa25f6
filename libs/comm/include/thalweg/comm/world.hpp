// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// The processes that were started together, as this one sees them: the ranks of MPI or, where
/// Thalweg is built without (THALWEG_MPI is OFF), this process alone. Without `<mpi.h>`.
///
/// A collective construction and destruction: all ranks make one, once.
class World {
 public:
  /// @errors Error where MPI cannot be started, or does not let threads take turns
  World(int* argc, char*** argv);
  /// Waits for all ranks to come here.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  flow::Transport& transport() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::comm

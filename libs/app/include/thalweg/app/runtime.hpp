// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>

#include <thalweg/app/context.hpp>
#include <thalweg/comm/session.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::app {

/// This process as a rank of an MPI program: the transport, the clock, the disk and the log.
///
/// Made in main and passed on; MPI ends with it.
class Runtime {
 public:
  /// @errors Error where MPI does not give what is needed
  Runtime(int* argc, char*** argv)
      : session_(argc, argv), transport_(session_), log_(stdout, transport_.rank()) {}

  /// The world of a simulation that runs as told.
  Context context(const Execution& execution) {
    return {transport_, clock_, files_, log_, execution};
  }
  flow::Transport& transport() { return transport_; }
  io::FileSystem& files() { return files_; }
  Rank rank() const { return transport_.rank(); }

 private:
  comm::Session session_;
  comm::MpiTransport transport_;
  SteadyClock clock_;
  io::PosixFileSystem files_;
  Logger log_;
};

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include <thalweg/app/context.hpp>
#include <thalweg/app/free_memory.hpp>
#include <thalweg/comm/transport_latency.hpp>
#include <thalweg/comm/world.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::app {

/// This process as a rank of a program: the transport, MPI's or that of a process alone
/// (comm::World), the clock, the disk and the log.
///
/// Made in main and passed on; MPI ends with it. A limit on the size of files (SIGXFSZ) no longer
/// ends the process.
class Runtime {
 public:
  /// @param communicator  ranks to be taken for all there are: see comm::World
  /// @errors Error where MPI does not give what is needed
  Runtime(int* argc, char*** argv, std::optional<int> communicator = {})
      : world_(argc, argv, communicator),
        log_(stdout, world_.transport().rank()),
        memory_bytes_(share_of_memory(world_.transport(), FreeMemory().bytes())) {
    // Whoever writes a file beyond a limit on its size then has an error, and words for it.
    std::signal(SIGXFSZ, SIG_IGN);
  }

  /// The world of a simulation that runs as told, until this is called again.
  /// @errors Error where the latency is out of range, or the ranks do not share a machine
  Context context(const Execution& execution) {
    slow_ = comm::with_latency(transport(), clock_, execution.latency_us);
    flow::Transport& network = slow_ ? static_cast<flow::Transport&>(*slow_) : transport();
    network.set_watchdog(execution.executor.watchdog_s);
    return {network, clock_, files_, log_, execution, nullptr, memory_bytes_};
  }
  flow::Transport& transport() const { return world_.transport(); }
  io::PosixFileSystem& files() { return files_; }
  Rank rank() const { return transport().rank(); }

 private:
  comm::World world_;
  SteadyClock clock_;
  std::unique_ptr<comm::LatencyTransport> slow_;  ///< where there is a latency
  io::PosixFileSystem files_;
  Logger log_;
  std::size_t memory_bytes_;  ///< for each rank, when the program began
};

}  // namespace thalweg::app

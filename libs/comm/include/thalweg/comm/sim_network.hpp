// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// Which rank of a simulated network goes on next.
enum class RankOrder : std::uint8_t {
  random,   ///< as the seed says
  in_turn,  ///< each once, and again: what takes least time, where no schedules are to be explored
};

/// What a simulated network is like.
struct SimConfig {
  int n_ranks = 1;         ///< > 0
  std::uint64_t seed = 0;  ///< of the schedule: the same seed, the same run
  std::uint32_t max_delay =
      16;  ///< polls that most messages take at most; one in 16: 16 times that
  std::uint32_t patience = 20'000;  ///< polls of a rank without any event, until it is a deadlock
  std::size_t stack_bytes = 1024 * 1024;  ///< of each rank; 16 KiB .. 1 GiB
  std::vector<int>
      compute_nodes{};  ///< which compute node each rank is on, from 0; empty: each its own
  RankOrder order = RankOrder::random;
};

/// Runs a program on many virtual ranks in one thread, under a seeded schedule.
///
/// Each rank is a fiber that lets others run when it polls. Messages take random times, some
/// complete for the sender before they arrive and others not, and they overtake each other as MPI
/// lets them. Nothing depends on the machine: a seed that fails fails again.
///
/// All ranks share the thread that calls run(): an executor on such a rank has one worker and no
/// communication thread, or a picker, and else is an Error. For threads on one rank there is
/// AloneTransport.
/// @threads one
class SimNetwork {
 public:
  /// @errors Error where something in the config is out of range, or there is no memory for stacks
  explicit SimNetwork(const SimConfig& config);
  ~SimNetwork();

  /// Run the program on every rank to its end.
  ///
  /// Fails, saying why and on which rank, where a rank throws or aborts; where all wait for
  /// messages that nobody sends; where a message has another size than its receive; where one is
  /// left over. All other ranks then end too: their next poll throws flow::RunEnded, which is not
  /// a std::exception.
  Result<void> run(const std::function<void(flow::Transport&)>& program);

  /// Time in the simulation: a microsecond for each poll.
  const Clock& clock() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::comm

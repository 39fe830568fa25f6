// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/miniamr/refine_times.hpp>
#include <thalweg/trace/sink.hpp>

namespace thalweg::miniamr {

/// What a worker's time in a run goes to.
enum class Activity : std::uint8_t {
  other,
  stencil,
  sum,     ///< adding up sums of blocks for a checksum
  reduce,  ///< the rest of a checksum: waiting for messages, comparing
  pack,    ///< faces for messages across x; + 1: y, + 2: z
  pack_y,
  pack_z,
  wait,  ///< idle until a message of this axis came; in a regrid, any
  wait_y,
  wait_z,
  split,
  join,
  pack_block,
  unpack_block,
};
constexpr std::size_t n_activities = static_cast<std::size_t>(Activity::unpack_block) + 1;

/// Times of a worker in one timestep [s]. Their sums over timesteps are what its runs took.
struct StepTimes {
  double compute_s = 0;
  double comm_s = 0;  ///< all but the others: packing, waiting, finding tasks
  double gridsum_s = 0;
};

/// Adds up, over the runs of graphs, how long tasks take.
/// @threads record() by all workers; the rest between runs
class TaskTimes final : public trace::Sink {
 public:
  explicit TaskTimes(std::uint32_t n_workers) : workers_(n_workers) {}

  bool begin_run(const trace::RunStart& run) override;
  void describe(trace::GraphInfo graph) override;
  void record(const trace::Event& event) noexcept override;
  void end_run(std::int64_t end_ns) override;

  /// What runs are for from now on; none: they do not count.
  void set_purpose(std::optional<Purpose> purpose) { purpose_ = purpose; }

  /// Time of a worker, on average [s].
  double seconds(Purpose purpose, Activity activity) const;
  double compute_s() const { return seconds(Purpose::timesteps, Activity::stencil); }
  double checksum_s() const {
    return seconds(Purpose::timesteps, Activity::sum) +
           seconds(Purpose::timesteps, Activity::reduce);
  }
  /// Time of runs for timesteps, from begin to end [s].
  double runs_s() const { return 1e-9 * static_cast<double>(runs_ns_); }
  /// Times of each timestep so far, from step 1 on, of a worker on average; runs know their steps.
  std::vector<StepTimes> by_step() const;

 private:
  struct StepSums {
    std::int64_t compute_ns = 0;
    std::int64_t comm_ns = 0;
    std::int64_t gridsum_ns = 0;
  };
  struct alignas(64) Sums {
    std::array<std::array<std::int64_t, n_activities>, 3> ns{};  ///< by purpose
    std::vector<StepSums> steps{};
    // The last message that this worker saw arrive.
    std::int64_t arrived_ns = -1;
    std::uint64_t arrived_replay = 0;
    Activity arrived = Activity::other;
    // Of this run.
    std::int64_t until_ns = 0;  ///< up to here, time has gone to timesteps
    std::uint64_t replay = 0;   ///< the last one that it had something to do with
  };

  void add(Sums& sums, Activity activity, std::uint64_t replay, std::int64_t start_ns,
           std::int64_t end_ns) const;
  void add_to_step(Sums& sums, Activity activity, std::uint64_t replay, std::int64_t ns) const;

  std::vector<Sums> workers_;
  std::vector<Activity> of_nodes_;  ///< a message: what waiting for it is
  trace::RunStart run_;
  std::int64_t runs_ns_ = 0;
  std::optional<Purpose> purpose_;
};

}  // namespace thalweg::miniamr

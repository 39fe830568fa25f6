// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/trace/sink.hpp>

namespace thalweg::miniamr {

/// Adds up, over the runs of timesteps, how long tasks take.
/// @threads record() by all workers; the rest between runs
class TaskTimes final : public trace::Sink {
 public:
  explicit TaskTimes(std::uint32_t n_workers) : workers_(n_workers) {}

  bool begin_run(const trace::RunStart& run) override;
  void describe(trace::GraphInfo graph) override;
  void record(const trace::Event& event) override;
  void end_run(std::int64_t end_ns) override;

  /// Whether runs count from now on: those of timesteps do, those that move blocks do not.
  void count_runs(bool counts) { counts_ = counts; }

  /// Time of a worker, on average [s]: in tasks that sweep blocks, and in those of checksums.
  double compute_s() const { return mean_s(&Sums::compute_ns); }
  double checksum_s() const { return mean_s(&Sums::checksum_ns); }
  double runs_s() const { return 1e-9 * static_cast<double>(runs_ns_); }  ///< from begin to end

 private:
  struct alignas(64) Sums {
    std::int64_t compute_ns = 0;
    std::int64_t checksum_ns = 0;
  };
  enum class Kind : std::uint8_t { other, compute, checksum };

  double mean_s(std::int64_t Sums::* member) const;

  std::vector<Sums> workers_;
  std::vector<Kind> kinds_;  ///< of the graph's nodes
  trace::RunStart run_;
  std::int64_t runs_ns_ = 0;
  bool counts_ = false;
};

}  // namespace thalweg::miniamr

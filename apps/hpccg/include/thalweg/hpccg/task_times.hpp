// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/trace/sink.hpp>

namespace thalweg::hpccg {

/// What the report tells the times of, in the reference's words.
enum class Part : std::uint8_t {
  ddot,      ///< adding up sums of blocks and ranks; those of rows are in the other parts
  waxpby,    ///< updates of vectors, with r.r
  sparsemv,  ///< products, with p.Ap
  exchange,  ///< packing rows for other ranks
  other,
};
constexpr std::size_t n_parts = static_cast<std::size_t>(Part::other) + 1;

/// Adds up how long tasks take, over all runs of graphs.
/// @threads record() by all workers; the rest between runs
class TaskTimes final : public trace::Sink {
 public:
  explicit TaskTimes(std::uint32_t n_workers) : workers_(n_workers) {}

  bool begin_run(const trace::RunStart&) override { return true; }
  void describe(trace::GraphInfo graph) override;
  void record(const trace::Event& event) noexcept override;
  void end_run(std::int64_t) override {}

  /// Time of a worker, on average [s].
  double seconds(Part part) const;

 private:
  struct alignas(64) Sums {
    std::array<std::int64_t, n_parts> ns{};
  };
  std::vector<Sums> workers_;
  std::vector<Part> of_nodes_;
};

}  // namespace thalweg::hpccg

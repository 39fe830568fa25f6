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

/// Adds up how long tasks take, over all runs of graphs, and lets another sink hear of them, too.
/// @threads record() by all workers; the rest between runs
class TaskTimes final : public trace::Sink {
 public:
  /// @param next  outlives this; null: nobody
  explicit TaskTimes(std::uint32_t n_workers, trace::Sink* next = nullptr)
      : workers_(n_workers), next_(next) {}

  bool begin_run(const trace::RunStart& run) override {
    passes_on_ = next_ != nullptr && next_->begin_run(run);
    return true;
  }
  void describe(trace::GraphInfo graph) override;
  void record(const trace::Event& event) override;
  void end_run(std::int64_t end_ns) override {
    if (passes_on_) next_->end_run(end_ns);
  }

  /// Time of a worker, on average [s].
  double seconds(Part part) const;

 private:
  struct alignas(64) Sums {
    std::array<std::int64_t, n_parts> ns{};
  };
  std::vector<Sums> workers_;
  std::vector<Part> of_nodes_;
  trace::Sink* next_;
  bool passes_on_ = false;  ///< whether that wants the present run
};

}  // namespace thalweg::hpccg

// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/flow/recorder.hpp>
#include <thalweg/lulesh/simulation.hpp>

#include "layout.hpp"
#include "loops.hpp"
#include "state.hpp"

namespace thalweg::lulesh {

/// What the tasks of a cycle keep between them, beside the state.
struct CycleBuffers {
  CycleBuffers(const Connectivity& connectivity, const Layout& layout);

  std::vector<std::vector<CornerForce>> forces;  ///< packed, of each exchange
  std::vector<std::vector<double>> gradients;
  std::vector<Fault> force_faults;    ///< of each element block
  std::vector<Fault> element_faults;  ///< of each, of the kinematics too
  std::vector<Verdict> verdicts;      ///< of each chunk
};

/// Records one cycle; a graph's replays are cycles one after another.
class CycleRecording {
 public:
  CycleRecording(flow::Recorder& recorder, State& state, const Layout& layout,
                 CycleBuffers& buffers, const Loops& loops, std::uint32_t n_workers);

  /// @param last_cycle  may change between runs of the graph
  /// @param on_cycle    called by the task that begins a cycle; both outlive the graph's runs
  void record(const std::int64_t& last_cycle, const OnCycle& on_cycle);

 private:
  using BlockData = std::vector<flow::DatumId>;
  using Numbers = std::vector<std::size_t>;

  BlockData data(const char* name, std::size_t n);
  flow::TaskOptions options_of(std::size_t block, std::size_t n_blocks, int priority) const;
  void forces();
  void exchange_forces();
  void accelerations();
  void begin_cycle(const std::int64_t& last_cycle, const OnCycle& on_cycle);
  void motion();
  void kinematics();
  void exchange_gradients();
  void material();
  void reduce();

  flow::Recorder& g_;
  State& s_;
  const Layout& layout_;
  CycleBuffers& buffers_;
  const Loops& loops_;
  std::uint32_t n_workers_;
  BlockData motion_, accelerations_;  // of node blocks
  BlockData corners_, kinematics_;    // of element blocks
  BlockData material_;                // of chunks
  BlockData packed_forces_, ghost_forces_, packed_gradients_, ghost_gradients_;  // of exchanges
  flow::DatumId clock_, verdict_;
};

}  // namespace thalweg::lulesh

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include <thalweg/flow/recorder.hpp>

#include "block_loops.hpp"
#include "cg_state.hpp"

namespace thalweg::hpccg {

/// Records what happens before the first iteration, or one iteration.
class CgRecording {
 public:
  CgRecording(flow::Recorder& recorder, CgState& state);

  /// r = b - A x and its norm, and what an iteration of the method begins with.
  void start();
  void plain_iteration();
  void pipelined_iteration();

 private:
  /// A vector cut into blocks: a datum for each.
  using BlockData = std::vector<flow::DatumId>;
  /// What the task of a block does with its block of a vector.
  struct BlockUse {
    const BlockData& data;
    flow::Mode mode;
  };
  using BlockLoop = std::function<void(CgState&, std::size_t block)>;

  void begin(const char* phase) { g_.phase(phase, flow::PhaseKind::level); }
  BlockData block_data(const char* name);
  flow::TaskOptions options_of(std::size_t block, int priority) const;
  /// Let a block's task set its sum: with SumOrder::rows it goes on from that of the block before.
  void add_sum(std::vector<flow::Access>& accesses, const BlockData& sums, std::size_t block) const;
  /// @param sums  that the task sets, too  @param scalars  that it reads
  void for_each_block(const char* name, std::initializer_list<BlockUse> uses,
                      std::initializer_list<const BlockData*> sums,
                      std::initializer_list<flow::DatumId> scalars, int priority,
                      const BlockLoop& loop);
  /// The blocks that have some of these rows, by number; each once.
  std::vector<std::size_t> blocks_of(std::span<const Rows> rows) const;
  /// Exchange the ghosts of a vector, and set ap to its product.
  void multiply(const BlockData& data, LargeVector<double>& vector, block_loops::ProductSum sum);
  void exchange(const BlockData& data, LargeVector<double>& vector);
  /// Add up sums of blocks, and of ranks.
  flow::Data<PartialSum> reduce(
      std::initializer_list<std::pair<const BlockData*, const std::vector<PartialSum>*>> sums);

  flow::Recorder& g_;
  CgState& s_;
  BlockData x_, r_, p_, ap_, w_, rr_, pap_;
  // Of messages; a recording exchanges one vector only.
  std::vector<flow::DatumId> packed_, ghosts_;
  flow::DatumId alpha_, beta_;
};

}  // namespace thalweg::hpccg

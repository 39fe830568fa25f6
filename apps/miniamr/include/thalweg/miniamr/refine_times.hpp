// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace thalweg::miniamr {

/// What a run of a graph is for: timesteps, a pass, or a balance with the pass before it.
enum class Purpose : std::uint8_t { timesteps, pass, balance };

/// What the time of refinements goes to, in the reference's order and words.
enum class RefinePart : std::uint8_t {
  initial,        ///< the refinement before the first timestep, all of it
  compare,        ///< which blocks objects hit
  mark,           ///< settling marks with the neighbours
  communicate_1,  ///< who gets which new block
  split,          ///< tasks that split blocks
  communicate_2,  ///< telling ranks of their blocks and what is around these
  sync,           ///< counts of all ranks
  groups,         ///< how many sets of blocks touch
  misc,           ///< the rest
  coarsen_total,  ///< of the next four
  coarsen,        ///< tasks that join blocks
  coarsen_pack,   ///< packing eighths of blocks for other ranks, where no balance follows
  coarsen_move,   ///< waiting while blocks are split, joined and moved, likewise
  coarsen_unpack,
  redistribute_total,  ///< making room on full ranks; its blocks move with those of the pass
  redistribute_choose,
  balance_total,
  balance_sort,    ///< whose blocks are whose
  balance_dots,    ///< telling the owners
  balance_blocks,  ///< of the next four
  balance_pack,    ///< packing eighths of blocks; whole ones are sent from where they lie
  balance_move,    ///< waiting
  balance_unpack,  ///< setting faces
  balance_misc,
};
constexpr std::size_t n_refine_parts = static_cast<std::size_t>(RefinePart::balance_misc) + 1;

/// Times of one rank [s].
class RefineTimes {
 public:
  double& operator[](RefinePart part) { return parts_[static_cast<std::size_t>(part)]; }
  double operator[](RefinePart part) const { return parts_[static_cast<std::size_t>(part)]; }

 private:
  std::array<double, n_refine_parts> parts_{};
};

/// Gives the time since the last call to what it was spent on.
class RefineWatch {
 public:
  /// @param now_s  a clock [s]
  explicit RefineWatch(std::function<double()> now_s)
      : now_s_(std::move(now_s)), last_s_(now_s_()) {}

  void begin() { last_s_ = now_s_(); }
  /// Since it was made, begin() or the last call, whichever was last. @return how long that was [s]
  double lap(RefinePart part) {
    const double now = now_s_();
    const double took = now - std::exchange(last_s_, now);
    times_[part] += took;
    return took;
  }
  const RefineTimes& times() const { return times_; }

 private:
  std::function<double()> now_s_;
  double last_s_;
  RefineTimes times_;
};

}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/miniamr/lattice.hpp>
#include <thalweg/miniamr/leaf_halo.hpp>

namespace thalweg::miniamr {

/// What is to become of a leaf in a pass.
enum class Mark : std::int8_t {
  may_coarsen = -1,  ///< joined with its siblings, if all of them are leaves marked so
  stay = 0,
  refine = 1,
};

/// What decides which leaves are refined.
struct Refinement {
  Lattice lattice;
  Index<3> block_cells{};
  std::vector<Object> objects{};
  bool is_uniform = false;    ///< all leaves, down to the finest level
  bool tests_ghosts = false;  ///< blocks are tested with cells around them
  Quirks quirks = Quirks::corrected;
};

/// What a run's options say, with objects as they are now.
Refinement refinement_of(const Options& options, std::vector<Object> objects);

/// The mark of a leaf by itself: refine where an object is, stay where refining is not allowed or
/// where its parent would be refined at once, else may_coarsen.
Mark wished_mark(const Refinement& refinement, const mesh::Key<3>& leaf);

/// A mark that was raised, sent to another rank: of the n-th leaf that it was sent.
struct RaisedMark {
  std::uint32_t n;
  Mark mark;
};

/// Raises marks until they agree: families are joined whole, and faces stay balanced.
///
///   - siblings of a leaf that does not coarsen, or is no leaf, stay; so do leaves of level 0
///   - a leaf with a finer one across a face stays
///   - across the faces of a leaf that is refined, coarser leaves are refined and equal ones stay
///
/// Marks are only ever raised, so that the result is the least there is, whatever the order in
/// which ranks and leaves take their turn.
class MarkSettling {
 public:
  /// @param wished  the marks of this rank's leaves; must outlive this, as the halo
  MarkSettling(const LeafHalo& halo, std::span<const Mark> wished);

  /// What others must know and have not been sent.
  mesh::Messages<RaisedMark> messages();
  /// Take what others sent, and raise marks here. @return whether one of this rank's was raised
  bool settle(const mesh::Messages<RaisedMark>& arrived);

  /// The marks of all known leaves; those of others' leaves as far as they were sent.
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  void raise(std::uint32_t i, Mark mark);
  void raise_around(std::uint32_t i);
  void drain();
  bool must_stay(const mesh::Key<3>& leaf) const;

  const LeafHalo& halo_;
  std::vector<Mark> marks_;
  std::vector<Mark> sent_;
  std::vector<std::uint32_t> raised_;  ///< whose neighbours must be looked at
  bool has_raised_own_ = true;
};

/// The marks of all known leaves, settled among all ranks. Collective.
/// @cost two rounds and one for each time that raising crosses ranks
template <mesh::Collectives R>
std::vector<Mark> settled_marks(const LeafHalo& halo, std::span<const Mark> wished,
                                R& collectives) {
  MarkSettling settling(halo, wished);
  for (bool goes_on = true; goes_on;) {
    const bool is_raised = settling.settle(collectives.exchange(settling.messages()));
    goes_on = collectives.all_reduce(is_raised ? 1 : 0, std::plus<>()) > 0;
  }
  return settling.marks();
}

}  // namespace thalweg::miniamr

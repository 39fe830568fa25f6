// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/marks.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>

namespace thalweg::miniamr {
namespace {

using mesh::Key;

/// A block's extent with some cells around it, one after another so that the bits are the
/// reference's: half widths in cells, in units, in the domain.
void grow(Extent& extent, const Refinement& r, int n_cells_half_width, double times) {
  for (int a = 0; a < 3; ++a) {
    const double cells =
        times * (static_cast<double>(n_cells_half_width) / static_cast<double>(r.block_cells[a])) /
        static_cast<double>(r.lattice.width(a));
    extent.lower[a] -= cells;
    extent.upper[a] += cells;
  }
}

Mark test_objects(const Refinement& r, const Key<3>& leaf) {
  Extent extent = r.lattice.extent(leaf);
  const int half = r.lattice.half_width(leaf.level);
  if (r.tests_ghosts) grow(extent, r, half, 2.0);
  if (is_hit(r.objects, extent, r.quirks)) return Mark::refine;
  if (!r.tests_ghosts || leaf.level == 0) return Mark::may_coarsen;
  // Its parent, with a cell around it, would be hit: one of the leaf's own is there already.
  grow(extent, r, 2 * half, 1.0);
  return is_hit(r.objects, extent, r.quirks) ? Mark::stay : Mark::may_coarsen;
}

template <class F>
void for_each_face(F f) {
  for (int a = 0; a < 3; ++a) {
    f(Index<3>{} - Index<3>::unit(a));
    f(Index<3>::unit(a));
  }
}

}  // namespace

Refinement refinement_of(const Options& options, std::vector<Object> objects) {
  return {.lattice = lattice_of(options),
          .block_cells = options.block_cells,
          .objects = std::move(objects),
          .is_uniform = options.uniform_refine,
          .tests_ghosts = options.refine_ghost,
          .quirks = options.quirks};
}

Mark wished_mark(const Refinement& r, const Key<3>& leaf) {
  const bool is_finest = leaf.level == r.lattice.max_level;
  if (r.is_uniform) return is_finest ? Mark::stay : Mark::refine;
  const Mark mark = test_objects(r, leaf);
  return is_finest && mark == Mark::refine ? Mark::stay : mark;
}

MarkSettling::MarkSettling(const LeafHalo& halo, std::span<const Mark> wished)
    : halo_(halo),
      marks_(halo.known().size(), Mark::may_coarsen),
      sent_(halo.known().size(), Mark::may_coarsen) {
  THALWEG_EXPECT(wished.size() == halo_.n_own(), "one mark for each leaf");
  for (std::size_t i = 0; i < wished.size(); ++i)
    raise(static_cast<std::uint32_t>(halo_.first_own() + i), wished[i]);
  drain();
  for (std::size_t i = halo_.first_own(); i < halo_.first_own() + halo_.n_own(); ++i)
    if (marks_[i] == Mark::may_coarsen && must_stay(halo_.known()[i].key))
      raise(static_cast<std::uint32_t>(i), Mark::stay);
  drain();
}

mesh::Messages<RaisedMark> MarkSettling::messages() {
  mesh::Messages<RaisedMark> out;
  for (const auto& peer : halo_.send_lists())
    for (std::uint32_t n = 0; n < peer.sent_index.size(); ++n)
      if (const auto i = peer.sent_index[n]; marks_[i] > sent_[i])
        out.emplace_back(peer.rank, RaisedMark{n, marks_[i]});
  sent_ = marks_;
  has_raised_own_ = false;
  return out;
}

bool MarkSettling::settle(const mesh::Messages<RaisedMark>& arrived) {
  for (const auto& [from, raised] : arrived)
    raise(halo_.received_index(from, raised.n), raised.mark);
  drain();
  return has_raised_own_;
}

void MarkSettling::raise(std::uint32_t i, Mark mark) {
  if (mark <= marks_[i]) return;
  marks_[i] = mark;
  raised_.push_back(i);
  has_raised_own_ = has_raised_own_ || halo_.is_own(i);
}

void MarkSettling::drain() {
  while (!raised_.empty()) {
    const std::uint32_t i = raised_.back();
    raised_.pop_back();
    raise_around(i);
  }
}

void MarkSettling::raise_around(std::uint32_t i) {
  const Key<3> leaf = halo_.known()[i].key;
  if (leaf.level > 0) {
    const Key<3> parent = mesh::parent(leaf, ratio);
    for (int c = 0; c < 8; ++c)
      if (const auto sibling = halo_.find(mesh::child(parent, c, ratio)))
        raise(*sibling, Mark::stay);
  }
  if (marks_[i] != Mark::refine) return;
  for_each_face([&](const Index<3>& offset) {
    const auto place = halo_.geometry().neighbour(leaf, offset);
    if (!place) return;
    if (const auto equal = halo_.find(*place))
      raise(*equal, Mark::stay);
    else if (leaf.level > 0)
      if (const auto coarser = halo_.find(mesh::parent(*place, ratio)))
        raise(*coarser, Mark::refine);
  });
}

bool MarkSettling::must_stay(const Key<3>& leaf) const {
  if (leaf.level == 0) return true;
  const Key<3> parent = mesh::parent(leaf, ratio);
  for (int c = 0; c < 8; ++c)
    if (!halo_.find(mesh::child(parent, c, ratio))) return true;
  bool has_finer = false;
  for_each_face([&](const Index<3>& offset) {
    const auto place = halo_.geometry().neighbour(leaf, offset);
    has_finer =
        has_finer || (place && !halo_.find(*place) && !halo_.find(mesh::parent(*place, ratio)));
  });
  return has_finer;
}

}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/leaf_halo.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>

namespace thalweg::miniamr {

mesh::Messages<LeafHalo::HaloLeaf> LeafHalo::messages(const Mesh& mesh) {
  // Corners, because siblings touch in their parent's middle.
  mesh::Messages<HaloLeaf> out;
  for (const auto& [to, key] : mesh::send_to_neighbours(mesh.forest, mesh::Adjacency::corners))
    out.emplace_back(to, HaloLeaf{key, mesh.owners[*mesh.forest.find(key)]});
  return out;
}

LeafHalo::LeafHalo(const Mesh& mesh, const mesh::Messages<HaloLeaf>& sent,
                   const mesh::Messages<HaloLeaf>& arrived)
    : geometry_(mesh.forest.geometry()),
      n_own_(mesh.forest.leaves.size()),
      index_(mesh.forest.leaves.size() + arrived.size()) {
  THALWEG_EXPECT(mesh.owners.size() == n_own_, "one owner for each leaf");
  known_.reserve(n_own_ + arrived.size());
  const auto hear = [&](Rank from, const HaloLeaf& leaf) {
    if (sources_.empty() || sources_.back().rank != from)
      sources_.push_back({from, static_cast<std::uint32_t>(known_.size())});
    known_.push_back(leaf);
  };
  // Sorted by source, and by each source in order: before, at, and after this rank's on the curve.
  auto next = arrived.begin();
  for (; next != arrived.end() && next->first < mesh.forest.rank; ++next)
    hear(next->first, next->second);
  first_own_ = known_.size();
  for (std::size_t i = 0; i < n_own_; ++i)
    known_.push_back({mesh.forest.leaves[i], mesh.owners[i]});
  for (; next != arrived.end(); ++next) hear(next->first, next->second);
  for (std::size_t i = 0; i < known_.size(); ++i)
    index_.insert(known_[i].key, static_cast<std::uint32_t>(i));

  for (const auto& [to, leaf] : sent) {
    auto peer = std::ranges::find(send_lists_, to, &SendList::rank);
    if (peer == send_lists_.end()) peer = send_lists_.insert(peer, {to});
    peer->sent_index.push_back(*index_.find(leaf.key));
  }
}

std::uint32_t LeafHalo::received_index(Rank from, std::uint32_t n) const {
  const auto teller = std::ranges::find(sources_, from, &Source::rank);
  THALWEG_EXPECT(teller != sources_.end(), "a rank that sent no leaf");
  return teller->first + n;
}

}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/leaf_neighbours.hpp>
#include <thalweg/miniamr/key_index.hpp>

namespace thalweg::miniamr {

/// Widths of a leaf's cells over its children's.
inline constexpr int ratio = 2;

/// The mesh as a rank knows it: its part of the curve, and who holds the data of each leaf there.
///
/// The rank that knows a leaf, its *directory rank*, need not be the *owner* of its data. So blocks
/// can be placed anywhere while the mesh is found by position: no list of all owners is needed.
struct Mesh {
  mesh::LeafForest<3> forest;
  std::vector<Rank> owners;  ///< of the forest's leaves
};

/// The leaf halo: a mesh's leaves here, and the layer of others' that touch them, in the curve's
/// order.
/// @threads safe to read
class LeafHalo {
 public:
  /// What a round brings of another rank's leaf.
  using HaloLeaf = mesh::OwnedLeaf<3>;

  /// @param arrived  what the round of messages() brought
  LeafHalo(const Mesh& mesh, const mesh::Messages<HaloLeaf>& sent,
           const mesh::Messages<HaloLeaf>& arrived);

  /// The only round: tell other ranks of the leaves here that touch theirs, and who owns them.
  static mesh::Messages<HaloLeaf> messages(const Mesh& mesh);

  /// All known leaves with the owners of their data; this rank's are from first_own() on.
  std::span<const mesh::OwnedLeaf<3>> known() const { return known_; }
  std::size_t first_own() const { return first_own_; }
  std::size_t n_own() const { return n_own_; }
  bool is_own(std::size_t i) const { return i - first_own_ < n_own_; }

  /// Which of the known leaves a key is, if it is one.
  std::optional<std::uint32_t> find(const mesh::Key<3>& key) const { return index_.find(key); }

  /// To whom leaves here are sent: their numbers among known(), in the order of sending.
  struct SendList {
    Rank rank;
    std::vector<std::uint32_t> sent_index{};
  };
  std::span<const SendList> send_lists() const { return send_lists_; }
  /// Which of the known leaves is the n-th that another rank has sent.
  std::uint32_t received_index(Rank from, std::uint32_t n) const;

  const mesh::Geometry<3>& geometry() const { return geometry_; }

 private:
  struct Source {
    Rank rank;
    std::uint32_t first;
  };

  mesh::Geometry<3> geometry_;
  std::vector<mesh::OwnedLeaf<3>> known_;
  std::size_t first_own_ = 0;
  std::size_t n_own_ = 0;
  std::vector<SendList> send_lists_;
  std::vector<Source> sources_;
  KeyIndex index_;
};

/// Exchange the halo of this rank's leaves in one round. Collective.
template <mesh::Collectives R>
LeafHalo exchange_halo(const Mesh& mesh, R& collectives) {
  const auto sent = LeafHalo::messages(mesh);
  return {mesh, sent, collectives.exchange(sent)};
}

}  // namespace thalweg::miniamr

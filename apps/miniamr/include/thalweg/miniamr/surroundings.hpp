// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/leaf_neighbours.hpp>
#include <thalweg/mesh/rounds.hpp>
#include <thalweg/miniamr/key_index.hpp>

namespace thalweg::miniamr {

/// The mesh as a rank knows it: its part of the curve, and who holds the data of each leaf there.
///
/// The rank that knows a leaf, its *home*, need not be the *owner* of its data. So blocks can be
/// placed anywhere while the mesh is found by position: no directory of owners is needed.
struct Mesh {
  mesh::LeafForest<3> forest;
  std::vector<Rank> owners;  ///< of the forest's leaves
};

/// A mesh's leaves here, and the layer of others that touch them, in the curve's order.
/// @threads safe to read
class Surroundings {
 public:
  /// What a round tells of another rank's leaf.
  using Told = mesh::OwnedLeaf<3>;

  /// @param arrived  what the round of messages() brought
  Surroundings(const Mesh& mesh, const mesh::Messages<Told>& sent,
               const mesh::Messages<Told>& arrived);

  /// The only round: tell other ranks of the leaves here that touch theirs, and who owns them.
  static mesh::Messages<Told> messages(const Mesh& mesh);

  /// All known leaves with the owners of their data; this rank's are from first_own() on.
  std::span<const mesh::OwnedLeaf<3>> known() const { return known_; }
  std::size_t first_own() const { return first_own_; }
  std::size_t n_own() const { return n_own_; }
  bool is_own(std::size_t i) const { return i - first_own_ < n_own_; }

  /// Which of the known leaves a key is, if it is one.
  std::optional<std::uint32_t> find(const mesh::Key<3>& key) const { return index_.find(key); }

  /// To whom leaves here were told of: number among known(), in the order of telling.
  struct Listener {
    Rank rank;
    std::vector<std::uint32_t> told{};
  };
  std::span<const Listener> listeners() const { return listeners_; }
  /// Which of the known leaves is the n-th that another rank told of.
  std::uint32_t heard(Rank from, std::uint32_t n) const;

  const mesh::Geometry<3>& geometry() const { return geometry_; }

 private:
  struct Teller {
    Rank rank;
    std::uint32_t first;
  };

  mesh::Geometry<3> geometry_;
  std::vector<mesh::OwnedLeaf<3>> known_;
  std::size_t first_own_ = 0;
  std::size_t n_own_ = 0;
  std::vector<Listener> listeners_;
  std::vector<Teller> tellers_;
  KeyIndex index_;
};

/// Learn what is around this rank's leaves in one round. Collective.
template <mesh::Rounds R>
Surroundings look_around(const Mesh& mesh, R& rounds) {
  const auto sent = Surroundings::messages(mesh);
  return {mesh, sent, rounds.exchange(sent)};
}

}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/pass.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/assign.hpp>

namespace thalweg::miniamr {
namespace {

using mesh::Key;
using Kind = data::Origin::Kind;

class Planner {
 public:
  Planner(const mesh::LeafRules<3>& rules, const LeafHalo& halo) : rules_(rules), halo_(halo) {}

  void keep(const mesh::OwnedLeaf<3>& leaf) {
    plan_.origins.push_back(
        {.key = leaf.key, .owner = leaf.owner, .kind = Kind::same, .from = {leaf}});
  }

  void split(const mesh::OwnedLeaf<3>& leaf) {
    ++plan_.n_split;
    const std::size_t first = plan_.origins.size();
    for (int c = 0; c < 8; ++c)
      plan_.origins.push_back({.key = mesh::child(leaf.key, c, ratio),
                               .owner = leaf.owner,
                               .kind = Kind::child,
                               .from = {leaf}});
    if (rules_.curve != mesh::Curve::morton)
      std::sort(plan_.origins.begin() + static_cast<std::ptrdiff_t>(first), plan_.origins.end(),
                [&](const auto& a, const auto& b) {
                  return rules_.position(a.key) < rules_.position(b.key);
                });
  }

  /// Join the family of a leaf where that is the first of it on the curve; the others vanish.
  void join(const mesh::OwnedLeaf<3>& leaf) {
    const Key<3> parent = mesh::parent(leaf.key, ratio);
    if (rules_.position(parent) != rules_.position(leaf.key)) return;
    ++plan_.n_joined;
    data::Origin origin{.key = parent, .owner = {}, .kind = Kind::joined};
    for (int c = 0; c < 8; ++c) {
      const auto sibling = halo_.find(mesh::child(parent, c, ratio));
      THALWEG_ASSERT(sibling, "only whole families are joined");
      origin.from[static_cast<std::size_t>(c)] = halo_.known()[*sibling];
    }
    origin.owner = origin.from[0].owner;
    plan_.origins.push_back(origin);
  }

  PassPlan take() { return std::move(plan_); }

 private:
  const mesh::LeafRules<3>& rules_;
  const LeafHalo& halo_;
  PassPlan plan_;
};

}  // namespace

PassPlan plan_pass(const mesh::LeafRules<3>& rules, const LeafHalo& halo,
                   std::span<const Mark> marks) {
  Planner planner(rules, halo);
  for (std::size_t n = 0; n < halo.n_own(); ++n) {
    const std::size_t i = halo.first_own() + n;
    const mesh::OwnedLeaf<3>& leaf = halo.known()[i];
    switch (marks[i]) {
      case Mark::refine:
        planner.split(leaf);
        break;
      case Mark::stay:
        planner.keep(leaf);
        break;
      case Mark::may_coarsen:
        planner.join(leaf);
        break;
    }
  }
  return planner.take();
}

data::Origins origins_of(const Mesh& mesh) {
  data::Origins origins;
  for (std::size_t i = 0; i < mesh.owners.size(); ++i) {
    const mesh::OwnedLeaf<3> leaf{mesh.forest.leaves[i], mesh.owners[i]};
    origins.push_back({.key = leaf.key, .owner = leaf.owner, .kind = Kind::same, .from = {leaf}});
  }
  return origins;
}

mesh::Messages<data::Origin> send_to_directory(std::span<const data::Origin> origins,
                                               std::int64_t n_before, std::int64_t n_all,
                                               int n_ranks) {
  mesh::Messages<data::Origin> out;
  out.reserve(origins.size());
  const std::vector<std::int64_t> weights(origins.size(), 1);
  const auto owners = mesh::assign_in_order(weights, n_before, n_all, n_ranks);
  for (std::size_t i = 0; i < owners.size(); ++i) out.emplace_back(owners[i], origins[i]);
  return out;
}

std::vector<Key<3>> leaves_of(std::span<const data::Origin> origins) {
  std::vector<Key<3>> leaves;
  leaves.reserve(origins.size());
  for (const data::Origin& origin : origins) leaves.push_back(origin.key);
  return leaves;
}

}  // namespace thalweg::miniamr

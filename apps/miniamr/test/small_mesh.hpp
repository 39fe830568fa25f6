// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <vector>

#include <thalweg/mesh/testing/ranks.hpp>
#include <thalweg/miniamr/refining.hpp>

#include "reference_case.hpp"

namespace thalweg::miniamr::testing {

/// Marks by leaf.
using Marks = std::map<mesh::Key<3>, Mark>;

/// Two root blocks along x, of which the left is split, and of that the child at the origin: 1 + 7
/// + 8 leaves on three levels. Each rank of two has some, and siblings are owned by either in turn.
inline Options small_options() {
  return parse_options(words_of("--npx 2 --num_refine 3"), 2);
}

template <class R>
Mesh small_mesh(Rank rank, R& collectives) {
  const Options options = small_options();
  Mesh mesh = first_mesh(options, rank, 2, collectives);
  const auto rules = mesh_rules(options);
  for (const auto& key : {mesh::key_at<3>(0, {0, 0, 0}), mesh::key_at<3>(1, {0, 0, 0})}) {
    const LeafHalo halo = exchange_halo(mesh, collectives);
    std::vector<Mark> marks;
    for (const auto& leaf : halo.known())
      marks.push_back(leaf.key == key ? Mark::refine : Mark::stay);
    NextForest next =
        settle_directory(mesh.forest, plan_pass(rules, halo, marks).origins, collectives);
    mesh = {std::move(next.forest), owners_of(next.origins)};
  }
  for (std::size_t i = 0; i < mesh.owners.size(); ++i)
    mesh.owners[i] = Rank(mesh.forest.leaves[i].code % 2);
  return mesh;
}

/// Call f(rank, mesh, halo, collectives) on the two ranks of the small mesh. @return by rank
template <class F>
auto on_small_mesh(F f) {
  return mesh::testing::on_ranks(2, [&](Rank rank, auto collectives) {
    const Mesh mesh = small_mesh(rank, collectives);
    const LeafHalo halo = exchange_halo(mesh, collectives);
    return f(rank, mesh, halo, collectives);
  });
}

}  // namespace thalweg::miniamr::testing

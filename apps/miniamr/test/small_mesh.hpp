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
Mesh small_mesh(Rank rank, R& rounds) {
  const Options options = small_options();
  Mesh mesh = first_mesh(options, rank, 2);
  const auto rules = mesh_rules(options);
  for (const auto& key : {mesh::key_at<3>(0, {0, 0, 0}), mesh::key_at<3>(1, {0, 0, 0})}) {
    const Surroundings near = look_around(mesh, rounds);
    std::vector<Mark> marks;
    for (const auto& leaf : near.known())
      marks.push_back(leaf.key == key ? Mark::refine : Mark::stay);
    NextForest next = settle_homes(mesh.forest, plan_pass(rules, near, marks).origins, rounds);
    mesh = {std::move(next.forest), owners_of(next.origins)};
  }
  for (std::size_t i = 0; i < mesh.owners.size(); ++i)
    mesh.owners[i] = Rank(mesh.forest.leaves[i].code % 2);
  return mesh;
}

/// Call f(rank, mesh, surroundings, rounds) on the two ranks of the small mesh. @return by rank
template <class F>
auto on_small_mesh(F f) {
  return mesh::testing::on_ranks(2, [&](Rank rank, auto seat) {
    const Mesh mesh = small_mesh(rank, seat);
    const Surroundings near = look_around(mesh, seat);
    return f(rank, mesh, near, seat);
  });
}

}  // namespace thalweg::miniamr::testing

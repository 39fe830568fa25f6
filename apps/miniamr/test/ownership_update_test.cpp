// SPDX-License-Identifier: MIT
// What ranks are told of their blocks, over whole runs: that it fits together.
#include <thalweg/miniamr/ownership_update.hpp>

#include <algorithm>
#include <map>
#include <type_traits>

#include <gtest/gtest.h>

#include <thalweg/mesh/testing/ranks.hpp>
#include <thalweg/miniamr/refining.hpp>
#include <thalweg/miniamr/time_control.hpp>

#include "reference_case.hpp"

namespace thalweg::miniamr {
namespace {

using mesh::Key;

constexpr int n_ranks = 4;

/// All that a rank was told.
struct Told {
  data::Layout first;
  std::vector<Transition> transitions;
};

std::vector<Told> run(const std::string& more) {
  const Options options = parse_options(
      testing::words_of("--npx 2 --npy 2 --init_z 3 --num_refine 3 --refine_freq 1 --num_tsteps 5 "
                        "--num_objects 2 --object 2 0 .2 .3 .2 .1 .1 .1 .2 .2 .2 0 0 0 "
                        "--object 1 0 .8 .8 .5 -.1 0 0 .1 .1 .1 0 0 0 " +
                        more),
      n_ranks);
  return mesh::testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    Refining<decltype(collectives)> refining(options, rank, n_ranks, collectives);
    Told told{refining.layout(), {}};
    std::vector<Object> objects = options.objects;
    for (int step = 0; step <= *options.num_tsteps; ++step) {
      refining.refine(refinement_of(options, objects), options.passes(),
                      [&](const Transition& t, Purpose) { told.transitions.push_back(t); });
      for (Object& object : objects) advance(object, 1, options.quirks);
    }
    return told;
  });
}

using OwnersByKey = std::map<Key<3>, Rank>;

OwnersByKey owners_in(const std::vector<const data::Layout*>& layouts) {
  OwnersByKey owners;
  for (std::size_t q = 0; q < layouts.size(); ++q)
    for (const data::Block& block : layouts[q]->blocks)
      EXPECT_TRUE(owners.emplace(block.key, Rank(q)).second) << "a block has two owners";
  return owners;
}

void expect_right_faces(const data::Layout& layout, const OwnersByKey& owners) {
  for (const data::Block& block : layout.blocks)
    for (int face = 0; face < 6; ++face) {
      const Index<3> offset = Index<3>::unit(face / 2) * (face % 2 == 0 ? -1 : 1);
      const auto& across = block.faces[static_cast<std::size_t>(face)];
      for (const auto& leaf : across) {
        EXPECT_EQ(owners.at(leaf.key), leaf.owner);
        // Its cells on the level of the finer one touch the block's.
        const int level = std::max(leaf.key.level, block.key.level);
        const auto range = [&](const Key<3>& key, int axis) {
          const int n = 1 << (level - key.level);
          const int begin = mesh::coordinates(key)[axis] * n;
          return std::pair(begin, begin + n);
        };
        for (int a = 0; a < 3; ++a) {
          const auto [begin, end] = range(block.key, a);
          const auto [other_begin, other_end] = range(leaf.key, a);
          const bool overlaps = other_begin < end && begin < other_end;
          const bool touches = offset[a] > 0 ? end == other_begin : begin == other_end;
          EXPECT_TRUE(offset[a] == 0 ? overlaps : touches);
        }
      }
      const bool is_finer = across.size() == 4;
      EXPECT_TRUE(across.size() <= 1 || is_finer);
      for (const auto& leaf : across)
        EXPECT_TRUE(is_finer ? leaf.key.level == block.key.level + 1
                             : leaf.key.level <= block.key.level);
      EXPECT_TRUE(std::ranges::is_sorted(across, {}, &mesh::OwnedLeaf<3>::key));
    }
}

// Origins are of the new layout and from the old one, and all who have a part in one know it.
void expect_right_origins(const std::vector<const data::Origins*>& told, const OwnersByKey& before,
                          const OwnersByKey& after) {
  std::map<Key<3>, data::Origin> all;
  for (std::size_t q = 0; q < told.size(); ++q)
    for (const data::Origin& origin : *told[q]) {
      EXPECT_EQ(all.emplace(origin.key, origin).first->second, origin);
      bool is_involved = origin.owner == Rank(q);
      for (const auto& source : origin.sources()) {
        is_involved = is_involved || source.owner == Rank(q);
        EXPECT_EQ(before.at(source.key), source.owner);
      }
      EXPECT_TRUE(is_involved);
    }
  ASSERT_EQ(all.size(), after.size());
  for (const auto& [key, origin] : all) {
    EXPECT_EQ(after.at(key), origin.owner);
    for (std::size_t q = 0; q < told.size(); ++q) {
      bool is_involved = origin.owner == Rank(q);
      for (const auto& source : origin.sources())
        is_involved = is_involved || source.owner == Rank(q);
      const auto here = std::ranges::lower_bound(*told[q], key, {}, &data::Origin::key);
      EXPECT_EQ(here != told[q]->end() && here->key == key, is_involved);
    }
    const auto from = origin.sources();
    switch (origin.kind) {
      case data::Origin::Kind::same:
        EXPECT_EQ(from[0].key, key);
        break;
      case data::Origin::Kind::child:
        EXPECT_EQ(from[0].key, mesh::parent(key, 2));
        break;
      case data::Origin::Kind::joined:
        for (int c = 0; c < 8; ++c)
          EXPECT_EQ(from[static_cast<std::size_t>(c)].key, mesh::child(key, c, 2));
        break;
    }
  }
}

void expect_right_run(const std::string& more) {
  const std::vector<Told> told = run(more);
  const auto layouts_at = [&](std::size_t i) {
    std::vector<const data::Layout*> layouts;
    for (const Told& t : told) layouts.push_back(i == 0 ? &t.first : &t.transitions[i - 1].layout);
    return layouts;
  };
  const std::size_t n = told[0].transitions.size();
  ASSERT_GT(n, 5u) << more;
  OwnersByKey before = owners_in(layouts_at(0));
  for (std::size_t i = 1; i <= n; ++i) {
    const OwnersByKey after = owners_in(layouts_at(i));
    std::vector<const data::Origins*> origins;
    for (const Told& t : told) origins.push_back(&t.transitions[i - 1].origins);
    expect_right_origins(origins, before, after);
    for (const auto* layout : layouts_at(i)) expect_right_faces(*layout, after);
    before = after;
  }
}

/// Collectives that count how often ranks tell each other of leaves that touch.
template <class R>
struct CountsHalos : R {
  template <class T>
  mesh::Messages<T> exchange(const mesh::Messages<T>& out) {
    if constexpr (std::is_same_v<T, mesh::OwnedLeaf<3>>) ++n_halos;
    return R::exchange(out);
  }
  int n_halos = 0;
};

/// What became of the mesh when it was refined around a sphere in its corner, on 4 ranks.
struct RefinedCorner {
  int n_halos = 0;
  std::vector<Purpose> purposes;
  std::vector<data::Origins> origins;
};

std::vector<RefinedCorner> refine_corner(const std::string& more) {
  const auto words = testing::words_of(
      "--npx 2 --npy 2 --init_z 3 --num_refine 1 --num_objects 1 "
      "--object 2 0 .2 .2 .1 0 0 0 .05 .05 .05 0 0 0 " +
      more);
  const Options options = parse_options(words, n_ranks);
  return mesh::testing::on_ranks(n_ranks, [&](Rank rank, auto of_rank) {
    CountsHalos<decltype(of_rank)> collectives{of_rank};
    Refining<decltype(collectives)> refining(options, rank, n_ranks, collectives);
    RefinedCorner seen;
    const auto apply = [&](const Transition& t, Purpose purpose) {
      seen.purposes.push_back(purpose);
      seen.origins.push_back(t.origins);
    };
    refining.refine(refinement_of(options, {}), options.passes(), apply);  // changes nothing
    refining.refine(refinement_of(options, options.objects), options.passes(), apply);
    seen.n_halos = collectives.n_halos;
    return seen;
  });
}

TEST(OwnershipUpdate, of_a_pass_and_the_balance_after_it_is_one_change) {
  for (const char* when : {"--lb_opt 1", "--lb_opt 2"}) {
    std::size_t n_made_elsewhere = 0;
    for (const RefinedCorner& seen : refine_corner(when)) {
      ASSERT_EQ(seen.purposes, std::vector<Purpose>{Purpose::balance}) << when;
      EXPECT_EQ(seen.n_halos, 2) << "of the first mesh, and of what the two made of it";
      for (const data::Origin& origin : seen.origins[0])
        if (origin.kind == data::Origin::Kind::child && origin.owner != origin.from[0].owner)
          ++n_made_elsewhere;
    }
    EXPECT_GT(n_made_elsewhere, 0u) << "children are made by whom the balance gives them to";
  }
}

TEST(OwnershipUpdate, of_a_pass_is_there_where_the_balance_after_it_moves_nothing) {
  for (const char* balance : {"--lb_opt 0", "--limit_move 1"})
    for (const RefinedCorner& seen : refine_corner(balance))
      EXPECT_EQ(seen.purposes, std::vector<Purpose>{Purpose::pass}) << balance;
}

TEST(OwnershipUpdate, counts_the_blocks_that_a_rank_has_on_the_way) {
  const Key<3> parent{1, 5};
  const Rank here(0), there(1);
  const auto children = [&](Rank from, int n_made_here) {
    data::Origins origins;
    for (int c = 0; c < 8; ++c)
      origins.push_back({.key = mesh::child(parent, c, 2),
                         .owner = c < n_made_here ? here : there,
                         .kind = data::Origin::Kind::child,
                         .from = {{parent, from}}});
    return origins;
  };
  const auto most = [&](data::Origins origins, std::size_t n_after) {
    return most_blocks({std::move(origins), {std::vector<data::Block>(n_after)}}, here, 10);
  };
  EXPECT_EQ(most(children(here, 8), 17), 18u) << "the parent with its children";
  EXPECT_EQ(most(children(here, 3), 12), 13u);
  EXPECT_EQ(most(children(here, 0), 9), 10u) << "as many as before";
  EXPECT_EQ(most(children(there, 3), 13), 13u) << "no parent is here";
  EXPECT_EQ(most({{.key = parent, .owner = here, .kind = data::Origin::Kind::joined}}, 3), 11u);
  EXPECT_EQ(most({}, 14), 14u) << "blocks that come";
}

TEST(CountChanges, counts_what_becomes_of_the_blocks_that_a_rank_had) {
  const Key<3> parent{1, 5};
  const Rank here(0), there(1);
  data::Origins origins;
  for (int c = 0; c < 8; ++c)
    origins.push_back({.key = mesh::child(parent, c, 2),
                       .owner = there,
                       .kind = data::Origin::Kind::child,
                       .from = {{parent, here}}});
  data::Origin joined{.key = {1, 6}, .owner = here, .kind = data::Origin::Kind::joined};
  for (int c = 0; c < 8; ++c)
    joined.from[static_cast<std::size_t>(c)] = {mesh::child(joined.key, c, 2),
                                                c < 5 ? there : here};
  origins.push_back(joined);
  RefinementTotals of_here, of_there;
  count_changes(origins, here, of_here);
  count_changes(origins, there, of_there);
  EXPECT_EQ(of_here.n_split, 1) << "wherever its children are made";
  EXPECT_EQ(of_there.n_split, 0);
  EXPECT_EQ(of_here.n_joined, 0);
  EXPECT_EQ(of_there.n_joined, 1) << "it had the first child";
  EXPECT_EQ(of_here.n_moved_join, 3) << "to who has the first child";
  EXPECT_EQ(of_there.n_moved_join, 0);
}

TEST(OwnershipUpdate, fits_together_with_bisection) {
  expect_right_run("--rcb");
}
TEST(OwnershipUpdate, fits_together_along_curves_and_pass_by_pass) {
  expect_right_run("--hilbert --lb_opt 2");
  expect_right_run("--morton --limit_move 20");
}
TEST(OwnershipUpdate, fits_together_where_ranks_are_nearly_full) {
  for (const char* when : {"--lb_opt 0", "--lb_opt 1", "--lb_opt 2"})
    expect_right_run(std::string(when) + " --max_blocks 300");
}

}  // namespace
}  // namespace thalweg::miniamr

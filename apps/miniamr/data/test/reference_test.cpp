// SPDX-License-Identifier: MIT
// Fields that the reference program ends with, by their hashes, where the mesh is simple.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/miniamr/data/initial.hpp>
#include <thalweg/miniamr/data/regrid.hpp>

#include "forest.hpp"

namespace thalweg::miniamr::data::testing {
namespace {

/// All leaves on one level, cut into equal parts in key order.
std::vector<Layout> uniform_layouts(const Index<3>& n, int level, int n_ranks) {
  std::vector<mesh::Key<3>> keys;
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) keys.push_back(mesh::key_at<3>(level, {i, j, k}));
  std::ranges::sort(keys);
  Owners owners;
  for (std::size_t i = 0; i < keys.size(); ++i)
    owners[keys[i]] = Rank(i * static_cast<std::size_t>(n_ranks) / keys.size());
  std::vector<Layout> layouts(static_cast<std::size_t>(n_ranks));
  for (const auto& key : keys) {
    Block block{key, {}};
    for (int face = 0; face < 6; ++face) {
      Index<3> place = mesh::coordinates(key);
      int& i = place[face / 2];
      i += face % 2 == 0 ? -1 : 1;
      if (i < 0 || i == n[face / 2]) continue;
      const auto neighbour = mesh::key_at<3>(level, place);
      block.faces[static_cast<std::size_t>(face)].push_back({neighbour, owners.at(neighbour)});
    }
    layouts[owners.at(key)()].blocks.push_back(block);
  }
  return layouts;
}

enum class Start { hashed, drawn };

/// Refine everything so many times, then run 4 timesteps of 5 stages.
/// @return the hashes of the first and the last field
std::pair<std::uint64_t, std::uint64_t> run_case(const Shape& shape, const Index<3>& roots,
                                                 int n_levels, Stencil stencil, Start start,
                                                 int n_ranks) {
  std::vector<std::vector<Layout>> layouts;
  for (int level = 0; level <= n_levels; ++level)
    layouts.push_back(uniform_layouts(roots * (1 << level), level, n_ranks));
  std::pair<std::uint64_t, std::uint64_t> hashes;
  on_virtual_ranks(n_ranks, 1, [&](VirtualRank& self) {
    const Rank rank = self.transport.rank();
    Store store(shape);
    store.assign(keys_of(layouts[0][rank()]));
    if (start == Start::hashed)
      set_hashed(store, roots);
    else
      set_drawn(store, stencil);
    hashes.first = field_hash(store, self.transport);
    for (std::size_t level = 1; level < layouts.size(); ++level) {
      const Origins origins =
          origins_of(all_origins(owners_of(layouts[level - 1]), owners_of(layouts[level])), rank);
      store.begin_regrid(origins, rank);
      ASSERT_EQ(self.run(shape, [&](auto& r) { record_regrid(r, origins, store, 1); }), "");
      store.end_regrid();
    }
    const Layout& layout = layouts.back()[rank()];
    Checksums checksums{.last = std::vector<double>(static_cast<std::size_t>(shape.n_vars))};
    ASSERT_EQ(self.run(shape, [&](auto& r) { record_first_checksums(r, store, checksums); }), "");
    const StageSettings settings{.stencil = stencil, .n_stages = 5, .checksum_freq = 1};
    ASSERT_EQ(
        self.run(
            shape, [&](auto& r) { record_timestep(r, settings, layout, store, checksums); }, 4),
        "");
    hashes.second = field_hash(store, self.transport);
  });
  return hashes;
}

using Hashes = std::pair<std::uint64_t, std::uint64_t>;

TEST(Reference, field_without_refinement_is_ours) {
  const Shape shape{{6, 4, 8}, 3};
  for (const int n_ranks : {1, 3})
    EXPECT_EQ(run_case(shape, {2, 4, 2}, 0, Stencil::seven, Start::hashed, n_ranks),
              Hashes(0xa5efe95295dfa9cb, 0x17bf3bfd3e1c9c3d));
  EXPECT_EQ(run_case(shape, {2, 4, 2}, 0, Stencil::seven, Start::drawn, 1),
            Hashes(0xef33f54907c03bdd, 0x976109a40289b359));
}

TEST(Reference, field_with_27_points_and_splits_is_ours) {
  const Shape shape{{4, 4, 4}, 3, true};
  for (const int n_ranks : {1, 3})
    EXPECT_EQ(run_case(shape, {2, 2, 1}, 2, Stencil::twenty_seven, Start::hashed, n_ranks),
              Hashes(0xa677e9fb5dbe6e56, 0x952516e71dc026cc));
  EXPECT_EQ(run_case(shape, {2, 2, 1}, 2, Stencil::twenty_seven, Start::drawn, 1),
            Hashes(0x535b1ecd9f5e58b7, 0x7e1a3f1d5c0896b0));
}

TEST(Reference, field_with_the_mixed_stencil_is_ours) {
  // Built without fused multiply-adds. 8 and 16 variables are two and four materials; of 11 the
  // last three are of none.
  EXPECT_EQ(run_case({{6, 4, 8}, 11, true}, {2, 4, 2}, 0, Stencil::mixed, Start::drawn, 1).second,
            0xc7483ddfc7b7853f);
  EXPECT_EQ(run_case({{6, 4, 8}, 16, true}, {2, 4, 2}, 0, Stencil::mixed, Start::drawn, 1).second,
            0x043bb0a1254ee324);
  EXPECT_EQ(run_case({{4, 4, 4}, 8, true}, {2, 2, 1}, 2, Stencil::mixed, Start::drawn, 1).second,
            0x8e904932947715a0);
}

TEST(Reference, mixed_field_is_the_same_on_any_ranks) {
  const Shape shape{{4, 4, 4}, 8, true};
  const auto on_one = run_case(shape, {2, 2, 1}, 1, Stencil::mixed, Start::hashed, 1);
  EXPECT_EQ(run_case(shape, {2, 2, 1}, 1, Stencil::mixed, Start::hashed, 3), on_one);
}

}  // namespace
}  // namespace thalweg::miniamr::data::testing

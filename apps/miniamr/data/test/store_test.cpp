// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/store.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::miniamr::data {
namespace {

const Shape shape{{4, 2, 6}, 3, true};
const std::vector<mesh::Key<3>> keys{{0, 1}, {1, 2}, {1, 5}};

void expect_room(const Shape& of) {
  Store store(of);
  store.assign(keys);
  std::set<double*> numbers;
  std::size_t n = 0;
  const auto add = [&](double* begin, int size) {
    for (int i = 0; i < size; ++i) numbers.insert(begin + i);
    n += static_cast<std::size_t>(size);
  };
  for (std::size_t b = 0; b < store.size(); ++b)
    for (int v = 0; v < of.n_vars; ++v) {
      add(store.memory(b).cells(v), of.n_cells());
      for (const int set : {0, 1})
        for (int face = 0; face < 6; ++face)
          add(store.memory(b).face(set, face, v), of.face_plane(face / 2).size());
      for (int face = 0; of.has_corners && face < 6; ++face)
        add(store.memory(b).kept(face, v), of.plane(face / 2).size());
    }
  EXPECT_EQ(numbers.size(), n) << "some numbers are two things";
  EXPECT_EQ(n, keys.size() * BlockMemory::size(of));
}

TEST(Store, has_room_for_all_cells_faces_and_persistent_ghost_cells_of_a_block) {
  expect_room({{4, 2, 6}, 3});
  expect_room(shape);
  expect_room({{4, 2, 6}, 3, true, true});
}

TEST(Store, counts_how_often_it_took_memory) {
  Store store(shape);
  store.assign(keys);
  EXPECT_EQ(store.n_slabs(), 1U);
  store.reserve((std::size_t{8} << 20) / (BlockMemory::size(shape) * sizeof(double)),
                [] { return true; });
  EXPECT_GT(store.n_slabs(), 1U);
}

TEST(Store, takes_no_more_memory_for_blocks_that_were_reserved) {
  Store store(shape);
  const std::size_t n_blocks = (std::size_t{8} << 20) / (BlockMemory::size(shape) * sizeof(double));
  store.reserve(n_blocks, [] { return true; });
  const std::size_t n_bytes = store.size_bytes();
  EXPECT_GE(n_bytes, n_blocks * BlockMemory::size(shape) * sizeof(double));
  std::vector<mesh::Key<3>> many;
  for (std::size_t i = 0; i < n_blocks; ++i) many.push_back({5, i});
  store.assign(many);
  EXPECT_EQ(store.size_bytes(), n_bytes);
  EXPECT_LT(store.memory(0).cells(0), store.memory(1).cells(0));
}

TEST(Store, reserves_no_more_than_there_is_room_for) {
  Store store(shape);
  std::size_t n_asked = 0;
  store.reserve(1'000'000, [&] { return ++n_asked <= 3; });
  EXPECT_EQ(n_asked, 4U);
  EXPECT_LT(store.size_bytes(), std::size_t{8} << 20);
}

TEST(Store, finds_blocks_by_key) {
  Store store(shape);
  store.assign(keys);
  EXPECT_EQ(store.find({1, 5}), 2U);
  EXPECT_FALSE(store.find({1, 3}).has_value());
}

TEST(Store, keeps_the_cells_of_blocks_that_stay_and_shows_those_that_go) {
  Store store(shape);
  store.assign(keys);
  for (std::size_t b = 0; b < keys.size(); ++b)
    store.memory(b).cells(0)[0] = static_cast<double>(b);
  const Rank here(0);
  const Rank there(1);
  // The first stays, the second goes, the third is split, of which we get a child.
  Origins origins{{keys[0], here}, {keys[1], there}, {{2, 40}, here, Origin::Kind::child}};
  for (std::size_t i = 0; i < 3; ++i) origins[i].from[0] = {keys[i], here};
  store.begin_regrid(origins, here);
  EXPECT_EQ(store.size(), 2U);
  EXPECT_EQ(store.memory(0).cells(0)[0], 0.0);
  EXPECT_EQ(store.key(1), (mesh::Key<3>{2, 40}));
  EXPECT_EQ(store.retired(keys[1]).cells(0)[0], 1.0);
  EXPECT_EQ(store.retired(keys[2]).cells(0)[0], 2.0);
  store.end_regrid();
  EXPECT_EQ(store.memory(0).cells(0)[0], 0.0);
}

TEST(Store, hands_out_buffers_that_are_nothing_else) {
  Store store(shape);
  store.assign(keys);
  const std::size_t room = BlockMemory::size(shape);
  std::vector<std::span<double>> all{store.buffer(room / 2)};
  // New blocks come to lie behind that buffer.
  Origins origins;
  for (int child = 0; child < 3; ++child) {
    origins.push_back({mesh::child(keys[2], child, 2), Rank(0), Origin::Kind::child});
    origins.back().from[0] = {keys[2], Rank(0)};
  }
  store.begin_regrid(origins, Rank(0));
  for (const std::size_t n : {room / 2 + 1, room, std::size_t{1}, room - 1, room})
    all.push_back(store.buffer(n));
  for (std::size_t b = 0; b < store.size(); ++b) all.emplace_back(store.memory(b).cells(0), room);
  for (std::size_t i = 0; i < all.size(); ++i) std::ranges::fill(all[i], static_cast<double>(i));
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(std::ranges::count(all[i], static_cast<double>(i)), std::ssize(all[i])) << i;
}

}  // namespace
}  // namespace thalweg::miniamr::data

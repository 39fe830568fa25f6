// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/store.hpp>

#include <algorithm>
#include <utility>

#include <thalweg/core/contract.hpp>

namespace thalweg::miniamr::data {

namespace {

/// Where a variable of a face begins, of six that follow each other.
template <class PlaneOf>
std::ptrdiff_t in_faces(int n_vars, int face, int variable, PlaneOf plane) {
  const int axis = face / 2;
  std::ptrdiff_t before = axis > 0 ? 2 * plane(0).size() : 0;
  if (axis > 1) before += 2 * plane(1).size();
  const std::ptrdiff_t size = plane(axis).size();
  return n_vars * before + (face % 2 * n_vars + variable) * size;
}

}  // namespace

double* BlockMemory::face(int set, int face, int variable) const {
  const std::ptrdiff_t before = std::ptrdiff_t{set} * shape_->n_vars * shape_->face_values();
  return begin_ + moving_size(*shape_) + before +
         in_faces(shape_->n_vars, face, variable, [this](int a) { return shape_->face_plane(a); });
}

std::array<double*, 6> BlockMemory::faces(int set, int variable) const {
  std::array<double*, 6> all{};
  for (int side = 0; side < 6; ++side)
    all[static_cast<std::size_t>(side)] = face(set, side, variable);
  return all;
}

double* BlockMemory::kept(int face, int variable) const {
  return cells(shape_->n_vars) +
         in_faces(shape_->n_vars, face, variable, [this](int a) { return shape_->plane(a); });
}

void BlockMemory::clear_kept() const {
  std::fill_n(
      cells(shape_->n_vars),
      static_cast<std::size_t>(shape_->n_vars) * static_cast<std::size_t>(shape_->kept_values()),
      0.0);
}

Store::Store(const Shape& shape)
    : shape_(std::make_unique<Shape>(shape)),
      pool_(std::make_unique<field::BlockPool>(BlockMemory::size(shape))) {}

field::BlockPool::Block Store::acquire() {
  const std::size_t before = size_bytes();
  auto block = pool_->acquire();
  n_slabs_ += size_bytes() > before ? 1 : 0;
  return block;
}

std::optional<std::size_t> Store::find(const mesh::Key<3>& key) const {
  const auto it = std::ranges::lower_bound(held_, key, {}, &Held::key);
  if (it == held_.end() || it->key != key) return {};
  return static_cast<std::size_t>(it - held_.begin());
}

void Store::reserve(std::size_t n_blocks, const std::function<bool()>& has_room) {
  constexpr std::size_t numbers_a_page = 4096 / sizeof(double);
  std::vector<field::BlockPool::Block> blocks;
  for (std::size_t i = held_.size(); i < n_blocks && has_room(); ++i) {
    blocks.push_back(acquire());
    for (std::size_t at = 0; at < BlockMemory::size(*shape_); at += numbers_a_page)
      blocks.back()[at] = 0;
  }
  // The pool hands out first what came back last: what was taken first, so that blocks lie in
  // order.
  while (!blocks.empty()) blocks.pop_back();
}

void Store::assign(std::span<const mesh::Key<3>> keys) {
  THALWEG_EXPECT(std::ranges::is_sorted(keys), "blocks sorted by key");
  held_.clear();
  for (const auto& key : keys) held_.push_back({key, acquire()});
}

void Store::begin_regrid(const Origins& origins, Rank rank) {
  THALWEG_EXPECT(std::ranges::is_sorted(origins, {}, &Origin::key), "origins sorted by key");
  retired_ = std::exchange(held_, {});
  held_.reserve(origins.size());
  for (const Origin& origin : origins) {
    if (origin.owner != rank) continue;
    const bool stays = origin.kind == Origin::Kind::same && origin.from[0].owner == rank;
    if (!stays) {
      held_.push_back({origin.key, acquire()});
      continue;
    }
    const auto old = std::ranges::lower_bound(retired_, origin.key, {}, &Held::key);
    THALWEG_EXPECT(old != retired_.end() && old->key == origin.key, "a block that stays is here");
    held_.push_back({origin.key, std::move(old->memory)});
  }
}

BlockMemory Store::retired(const mesh::Key<3>& key) const {
  const auto it = std::ranges::lower_bound(retired_, key, {}, &Held::key);
  THALWEG_EXPECT(it != retired_.end() && it->key == key && it->memory != nullptr,
                 "the block was here and has not stayed");
  return {*shape_, it->memory.get()};
}

std::span<double> Store::buffer(std::size_t n) {
  const std::size_t room = BlockMemory::size(*shape_);
  THALWEG_EXPECT(n <= room, "a buffer not larger than a block");
  if (buffers_.empty() || n_used_ + n > room) {
    buffers_.push_back(acquire());
    n_used_ = 0;
  }
  double* const begin = buffers_.back().get() + n_used_;
  n_used_ += n;
  return {begin, n};
}

void Store::end_regrid() {
  retired_.clear();
  buffers_.clear();
}

}  // namespace thalweg::miniamr::data

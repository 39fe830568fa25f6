// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <new>

#include <thalweg/core/addresses.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/huge_pages.hpp>
#include <thalweg/field/block_pool.hpp>

namespace thalweg::field {

namespace {
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t blocks_per_slab_min = 8;

constexpr std::size_t round_up(std::size_t n, std::size_t to) {
  return (n + to - 1) / to * to;
}

// The fewest huge pages that hold some blocks, and of which no more than a part lies idle behind
// the last.
std::size_t slab_bytes_for(std::size_t block_bytes) {
  THALWEG_EXPECT(block_bytes > 0, "a block holds at least one number");
  constexpr std::size_t idle_part = 32;
  std::size_t n_bytes = round_up(block_bytes * blocks_per_slab_min, huge_page_bytes);
  while (n_bytes % block_bytes > n_bytes / idle_part) n_bytes += huge_page_bytes;
  return n_bytes;
}
}  // namespace

BlockPool::BlockPool(std::size_t block_size, BlockSource source)
    : source_(source),
      block_bytes_(round_up(block_size * sizeof(double), cache_line_bytes)),
      slab_bytes_(slab_bytes_for(block_bytes_)) {}

std::shared_ptr<std::byte> BlockPool::new_slab() const {
  if (source_ == BlockSource::addresses) return reserve_addresses(slab_bytes_);
  return {static_cast<std::byte*>(allocate_in_huge_pages(slab_bytes_)),
          [n = slab_bytes_](std::byte* slab) { free_from_huge_pages(slab, n); }};
}

void BlockPool::take_slab() {
  std::byte* slab = slabs_.emplace_back(new_slab()).get();
  const std::size_t n = slab_bytes_ / block_bytes_;
  free_.reserve(slabs_.size() * n);  // so that a returning block never allocates
  // Lowest address last, so that blocks acquired in order lie in order.
  for (std::size_t i = n; i-- > 0;)
    free_.push_back(reinterpret_cast<double*>(slab + i * block_bytes_));
}

void BlockPool::take_back(double* block) {
  if (source_ != BlockSource::heap) {
    free_.push_back(block);
    return;
  }
  std::free(block);
  --n_on_heap_;
}

BlockPool::Block BlockPool::acquire() {
  if (source_ == BlockSource::heap) {
    auto* block = static_cast<double*>(std::aligned_alloc(cache_line_bytes, block_bytes_));
    if (block == nullptr) throw std::bad_alloc();
    ++n_on_heap_;
    return Block(block, Return{this});
  }
  if (free_.empty()) take_slab();
  double* block = free_.back();
  free_.pop_back();
  return Block(block, Return{this});
}

std::size_t BlockPool::size_bytes_with(std::size_t n_more) const {
  if (source_ == BlockSource::heap) return size_bytes() + n_more * block_bytes_;
  const std::size_t per_slab = slab_bytes_ / block_bytes_;
  const std::size_t n_new = n_more > free_.size() ? n_more - free_.size() : 0;
  return size_bytes() + (n_new + per_slab - 1) / per_slab * slab_bytes_;
}

}  // namespace thalweg::field

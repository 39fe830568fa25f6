// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace thalweg::field {

/// Where a pool has its blocks from.
enum class BlockSource : std::uint8_t {
  slabs,  ///< slabs of its own
  /// The heap, each block by itself, as codes without pools do: to compare with, and for tools that
  /// watch it.
  heap,
  /// Slabs of addresses without memory, for graphs that are looked at and not run: who reads or
  /// writes a block gets a segmentation fault.
  addresses,
};

/// Memory for blocks of one size, taken from the system in large slabs and reused for ever after.
///
/// Blocks come and go at every regrid; the heap sees none of it. The slabs are aligned to 2 MiB and
/// offered to the kernel for huge pages, and go back to the system with the pool.
/// @threads none: blocks are acquired and released between runs of a graph
class BlockPool {
 public:
  /// Returns a block to its pool; the pool must be alive.
  struct Return {
    BlockPool* pool;
    void operator()(double* block) const { pool->take_back(block); }
  };
  using Block = std::unique_ptr<double[], Return>;

  /// @param block_size doubles in a block, > 0
  explicit BlockPool(std::size_t block_size, BlockSource source = BlockSource::slabs);
  /// @pre no block is out, which would return to the one that was moved
  BlockPool(BlockPool&&) noexcept = default;
  BlockPool& operator=(BlockPool&&) noexcept = default;

  /// A block of block_size doubles, aligned to 64 bytes; its contents are unspecified.
  Block acquire();

  /// Bytes taken from the system; of addresses, as if there were memory behind them.
  std::size_t size_bytes() const { return slabs_.size() * slab_bytes_ + n_on_heap_ * block_bytes_; }
  /// Bytes that will have been taken from the system when n more blocks are out at once.
  std::size_t size_bytes_with(std::size_t n_more) const;

 private:
  std::shared_ptr<std::byte> new_slab() const;
  void take_slab();
  void take_back(double* block);

  BlockSource source_;
  std::size_t n_on_heap_ = 0;
  std::size_t block_bytes_;
  std::size_t slab_bytes_;
  std::vector<std::shared_ptr<std::byte>> slabs_;
  std::vector<double*> free_;
};

}  // namespace thalweg::field

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/lulesh/settings.hpp>

#include "loops.hpp"
#include "state.hpp"

namespace thalweg::lulesh {

/// Cut [0, n) into at most so many blocks of equal sizes, but for the last.
class Blocks {
 public:
  Blocks(std::uint32_t n, std::int64_t n_blocks);

  std::size_t size() const { return blocks_.size(); }
  Block operator[](std::size_t b) const { return blocks_[b]; }
  /// The block that something is in.
  std::size_t of(std::uint32_t i) const { return i / block_size_; }

 private:
  std::uint32_t block_size_;
  std::vector<Block> blocks_;
};

/// What the tasks of a rank work on: blocks of elements and of nodes, and pieces of regions.
struct Layout {
  Layout(const State& state, const Settings& settings);
  Layout(const Layout&) = delete;  // pieces point into `order`
  Layout& operator=(const Layout&) = delete;

  /// The elements of a task of the material, by region.
  struct Chunk {
    std::vector<Piece> pieces;
  };

  Blocks elements;
  Blocks nodes;
  std::vector<std::uint32_t> order;  ///< all elements, those of a piece together
  std::vector<Chunk> chunks;
  std::vector<std::uint32_t> chunk_of;  ///< of each element

  // What tasks read of others', each list ascending.
  std::vector<std::vector<std::size_t>> nodes_of_elements;    ///< node blocks of an element block
  std::vector<std::vector<std::size_t>> chunks_of_elements;   ///< chunks of an element block
  std::vector<std::vector<std::size_t>> elements_of_nodes;    ///< whose corners a node block adds
  std::vector<std::vector<std::size_t>> forces_of_nodes;      ///< exchanges that it adds
  std::vector<std::vector<std::size_t>> elements_of_chunks;   ///< own elements and neighbours
  std::vector<std::vector<std::size_t>> gradients_of_chunks;  ///< exchanges
  std::vector<std::vector<std::size_t>> elements_of_forces;   ///< that an exchange sends
  std::vector<std::vector<std::size_t>> elements_of_gradients;

 private:
  void cut_by_block(const State& state);
  void cut_by_region(const State& state, std::uint32_t longest);
  void add_pieces(Chunk& chunk, std::span<const std::uint32_t> elements, std::int64_t repetitions);
  void find_neighbours(const State& state);
};

}  // namespace thalweg::lulesh

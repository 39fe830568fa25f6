// SPDX-License-Identifier: MIT
#include "layout.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace thalweg::lulesh {
namespace {

/// Lists of numbers, made ascending and without doubles as they grow.
class Sets {
 public:
  explicit Sets(std::size_t n) : sets_(n) {}

  void add(std::size_t set, std::size_t member) {
    auto& members = sets_[set];
    if (members.empty() || members.back() != member) members.push_back(member);
  }
  std::vector<std::vector<std::size_t>> take() && {
    for (auto& members : sets_) {
      std::ranges::sort(members);
      const auto doubles = std::ranges::unique(members);
      members.erase(doubles.begin(), doubles.end());
    }
    return std::move(sets_);
  }

 private:
  std::vector<std::vector<std::size_t>> sets_;
};

}  // namespace

Blocks::Blocks(std::uint32_t n, std::int64_t n_blocks)
    : block_size_(static_cast<std::uint32_t>((n + n_blocks - 1) / n_blocks)) {
  for (std::uint32_t begin = 0; begin < n; begin += block_size_)
    blocks_.push_back({begin, std::min(begin + block_size_, n)});
}

Layout::Layout(const State& state, const Settings& settings)
    : elements(state.cube().n_elements(), settings.n_element_tasks),
      nodes(state.cube().n_nodes(), settings.n_node_tasks),
      chunk_of(state.cube().n_elements()) {
  order.reserve(state.cube().n_elements());
  if (settings.element_work == ElementWork::region)
    cut_by_region(state, elements[0].size());
  else
    cut_by_block(state);
  find_neighbours(state);
}

void Layout::add_pieces(Chunk& chunk, std::span<const std::uint32_t> of_region,
                        std::int64_t repetitions) {
  const std::uint32_t* const end = order.data() + order.size() + of_region.size();
  order.insert(order.end(), of_region.begin(), of_region.end());
  for (const std::uint32_t* e = end - of_region.size(); e < end; e += max_piece)
    chunk.pieces.push_back(
        {e, static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(max_piece, end - e)), repetitions});
}

void Layout::cut_by_block(const State& state) {
  for (std::size_t b = 0; b < elements.size(); ++b) {
    const Block block = elements[b];
    Chunk& chunk = chunks.emplace_back();
    for (const Region& region : state.regions()) {
      const auto begin = std::ranges::lower_bound(region.elements, block.begin);
      const auto end = std::ranges::lower_bound(region.elements, block.end);
      add_pieces(chunk, {begin, end}, region.n_repetitions);
    }
  }
}

void Layout::cut_by_region(const State& state, std::uint32_t longest) {
  for (const Region& region : state.regions()) {
    const std::span<const std::uint32_t> all(region.elements);
    for (std::size_t begin = 0; begin < all.size(); begin += longest)
      add_pieces(chunks.emplace_back(),
                 all.subspan(begin, std::min<std::size_t>(longest, all.size() - begin)),
                 region.n_repetitions);
  }
}

void Layout::find_neighbours(const State& state) {
  const Connectivity& c = state.connectivity();
  const std::uint32_t n_elements = state.cube().n_elements();
  const std::uint32_t n_nodes = state.cube().n_nodes();
  for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk)
    for (const Piece& piece : chunks[chunk].pieces)
      for (const std::uint32_t e : std::span(piece.elements, piece.n_elements))
        chunk_of[e] = static_cast<std::uint32_t>(chunk);

  Sets element_nodes(elements.size()), element_chunks(elements.size());
  Sets chunk_elements(chunks.size()), chunk_gradients(chunks.size());
  for (std::uint32_t e = 0; e < n_elements; ++e) {
    element_chunks.add(elements.of(e), chunk_of[e]);
    chunk_elements.add(chunk_of[e], elements.of(e));
    for (std::size_t i = 0; i < 8; ++i)
      element_nodes.add(elements.of(e), nodes.of(c.nodes[8 * std::size_t{e} + i]));
    for (std::size_t i = 0; i < 6; ++i) {
      const std::uint32_t at = c.neighbours[6 * std::size_t{e} + i];
      if (at < n_elements) {
        chunk_elements.add(chunk_of[e], elements.of(at));
        continue;
      }
      for (std::size_t m = 0; m < c.gradients.size(); ++m)
        if (const auto& [axis, exchange] = c.gradients[m];
            static_cast<std::size_t>(axis) == i / 2 && exchange.has_received(at))
          chunk_gradients.add(chunk_of[e], m);
    }
  }
  Sets node_elements(nodes.size()), node_forces(nodes.size());
  for (std::uint32_t n = 0; n < n_nodes; ++n)
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t slot = c.corner_slots[8 * std::size_t{n} + i];
      if (slot < 8 * n_elements) {
        node_elements.add(nodes.of(n), elements.of(slot / 8));
        continue;
      }
      for (std::size_t m = 0; m < c.forces.size(); ++m)
        if (c.forces[m].has_received(slot)) node_forces.add(nodes.of(n), m);
    }
  Sets force_elements(c.forces.size()), gradient_elements(c.gradients.size());
  for (std::size_t m = 0; m < c.forces.size(); ++m)
    for (const std::uint32_t slot : c.forces[m].sent) force_elements.add(m, elements.of(slot / 8));
  for (std::size_t m = 0; m < c.gradients.size(); ++m)
    for (const std::uint32_t e : c.gradients[m].exchange.sent)
      gradient_elements.add(m, elements.of(e));
  nodes_of_elements = std::move(element_nodes).take();
  chunks_of_elements = std::move(element_chunks).take();
  elements_of_nodes = std::move(node_elements).take();
  forces_of_nodes = std::move(node_forces).take();
  elements_of_chunks = std::move(chunk_elements).take();
  gradients_of_chunks = std::move(chunk_gradients).take();
  elements_of_forces = std::move(force_elements).take();
  elements_of_gradients = std::move(gradient_elements).take();
}

}  // namespace thalweg::lulesh

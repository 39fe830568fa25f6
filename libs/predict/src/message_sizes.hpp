// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg::predict {

/// The size of each node of a graph, as TimeFit has it.
/// @param for_each_edge  calls what it is given with both nodes of each edge
/// @param received, sent bytes of the message that a node receives or sends; 0 where it does not
template <class ForEachEdge, class Bytes>
std::vector<double> sizes_of_nodes(std::size_t n_nodes, const ForEachEdge& for_each_edge,
                                   const Bytes& received, const Bytes& sent) {
  std::vector<double> n_shares(n_nodes, 0);  // of a message
  for_each_edge([&](std::uint32_t from, std::uint32_t to) {
    if (received(from) > 0) ++n_shares[from];
    if (sent(to) > 0) ++n_shares[to];
  });
  std::vector<double> sizes(n_nodes, 0);
  for_each_edge([&](std::uint32_t from, std::uint32_t to) {
    if (received(from) > 0) sizes[to] += received(from) / n_shares[from];
    if (sent(to) > 0) sizes[from] += sent(to) / n_shares[to];
  });
  return sizes;
}

}  // namespace thalweg::predict

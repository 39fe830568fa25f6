// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/exchange.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <thalweg/core/cut.hpp>

namespace thalweg::miniamr::data {

namespace {

using ByPeer = std::map<Rank, std::vector<Transfer>>;

std::vector<FaceMessage> cut(const Shape& shape, ByPeer&& by_peer, int max_messages) {
  std::vector<FaceMessage> messages;
  for (auto& [peer, transfers] : by_peer) {
    std::ranges::sort(transfers);
    std::vector<std::int64_t> sizes;
    for (const Transfer& t : transfers) sizes.push_back(static_cast<std::int64_t>(t.size(shape)));
    const std::size_t n = max_messages == 0
                              ? transfers.size()
                              : std::min(transfers.size(), static_cast<std::size_t>(max_messages));
    const std::vector<std::size_t> cuts = cut_evenly(sizes, n);
    for (std::size_t i = 0; i < n; ++i)
      messages.push_back({peer,
                          {transfers.begin() + static_cast<std::ptrdiff_t>(cuts[i]),
                           transfers.begin() + static_cast<std::ptrdiff_t>(cuts[i + 1])}});
  }
  return messages;
}

}  // namespace

std::array<std::uint8_t, 2> Transfer::half() const {
  const Index<3> place = mesh::coordinates(to.level > from.level ? to : from);
  const auto [a, b] = transverse(face / 2);
  return {static_cast<std::uint8_t>(place[a] % 2), static_cast<std::uint8_t>(place[b] % 2)};
}

PackedQuarter Transfer::packed(const Shape& shape) const {
  const Plane plane = shape.face_plane(face / 2);
  const int border = shape.sends_borders ? 1 : 0;
  return is_coarse() ? packed_cells(plane, border) : packed_sums(plane, half(), border);
}

std::size_t Transfer::size(const Shape& shape) const {
  return is_same_level() ? static_cast<std::size_t>(shape.face_plane(face / 2).size())
                         : packed(shape).size();
}

FaceExchange plan_exchange(const Shape& shape, const Layout& layout, Rank rank, int axis,
                           int max_messages) {
  ByPeer sends;
  ByPeer recvs;
  for (const Block& block : layout.blocks)
    for (const int face : {2 * axis, 2 * axis + 1})
      for (const auto& leaf : block.faces[static_cast<std::size_t>(face)]) {
        if (leaf.owner == rank) continue;
        sends[leaf.owner].push_back({leaf.key, face ^ 1, block.key});
        recvs[leaf.owner].push_back({block.key, face, leaf.key});
      }
  return {cut(shape, std::move(sends), max_messages), cut(shape, std::move(recvs), max_messages)};
}

}  // namespace thalweg::miniamr::data

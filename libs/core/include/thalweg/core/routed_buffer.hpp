// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/strong_id.hpp>

namespace thalweg {

/// Values from bytes; T need not be default-constructible.
template <class T>
  requires std::is_trivially_copyable_v<T>
std::vector<T> values_of(std::span<const std::byte> bytes) {
  std::vector<T> values;
  values.reserve(bytes.size() / sizeof(T));
  for (; bytes.size() >= sizeof(T); bytes = bytes.subspan(sizeof(T))) {
    std::array<std::byte, sizeof(T)> one;
    std::copy_n(bytes.begin(), sizeof(T), one.begin());
    values.push_back(std::bit_cast<T>(one));
  }
  return values;
}

/// Packets on their way through several ranks: an envelope and a value each, all of one size, in
/// order.
///
/// Bytes, so that what sorts and moves them is compiled once for values of any type.
/// @tparam Envelope trivially copyable; each packet begins with one, which has its source: Rank
/// from
template <class Envelope>
class RoutedBuffer {
 public:
  RoutedBuffer(std::span<const std::byte> bytes, std::size_t packet_bytes)
      : bytes_(bytes.begin(), bytes.end()), packet_bytes_(packet_bytes) {
    THALWEG_EXPECT(packet_bytes >= sizeof(Envelope), "a packet begins with an envelope");
  }

  /// Take out those of an envelope for which goes(envelope); the order of both parts stays.
  template <class Goes>
  std::vector<std::byte> take(Goes&& goes) {
    std::vector<std::byte> taken;
    std::size_t n_kept = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (goes(label(i)))
        taken.insert(taken.end(), at(i).begin(), at(i).end());
      else if (n_kept++ < i)
        std::ranges::copy(at(i), at(n_kept - 1).begin());
    }
    bytes_.resize(n_kept * packet_bytes_);
    return taken;
  }

  /// Add packets behind those that are there.
  void append(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  /// All by source, those of one source in their order.
  std::vector<std::byte> by_source() {
    std::vector<std::pair<Rank, std::size_t>> order;
    order.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) order.emplace_back(label(i).from, i);
    std::ranges::sort(order);
    std::vector<std::byte> sorted;
    sorted.reserve(bytes_.size());
    for (const auto& [from, i] : order) sorted.insert(sorted.end(), at(i).begin(), at(i).end());
    return sorted;
  }

 private:
  std::size_t size() const { return bytes_.size() / packet_bytes_; }
  std::span<std::byte> at(std::size_t i) {
    return std::span(bytes_).subspan(i * packet_bytes_, packet_bytes_);
  }
  Envelope label(std::size_t i) {
    std::array<std::byte, sizeof(Envelope)> bytes;
    std::copy_n(at(i).begin(), sizeof(Envelope), bytes.begin());
    return std::bit_cast<Envelope>(bytes);
  }

  std::vector<std::byte> bytes_;
  std::size_t packet_bytes_;
};

}  // namespace thalweg

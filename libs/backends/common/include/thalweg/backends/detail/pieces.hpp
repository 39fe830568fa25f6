// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/flow/access.hpp>

namespace thalweg::backends::detail {

/// Data cut wherever the range of an access begins or ends, because other runtimes order whole data
/// only.
///
/// Two accesses overlap if and only if they have a piece in common.
class Pieces {
 public:
  Pieces(std::size_t n_data, std::span<const flow::Access> accesses);

  std::size_t size() const { return first_.back(); }
  /// The numbers of consecutive pieces, [first, last).
  struct Span {
    std::uint32_t first;
    std::uint32_t last;
  };
  /// What the part an access is for is made of. @pre it was among those given
  Span of(const flow::Access& access) const;

 private:
  std::vector<std::uint32_t> first_;  ///< of each datum, and one more: its first piece
  std::vector<std::uint32_t> begin_;  ///< of each piece: where it begins
};

}  // namespace thalweg::backends::detail

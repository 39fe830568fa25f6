// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace thalweg::backends::detail {

/// A part of a datum, [begin, end) in whatever unit its tasks agree on.
struct Part {
  static constexpr std::uint32_t no_end = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t datum;
  std::uint32_t begin = 0;
  std::uint32_t end = no_end;
};

/// What part of its datum an access is for: all of it, unless accesses have a range.
template <class A>
Part part_of(const A& access) {
  if constexpr (requires { access.range.begin; })
    return {access.datum(), access.range.begin, access.range.end};
  else
    return {access.datum()};
}

/// Data cut wherever a part begins or ends, because other runtimes order whole data only.
///
/// Two parts overlap if and only if they have a piece in common.
class Pieces {
 public:
  Pieces(std::size_t n_data, std::span<const Part> parts);

  std::size_t size() const { return first_.back(); }
  /// The numbers of consecutive pieces, [first, last).
  struct Span {
    std::uint32_t first;
    std::uint32_t last;
  };
  /// What a part is made of. @pre it was among those given
  Span of(const Part& part) const;

 private:
  std::vector<std::uint32_t> first_;  ///< of each datum, and one more: its first piece
  std::vector<std::uint32_t> begin_;  ///< of each piece: where it begins
};

}  // namespace thalweg::backends::detail

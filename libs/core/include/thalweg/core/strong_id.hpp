// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace thalweg {

/// A dense index that cannot be confused with another kind of index: no arithmetic, no conversions.
///
/// "None" is std::optional<StrongId>, never a special value.
template <class Of>
class StrongId {
 public:
  constexpr StrongId() = default;
  constexpr explicit StrongId(std::uint32_t value) : value_(value) {}
  constexpr explicit StrongId(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}
  constexpr explicit StrongId(int value) : value_(static_cast<std::uint32_t>(value)) {}

  /// The index, for use as a subscript.
  constexpr std::uint32_t operator()() const { return value_; }
  constexpr auto operator<=>(const StrongId&) const = default;

 private:
  std::uint32_t value_ = 0;
};

/// The number of an MPI process, real or simulated.
using Rank = StrongId<struct RankOf>;

}  // namespace thalweg

template <class Of>
struct std::hash<thalweg::StrongId<Of>> {
  std::size_t operator()(thalweg::StrongId<Of> id) const {
    return std::hash<std::uint32_t>{}(id());
  }
};

// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/core/vec.hpp>

namespace thalweg::lulesh {

/// The side of a cube of so many ranks; nothing where they make none.
std::optional<int> side_of_ranks(int n_ranks);

/// A rank's part of the mesh: s^3 elements of the (s * side)^3 over [0, 1.125]^3. x is fastest in
/// numbers of elements and nodes, of a rank and of all.
class Cube {
 public:
  /// @param s  elements along an edge of a rank  @param side  ranks along an edge
  /// @pre s > 0, side > 0, rank() < side^3
  Cube(int s, int side, Rank rank);

  int s() const { return s_; }
  int side() const { return side_; }
  Rank rank() const { return Rank(number(position_, side_)); }
  /// This rank's place among the ranks.
  const Index<3>& position() const { return position_; }

  std::uint32_t n_elements() const { return power3(s_); }
  std::uint32_t n_nodes() const { return power3(s_ + 1); }
  std::uint32_t element(const Index<3>& at) const { return number(at, s_); }
  std::uint32_t node(const Index<3>& at) const { return number(at, s_ + 1); }
  Index<3> place_of_element(std::uint32_t element) const { return place(element, s_); }
  Index<3> place_of_node(std::uint32_t node) const { return place(node, s_ + 1); }

  /// The number of an element among those of all ranks.
  std::uint64_t global_element(std::uint32_t element) const;
  /// Whether a place in numbers of this rank's elements, which may lie outside, is in the mesh.
  bool is_in_mesh(const Index<3>& element) const;
  /// Where the nodes with a number along an axis lie in the beginning, along that axis.
  double initial_coordinate(int axis, int number) const;
  /// The rank at an offset of -1, 0 or 1 along each axis, where there is one.
  std::optional<Rank> neighbour(const Index<3>& offset) const;

 private:
  static std::uint32_t power3(int n) { return static_cast<std::uint32_t>(n * n * n); }
  static std::uint32_t number(const Index<3>& at, int n) {
    return static_cast<std::uint32_t>((at[2] * n + at[1]) * n + at[0]);
  }
  static Index<3> place(std::uint32_t number, int n) {
    const int i = static_cast<int>(number);
    return {{i % n, i / n % n, i / n / n}};
  }

  int s_;
  int side_;
  Index<3> position_;
};

/// The corners of an element from its lowest one, in the reference's order.
inline constexpr std::array<std::array<int, 3>, 8> corner_offsets{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};

}  // namespace thalweg::lulesh

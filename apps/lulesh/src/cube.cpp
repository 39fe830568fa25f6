// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/cube.hpp>

#include <cmath>

#include <thalweg/core/contract.hpp>

namespace thalweg::lulesh {

std::optional<int> side_of_ranks(int n_ranks) {
  const int side = static_cast<int>(std::cbrt(n_ranks) + 0.5);
  return side * side * side == n_ranks ? std::optional(side) : std::nullopt;
}

Cube::Cube(int s, int side, Rank rank) : s_(s), side_(side), position_(place(rank(), side)) {
  THALWEG_EXPECT(s > 0 && side > 0 && rank() < power3(side), "a rank of a cube of ranks");
}

std::uint64_t Cube::global_element(std::uint32_t element) const {
  const Index<3> at = place_of_element(element);
  const auto n = static_cast<std::uint64_t>(s_) * static_cast<std::uint64_t>(side_);
  const auto along = [&](int a) {
    return static_cast<std::uint64_t>(position_[a]) * static_cast<std::uint64_t>(s_) +
           static_cast<std::uint64_t>(at[a]);
  };
  return (along(2) * n + along(1)) * n + along(0);
}

bool Cube::is_in_mesh(const Index<3>& element) const {
  for (int a = 0; a < 3; ++a) {
    const int at = position_[a] * s_ + element[a];
    if (at < 0 || at >= s_ * side_) return false;
  }
  return true;
}

double Cube::initial_coordinate(int axis, int number) const {
  return 1.125 * static_cast<double>(position_[axis] * s_ + number) /
         static_cast<double>(s_ * side_);
}

std::optional<Rank> Cube::neighbour(const Index<3>& offset) const {
  const Index<3> at = position_ + offset;
  for (int a = 0; a < 3; ++a)
    if (at[a] < 0 || at[a] >= side_) return std::nullopt;
  return Rank(number(at, side_));
}

}  // namespace thalweg::lulesh

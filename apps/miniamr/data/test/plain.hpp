// SPDX-License-Identifier: MIT
#pragma once
// miniAMR's cells in plain loops over blocks with ghost cells, written from its description: what
// tests compare with.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/data/shape.hpp>

namespace thalweg::miniamr::data::testing {

/// One variable of a block, with a ghost cell on each side: cells are 0 .. n - 1, ghosts -1 and n.
class PlainBlock {
 public:
  explicit PlainBlock(std::array<int, 3> n)
      : n_(n), values_(static_cast<std::size_t>((n[0] + 2) * (n[1] + 2) * (n[2] + 2))) {}

  double& operator()(int i, int j, int k) { return values_[index(i, j, k)]; }
  double operator()(int i, int j, int k) const { return values_[index(i, j, k)]; }
  double& operator()(const Index<3>& at) { return (*this)(at[0], at[1], at[2]); }
  double operator()(const Index<3>& at) const { return (*this)(at[0], at[1], at[2]); }

  template <class F>
  void for_each(F f) const {
    for (int k = 0; k < n_[2]; ++k)
      for (int j = 0; j < n_[1]; ++j)
        for (int i = 0; i < n_[0]; ++i) f(i, j, k);
  }

 private:
  std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(((k + 1) * (n_[1] + 2) + j + 1) * (n_[0] + 2) + i + 1);
  }
  std::array<int, 3> n_;
  std::vector<double> values_;
};

/// All blocks of all ranks, one PlainBlock a variable.
using Plain = std::map<mesh::Key<3>, std::vector<PlainBlock>>;

/// A number in [0, 1) for a cell.
inline double number_of(const mesh::Key<3>& key, int variable, int i, int j, int k) {
  std::uint64_t h = hash_number(key.code, static_cast<std::uint64_t>(key.level));
  for (const int n : {variable, i, j, k}) h = hash_number(static_cast<std::uint64_t>(n), h);
  return static_cast<double>(h >> 11) * 0x1p-53;
}

inline Plain plain_blocks(const Shape& shape, const std::vector<Layout>& layouts) {
  Plain plain;
  for (const Layout& layout : layouts)
    for (const Block& block : layout.blocks) {
      std::vector<PlainBlock> vars(static_cast<std::size_t>(shape.n_vars), PlainBlock(shape.n));
      for (int v = 0; v < shape.n_vars; ++v) {
        PlainBlock& u = vars[static_cast<std::size_t>(v)];
        u.for_each([&](int i, int j, int k) { u(i, j, k) = number_of(block.key, v, i, j, k); });
      }
      plain.emplace(block.key, std::move(vars));
    }
  return plain;
}

/// Fill the ghost cells of one variable of a block across an axis. Those that nobody sends stay as
/// they are; at the boundary of the domain all of a plane is copied where stencils see corners.
inline void fill_ghosts(const Shape& shape, Plain& plain, const Block& block, std::size_t v,
                        int axis) {
  const auto [a, b] = transverse(axis);
  const auto n = [&](int d) { return shape.n[static_cast<std::size_t>(d)]; };
  PlainBlock& u = plain.at(block.key)[v];
  const auto at = [&](int across, int first, int second) {
    Index<3> i;
    i[axis] = across;
    i[a] = first;
    i[b] = second;
    return i;
  };
  for (const int side : {0, 1}) {
    const int ghost = side == 0 ? -1 : n(axis);
    const int mine = side == 0 ? 0 : n(axis) - 1;
    const int theirs = side == 0 ? n(axis) - 1 : 0;
    const auto& leaves = block.faces[static_cast<std::size_t>(2 * axis + side)];
    const int change = leaves.empty() ? 0 : leaves[0].key.level - block.key.level;
    const bool all = shape.has_corners && (leaves.empty() || shape.sends_borders);
    const bool carries = shape.has_corners && change == 0;
    const int ea = all || (carries && a < axis) ? 1 : 0;
    const int eb = all || (carries && b < axis) ? 1 : 0;
    for (int q = -eb; q < n(b) + eb; ++q)
      for (int p = -ea; p < n(a) + ea; ++p) {
        double& to = u(at(ghost, p, q));
        if (leaves.empty()) {
          to = u(at(mine, p, q));
        } else if (change == 0) {
          to = plain.at(leaves[0].key)[v](at(theirs, p, q));
        } else if (change < 0) {
          const Index<3> place = mesh::coordinates(block.key);
          const auto coarse = [&](int i, int d) {
            return place[d] % 2 * n(d) / 2 + (i + 2) / 2 - 1;
          };
          to = plain.at(leaves[0].key)[v](at(theirs, coarse(p, a), coarse(q, b))) / 4;
        } else {
          const bool is_high_a = p >= n(a) / 2;
          const bool is_high_b = q >= n(b) / 2;
          const std::size_t quarter = (is_high_a ? 1U : 0U) + (is_high_b ? 2U : 0U);
          const PlainBlock& w = plain.at(leaves[quarter].key)[v];
          // Two cells along an axis, but one in the border.
          const auto first = [&](int i, int d) {
            return i < 0 ? -1 : i == n(d) ? n(d) : 2 * i % n(d);
          };
          const auto last = [&](int i, int d) {
            return first(i, d) + (i < 0 || i == n(d) ? 0 : 1);
          };
          double sum = 0;
          for (int x = first(p, a); x <= last(p, a); ++x)
            for (int y = first(q, b); y <= last(q, b); ++y) sum += w(at(theirs, x, y));
          to = sum;
        }
      }
  }
}

/// The new value of a cell.
inline double plain_mean(const PlainBlock& u, int i, int j, int k, Stencil stencil) {
  if (stencil == Stencil::seven) {
    double sum = u(i - 1, j, k);
    sum += u(i, j - 1, k);
    sum += u(i, j, k - 1);
    sum += u(i, j, k);
    sum += u(i, j, k + 1);
    sum += u(i, j + 1, k);
    sum += u(i + 1, j, k);
    return sum / 7;
  }
  std::array<double, 3> planes{};
  for (int x = -1; x <= 1; ++x) {
    double& sum = planes[static_cast<std::size_t>(x + 1)];
    sum = u(i + x, j - 1, k - 1);
    for (int m = 1; m < 9; ++m) sum += u(i + x, j + m / 3 - 1, k + m % 3 - 1);
  }
  return ((planes[0] + planes[1]) + planes[2]) / 27;
}

/// Do one stage for all variables: exchange along the axes in order, then the stencil.
inline void plain_stage(const Shape& shape, Plain& plain, const std::vector<Layout>& layouts,
                        Stencil stencil, const std::array<int, 3>& order = {0, 1, 2}) {
  for (std::size_t v = 0; v < static_cast<std::size_t>(shape.n_vars); ++v) {
    for (const int axis : order)
      for (const Layout& layout : layouts)
        for (const Block& block : layout.blocks) fill_ghosts(shape, plain, block, v, axis);
    for (auto& [key, vars] : plain) {
      const PlainBlock u = vars[v];
      u.for_each([&](int i, int j, int k) { vars[v](i, j, k) = plain_mean(u, i, j, k, stencil); });
    }
  }
}

/// What becomes of cells, by the text of the description.
inline Plain plain_regrid(const Shape& shape, const Plain& before,
                          const std::vector<Layout>& layouts) {
  Plain after = plain_blocks(shape, layouts);
  const auto half = [](int i, const Index<3>& place, int axis, const Shape& s) {
    const int n = s.n[static_cast<std::size_t>(axis)];
    return place[axis] % 2 * n / 2 + i / 2;
  };
  for (auto& [key, vars] : after) {
    if (before.contains(key)) {
      vars = before.at(key);
      continue;
    }
    for (std::size_t v = 0; v < vars.size(); ++v) {
      PlainBlock& u = vars[v];
      u.for_each([&](int i, int j, int k) {
        if (key.level > 0 && before.contains(mesh::parent(key, 2))) {
          const Index<3> p = mesh::coordinates(key);
          u(i, j, k) = before.at(mesh::parent(key, 2))[v](
                           half(i, p, 0, shape), half(j, p, 1, shape), half(k, p, 2, shape)) /
                       8;
          return;
        }
        const auto [nx, ny, nz] = shape.n;
        const int child = 2 * i / nx + 2 * (2 * j / ny) + 4 * (2 * k / nz);
        const PlainBlock& w = before.at(mesh::child(key, child, 2))[v];
        double sum = 0;
        for (int o = 0; o < 8; ++o)
          sum += w(2 * i % nx + o % 2, 2 * j % ny + o / 2 % 2, 2 * k % nz + o / 4);
        u(i, j, k) = sum;
      });
    }
  }
  return after;
}

}  // namespace thalweg::miniamr::data::testing

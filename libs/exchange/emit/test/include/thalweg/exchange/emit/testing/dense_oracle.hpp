// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include <thalweg/core/random.hpp>
#include <thalweg/exchange/emit/testing/blocks.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/testing/cells.hpp>

namespace thalweg::exchange::testing {

/// A value for every cell of every level and moment: the mean of a polynomial, quadratic in space
/// and linear in time, or a random number; of so few digits that no parabola through it is rounded.
template <int D>
struct Values {
  bool is_polynomial = true;
  // Of a polynomial's components, integers:
  std::array<double, 2> drift{};  ///< in a step
  std::array<Vec<D>, 2> slope{};
  std::array<Vec<D>, 2> bend{};
  std::array<double, 2> twist{};
  std::array<bool, D> goes_around{};  ///< along which axes it is constant, and so periodic
  mesh::Ratios ratio = 2;
  std::uint64_t seed = 0;
  bool agrees = false;  ///< random numbers: those of coarse cells are the means of the finer ones'

  /// @param time  0: before the step, 1: after it
  double operator()(int level, const Index<D>& cell, int component, int time) const {
    if (!is_polynomial && agrees && level > 0) {
      // What children differ by from their parent adds up to nothing along each axis.
      const Index<D> parent = floor_div(cell, ratio.of(level - 1));
      double value = (*this)(level - 1, parent, component, time);
      for (int a = 0; a < D; ++a)
        value += (cell[a] % 2 == 0 ? 1 : -1) * random(level + 8 * (a + 1), parent, component, time);
      return value;
    }
    if (!is_polynomial) return 16.0 + random(level, cell, component, time);
    const auto c = static_cast<std::size_t>(component);
    const double width = 1.0 / (1 << ratio.log2_between(0, level));
    double value = 0x1p20 + drift[c] * time;
    Vec<D> x;  // of the centre, in half cells of level 0
    for (int a = 0; a < D; ++a)
      x[a] = goes_around[static_cast<std::size_t>(a)] ? 0 : (2 * cell[a] + 1) * width;
    for (int a = 0; a < D; ++a) {
      value += slope[c][a] * x[a] + bend[c][a] * 3 * x[a] * x[a];
      if (!goes_around[static_cast<std::size_t>(a)]) value += bend[c][a] * width * width;
      for (int b = a + 1; b < D; ++b) value += twist[c] * x[a] * x[b];
    }
    return value;
  }

 private:
  double random(int salt, const Index<D>& cell, int component, int time) const {
    std::uint64_t name = static_cast<std::uint64_t>(8 * salt + 2 * component + time);
    for (int a = 0; a < D; ++a) name = name * 65599 + static_cast<std::uint64_t>(cell[a]);
    return static_cast<double>(SplitMix64(seed ^ name)() >> 40) * 0x1p-24;
  }
};

/// What fills every ghost cell, worked out one cell at a time from values on whole levels, with
/// nothing of plans and copies, and nothing of the library's interpolation.
template <int D>
class DenseOracle {
 public:
  using Both = std::array<double, 2>;  ///< a cell's components

  DenseOracle(const mesh::Geometry<D>& geometry, const std::set<mesh::Key<D>>& keys,
              const Values<D>& values, double theta, const numerics::Prolongation& rule)
      : geometry_(geometry),
        walls_(boundaries(geometry)),
        values_(values),
        theta_(theta),
        rule_(rule) {
    for (const auto& key : keys) {
      const auto level = static_cast<std::size_t>(key.level);
      if (level == has_.size()) {
        n_blocks_.push_back(geometry.blocks_at(key.level));
        has_.emplace_back(static_cast<std::size_t>(product(n_blocks_.back())));
      }
      has_[level][place(key.level, mesh::coordinates(key))] = true;
    }
  }

  bool has(int level, const Index<D>& cell) const {
    return has_[static_cast<std::size_t>(level)]
               [place(level, floor_div(cell, geometry_.block_cells()))];
  }
  /// What a cell inside the domain must be, given where it lies inside around periodic axes.
  Both expected(int level, const Index<D>& cell) const {
    if (has(level, cell)) return {values_(level, cell, 0, 1), values_(level, cell, 1, 1)};
    const int ratio = geometry_.ratio(level - 1);
    const Index<D> coarse = floor_div(cell, ratio);
    if (rule_.order == numerics::ProlongOrder::parabolic) return parabolic(level, cell, coarse);
    const Both mean = coarse_values(level - 1, coarse);
    if (rule_.order == numerics::ProlongOrder::constant) return mean;
    Both value = mean;
    for (int a = 0; a < D; ++a) {
      const Both below = coarse_values(level - 1, coarse - Index<D>::unit(a));
      const Both above = coarse_values(level - 1, coarse + Index<D>::unit(a));
      const double offset = (cell[a] - coarse[a] * ratio + 0.5) / ratio - 0.5;
      for (std::size_t c = 0; c < 2; ++c) value[c] += limited(below[c], mean[c], above[c]) * offset;
    }
    return value;
  }
  /// What interpolation there looks across.
  enum class Looks { inside, around, across };  ///< no end; one where a polynomial goes on; others
  Looks looks(int level, const Index<D>& cell) const {
    const Index<D> coarse = floor_div(cell, geometry_.ratio(level - 1));
    const Index<D> last = n_cells(level - 1) - Index<D>::filled(1);
    Looks looks = Looks::inside;
    for (int a = 0; a < D; ++a) {
      if (coarse[a] >= rule_.reach() && coarse[a] <= last[a] - rule_.reach()) continue;
      if (!values_.goes_around[static_cast<std::size_t>(a)]) return Looks::across;
      looks = Looks::around;
    }
    return looks;
  }

 private:
  std::size_t place(int level, const Index<D>& block) const {
    const Index<D>& n = n_blocks_[static_cast<std::size_t>(level)];
    std::size_t at = 0;
    for (int a = D - 1; a >= 0; --a)
      at = at * static_cast<std::size_t>(n[a]) + static_cast<std::size_t>(block[a]);
    return at;
  }
  Index<D> n_cells(int level) const {
    return n_blocks_[static_cast<std::size_t>(level)] * geometry_.block_cells();
  }
  // The parabola through the means of the 3^D cells around, whose mixed terms are differences of
  // four; shrunk, unless it is smooth along each axis, until no child leaves their range.
  Both parabolic(int level, const Index<D>& cell, const Index<D>& coarse) const {
    std::array<Both, 125> neighbours;  // 5 along each axis, of which those further away are few
    const auto at = [&](const Index<D>& offset) -> Both& {
      std::size_t place = 0;
      for (int a = 0; a < D; ++a) place = 5 * place + static_cast<std::size_t>(offset[a] + 2);
      return neighbours[place];
    };
    const Box<D> next{Index<D>::filled(-1), Index<D>::filled(2)};
    for_each(next, [&](const Index<D>& i) { at(i) = coarse_values(level - 1, coarse + i); });
    for (int a = 0; a < D; ++a)
      for (const int far : {-2, 2})
        at(far * Index<D>::unit(a)) = coarse_values(level - 1, coarse + far * Index<D>::unit(a));

    const int ratio = geometry_.ratio(level - 1);
    Both result;
    for (const std::size_t c : {0u, 1u}) {
      const auto q = [&](const Index<D>& offset) { return at(offset)[c]; };
      const double mean = q({});
      bool is_smooth = true;
      for (int a = 0; a < D; ++a) {
        const Index<D> e = Index<D>::unit(a);
        const double here = q(e) - 2 * mean + q(-1 * e);
        for (const int side : {-1, 1}) {
          const double beside = q(2 * side * e) - 2 * q(side * e) + mean;
          const double ratio_of = std::abs(here) / std::abs(beside);  // NaN where both are 0
          is_smooth = is_smooth && here * beside >= 0 && !(ratio_of > 2 || ratio_of < 0.5);
        }
      }
      const auto deviation = [&](const Index<D>& child) {
        double sum = 0;
        for (int a = 0; a < D; ++a) {
          const Index<D> e = Index<D>::unit(a);
          const double x = (child[a] + 0.5) / ratio - 0.5;
          const double square =
              (12 * x * x + 1.0 / (ratio * ratio) - 1) / 12;  // its mean, less 1's
          sum += (q(e) - q(-1 * e)) / 2 * x + (q(e) - 2 * mean + q(-1 * e)) / 2 * square;
          for (int b = 0; b < a; ++b) {
            const Index<D> f = Index<D>::unit(b);
            const double y = (child[b] + 0.5) / ratio - 0.5;
            sum += (q(e + f) - q(e - f) - q(f - e) + q(-1 * e - f)) / 4 * x * y;
          }
        }
        return sum;
      };
      double keep = 1;
      if (!is_smooth) {
        double lowest = mean;
        double highest = mean;
        for_each(next, [&](const Index<D>& i) {
          lowest = std::min(lowest, q(i));
          highest = std::max(highest, q(i));
        });
        for_each(Box<D>::cube(ratio), [&](const Index<D>& child) {
          const double d = deviation(child);
          if (mean + d > highest) keep = std::min(keep, (highest - mean) / d);
          if (mean + d < lowest) keep = std::min(keep, (lowest - mean) / d);
        });
      }
      result[c] = mean + keep * deviation(cell - ratio * coarse);
    }
    return result;
  }
  // Twice the smaller difference, or the central one: the monotonised central slope. Or the
  // smaller.
  double limited(double below, double mean, double above) const {
    if ((mean - below) * (above - mean) <= 0) return 0;
    const bool is_minmod = rule_.limiter == numerics::SlopeLimiter::minmod;
    const double bound =
        (is_minmod ? 1 : 2) * std::min(std::abs(mean - below), std::abs(above - mean));
    return std::copysign(std::min(bound, std::abs(above - below) / 2), above - below);
  }
  Both coarse_values(int level, Index<D> cell) const {
    const Index<D> n = n_cells(level);
    double factor = 1;
    for (int a = 0; a < D; ++a) {
      const auto side = cell[a] < 0 ? 0 : cell[a] >= n[a] ? 1 : -1;
      if (side < 0) continue;
      switch (walls_[static_cast<std::size_t>(2 * a + side)]) {
        case numerics::Boundary::periodic:
          cell[a] += side == 0 ? n[a] : -n[a];
          break;
        case numerics::Boundary::outflow:
          cell[a] = side == 0 ? 0 : n[a] - 1;
          break;
        case numerics::Boundary::reflecting:
          cell[a] = (side == 0 ? 0 : 2 * n[a]) - 1 - cell[a];
          factor *= a + 2;  // of the first component, as Tracers say
          break;
        case numerics::Boundary::dirichlet:
        case numerics::Boundary::fixed:
          throw std::logic_error("random worlds have no walls whose states are given");
      }
    }
    const auto at_moment = [&](int c) {
      const double before = values_(level, cell, c, 0);
      const double now = values_(level, cell, c, 1);
      return theta_ == 0 ? before : theta_ == 1 ? now : before + theta_ * (now - before);
    };
    return {factor * at_moment(0), at_moment(1)};
  }

  const mesh::Geometry<D>& geometry_;
  numerics::Boundaries<D> walls_;
  const Values<D>& values_;
  double theta_;
  numerics::Prolongation rule_;
  std::vector<Index<D>> n_blocks_;      ///< by level, as if it covered the domain
  std::vector<std::vector<bool>> has_;  ///< by level and place
};

}  // namespace thalweg::exchange::testing

// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/mixed.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <thalweg/core/contract.hpp>

namespace thalweg::miniamr::data {

namespace {

/// One variable to be updated; others are named by how many groups they are further, in turn.
class Update {
 public:
  Update(const Shape& shape, const GhostedBlock& block, int variable, const MixedConstants& c)
      : n_(shape.n),
        block_(block),
        n_materials_(shape.n_vars / 4),
        group_(variable / n_materials_),
        material_(variable % n_materials_),
        u_(of(variable)),
        c_(c) {}

  bool is_mixed() const { return group_ < 4 && (group_ > 0 || material_ > 0); }

  void mean_of_seven(double* work) const {
    replace(work, [&](std::ptrdiff_t i) {
      const double* const u = u_ + i;
      return (u[-1] + u[-block_.y] + u[-block_.z] + u[0] + u[block_.z] + u[block_.y] + u[1]) / 7.0;
    });
  }

  /// Cell by cell.
  void point() const {
    const double* const u0 = of(0);
    const double* const u1 = of(1);
    const double a1 = c_.a1;
    if (is_second())
      return for_each([&](std::ptrdiff_t i) {
        for (int v = n_materials_; v < 2 * n_materials_; ++v) u_[i] += of(v)[i] * u0[i];
      });
    if (group_ == 0)
      return for_each([&](std::ptrdiff_t i) { u_[i] += u_[i] * (u0[i] + u1[i] - a1 * u_[i]); });
    const double a0 = this->a0();
    if (group_ == 1) {
      const double* const p = further(1);
      const double* const q = further(2);
      return for_each([&](std::ptrdiff_t i) {
        u_[i] = u_[i] * (u0[i] + u_[i] + a1 * p[i] + (1.0 - a1) * q[i]) / u1[i];
      });
    }
    if (group_ == 2) {
      const double* const p = further(3);
      const double* const q = further(1);
      return for_each([&](std::ptrdiff_t i) {
        u_[i] += p[i] * (a1 * u0[i] + a0 * u_[i] + (1.0 - a1) * q[i]) / u1[i];
      });
    }
    const double* const p = further(2);
    const double* const q = further(3);
    for_each([&](std::ptrdiff_t i) {
      u_[i] += p[i] * (a1 * u0[i] + a0 * u_[i] + (1.0 - a0) * q[i] + (1.0 - a1) * p[i]) /
               (u1[i] * u1[i]);
    });
  }

  /// Along an axis, from low to high, each cell after the one below it.
  void along(int axis) const {
    const double* const u0 = of(0);
    const double* const u1 = of(1);
    const double a1 = c_.a1;
    if (is_second())
      return for_each([&](std::ptrdiff_t i) {
        for (int v = 2; v < n_materials_ + 2; ++v) u_[i] += of(v)[i] * u0[i];
        u_[i] /= a1 + u_[i];
      });
    const double a0 = this->a0();
    if (group_ == 0)
      return for_each(
          [&](std::ptrdiff_t i) { u_[i] += u_[i] * (u0[i] + u1[i] - a1 * u_[i]) / (a0 + u1[i]); });
    const std::array<std::ptrdiff_t, 3> steps{1, block_.y, block_.z};
    const std::ptrdiff_t step = steps[static_cast<std::size_t>(axis)];
    // Slopes are those of the first variable of the same material that is not of group 0.
    const double* const w = group_ == 1 ? u_ : further(group_ == 2 ? 3 : 2);
    const double* const p = further(group_ == 2 ? 3 : group_ == 3 ? 3 : 0);
    const double* const q = further(group_ == 2 ? 1 : group_ == 3 ? 2 : 0);
    for_each([&](std::ptrdiff_t i) {
      const double low = u_[i - step];
      const double high = u_[i + step];
      const double below = std::abs(w[i] - w[i - step]);
      const double above = std::abs(w[i] - w[i + step]);
      const double excess = below > above ? below - above : above - below;
      const double sum = group_ == 1 ? a1 + a0 + low + u_[i] + high + u0[i] + u1[i]
                                     : a1 + a0 + p[i] + q[i] + low + u_[i] + high;
      u_[i] = (below * low + excess * (u_[i] + u1[i]) + above * high) / sum;
    });
  }

  /// Products with other groups: of x neighbours with the next, of y with the one after, of z with
  /// the third.
  void products_of_seven(double* work) const {
    const double* const x = further(1);
    const double* const y = further(2);
    const double* const z = further(3);
    replace(work, [&](std::ptrdiff_t i) {
      const auto product = [&](const double* other, std::ptrdiff_t at) {
        return u_[i + at] * other[i + at];
      };
      const double sum = product(x, -1) + product(y, -block_.y) + product(z, -block_.z) +
                         product(u_, 0) + product(z, block_.z) + product(y, block_.y) +
                         product(x, 1);
      return sum / 7.0 * (c_.a1 + u_[i]);
    });
  }

  /// The 27 cells around: of the next group across faces, the one after across edges, the third in
  /// corners; x slowest, z fastest.
  void sum_of_27(double* work) const {
    const std::array<const double*, 4> by_axes{u_, further(1), further(2), further(3)};
    replace(work, [&](std::ptrdiff_t i) {
      double sum =
          0;  // 0 + a is a, but for the sign of a zero, which the division by more keeps off
      for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
          for (int z = -1; z <= 1; ++z) {
            const auto n_axes = static_cast<std::size_t>(std::abs(x) + std::abs(y) + std::abs(z));
            sum += by_axes[n_axes][i + x + y * block_.y + z * block_.z];
          }
      return sum / (c_.a1 + 27.0);
    });
  }

  /// Make all values positive, and pull them towards [0.1, 1).
  Flops bound() const {
    std::int64_t n_large = 0;
    std::int64_t n_small = 0;
    for_each([&](std::ptrdiff_t i) {
      double u = std::abs(u_[i]);
      if (u >= 1.0) {
        u /= c_.a1 + c_.a0[0] + u;
        ++n_large;
      } else if (u < 0.1) {
        u *= 10.0 - c_.a1;
        ++n_small;
      }
      u_[i] = u;
    });
    return {.adds = 2 * n_large + n_small, .multiplies = n_small, .divides = n_large};
  }

  /// What each cell takes, but for bound().
  Flops per_cell(std::int64_t kind) const {
    if (!is_mixed()) return {6, 0, 1};
    const auto n = std::int64_t{n_materials_};
    constexpr std::array<Flops, 4> of_point{{{3, 2, 0}, {3, 3, 1}, {4, 3, 1}, {6, 6, 1}}};
    switch (kind) {
      case 0:
        return is_second() ? Flops{n, n, 0} : of_point[static_cast<std::size_t>(group_)];
      case 1:
      case 2:
      case 3:
        return is_second() ? Flops{n + 1, n, 1} : group_ == 0 ? Flops{4, 2, 1} : Flops{12, 3, 1};
      case 4:
        return {7, 8, 1};
      default:
        return {27, 0, 1};
    }
  }

 private:
  double* of(int variable) const { return block_.first + variable * block_.variable; }
  /// The variable of the same material so many groups further.
  double* further(int n_groups) const {
    return of((group_ + n_groups) % 4 * n_materials_ + material_);
  }
  double a0() const { return c_.a0[static_cast<std::size_t>(material_)]; }
  bool is_second() const { return group_ == 0 && material_ == 1; }

  template <class F>
  void for_each(F f) const {
    for (int k = 0; k < n_[2]; ++k)
      for (int j = 0; j < n_[1]; ++j)
        for (int i = 0; i < n_[0]; ++i) f(i + j * block_.y + k * block_.z);
  }
  /// Compute all new values from the old ones.
  template <class F>
  void replace(double* work, F f) const {
    for_each([&](std::ptrdiff_t i) { work[i] = f(i); });
    for_each([&](std::ptrdiff_t i) { u_[i] = work[i]; });
  }

  std::array<int, 3> n_;
  const GhostedBlock& block_;
  int n_materials_;
  int group_;  ///< 4: of no group
  int material_;
  double* u_;
  const MixedConstants& c_;
};

}  // namespace

MixedConstants mixed_constants(int n_vars) {
  THALWEG_EXPECT(n_vars >= 8, "the mixed stencil needs two materials");
  const auto draw = [] { return static_cast<double>(std::rand()) / RAND_MAX; };
  std::srand(1);
  MixedConstants constants{draw(), std::vector<double>(static_cast<std::size_t>(n_vars / 4))};
  std::ranges::generate(constants.a0, draw);
  return constants;
}

bool mixed_update_uses(int n_vars, int variable, int other) {
  const int n_materials = n_vars / 4;
  const bool is_mixed = variable > 0 && variable < 4 * n_materials;
  if (!is_mixed || other >= 4 * n_materials) return other == variable;
  // The second variable adds up those of its group and the next; all use the first two.
  return other < 2 || other % n_materials == variable % n_materials ||
         (variable == 1 && other < 2 * n_materials);
}

Flops mixed_update(const Shape& shape, const GhostedBlock& block, int variable, std::int64_t stage,
                   const MixedConstants& constants, double* work) {
  const Update update(shape, block, variable, constants);
  Flops flops = shape.n_cells() * update.per_cell(stage % 6);
  if (!update.is_mixed()) {
    update.mean_of_seven(work);
    return flops;
  }
  switch (stage % 6) {
    case 0:
      update.point();
      break;
    case 1:
      update.along(0);
      break;
    case 2:
      update.along(1);
      break;
    case 3:
      update.along(2);
      break;
    case 4:
      update.products_of_seven(work);
      break;
    default:
      update.sum_of_27(work);
      break;
  }
  return flops += update.bound();
}

}  // namespace thalweg::miniamr::data

// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/checksum.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace thalweg::miniamr::data {

namespace {

// Adding and subtracting 1.5 * 2^(52 - e) rounds to a multiple of 2^-e. What is left then is at
// most half of that, so 2^20 cells add up in each bin without rounding.
constexpr double to_2_20 = 0x1.8p32;
constexpr double to_2_52 = 0x1.8p0;
constexpr double to_2_84 = 0x1.8p-32;
constexpr double to_2_12 = 0x1.8p64;
constexpr double too_large_for_three = 0x1p12;
constexpr double too_large = 0x1p44;
constexpr std::size_t cells_at_once = std::size_t{1} << 20;
constexpr double too_large_together = 0x1p65;  // 2^53 multiples of 2^12

/// With a fourth bin, which cells of 4096 and more need. Hardly any run has them.
CellSum sum_of_large_cells(std::span<const double> cells) {
  CellSum sum;
  for (const double x : cells) {
    if (!(std::abs(x) < too_large)) {  // what is not a number, too
      sum.bins[0] = std::numeric_limits<double>::quiet_NaN();
      return sum;
    }
    const double top = (x + to_2_12) - to_2_12;
    const double below = x - top;
    const double high = (below + to_2_20) - to_2_20;
    const double rest = below - high;
    const double middle = (rest + to_2_52) - to_2_52;
    sum.bins[0] += high;
    sum.bins[1] += middle;
    sum.bins[2] += ((rest - middle) + to_2_84) - to_2_84;
    sum.bins[3] += top;
  }
  return sum;
}

/// The sum of no more cells than bins have room for.
CellSum sum_at_once(std::span<const double> cells) {
  double first = 0;
  double second = 0;
  double third = 0;
  std::int64_t n_large = 0;
#pragma omp simd reduction(+ : first, second, third, n_large)
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double x = cells[i];
    const double high = (x + to_2_20) - to_2_20;
    const double rest = x - high;
    const double middle = (rest + to_2_52) - to_2_52;
    first += high;
    second += middle;
    third += ((rest - middle) + to_2_84) - to_2_84;
    n_large += std::abs(x) < too_large_for_three ? 0 : 1;  // what is not a number, too
  }
  if (n_large > 0) return sum_of_large_cells(cells);
  return {{first, second, third}};
}

/// The same sum with room in its bins for those of 2^20 others: what is a multiple of the next
/// bin's unit goes there, without rounding.
CellSum carried(CellSum sum) {
  auto& [high, middle, low, top] = sum.bins;
  const auto carry = [](double& from, double& to, double to_unit) {
    const double whole = (from + to_unit) - to_unit;
    from -= whole;
    to += whole;
  };
  carry(low, middle, to_2_52);
  carry(middle, high, to_2_20);
  carry(high, top, to_2_12);
  return sum;
}

}  // namespace

CellSum sum_of_cells(std::span<const double> cells) {
  if (cells.size() <= cells_at_once) return sum_at_once(cells);
  CellSum sum;
  while (!cells.empty()) {
    const std::size_t n = std::min(cells.size(), cells_at_once);
    const CellSum more = carried(sum_at_once(cells.first(n)));
    for (std::size_t b = 0; b < sum.bins.size(); ++b) sum.bins[b] += more.bins[b];
    if (!(std::abs(sum.bins[3]) < too_large_together)) {  // what is not a number, too
      sum.bins[0] = std::numeric_limits<double>::quiet_NaN();
      return sum;
    }
    cells = cells.subspan(n);
  }
  return sum;
}

TravellingSum sum_of_blocks(std::span<const CellSum> blocks, std::size_t stride) {
  ExactSum total;
  for (std::size_t i = 0; i < blocks.size(); i += stride)
    for (const double bin : blocks[i].bins) total.add(bin);
  return {total.limbs()};
}

TravellingSum combine(TravellingSum a, const TravellingSum& b) {
  for (std::size_t i = 0; i < a.limbs.size(); ++i) a.limbs[i] += b.limbs[i];
  return a;
}

double value_of(const TravellingSum& sum) {
  return ExactSum::from_limbs(sum.limbs).value();
}

double Check::difference() const {
  if (sum == before) return 0;
  return std::abs(sum - before) / std::abs(before);
}

void Checksums::check(std::int64_t replay, int stage, int variable, double sum, bool is_conserved) {
  double& before = last.at(static_cast<std::size_t>(variable));
  const Check check{.timestep = first_timestep + replay,
                    .stage = stage,
                    .variable = variable,
                    .sum = sum,
                    .before = before,
                    .tolerance = tolerance,
                    .is_conserved = is_conserved};
  before = sum;
  if (on_check) on_check(check);
  if (!check.is_passed())
    throw std::runtime_error(fmt::format(
        "the checksum of variable {} went from {:.16g} to {:.16g} by stage {} of timestep {}, a "
        "relative difference of {:.3g} where {:g} is allowed (the total of a variable is to stay "
        "the same; --stencil 27 does not keep it where levels change, nor with --permute without "
        "--code 1 or 2); choose another stencil, a smaller --error_tol or --checksum_freq 0",
        variable, check.before, sum, stage, check.timestep, check.difference(), tolerance));
}

}  // namespace thalweg::miniamr::data

// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg::vlasov {

/// Between what bounds numbers along a stretch are, and how far neighbours differ.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  double first = 0, last = 0;
  double steepest = 0;  ///< greatest difference of neighbours

  bool is_empty() const { return least > greatest; }

  void add(double x) {
    if (is_empty())
      first = x;
    else
      steepest = std::max(steepest, std::abs(x - last));
    least = std::min(least, x);
    greatest = std::max(greatest, x);
    last = x;
  }
  /// That of this stretch and the next one together, whose numbers are so much larger.
  Extent then(const Extent& next, double rise) const {
    if (is_empty() || next.is_empty()) return is_empty() ? next.raised(rise) : *this;
    const Extent above = next.raised(rise);
    return {std::min(least, above.least), std::max(greatest, above.greatest), first, above.last,
            std::max({steepest, next.steepest, std::abs(above.first - last)})};
  }
  Extent raised(double rise) const {
    return {least + rise, greatest + rise, first + rise, last + rise, steepest};
  }
  /// The greatest absolute value.
  double reach() const { return std::max(std::abs(least), std::abs(greatest)); }
};

}  // namespace thalweg::vlasov

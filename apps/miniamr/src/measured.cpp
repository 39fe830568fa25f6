// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/measured.hpp>

#include <algorithm>
#include <cmath>

namespace thalweg::miniamr {

Spread spread_of(std::span<const double> values) {
  Spread spread{.least = values.front(), .most = values.front()};
  const auto n = static_cast<double>(values.size());
  for (const double value : values) {
    spread.mean += value / n;
    spread.least = std::min(spread.least, value);
    spread.most = std::max(spread.most, value);
  }
  for (const double value : values)
    spread.deviation += (value - spread.mean) * (value - spread.mean) / n;
  spread.deviation = std::sqrt(spread.deviation);
  return spread;
}

}  // namespace thalweg::miniamr

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

std::array<OverTime, 5> over_time(std::span<const std::array<std::int64_t, 5>> rows) {
  std::array<OverTime, 5> columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(static_cast<double>(row[i]));
    const Spread spread = spread_of(values);
    columns[i] = {spread.mean, spread.least, spread.most};
  }
  return columns;
}

}  // namespace thalweg::miniamr

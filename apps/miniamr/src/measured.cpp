// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/measured.hpp>

#include <algorithm>
#include <cmath>

namespace thalweg::miniamr {

void StepSpread::add(const StepSpread& step) {
  least_s += step.least_s;
  most_s += step.most_s;
}

StepSpread of_both(const StepSpread& a, const StepSpread& b) {
  return {std::min(a.least_s, b.least_s), std::max(a.most_s, b.most_s)};
}

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

void settle_times(Measured& to, const TaskTimes& tasks, const data::FillTimes& fills,
                  const RefineTimes& parts, std::uint32_t n_workers) {
  using data::Filling;
  to.compute_s = tasks.compute_s();
  to.gridsum_s = tasks.checksum_s();
  to.gridsum_add_s = tasks.seconds(Purpose::timesteps, Activity::sum);
  to.gridsum_reduce_s = tasks.seconds(Purpose::timesteps, Activity::reduce);
  to.comm_s = tasks.runs_s() - to.compute_s - to.gridsum_s;
  for (int axis = 0; axis < 3; ++axis) {
    const auto task_s = [&](Activity of_x) {
      return tasks.seconds(Purpose::timesteps,
                           static_cast<Activity>(static_cast<int>(of_x) + axis));
    };
    const auto fill_s = [&](Filling what) { return fills.seconds(axis, what) / n_workers; };
    to.directions[static_cast<std::size_t>(axis)] = {.pack_s = task_s(Activity::pack),
                                                     .same_s = fill_s(Filling::same),
                                                     .different_s = fill_s(Filling::different),
                                                     .boundary_s = fill_s(Filling::boundary),
                                                     .unpack_s = fill_s(Filling::message),
                                                     .wait_s = task_s(Activity::wait)};
  }
  using enum RefinePart;
  RefineTimes& t = to.refine_parts;
  const double initial_s = t[initial];
  t = parts;
  t[initial] = initial_s;
  const auto of_pass = [&](Activity what) { return tasks.seconds(Purpose::pass, what); };
  const auto of_balance = [&](Activity what) { return tasks.seconds(Purpose::balance, what); };
  // A balance after a pass moves blocks while they are split and joined.
  t[balance_blocks] -= of_balance(Activity::split) + of_balance(Activity::join);
  t[split] = of_pass(Activity::split) + of_balance(Activity::split);
  t[coarsen] = of_pass(Activity::join) + of_balance(Activity::join);
  t[coarsen_pack] = of_pass(Activity::pack_block);
  t[coarsen_move] = of_pass(Activity::wait);
  t[coarsen_unpack] = of_pass(Activity::unpack_block);
  t[coarsen_total] = t[coarsen] + t[coarsen_pack] + t[coarsen_move] + t[coarsen_unpack];
  t[redistribute_total] = t[redistribute_choose];
  t[balance_pack] = of_balance(Activity::pack_block);
  t[balance_move] = of_balance(Activity::wait);
  t[balance_unpack] = of_balance(Activity::unpack_block);
  t[balance_misc] =
      std::max(0.0, t[balance_blocks] - t[balance_pack] - t[balance_move] - t[balance_unpack]);
  t[balance_total] = t[balance_sort] + t[balance_dots] + t[balance_blocks];
  double known_s = 0;
  for (const RefinePart part : {compare, mark, communicate_1, split, communicate_2, sync, groups,
                                coarsen_total, redistribute_total, balance_total})
    known_s += t[part];
  t[misc] = std::max(0.0, to.refine_s - known_s);
}

}  // namespace thalweg::miniamr

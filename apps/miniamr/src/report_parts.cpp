// SPDX-License-Identifier: MIT
#include "report_parts.hpp"

#include <algorithm>
#include <optional>

namespace thalweg::miniamr {
namespace {

using enum RefinePart;

constexpr RefineTime times[] = {
    {initial, 0, "initial refine", ""},
    {compare, 0, "compare objects", "time_compare_obj"},
    {mark, 0, "mark refine/coarsen", "time_mark_refine"},
    {communicate_1, 0, "communicate block 1", "time_comm_block1"},
    {split, 0, "split blocks", "time_split_block"},
    {communicate_2, 0, "communicate block 2", "time_comm_block2"},
    {sync, 0, "sync time", "time_sync"},
    {groups, 0, "time for groups", ""},
    {misc, 0, "misc time", "time_misc"},
    {coarsen_total, 0, "total coarsen blocks", "time_total_coarsen"},
    {coarsen, 1, "coarsen blocks", "time_coarsen"},
    {coarsen_pack, 1, "pack blocks", "time_coarsen_pack"},
    {coarsen_move, 1, "move blocks", "time_coarsen_move"},
    {coarsen_unpack, 1, "unpack blocks", "time_coarsen_unpack"},
    {redistribute_total, 0, "total redistribute", "time_total_redist"},
    {redistribute_choose, 1, "choose blocks", "time_redist_choose"},
    // Blocks that make room move with those of the pass.
    {std::nullopt, 1, "pack blocks", "time_redist_pack"},
    {std::nullopt, 1, "move blocks", "time_redist_move"},
    {std::nullopt, 1, "unpack blocks", "time_redist_unpack"},
    {balance_total, 0, "total load balance", "time_total_load_bal"},
    {balance_sort, 1, "sort", "time_load_bal_sort"},
    {balance_dots, 1, "move dots back", "time_lb_move_dots"},
    {balance_blocks, 1, "move blocks total", "time_lb_move_blocks"},
    {balance_pack, 2, "pack blocks", "time_lb_mb_pack"},
    {balance_move, 2, "move blocks", "time_lb_mb_move"},
    {balance_unpack, 2, "unpack blocks", "time_lb_mb_unpack"},
    {balance_misc, 2, "misc", "time_lb_mb_misc"},
};
static_assert(std::ranges::count_if(times, [](const RefineTime& time) {
                return time.part.has_value();
              }) == n_refine_parts);

}  // namespace

std::span<const RefineTime> refine_times() {
  return times;
}

Spread spread_of_part(const RunFacts& facts, const RefineTime& time) {
  if (!time.part) return {};
  return facts.spread([&](const Measured& rank) { return rank.refine_parts[*time.part]; });
}

Exchanged all_axes(const std::array<Exchanged, 3>& by_axis) {
  Exchanged sum;
  for (const Exchanged& axis : by_axis) sum.add(axis);
  return sum;
}

DirectionTimes all_axes(const std::array<DirectionTimes, 3>& by_axis) {
  DirectionTimes sum;
  for (const DirectionTimes& axis : by_axis)
    for (const ExchangeTime& time : exchange_times())
      if (time.member != nullptr) sum.*time.member += axis.*time.member;
  return sum;
}

}  // namespace thalweg::miniamr

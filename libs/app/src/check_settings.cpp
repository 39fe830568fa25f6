// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/io/parameter.hpp>

namespace thalweg::app {

template <int D>
void check_settings(const Settings<D>& settings, double max_courant) {
  const step::TimeSettings& time = settings.time;
  constexpr double largest = std::numeric_limits<double>::max();
  const std::pair<std::string_view, double> numbers[] = {
      // No end and no limit of growth are none that a deck could say.
      {"time.end", std::min(time.end, largest)},
      {"time.max_steps", static_cast<double>(time.max_steps)},
      {"time.max_growth", std::min(time.max_growth, largest)},
      {"time.initial_shrink", time.initial_shrink},
      {"time.max_dt", time.max_dt},
      {"time.retries", time.retries},
      {"regrid.interval", settings.regrid_interval},
      {"exchange.max_comm_tasks", settings.max_comm_tasks},
      {"partition.threshold", settings.partition.threshold.imbalance}};
  const auto parameters = shared_parameters();
  Complaints complaints;
  const auto check = [&](std::string_view key, double x, const io::Range& range) {
    if (!range.contains(x))
      complaints.add(
          fmt::format("{} = {} (must be in {}); change it in the settings", key, x, range.text()));
  };
  for (const auto& [key, x] : numbers)
    check(key, x, std::ranges::find(parameters, key, &io::Parameter::name)->range);
  const int most_buffer = settings.mesh.block_cells.fewest();
  for (const int buffer : settings.regrid_buffer.given())
    if (buffer < 0 || buffer > most_buffer)
      complaints.add(
          fmt::format("regrid.buffer = {} (must be in [0, {}]: tags reach no further than the "
                      "neighbours of their block, which mesh.block_cells makes so wide); lower it, "
                      "or take larger blocks",
                      buffer, most_buffer));
  // A scheme of one's own may be stable above what decks may say.
  check("time.cfl", time.cfl, io::Range::above(0));
  if (time.cfl > max_courant)
    complaints.add(fmt::format("time.cfl = {} (the scheme is stable up to {:.3g}); lower it",
                               time.cfl, max_courant));
  complaints.throw_if_any();
}

#define THALWEG_INSTANTIATE(D) template void check_settings(const Settings<D>&, double)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::app

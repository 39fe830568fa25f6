// SPDX-License-Identifier: MIT
#include "field_update.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <fmt/format.h>

#include <thalweg/vlasov/halo.hpp>
#include <thalweg/vlasov/lagrange.hpp>

namespace thalweg::vlasov {

void update_moments(const Settings& settings, SlabField& field, std::span<const double> sums,
                    const StepClock& clock) {
  const double dv = settings.grid.dv();
  const double* const now = field.window.data() + settings.halo_x;
  for (std::size_t i = 0; i < field.size(); ++i) {
    field.charge[i] = dv * sums[i] - settings.density;
    field.current[i] = dv * sums[field.size() + i];
    if (clock.use != FieldUse::after_step) continue;
    field.field_before_2[i] = field.field_before[i];
    field.field_before[i] = now[i];
    field.deviation_before[i] = field.deviation[i];
  }
}

namespace {

/// How E at the end of a step is predicted: so many times E and J - <J>, and those of steps before.
struct Prediction {
  double field = 1, deviation = 0;
  double deviation_before = 0, field_before = 0, field_before_2 = 0;

  /// What there is of it before E is found.
  double from_before(const SlabField& of, std::size_t i) const {
    return deviation_before * of.deviation_before[i] + field_before * of.field_before[i] +
           field_before_2 * of.field_before_2[i];
  }
};

/// That of the step to come, after so many.
Prediction prediction_after(std::int64_t step, const Settings& settings, const StepClock& clock) {
  if (clock.use == FieldUse::trial) return {};  // what the field is after it
  const double dt = clock.schedule.dt();
  Prediction p{.deviation = -dt};
  // Where the origin is the end of a shorter step, no predictor looks back over that.
  const std::int64_t n_equal = step - clock.schedule.origin().step;
  if (n_equal > 0) switch (settings.predictor) {
      case Predictor::euler:
        break;
      case Predictor::ab2:
        p = {.deviation = -1.5 * dt, .deviation_before = 0.5 * dt};
        break;
      case Predictor::leapfrog:
        p = {.field = 0, .deviation = -2 * dt, .field_before = 1};
        break;
      case Predictor::extrapolation:
        if (n_equal == 1)
          p = {.field = 2, .field_before = -1};
        else
          p = {.field = 3, .field_before = -3, .field_before_2 = 1};
        break;
    }
  // A shorter last step takes a part of what is predicted for a whole one.
  const double part = clock.schedule.dt_after(step) / dt;
  if (part != 1)
    p = {1 + part * (p.field - 1), part * p.deviation, part * p.deviation_before,
         part * p.field_before, part * p.field_before_2};
  return p;
}

/// Bounds of the field, of the sums of all columns.
FieldBounds bounds_of(const FieldSums& total, const Prediction& prediction, const Grid& grid,
                      int degree) {
  const double mean_level = total.level / total.n;
  const double slope = std::abs(slope_of(total, grid.dx()));
  const double bent = slope * 0.5 * (total.n - 1);  // by taking the slope out
  const Extent field = total.field.raised(-mean_level);
  const Extent next = total.predicted.raised(-prediction.field * mean_level -
                                             prediction.deviation * total.current / total.n);
  const double greatest = field.reach() + bent;
  // Between the least and the greatest of some points, and a multiple of half their difference
  // around.
  const double steepest = std::max(field.steepest, std::abs(field.first - field.last)) + slope;
  const double over = lebesgue_constant(degree) - 1;
  const double between = greatest + over * std::min(greatest, 0.5 * degree * steepest);
  const double rounding = 1e-12 * next.reach();
  const double bent_next = std::abs(prediction.field) * bent + rounding;
  return {greatest * (1 + 1e-12), between * (1 + 1e-12), next.least - bent_next,
          next.greatest + bent_next};
}

}  // namespace

void add_up_columns(const Settings& settings, const Cuts& cuts, const SlabField& field,
                    std::span<const double> charge, std::span<double> level,
                    std::span<FieldSums> sums, const StepClock& clock, std::uint64_t replay) {
  const Prediction prediction = prediction_after(clock.reached(replay), settings, clock);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const int column = field.slab.first_column + static_cast<int>(c);
    const auto first = static_cast<std::size_t>(cuts.begin(column) - field.slab.begin);
    const auto n = static_cast<std::size_t>(cuts.size(column));
    FieldSums& of = sums[c];
    if (settings.poisson == Poisson::fft) {
      of = {.n = static_cast<double>(n)};
      for (std::size_t i = first; i < first + n; ++i) of.field.add(level[i]);
    } else {
      of = add_up_field(charge.subspan(first, n + rise_reads_below + rise_reads_above),
                        settings.grid.dx(), level.subspan(first, n));
    }
    for (std::size_t i = first; i < first + n; ++i) {
      of.current += field.current[i];
      of.predicted.add(prediction.field * level[i] + prediction.deviation * field.current[i] +
                       prediction.from_before(field, i));
    }
    of.predicted_rise = prediction.field * of.rise;
  }
}

void update_field(const Settings& settings, const Layout& layout, SlabField& field,
                  std::span<const ScanSums> scans, std::span<const double> level,
                  const StepClock& clock, std::uint64_t replay) {
  const double dx = settings.grid.dx();
  const FieldSums& total = scans.front().total;
  const double mean_current = total.current / total.n;
  double* const now = field.window.data() + settings.halo_x;
  double* const next = field.window.data() + field.size() + 2 * settings.halo_x;
  const Prediction prediction = prediction_after(clock.reached(replay), settings, clock);
  FieldBounds bounds = bounds_of(total, prediction, settings.grid, settings.degree);
  if (clock.use == FieldUse::trial) {
    bounds.greatest = field.bounds().greatest;
    bounds.greatest_between = field.bounds().greatest_between;
  }
  field.set_bounds(bounds);

  for (std::size_t i = 0; i < field.size(); ++i) {
    const int x = field.slab.begin + static_cast<int>(i);
    const auto column =
        static_cast<std::size_t>(layout.columns().part_of(x) - field.slab.first_column);
    const double e = field_at(scans[column].before, total, level[i], dx, x);
    if (clock.use == FieldUse::trial) {
      next[i] = e;
      continue;
    }
    now[i] = e;
    field.deviation[i] = field.current[i] - mean_current;
    next[i] = prediction.field * e + prediction.deviation * field.deviation[i] +
              prediction.from_before(field, i);
  }
}

void check_field(const Settings& settings, const FieldBounds& bounds, const StepClock& clock,
                 std::uint64_t replay) {
  const std::int64_t reached = clock.reached(replay);
  for (const double bound : {bounds.greatest, bounds.least_next, bounds.greatest_next})
    if (!std::isfinite(bound))
      throw std::runtime_error(fmt::format("the field is {} after step {}", bound, reached));

  const Grid& grid = settings.grid;
  const bool is_split = settings.splitting == Splitting::strang;
  // What a trial leads to is for the same step, made once more. At the end none is left but its
  // last half a kick, where steps are split.
  const std::int64_t step = clock.use == FieldUse::trial ? clock.step_of(replay) : reached;
  const bool is_over = step >= clock.schedule.last_step();
  const double dt = is_over ? 0 : clock.schedule.dt_after(step);
  Shifts in_x;
  for (const double e : {bounds.least_next, bounds.greatest_next})
    for (const int j : {0, grid.nv - 1}) {
      const double shift = (grid.v(j) - (is_split ? 0 : 0.5 * dt * e)) * (-dt / grid.dx());
      in_x.least = std::min(in_x.least, shift);
      in_x.greatest = std::max(in_x.greatest, shift);
    }
  const double most_v =
      0.5 / grid.dv() *
      (is_split ? (clock.schedule.dt_before(step) + dt) * bounds.greatest
                : dt * (std::max(std::abs(bounds.least_next), std::abs(bounds.greatest_next)) +
                        bounds.greatest_between));
  const int need_x = needed_halo(in_x, settings.degree);
  const int need_v = needed_halo({-most_v, most_v}, settings.degree);
  if (need_x <= settings.halo_x && need_v <= settings.halo_v) return;
  const int need = std::max(need_x, need_v);
  const std::string far = fmt::format(
      "feet of step {} lie up to {} points along x and {} along v beyond a tile, with those that "
      "interpolation reads (the halo is {} and {}",
      is_over ? step : step + 1, need_x, need_v, settings.halo_x, settings.halo_v);
  if (!settings.halo_is_given)
    throw std::runtime_error(
        far +
        ", for the strongest field that the energy at the start allows: these steps have made one "
        "that is stronger); lower time.dt, or take another vlasov.predictor");
  throw std::runtime_error(
      fmt::format("{}); {}lower time.dt", far,
                  need <= widest_halo ? fmt::format("set vlasov.halo = {}, or ", need) : ""));
}

}  // namespace thalweg::vlasov

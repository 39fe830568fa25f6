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

void update_moments(const Settings& settings, SlabField& field, std::span<const double> sums) {
  const double dv = settings.grid.dv();
  for (std::size_t i = 0; i < field.size(); ++i) {
    field.charge[i] = dv * sums[i] - 1;
    field.current[i] = dv * sums[field.size() + i];
  }
}

void add_up_columns(const Settings& settings, const Cuts& cuts, const SlabField& field,
                    std::span<const double> charge, std::span<double> level,
                    std::span<FieldSums> sums) {
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const int column = field.slab.first_column + static_cast<int>(c);
    const auto first = static_cast<std::size_t>(cuts.begin(column) - field.slab.begin);
    const auto n = static_cast<std::size_t>(cuts.size(column));
    if (settings.poisson == Poisson::fft)
      sums[c] = {.n = static_cast<double>(n)};
    else
      sums[c] = add_up_field(charge.subspan(first, n + rise_reads_below + rise_reads_above),
                             settings.grid.dx(), level.subspan(first, n));
    for (std::size_t i = first; i < first + n; ++i) sums[c].current += field.current[i];
  }
}

void update_field(const Settings& settings, const Layout& layout, SlabField& field,
                  std::span<const ScanSums> scans, std::span<const double> level,
                  const StepClock& clock, std::uint64_t replay) {
  const double dx = settings.grid.dx();
  const std::int64_t step = clock.reached(replay);
  const FieldSums& total = scans.front().total;
  const double mean_current = total.current / total.n;
  double* const now = field.window.data() + settings.halo_x;
  double* const next = field.window.data() + field.size() + 2 * settings.halo_x;
  // A shorter last step takes a part of what is predicted for a whole one.
  const double dt = clock.schedule.dt();
  const double part = clock.schedule.dt_after(step) / dt;

  for (std::size_t i = 0; i < field.size(); ++i) {
    const int x = field.slab.begin + static_cast<int>(i);
    const auto column =
        static_cast<std::size_t>(layout.columns().part_of(x) - field.slab.first_column);
    const double e = field_at(scans[column].before, total, level[i], dx, x);
    if (clock.use == FieldUse::trial) {
      next[i] = e;
      continue;
    }
    if (clock.use == FieldUse::after_step) {
      field.field_before_2[i] = field.field_before[i];
      field.field_before[i] = now[i];
      field.deviation_before[i] = field.deviation[i];
    }
    now[i] = e;
    field.deviation[i] = field.current[i] - mean_current;

    const double before = field.field_before[i], before_2 = field.field_before_2[i];
    double predicted = e - dt * field.deviation[i];
    if (step > 0) switch (settings.predictor) {
        case Predictor::euler:
          break;
        case Predictor::ab2:
          predicted = e - dt * (1.5 * field.deviation[i] - 0.5 * field.deviation_before[i]);
          break;
        case Predictor::leapfrog:
          predicted = before - 2 * dt * field.deviation[i];
          break;
        case Predictor::extrapolation:
          predicted = step == 1 ? 2 * e - before : 3 * e - 3 * before + before_2;
          break;
      }
    next[i] = part == 1 ? predicted : e + part * (predicted - e);
  }
}

namespace {

/// Where the field lies that interpolation finds anywhere in a window: between the mean of its
/// points' least and greatest, and a multiple of half their difference around it.
double greatest_interpolated(std::span<const double> window, int degree) {
  const auto n = static_cast<std::size_t>(degree + 1);
  double greatest = 0;
  for (std::size_t i = 0; i + n <= window.size(); ++i) {
    const auto [least, most] = std::ranges::minmax(window.subspan(i, n));
    greatest = std::max(greatest, std::abs(0.5 * (most + least)) +
                                      lebesgue_constant(degree) * 0.5 * (most - least));
  }
  return greatest;
}

/// The shifts of all feet of a slab's points.
Shifts shifts_in_x(const Settings& settings, std::span<const double> next, double dt) {
  const Grid& grid = settings.grid;
  Shifts shifts{0, 0};
  for (const double e : next)
    for (const int j : {0, grid.nv - 1}) {
      const double kick = settings.splitting == Splitting::none ? 0.5 * dt * e : 0;
      const double shift = (grid.v(j) - kick) * (-dt / grid.dx());
      shifts.least = std::min(shifts.least, shift);
      shifts.greatest = std::max(shifts.greatest, shift);
    }
  return shifts;
}

}  // namespace

void check_field(const Settings& settings, const SlabField& field, const StepClock& clock,
                 std::uint64_t replay) {
  const std::int64_t step = clock.reached(replay);
  const std::span<const double> window(field.window);
  const auto bad = std::ranges::find_if(window, [](double e) { return !std::isfinite(e); });
  if (bad != window.end())
    throw std::runtime_error(fmt::format("the field is {} after step {}", *bad, step));
  if (step >= clock.schedule.last_step()) return;  // nobody will go on from here

  const bool is_split = settings.splitting == Splitting::strang;
  const double dt = clock.schedule.dt_after(step);
  const auto next = window.last(field.size());
  const auto now = window.first(field.size() + 2 * static_cast<std::size_t>(settings.halo_x));
  const double last =
      std::abs(*std::ranges::max_element(next, {}, [](double e) { return std::abs(e); }));
  constexpr double rounding = 1 + 1e-12;
  const double most_v =
      is_split
          ? rounding * 0.5 * (clock.schedule.dt_before(step) + dt) / settings.grid.dv() *
                std::abs(*std::ranges::max_element(now, {}, [](double e) { return std::abs(e); }))
          : rounding * 0.5 * dt / settings.grid.dv() *
                (last + greatest_interpolated(now, settings.degree));
  const int need_x = needed_halo(shifts_in_x(settings, next, dt), settings.degree);
  const int need_v = needed_halo({-most_v, most_v}, settings.degree);
  if (need_x <= settings.halo_x && need_v <= settings.halo_v) return;
  throw std::runtime_error(fmt::format(
      "feet of step {} lie up to {} points along x and {} along v beyond a tile, with those that "
      "interpolation reads (the halo is {} and {}); set vlasov.halo = {}, or lower time.dt",
      step + 1, need_x, need_v, settings.halo_x, settings.halo_v, std::max(need_x, need_v)));
}

}  // namespace thalweg::vlasov

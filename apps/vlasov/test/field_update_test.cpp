// SPDX-License-Identifier: MIT
#include "../src/field_update.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::vlasov {
namespace {

Settings settings_with(Predictor predictor, Poisson poisson) {
  return {.grid = {.nx = 50, .nv = 8, .length = 5, .v_max = 1},
          .initial = {},
          .tile_x = 7,
          .halo_x = 3,
          .predictor = predictor,
          .poisson = poisson,
          .dt = 0.25,
          .time = {.end = 1.1}};
}

/// All points as one slab, with numbers of no order.
SlabField random_field(const Settings& settings, const Layout& layout) {
  SlabField field;
  field.slab = slabs(layout).front();
  field.window.resize(2 * field.size() + 6 + SlabField::n_bounds);
  SplitMix64 random(3);
  for (auto* values : {&field.charge, &field.current, &field.deviation, &field.field_before,
                       &field.field_before_2, &field.deviation_before})
    for (int i = 0; i < settings.grid.nx; ++i)
      values->push_back(static_cast<double>(random() >> 11) * 0x1p-53 - 0.4);
  return field;
}

/// Find the field after so many steps, and the one predicted.
void find_field(const Settings& settings, const Layout& layout, SlabField& field,
                const StepClock& clock, std::uint64_t replay) {
  std::vector<double> level(field.size());
  for (std::size_t i = 0; i < level.size(); ++i) level[i] = std::sin(0.3 * static_cast<double>(i));
  std::vector<double> charge(field.charge.end() - rise_reads_below, field.charge.end());
  charge.insert(charge.end(), field.charge.begin(), field.charge.end());
  charge.insert(charge.end(), field.charge.begin(), field.charge.begin() + rise_reads_above);
  const auto n_columns = static_cast<std::size_t>(layout.columns().n_parts());
  std::vector<FieldSums> sums(n_columns);
  add_up_columns(settings, layout.columns(), field, charge, level, sums, clock, replay);
  std::vector<ScanSums> scans(n_columns);
  FieldSums total = sums[0];
  for (std::size_t c = 1; c < n_columns; ++c) {
    scans[c].before = total;
    total = total.then(sums[c]);
  }
  for (ScanSums& scan : scans) scan.total = total;
  update_field(settings, layout, field, scans, level, clock, replay);
}

class Bounds : public ::testing::TestWithParam<Poisson> {};

// The charge of these numbers has a mean, so there is a slope, which bounds allow for.
TEST_P(Bounds, are_those_of_all_points_with_every_predictor_and_step) {
  for (const auto predictor :
       {Predictor::euler, Predictor::ab2, Predictor::leapfrog, Predictor::extrapolation})
    for (const std::uint64_t step : {1u, 2u, 4u}) {  // the last one is shorter
      const auto settings = settings_with(predictor, GetParam());
      const Layout layout(settings, 1);
      SlabField field = random_field(settings, layout);
      double mean = 0;
      for (const double charge : field.charge) mean += charge / 50;
      const StepClock clock{.schedule = Schedule(settings.dt, settings.time, {}),
                            .use = FieldUse::after_step};
      find_field(settings, layout, field, clock, step - 1);

      const FieldBounds bounds = field.bounds();
      const std::span now = std::span(field.window).subspan(3, 50);
      const std::span next = std::span(field.window).subspan(56, 50);
      const auto [least, greatest] = std::ranges::minmax(now);
      const auto [least_next, greatest_next] = std::ranges::minmax(next);
      const bool is_sloping = GetParam() == Poisson::cumulative;
      const double bent = is_sloping ? 3.0 * std::abs(mean) * settings.grid.length : 1e-10;
      EXPECT_GE(bounds.greatest, std::max(-least, greatest));
      EXPECT_LE(bounds.greatest, std::max(-least, greatest) + bent);
      EXPECT_LE(bounds.least_next, least_next);
      EXPECT_GE(bounds.least_next, least_next - bent);
      EXPECT_GE(bounds.greatest_next, greatest_next);
      EXPECT_LE(bounds.greatest_next, greatest_next + bent);
      EXPECT_GE(bounds.greatest_between, bounds.greatest);
    }
}

INSTANTIATE_TEST_SUITE_P(solvers, Bounds, ::testing::Values(Poisson::cumulative, Poisson::fft));

/// What is wrong with a field for what comes after a replay; dt is 0.25.
std::string objection(const Settings& settings, const FieldBounds& bounds, const StepClock& clock,
                      std::uint64_t replay) {
  try {
    check_field(settings, bounds, clock, replay);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckField, of_a_trial_is_for_the_step_that_is_made_once_more) {
  Settings settings = settings_with(Predictor::ab2, Poisson::cumulative);
  settings.halo_x = 5;  // the fastest move by 2.5 points, or a little more
  settings.halo_v = 4;
  settings.time = {.end = 0.25};
  const StepClock clock{.schedule = Schedule(settings.dt, settings.time, {}),
                        .use = FieldUse::trial};
  EXPECT_EQ(objection(settings, {1, 1, -1, 1}, clock, 0), "");
  EXPECT_NE(objection(settings, {1, 1, -1, 100}, clock, 0).find("feet of step 1 "),
            std::string::npos);
}

TEST(CheckField, advises_a_wider_halo_to_those_alone_who_have_given_one) {
  Settings settings = settings_with(Predictor::euler, Poisson::cumulative);
  settings.halo_x = 5;
  settings.halo_v = 4;
  settings.time = {.end = 0.25};
  const StepClock clock{.schedule = Schedule(settings.dt, settings.time, {}),
                        .use = FieldUse::trial};
  const std::string of_bound = objection(settings, {1, 1, -1, 100}, clock, 0);
  EXPECT_NE(of_bound.find("lower time.dt, or take another"), std::string::npos) << of_bound;
  EXPECT_EQ(of_bound.find("set vlasov.halo"), std::string::npos) << of_bound;
  settings.halo_is_given = true;
  EXPECT_NE(objection(settings, {1, 1, -1, 100}, clock, 0).find("set vlasov.halo ="),
            std::string::npos);
}

TEST(CheckField, at_the_end_is_for_the_last_kick_of_split_steps) {
  Settings settings = settings_with(Predictor::euler, Poisson::cumulative);
  settings.halo_v = 3;
  settings.time = {.end = 0.5};
  const StepClock clock{.schedule = Schedule(settings.dt, settings.time, {}),
                        .use = FieldUse::after_step};
  EXPECT_EQ(objection(settings, {100, 100, -100, 100}, clock, 1), "") << "nobody goes on";
  settings.splitting = Splitting::strang;
  EXPECT_NE(objection(settings, {100, 100, 0, 0}, clock, 1).find("feet of step 2 "),
            std::string::npos);
}

TEST(UpdateField, predicts_a_part_of_a_whole_step_for_a_shorter_one) {
  for (const auto predictor :
       {Predictor::euler, Predictor::ab2, Predictor::leapfrog, Predictor::extrapolation}) {
    auto settings = settings_with(predictor, Poisson::cumulative);
    const Layout layout(settings, 1);
    SlabField shorter = random_field(settings, layout), whole = shorter;
    find_field(settings, layout, shorter,
               {.schedule = Schedule(settings.dt, settings.time, {}), .use = FieldUse::after_step},
               3);  // 0.1 are left
    settings.time.end = 10;
    find_field(settings, layout, whole,
               {.schedule = Schedule(settings.dt, settings.time, {}), .use = FieldUse::after_step},
               3);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const double now = whole.window[3 + i];
      EXPECT_EQ(shorter.window[3 + i], now);
      EXPECT_NEAR(shorter.window[56 + i] - now, 0.1 / 0.25 * (whole.window[56 + i] - now), 1e-12);
    }
  }
}

TEST(UpdateField, looks_back_over_no_step_that_was_shorter) {
  const Schedule goes_on(0.25, {.end = 10}, {.step = 5, .time = 1.1, .dt_before = 0.1});
  const auto predicted = [&](Predictor predictor, FieldUse use) {
    const auto settings = settings_with(predictor, Poisson::cumulative);
    const Layout layout(settings, 1);
    SlabField field = random_field(settings, layout);
    find_field(settings, layout, field, {.schedule = goes_on, .first_step = 5, .use = use}, 0);
    return std::vector(field.window.begin() + 56, field.window.begin() + 106);
  };
  for (const auto predictor : {Predictor::ab2, Predictor::leapfrog, Predictor::extrapolation})
    EXPECT_EQ(predicted(predictor, FieldUse::of_state),
              predicted(Predictor::euler, FieldUse::of_state));
  EXPECT_NE(predicted(Predictor::leapfrog, FieldUse::after_step),
            predicted(Predictor::euler, FieldUse::after_step));
}

// A step that is thrown away leaves the field as it is, and says what it will be.
TEST(UpdateField, after_a_trial_keeps_the_bounds_of_the_field) {
  const auto settings = settings_with(Predictor::leapfrog, Poisson::fft);
  const Layout layout(settings, 1);
  SlabField field = random_field(settings, layout);
  StepClock clock{.schedule = Schedule(settings.dt, settings.time, {})};
  find_field(settings, layout, field, clock, 0);
  const FieldBounds before = field.bounds();
  for (double& current : field.current) current *= 2;
  clock.use = FieldUse::trial;
  find_field(settings, layout, field, clock, 0);

  EXPECT_EQ(field.bounds().greatest, before.greatest);
  EXPECT_EQ(field.bounds().greatest_between, before.greatest_between);
  EXPECT_NE(field.bounds().greatest_next, before.greatest_next);
  EXPECT_NEAR(field.bounds().greatest_next, before.greatest, 1e-10);  // the field is the same
}

}  // namespace
}  // namespace thalweg::vlasov

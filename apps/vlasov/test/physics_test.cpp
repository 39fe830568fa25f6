// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/io/plotfile_read.hpp>

#include "run_deck.hpp"

namespace thalweg::vlasov {
namespace {

using testing::deck;

struct Run {
  std::vector<std::vector<double>> lines;  ///< of the series, one a step
  std::vector<double> f;                   ///< at the end, x fastest

  std::vector<double> column(std::size_t number) const {
    std::vector<double> values;
    for (const auto& line : lines) values.push_back(line[number]);
    return values;
  }
};
constexpr std::size_t mass = 2, momentum = 3, kinetic = 4, potential = 5, e1 = 9;

/// Run to the end, in one tile.
Run run(std::vector<std::string> overrides) {
  overrides.push_back("vlasov.tile=[1024, 1024]");
  io::MemoryFileSystem files;
  Run result;
  const auto done = thalweg::testing::on_virtual_ranks({}, files, [&](const app::Context& context) {
    const auto made =
        testing::applications().front().set_up(deck(overrides))->simulation(context, nullptr, {});
    if (!made) throw std::runtime_error(made.error().message);
    auto& simulation = **made;
    result.lines.push_back(simulation.series_values());
    for (int step = 1; !simulation.is_over(); ++step) {
      if (const auto advanced = simulation.advance_to(step); !advanced)
        throw std::runtime_error(advanced.error().message);
      result.lines.push_back(simulation.series_values());
    }
    if (const auto written = simulation.write_plot({.path = "plt", .derived = {}}); !written)
      throw std::runtime_error(written.error().message);
  });
  EXPECT_TRUE(done) << done.error().message;
  const auto plot = io::read_plotfile(files, "plt");
  if (plot) result.f = io::read_record(files, *plot, 0, 0).value_or(std::vector<double>{});
  return result;
}

std::vector<std::string> square(int n, const std::vector<std::string>& more) {
  std::vector<std::string> all{"vlasov.cells=[" + std::to_string(n) + ", " + std::to_string(n) +
                               "]"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

struct Rate {
  double frequency, growth;
};

/// Fit |exp(g t) cos(w t + p)| to equally spaced values: their squares obey a recurrence of three
/// terms whose roots are exp(2 g dt) and exp(2 (g +- i w) dt).
/// @source Prony's method: Hildebrand, "Introduction to numerical analysis", 1956, 9.4
Rate fitted_wave(const std::vector<double>& values, std::size_t first, std::size_t last,
                 std::size_t every, double dt) {
  std::array<std::array<double, 4>, 3> sums{};  // normal equations
  for (std::size_t i = first; i + 3 * every < last; ++i) {
    std::array<double, 4> y{};
    for (std::size_t k = 0; k < 4; ++k) y[k] = values[i + k * every] * values[i + k * every];
    const double weight = 1 / (y[0] + y[1] + y[2] + y[3]);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 4; ++b) sums[a][b] += weight * weight * y[a] * y[b];
  }
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t row = 0; row < 3; ++row)
      if (row != a) {
        const double factor = sums[row][a] / sums[a][a];
        for (std::size_t b = 0; b < 4; ++b) sums[row][b] -= factor * sums[a][b];
      }
  const double root = std::cbrt(sums[0][3] / sums[0][0]);
  const double cosine = (sums[2][3] / sums[2][2] / root - 1) / 2;
  const double time = 2 * dt * static_cast<double>(every);
  return {std::acos(cosine) / time, std::log(root) / time};
}

/// The slope of ln |E1| over 15 units of time before it is 2 % of its greatest value.
double fitted_growth(const std::vector<double>& values, double dt) {
  const double level = 0.02 * *std::ranges::max_element(values);
  const auto last = static_cast<std::size_t>(
      std::ranges::find_if(values, [&](double e) { return e > level; }) - values.begin());
  const auto first = last - static_cast<std::size_t>(std::lround(15 / dt));
  double n = 0, t1 = 0, t2 = 0, y1 = 0, ty = 0;
  for (std::size_t i = first; i < last; ++i) {
    const double t = dt * static_cast<double>(i - first), y = std::log(values[i]);
    n += 1, t1 += t, t2 += t * t, y1 += y, ty += t * y;
  }
  return (n * ty - t1 * y1) / (n * t2 - t1 * t1);
}

TEST(VlasovPhysics, linear_landau_damping_has_the_exact_rates_within_the_predictors_error) {
  const auto rate_with = [](const std::string& predictor) {
    const auto result = run(square(
        64, {"vlasov.modes=[{amplitude=0.001}]", "time.end=40", "vlasov.predictor=" + predictor}));
    return fitted_wave(result.column(e1), 100, 400, 5, 0.1);
  };
  constexpr Rate exact{1.4156618886045, -0.1533594669096};
  const Rate euler = rate_with("euler");
  EXPECT_NEAR(euler.frequency, exact.frequency, 3e-3);
  EXPECT_NEAR(euler.growth, exact.growth, 1e-3);
  for (const std::string predictor : {"leapfrog", "ab2"}) {
    const Rate rate = rate_with(predictor);
    EXPECT_NEAR(rate.frequency, exact.frequency, 5e-4) << predictor;
    EXPECT_NEAR(rate.growth, exact.growth, 1e-4) << predictor;
  }
}

TEST(VlasovPhysics, instabilities_grow_at_the_exact_rates) {
  constexpr double tolerance = 0.002;  // of the rate
  const std::vector<std::string> streams{
      "vlasov.length=31.41592653589793", "vlasov.vmax=9", "vlasov.modes=[{amplitude=1e-6}]",
      "vlasov.beams=[{density=0.5, drift=2.4}, {density=0.5, drift=-2.4}]", "time.end=75"};
  EXPECT_NEAR(fitted_growth(run(square(64, streams)).column(e1), 0.1) / 0.2258442550347, 1,
              tolerance);
  const std::vector<std::string> v_squared{"vlasov.vmax=7", "vlasov.beams=[{a0=0, a2=1}]",
                                           "vlasov.modes=[{amplitude=1e-6}]", "time.end=65"};
  EXPECT_NEAR(fitted_growth(run(square(64, v_squared)).column(e1), 0.1) / 0.2592499317327, 1,
              tolerance);
}

// Particles drift on the whole: the mean current must not push the field.
TEST(VlasovPhysics, a_bump_on_the_tail_keeps_its_momentum) {
  const auto result =
      run(square(64, {"vlasov.length=20.943951023931955", "vlasov.vmax=9",
                      "vlasov.beams=[{density=0.9}, {density=0.1, drift=4.5, temperature=0.25}]",
                      "vlasov.modes=[{amplitude=1e-6}]", "time.end=80"}));
  EXPECT_NEAR(fitted_growth(result.column(e1), 0.1) / 0.1980979758, 1, 0.005);
  const auto momenta = result.column(momentum);
  EXPECT_NEAR(momenta.back() / momenta.front(), 1, 1e-3);
}

const std::vector<std::string> strong{"vlasov.modes=[{amplitude=0.5}]"};

std::vector<std::string> strong_with(const std::vector<std::string>& more) {
  auto all = strong;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

double relative_error(const std::vector<double>& f, const std::vector<double>& exact) {
  double sum = 0, norm = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    sum += (f[i] - exact[i]) * (f[i] - exact[i]);
    norm += exact[i] * exact[i];
  }
  return std::sqrt(sum / norm);
}

TEST(VlasovPhysics, is_of_second_order_in_time) {
  const auto f_with = [](const std::string& scheme, const std::string& dt) {
    return run(square(64, strong_with({scheme, "time.dt=" + dt, "time.end=2"}))).f;
  };
  const auto exact = f_with("vlasov.predictor=leapfrog", "0.00390625");
  for (const std::string scheme :
       {"vlasov.predictor=euler", "vlasov.predictor=ab2", "vlasov.predictor=leapfrog",
        "vlasov.predictor=extrapolation", "vlasov.splitting=strang"}) {
    const double coarse = relative_error(f_with(scheme, "0.125"), exact);
    const double fine = relative_error(f_with(scheme, "0.0625"), exact);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << scheme << ": " << coarse << ", " << fine;
    EXPECT_LT(fine, 4e-3) << scheme;
  }
}

/// |E1| at t = 2 of a strong wave. @param first_end  where the run ends once, and goes on
double e1_at_2(const std::string& predictor, const std::string& dt, const std::string& first_end) {
  const auto to = [&](const std::string& end) {
    return testing::applications().front().set_up(
        deck({"vlasov.cells=[64, 128]", "vlasov.tile=[64, 64]", "vlasov.modes=[{amplitude=0.3}]",
              "vlasov.beams=[{density=0.7, drift=0.3}, {density=0.2, drift=-1.5, temperature=0.5}]",
              "vlasov.predictor=" + predictor, "time.dt=" + dt, "time.end=" + end}));
  };
  constexpr std::int64_t enough = 1000;  // steps
  io::MemoryFileSystem files;
  EXPECT_TRUE(files.make_directory("out"));
  double result = 0;
  const auto done = thalweg::testing::on_virtual_ranks({}, files, [&](const app::Context& context) {
    const auto before = to(first_end), after = to("2");
    const auto first = before->simulation(context, nullptr, {});
    ASSERT_TRUE(first && (*first)->advance_to(enough));
    const auto left = (*first)->write_checkpoint({.folder = "out",
                                                  .scheme = before->scheme_name(),
                                                  .components = before->component_names(),
                                                  .totals_at_start = {1},
                                                  .deck = ""});
    ASSERT_TRUE(left) << left.error().message;
    const auto made = after->simulation(context, &*left, {});
    ASSERT_TRUE(made && (*made)->advance_to(enough));
    EXPECT_EQ((*made)->time_state().time, 2);
    result = (*made)->series_values()[e1];
  });
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

TEST(VlasovPhysics, a_run_that_goes_on_from_a_shorter_step_is_as_exact) {
  const double exact = e1_at_2("leapfrog", "0.0125", "1");
  for (const std::string predictor : {"euler", "ab2", "leapfrog", "extrapolation"}) {
    const double error = std::abs(e1_at_2(predictor, "0.1", "1") - exact);
    for (const std::string first_end : {"0.97", "1.0002"})
      EXPECT_LT(std::abs(e1_at_2(predictor, "0.1", first_end) - exact), 2 * error)
          << predictor << " by way of t = " << first_end;
  }
}

/// Every so many points of f along both axes.
std::vector<double> thinned(const std::vector<double>& f, int n, int every) {
  std::vector<double> values;
  for (int j = 0; j < n; j += every)
    for (int i = 0; i < n; i += every) values.push_back(f[static_cast<std::size_t>(j * n + i)]);
  return values;
}

TEST(VlasovPhysics, is_of_order_5_to_6_in_space) {
  for (const std::string scheme : {"vlasov.splitting=none", "vlasov.splitting=strang"}) {
    const auto f_on = [&](int n) {
      return run(square(n, strong_with({scheme, "time.dt=0.125", "time.end=2"}))).f;
    };
    const auto exact = f_on(256);
    const double coarse = relative_error(f_on(64), thinned(exact, 256, 4));
    const double fine = relative_error(f_on(128), thinned(exact, 256, 2));
    EXPECT_GT(std::log2(coarse / fine), 4.8) << scheme << ": " << coarse << ", " << fine;
    EXPECT_LT(std::log2(coarse / fine), 6.5) << scheme;
  }
}

TEST(VlasovPhysics, split_steps_conserve_mass_to_rounding_and_energy_closely) {
  const auto result = run(square(64, strong_with({"vlasov.splitting=strang", "time.end=20"})));
  const auto masses = result.column(mass), kinetics = result.column(kinetic),
             potentials = result.column(potential);
  for (const double m : masses) EXPECT_NEAR(m / masses[0], 1, 1e-13);
  const double energy = kinetics.front() + potentials.front();
  EXPECT_NEAR((kinetics.back() + potentials.back()) / energy, 1, 2e-3);
}

}  // namespace
}  // namespace thalweg::vlasov

// SPDX-License-Identifier: MIT
#include "../src/field_table.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_deck.hpp"

namespace thalweg::vlasov {
namespace {

using Row = std::array<double, 4>;  // x, density, E, phi

/// The numbers of the table that the plotfile of step 0 or 1 has in a run of one step.
std::vector<Row> rows_of(std::vector<std::string> overrides, int step) {
  overrides.emplace_back("time.max_steps=1");
  io::MemoryFileSystem files;
  const auto done = testing::run(testing::deck(overrides), {.n_ranks = 3}, files);
  EXPECT_TRUE(done) << done.error().message;
  const std::string path = "out/plt0000" + std::to_string(step) + "/field.csv";
  std::istringstream text(io::read_text(files, path).value_or(""));
  std::string header;
  std::getline(text, header);
  EXPECT_EQ(header, "x [length],density [mass/length],E [velocity/time],phi [velocity^2]");
  std::vector<Row> rows;
  char comma = 0;
  for (Row r; text >> r[0] >> comma >> r[1] >> comma >> r[2] >> comma >> r[3];) rows.push_back(r);
  return rows;
}

TEST(FieldTable, has_the_density_the_field_and_the_potential_of_a_wave) {
  // rho = 2 (1 + cos(2 k x) / 10), so E = sin(2 k x) / (10 k) and phi = cos(2 k x) / (20 k^2).
  constexpr double k = 0.5;
  for (const std::string more : {"vlasov.predictor=euler", "vlasov.predictor=leapfrog",
                                 "vlasov.splitting=strang", "vlasov.poisson=fft"}) {
    const auto rows = rows_of(
        {"vlasov.cells=[48, 32]", "vlasov.tile=[11, 16]", "vlasov.beams=[{density=2}]",
         "vlasov.modes=[{m=2, amplitude=0.1}]", "vlasov.decomposition=x", "time.end=1", more},
        0);
    ASSERT_EQ(rows.size(), 48u) << more;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto [x, density, field, potential] = rows[i];
      EXPECT_NEAR(x, static_cast<double>(i) * 4 * std::numbers::pi / 48, 1e-14);
      EXPECT_NEAR(density, 2 + 0.2 * std::cos(2 * k * x), 1e-7) << more;
      EXPECT_NEAR(field, 0.1 / k * std::sin(2 * k * x), 1e-6) << more;
      EXPECT_NEAR(potential, 0.05 / (k * k) * std::cos(2 * k * x), 1e-6) << more;
    }
  }
}

TEST(FieldTable, has_the_field_whose_energy_the_series_has) {
  const std::vector<std::string> deck{"vlasov.cells=[32, 32]", "time.end=1", "time.dt=0.1"};
  const auto outcome = testing::outcome_of(deck, 1, {});
  double energy = 0;
  for (const Row& row : rows_of(deck, 1))
    energy += 0.5 * row[2] * row[2] * 4 * std::numbers::pi / 32;

  EXPECT_NEAR(energy, outcome.line[5], 1e-13 * energy);
}

}  // namespace
}  // namespace thalweg::vlasov

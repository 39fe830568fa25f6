// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/read_settings.hpp>

#include <string>

#include <gtest/gtest.h>

#include <thalweg/vlasov/settings.hpp>

#include "../../../tests/support/text.hpp"
#include "run_deck.hpp"

namespace thalweg::vlasov {
namespace {

using testing::applications;
using testing::complaint;
using testing::deck;

TEST(ReadSettings, reads_beams_and_modes_with_their_defaults) {
  const auto settings = read_settings(
      deck({"vlasov.beams=[{density=0.9}, {density=0.1, drift=4.5, temperature=0.25}]",
            "vlasov.modes=[{m=3, amplitude=0.04}]"}));

  ASSERT_EQ(settings.initial.beams.size(), 2u);
  EXPECT_EQ(settings.initial.beams[0].density, 0.9);
  EXPECT_EQ(settings.initial.beams[0].temperature, 1);
  EXPECT_EQ(settings.initial.beams[1].drift, 4.5);
  EXPECT_EQ(settings.initial.waves[0].m, 3);
  EXPECT_EQ(settings.initial.waves[0].amplitude, 0.04);
}

TEST(ReadSettings, gives_a_mode_without_an_amplitude_the_documented_one) {
  EXPECT_EQ(read_settings(deck({"vlasov.modes=[{m=2}]"})).initial.waves[0].amplitude, 0.01);
}

TEST(ReadSettings, finds_the_halo_that_a_step_needs) {
  // The published benchmark: a step moves the fastest points by 0.9 of a cell.
  const auto benchmark = read_settings(
      deck({"vlasov.cells=[8192, 8192]", "time.dt=2.3e-4", "vlasov.modes=[{amplitude=0.01}]"}));
  EXPECT_EQ(benchmark.halo_x, 3);
  EXPECT_EQ(benchmark.halo_v, 3);
  const auto large = read_settings(deck({"vlasov.cells=[128, 128]", "time.dt=0.1"}));
  EXPECT_EQ(large.halo_x, 9);  // 6 + 0.05 E cells of 4 pi / 128
  EXPECT_EQ(read_settings(deck({"vlasov.halo=20"})).halo_x, 20);
}

TEST(ReadSettings, finds_the_halo_of_dense_gas_whose_waves_of_one_number_add_up) {
  const auto dense = read_settings(deck({"vlasov.beams=[{density=16}]", "time.dt=0.1",
                                         "vlasov.modes=[{amplitude=0.5}, {amplitude=0.4}]"}));
  const double k = 0.5, field = 16 * 0.9 / k;
  EXPECT_GE(dense.halo_v, 0.1 * field / dense.grid.dv());
}

TEST(ReadSettings, refuses_what_does_not_go_together_and_says_all_of_it) {
  EXPECT_EQ(complaint({}), "");
  const std::string all =
      complaint({"vlasov.degree=4", "vlasov.beams=[]", "vlasov.modes=[{m=1.5, amplitude=0.1}]"});
  EXPECT_NE(all.find("vlasov.degree = 4"), std::string::npos) << all;
  EXPECT_NE(all.find("vlasov.beams = []"), std::string::npos) << all;
  EXPECT_NE(all.find("m = 1.5"), std::string::npos) << all;
  EXPECT_NE(complaint({"time.dt=1000"}).find("lower it"), std::string::npos);
}

TEST(ReadSettings, refuses_densities_that_are_too_large_no_numbers_or_negative) {
  EXPECT_NE(complaint({"vlasov.beams=[{density=1e18}]"}).find("lower it"), std::string::npos);
  EXPECT_NE(complaint({"vlasov.beams=[{a2=1e300}, {a2=-1e300}, {density=1e300}]"}), "");
  EXPECT_NE(complaint({"vlasov.beams=[{density=1e200, a0=1e200}]"}).find("mean density of inf"),
            std::string::npos);
  EXPECT_NE(complaint({"vlasov.modes=[{amplitude=1e300}]"}).find("negative somewhere"),
            std::string::npos);
  EXPECT_NE(complaint({"vlasov.modes=[{amplitude=0.6}, {amplitude=0.6}]"}).find("negative"),
            std::string::npos);
}

TEST(ReadSettings, refuses_more_tiles_than_can_be_counted) {
  const std::string text =
      complaint({"vlasov.cells=[65536, 65536]", "vlasov.tile=[1, 2]", "time.dt=1e-4"});
  EXPECT_NE(text.find("vlasov.tile = [1, 2]"), std::string::npos) << text;
  EXPECT_NE(text.find("2147483648 tiles"), std::string::npos) << text;
}

TEST(ReadSettings, refuses_waves_that_the_points_cannot_tell_from_others) {
  EXPECT_EQ(complaint({"vlasov.cells=[48, 40]", "vlasov.modes=[{m=23, amplitude=0.1}]"}), "");
  const std::string text =
      complaint({"vlasov.cells=[48, 40]", "vlasov.modes=[{m=24, amplitude=0.1}]"});
  EXPECT_NE(text.find("m = 24"), std::string::npos) << text;
  EXPECT_NE(text.find("49 points"), std::string::npos) << text;
}

TEST(ReadSettings, refuses_beams_that_are_faster_than_the_grid) {
  EXPECT_EQ(complaint({"vlasov.vmax=9", "vlasov.beams=[{drift=6}]"}), "");
  const std::string text = complaint({"vlasov.vmax=9", "vlasov.beams=[{drift=-8, temperature=4}]"});
  EXPECT_NE(text.find("drift = -8 and temperature = 4"), std::string::npos) << text;
  EXPECT_NE(text.find("raise vmax to 18"), std::string::npos) << text;
}

TEST(ReadSettings, warns_of_beams_that_are_nearly_as_fast_as_the_grid) {
  EXPECT_TRUE(warnings_of(read_settings(deck({"vlasov.vmax=5"}))).empty());
  const auto warnings =
      warnings_of(read_settings(deck({"vlasov.vmax=4", "vlasov.beams=[{drift=1}]"})));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("vlasov.vmax = 4"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("raise vmax to 6"), std::string::npos) << warnings[0];
  EXPECT_EQ(applications().front().set_up(deck({"vlasov.vmax=4"}))->warnings().size(), 1u);
}

TEST(ReadSettings, warns_of_steps_that_do_not_follow_the_oscillations_of_the_plasma) {
  const auto warnings_with = [](const std::string& density, const std::string& dt) {
    return warnings_of(read_settings(deck(
        {"vlasov.beams=[{density=" + density + "}]", "time.dt=" + dt, "vlasov.tile=[128, 128]"})));
  };
  EXPECT_TRUE(warnings_with("36", "0.08").empty());
  const auto warnings = warnings_with("36", "0.1");
  ASSERT_EQ(warnings.size(), 1u);
  thalweg::testing::expect_parts(warnings[0], {"time.dt = 0.1 with a mean density of 36",
                                               "times dt is 0.6:", "lower time.dt to 0.0833"});
}

TEST(ReadSettings, warns_of_halos_that_are_larger_than_their_tiles) {
  const std::vector<std::string> fine{"vlasov.cells=[1024, 64]", "time.dt=0.1"};
  const auto warnings = warnings_of(read_settings(deck(fine)));
  ASSERT_EQ(warnings.size(), 1u);
  thalweg::testing::expect_parts(warnings[0], {"vlasov.tile = [64, 64] with halos of 5",
                                               "raise vlasov.tile, or lower time.dt"});
  // Said with the memory that is too much, too.
  thalweg::testing::expect_parts(thalweg::testing::error_of([&] {
                                   app::check_size(applications().front(), deck(fine), 1, 1 << 20);
                                 }),
                                 {"which may take 1 MiB", "\nvlasov.tile = [64, 64]"});
  for (const std::string other : {"vlasov.tile=[256, 64]", "time.dt=0.01"})
    EXPECT_TRUE(warnings_of(read_settings(deck({fine[0], other}))).empty()) << other;
}

TEST(ReadSettings, refuses_beams_that_are_thinner_than_the_points) {
  EXPECT_EQ(complaint({"vlasov.cells=[128, 1200]", "vlasov.beams=[{temperature=1e-4}]"}), "");
  const std::string text = complaint({"vlasov.beams=[{temperature=1e-4}]"});
  EXPECT_NE(text.find("temperature = 0.0001 with vlasov.cells = [128, 128]"), std::string::npos);
  EXPECT_NE(text.find("3.74 times as dense"), std::string::npos) << text;
  EXPECT_NE(text.find("at least 1200 points along v"), std::string::npos) << text;
  EXPECT_NE(complaint({"vlasov.beams=[{temperature=1e-100}]"}).find("thinner"), std::string::npos);
}

TEST(ReadSettings, says_that_split_steps_need_no_predictor) {
  EXPECT_TRUE(deck({"vlasov.predictor='ab2'"}).without_effect().empty());
  const auto texts = deck({"vlasov.predictor='ab2'", "vlasov.splitting='strang'"}).without_effect();
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(texts[0].find("vlasov.predictor"), std::string::npos) << texts[0];
}

TEST(ReadSettings, refuses_a_halo_that_no_step_can_do_with) {
  const std::string text = complaint({"vlasov.halo=5", "time.dt=0.1"});

  EXPECT_NE(text.find("vlasov.halo = 5"), std::string::npos) << text;
  EXPECT_NE(text.find("at least 9"), std::string::npos) << text;
}

TEST(ReadSettings, refuses_extents_whose_cells_have_no_width) {
  for (const std::string key : {"vlasov.vmax=5e-324", "vlasov.length=1e308"})
    EXPECT_THROW(deck({key}), Error) << key;
}

TEST(ReadSettings, names_keys_of_meshes_as_unknown) {
  for (const std::string key : {"mesh.max_level=1", "regrid.interval=2", "time.cfl=0.3"})
    EXPECT_THROW(deck({key}), Error) << key;
}

}  // namespace
}  // namespace thalweg::vlasov

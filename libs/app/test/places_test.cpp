// SPDX-License-Identifier: MIT
// Planes and points that a run is to be looked at in: keys of decks, and what a run makes of them.
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "../../../tests/support/text.hpp"
#include "../src/places.hpp"
#include "carried.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using Names = std::vector<std::string>;
using thalweg::testing::expect_parts;

const Names looked_at{"slices.x=[0.3, 0.9]",   "slices.y=[0.4]",
                      "slices.interval=3",     "points.at=[{x = 0.3, y = 0.4}, {x = 1.0}]",
                      "points.interval=3",     "output.derived=[\"square\"]",
                      "checkpoint.interval=3", "checkpoint.keep=9"};

io::Deck spot_to(int n_steps) {
  Names overrides = looked_at;
  overrides.push_back("time.max_steps=" + std::to_string(n_steps));
  return testing::spot_deck(overrides);
}

void run_on(int n_ranks, const io::Deck& deck, io::FileSystem& files,
            const std::string& from = "") {
  if (from.empty()) {
    ASSERT_TRUE(files.make_directory("out"));
  }
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    std::optional<Checkpoint> checkpoint;
    if (!from.empty()) checkpoint = whole_checkpoint(context, from).value();
    EXPECT_EQ(run(testing::applications()[0], deck, context, "out", checkpoint).value(),
              RunEnd::finished);
  });
  EXPECT_TRUE(done) << done.error().message;
}

Names slices_in(const io::FileSystem& files) {
  Names names = files.list("out").value();
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("slice"); });
  return names;
}

TEST(Places, of_a_deck_are_numbered_axis_by_axis) {
  const auto slices = slices_of(spot_to(3));
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[1].name, "slice_x2");
  EXPECT_EQ(slices[1].plane.at, 0.9);
  EXPECT_EQ(slices[2].name, "slice_y1");
  EXPECT_EQ(slices[2].plane.axis, 1);
  EXPECT_EQ(points_of(spot_to(3)).points.at(1)[0], 1.0);
}

TEST(Places, outside_the_domain_are_refused_and_what_they_are_for_is_asked) {
  const auto complaint = [](const Names& overrides) {
    Names all{"problem.name='spot'", "mesh.dim=2"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return testing::complaint("", all);
  };
  EXPECT_EQ(complaint({"slices.x=[0, 1]", "points.at=[{x=1, y=0}]", "points.time=0.1"}), "");
  expect_parts(complaint({"slices.z=[0.5]"}), {"slices.z has 0.5", "2 dimensions", "leave it out"});
  expect_parts(complaint({"slices.y=[0.5, 1.5]"}), {"slices.y has 1.5", "from 0 to 1"});
  expect_parts(complaint({"points.at=[{x=-1}]", "points.interval=1"}),
               {"points.at has x = -1", "from 0 to 1"});
  expect_parts(complaint({"points.at=[{z=1}]", "points.interval=1"}), {"z = 1", "no such axis"});
  expect_parts(complaint({"points.at=[{x=1}]"}), {"points.interval and points.time", "set one"});
}

TEST(Places, without_which_a_cadence_has_no_effect_are_missed) {
  EXPECT_EQ(warning_of_places(spot_to(3)), "");
  expect_parts(warning_of_places(testing::spot_deck({"slices.time=0.1"})),
               {"slices.x", "no plane"});
  expect_parts(warning_of_places(testing::spot_deck({"points.interval=1"})), {"points.at"});
}

TEST(Places, are_written_as_often_as_a_deck_says_and_the_same_on_any_ranks) {
  io::MemoryFileSystem alone, on_three;
  run_on(1, spot_to(7), alone);
  run_on(3, spot_to(7), on_three);

  Names expected;
  for (const char* plane : {"x1", "x2", "y1"})
    for (const char* step : {"00000", "00003", "00006", "00007"})
      expected.push_back(std::string("slice_") + plane + "_" + step);
  EXPECT_EQ(slices_in(alone), expected);
  for (const auto& name : expected)
    EXPECT_EQ(io::hash_plotfile(alone, "out/" + name).value(),
              io::hash_plotfile(on_three, "out/" + name).value());
  EXPECT_EQ(io::read_plotfile(alone, "out/slice_y1_00007").value().variables,
            (Names{"q", "square"}));

  const auto table = io::read_text(alone, std::string("out/") + points_file_name).value();
  EXPECT_EQ(table, io::read_text(on_three, std::string("out/") + points_file_name).value());
  expect_parts(table, {"step [steps],time [time],q at (0.3 0.4) [mass/volume],square at (0.3 0.4),",
                       "q at (1 0)", "\n0,0,", "\n3,", "\n6,"});
  EXPECT_EQ(std::ranges::count(table, '\n'), 4) << table;
}

TEST(Places, of_a_run_that_goes_on_are_those_of_one_that_never_stopped) {
  io::MemoryFileSystem straight, again;
  run_on(2, spot_to(9), straight);
  run_on(3, spot_to(6), again);
  run_on(1, spot_to(9), again, "out/chk00003");

  EXPECT_EQ(slices_in(again), slices_in(straight));
  EXPECT_EQ(io::hash_plotfile(again, "out/slice_x1_00006").value(),
            io::hash_plotfile(straight, "out/slice_x1_00006").value());
  const auto path = std::string("out/") + points_file_name;
  EXPECT_EQ(io::read_text(again, path).value(), io::read_text(straight, path).value());
  EXPECT_EQ(io::last_plotfile(again, "out"), "out/plt00009") << "no plane is taken for it";
}

TEST(Places, that_a_run_overtakes_again_are_superseded_until_then) {
  io::MemoryFileSystem files;
  run_on(1, spot_to(9), files);
  run_on(2, spot_to(5), files, "out/chk00003");

  EXPECT_TRUE(files.status("out/slice_x1_00009.superseded")->has_value());
  EXPECT_FALSE(files.status("out/slice_x1_00009")->has_value());
  EXPECT_TRUE(files.status("out/slice_x1_00005")->has_value());
}

}  // namespace
}  // namespace thalweg::app

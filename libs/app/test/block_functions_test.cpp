// SPDX-License-Identifier: MIT
#include <thalweg/app/block_functions.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "carried.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using step::LevelContext;

const DerivedField<2> product{.name = "product",
                              .compute = compute_cells<std::array<double, 2>, 2>(
                                  [](const auto&, const auto& at) { return at()[0] * at()[1]; })};
const DerivedField<2> jump{
    .name = "jump",
    .reads = Reads::neighbours,
    .compute = compute_cells<std::array<double, 1>, 2>(
        [](const auto&, const auto& at) { return at(0, 1)[0] - at(0, -1)[0]; })};
const auto fields = block_fields<2>({"a", "b"}, {jump, product});

/// 16 x 8 cells in the box [0, 16] x [0, 8], periodic along x.
mesh::Geometry<2> geometry() {
  mesh::Geometry<2>::Config config;
  config.lower = {{0.0, 0.0}};
  config.upper = {{16.0, 8.0}};
  config.root_blocks = {{2, 1}};
  config.block_cells = {{8, 8}};
  config.periodic = {{true, false}};
  return mesh::Geometry<2>(config);
}

/// Cells of the first block with a ghost cell on each side: component c of cell (i, j) is 100 c +
/// 10 j + i.
struct Block {
  Box<2> valid{{}, {{4, 4}}};
  Box<2> box = valid.grown(1);
  std::vector<double> values = std::vector<double>(View<double, 2>::size_of(box, 2));
  View<double, 2> cells{values.data(), box, 2};

  Block() {
    for (int c = 0; c < 2; ++c)
      for_each(box, [&](const Index<2>& i) { cells[c, i] = 100 * c + 10 * i[1] + i[0]; });
  }
};

TEST(BlockFunctions, have_a_copy_of_the_region_and_change_that_alone) {
  const auto g = geometry();
  Block block;
  const Box<2> region{{{-1, 0}}, {{2, 2}}};
  const auto initial = changed_initial<2>(
      fields,
      [](const auto&, const View<double, 2>& cells, const Box<2>& r) {
        for_each(r, [&](const Index<2>& i) { cells[0, i] += 1000; });
      },
      [](BlockCells& cells) {
        EXPECT_EQ(cells.level, 0);
        EXPECT_EQ(cells.time, 0.5);
        EXPECT_EQ(*cells.names, fields->components);
        EXPECT_EQ(cells.centres, (std::vector<std::vector<double>>{{15.5, 0.5, 1.5}, {0.5, 1.5}}));
        EXPECT_EQ(cells.cell_size, (std::vector<double>{1, 1}));
        EXPECT_EQ(cells.values, (std::vector<double>{999, 1000, 1001, 1009, 1010, 1011,  //
                                                     99, 100, 101, 109, 110, 111}));
        cells.values[5] = -7;
        EXPECT_EQ(*cells.derived_names, std::vector<std::string>{"product"});
        EXPECT_EQ(cells.derive(cells, 0), (std::vector<double>{999 * 99, 100000, 1001 * 101,
                                                               1009 * 109, 111100, -7 * 111}));
      });
  initial(LevelContext<2>{g, 0, 0.5}, block.cells, region);
  EXPECT_EQ((block.cells[0, {{1, 1}}]), -7);
  EXPECT_EQ((block.cells[0, {{0, 1}}]), 1010);
  EXPECT_EQ((block.cells[0, {{2, 1}}]), 12) << "outside the region";
  EXPECT_EQ((block.cells[1, {{1, 1}}]), 111);
}

TEST(BlockFunctions, tag_cells_by_those_around_them) {
  const auto g = geometry();
  const Block block;
  std::vector<std::uint8_t> tagged(16, 0);
  tagged[3] = 1;
  const View<std::uint8_t, 2> tags(tagged.data(), block.valid, 1);
  const auto tag = tags_given_by<2>(fields, [](const BlockCells& cells) {
    EXPECT_EQ(cells.n_ghosts, 1);
    EXPECT_EQ(cells.centres[0].size(), 6u);
    EXPECT_EQ(cells.values.size(), 72u);
    std::vector<std::uint8_t> given(16, 0);
    given[4] = 255;
    return given;
  });
  tag(LevelContext<2>{g, 0, 0}, block.cells, block.valid, tags);
  EXPECT_EQ((tags[0, {{0, 1}}]), 1);
  EXPECT_EQ((tags[0, {{3, 0}}]), 1) << "as it was";
  EXPECT_EQ((tags[0, {{1, 1}}]), 0);

  const auto wrong =
      tags_given_by<2>(fields, [](const BlockCells&) { return std::vector<std::uint8_t>(15); });
  EXPECT_THROW(wrong(LevelContext<2>{g, 0, 0}, block.cells, block.valid, tags), std::runtime_error);
}

TEST(BlockFunctions, of_a_source_act_between_two_halves_of_the_problems_own) {
  Block block;
  const step::SourceTerms<2> own = [](const View<double, 2>& cells, const Box<2>& region,
                                      const step::SourceStep& step) {
    for_each(region, [&](const Index<2>& i) { cells[0, i] += step.dt; });
  };
  const auto both = joined_source<2>(
      fields, own,
      [](BlockCells& cells, double dt) {
        EXPECT_EQ(dt, -0.5);
        EXPECT_EQ(cells.time, 3);
        for (double& value : cells.values) value *= 2;
      },
      geometry());
  both(block.cells, block.box, {.level = 0, .time = 3, .dt = -0.5});
  EXPECT_EQ((block.cells[0, {{-1, 2}}]), 2 * (19 - 0.25) - 0.25);
  EXPECT_EQ((block.cells[1, {{-1, 2}}]), 2 * 119);
}

/// The hash of the last plotfile of a run whose functions make of a low spot a high one.
std::uint64_t hash_with_functions(int n_ranks, const Execution& execution) {
  io::MemoryFileSystem files;
  EXPECT_TRUE(files.make_directory("out"));
  const BlockFunctions functions{
      .initial =
          [](BlockCells& cells) {
            auto q = cells.values.begin();
            for (const double at_y : cells.centres[1])
              for (const double at_x : cells.centres[0]) {
                const double x = (at_x - 0.3) / 0.07, y = (at_y - 0.4) / 0.07;
                *q++ = 1.0 + 4.0 * std::exp(-x * x - y * y);
              }
          },
      .tag =
          [](const BlockCells& cells) {
            const auto g = static_cast<std::size_t>(cells.n_ghosts);
            const std::size_t nx = cells.centres[0].size(), ny = cells.centres[1].size();
            std::vector<std::uint8_t> tags;
            for (std::size_t j = g; j < ny - g; ++j)
              for (std::size_t i = g; i < nx - g; ++i)
                tags.push_back(cells.values[j * nx + i] > 1.5 ? 1 : 0);
            return tags;
          }};
  const auto done = testing::on_ranks(
      n_ranks, files,
      [&](const Context& context) {
        const auto run =
            begin_run(testing::applications()[0],
                      testing::spot_deck({"output.plot_interval=9", "problem.height=2.0"}), context,
                      "out", {}, functions);
        ASSERT_TRUE(run) << run.error().message;
        ASSERT_TRUE((*run)->start());
        EXPECT_EQ((*run)->advance().value(), RunEnd::finished);
      },
      execution);
  EXPECT_TRUE(done) << done.error().message;
  return io::hash_plotfile(files, "out/plt00009").value();
}

TEST(BlockFunctions, lead_to_the_bits_of_the_deck_that_says_the_same) {
  io::MemoryFileSystem files;
  EXPECT_TRUE(files.make_directory("out"));
  EXPECT_TRUE(testing::on_ranks(1, files, [&](const Context& context) {
    const auto deck = testing::spot_deck({"output.plot_interval=9", "problem.height=4.0"});
    EXPECT_TRUE(run(testing::applications()[0], deck, context, "out"));
  }));
  const auto expected = io::hash_plotfile(files, "out/plt00009").value();
  EXPECT_EQ(hash_with_functions(1, {.model = flow::Model::bulk}), expected);
  EXPECT_EQ(hash_with_functions(3, {.model = flow::Model::phase}), expected);
  EXPECT_EQ(hash_with_functions(13, {}), expected) << "a rank has nothing";
}

}  // namespace
}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <thalweg/app/plot.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/io/plotfile_read.hpp>

#include "carried.hpp"
#include "counting_transport.hpp"

namespace thalweg::app {
namespace {

// Write the spot after three steps as "plt" and give the number of its blocks on all ranks.
std::size_t write(io::MemoryFileSystem& files, int n_ranks, int ranks_per_file = 16) {
  std::size_t n_blocks = 0;
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    ASSERT_TRUE(simulation->advance_to(3));
    const auto written = write_plot(context, simulation->mesh(), simulation->state(),
                                    simulation->time_state(), {"plt", {"q"}, {0}, ranks_per_file});
    ASSERT_TRUE(written) << written.error().message;
    for (const auto& level : simulation->state().cells) n_blocks += level.size();
  });
  EXPECT_TRUE(done) << done.error().message;
  return n_blocks;
}

TEST(WritePlot, holds_all_blocks_and_the_moment) {
  io::MemoryFileSystem files;

  const std::size_t n_blocks = write(files, 3);

  const auto plot = io::read_plotfile(files, "plt");
  ASSERT_TRUE(plot) << plot.error().message;
  EXPECT_EQ(plot->step, 3);
  EXPECT_GT(plot->time, 0);
  EXPECT_EQ(plot->variables, std::vector<std::string>{"q"});
  EXPECT_EQ(plot->ratios, (std::vector{2, 2}));
  std::size_t n_boxes = 0;
  for (const auto& level : plot->levels) n_boxes += level.records.size();
  EXPECT_EQ(n_boxes, n_blocks);
}

TEST(WritePlot, holds_the_cells) {
  io::MemoryFileSystem files;

  write(files, 2);

  const auto plot = io::read_plotfile(files, "plt");
  ASSERT_TRUE(plot) << plot.error().message;
  double highest = 0;
  for (std::size_t l = 0; l < plot->levels.size(); ++l)
    for (std::size_t b = 0; b < plot->levels[l].records.size(); ++b) {
      const auto& extrema = plot->levels[l].records[b].extrema.at(0);
      const auto cells = io::read_record(files, *plot, l, b);
      ASSERT_TRUE(cells) << cells.error().message;
      for (const double q : *cells) {
        EXPECT_GE(q, extrema.min);
        EXPECT_LE(q, extrema.max);
        highest = std::max(highest, q);
      }
    }
  EXPECT_GT(highest, 4.0);  // the spot
}

TEST(WritePlot, same_hash_for_any_ranks_and_files) {
  io::MemoryFileSystem alone;
  write(alone, 1);
  const auto expected = io::hash_plotfile(alone, "plt");
  ASSERT_TRUE(expected) << expected.error().message;

  for (const int ranks_per_file : {1, 2, 16}) {
    io::MemoryFileSystem files;
    write(files, 5, ranks_per_file);
    EXPECT_EQ(io::hash_plotfile(files, "plt").value(), *expected) << ranks_per_file;
  }
}

// Write the cells that a plane goes through as "slice".
void write_slice(io::MemoryFileSystem& files, int n_ranks, const PlotPlane& plane) {
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    ASSERT_TRUE(simulation->advance_to(3));
    const auto written = write_plane(context, simulation->mesh(), simulation->state(),
                                     simulation->time_state(), {"slice", {"q"}, {0}}, plane);
    ASSERT_TRUE(written) << written.error().message;
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(WritePlane, holds_the_cells_that_it_goes_through) {
  io::MemoryFileSystem files;
  write(files, 1);
  const auto whole = io::read_plotfile(files, "plt").value();
  // Through the spot, and through the first cells of blocks.
  for (const auto& [axis, at] :
       std::vector<PlotPlane>{{0, 0.31}, {0, 0.2501}, {1, 0.43}, {1, 0.334}}) {
    write_slice(files, 2, {axis, at});
    const auto slice = io::read_plotfile(files, "slice").value();
    EXPECT_EQ(slice.dimension, 1);
    EXPECT_EQ(slice.step, whole.step);
    EXPECT_EQ(slice.time, whole.time);
    ASSERT_GE(slice.levels.size(), 2u);
    const int other = 1 - axis;
    for (std::size_t l = 0; l < slice.levels.size(); ++l) {
      const auto& level = whole.levels[l];
      EXPECT_EQ(slice.levels[l].cell_size[0], level.cell_size[other]);
      const int index = static_cast<int>(at / level.cell_size[axis]);
      std::size_t n_cells = 0, n_boxes = 0;
      for (std::size_t b = 0; b < level.records.size(); ++b) {
        const Box<3> box = level.records[b].box;
        if (index < box.lo[axis] || index >= box.hi[axis]) continue;
        ++n_boxes;
        const auto from = io::read_record(files, whole, l, b).value();
        const View<const double, 3> cells(from.data(), box, 1);
        for (std::size_t s = 0; s < slice.levels[l].records.size(); ++s) {
          const Box<3> line = slice.levels[l].records[s].box;
          if (line.lo[0] != box.lo[other]) continue;
          const auto numbers = io::read_record(files, slice, l, s).value();
          for (int i = line.lo[0]; i < line.hi[0]; ++i, ++n_cells) {
            Index<3> cell;
            cell[axis] = index;
            cell[other] = i;
            EXPECT_EQ(numbers[static_cast<std::size_t>(i - line.lo[0])], (cells[0, cell]));
          }
        }
      }
      EXPECT_EQ(slice.levels[l].records.size(), n_boxes);
      EXPECT_EQ(n_cells, 8 * n_boxes);
      EXPECT_GT(n_cells, 0u);
    }
  }
}

TEST(WritePlane, same_on_any_ranks_without_levels_that_it_does_not_meet) {
  io::MemoryFileSystem files;
  write_slice(files, 1, {0, 0.97});  // far from the spot
  const auto expected = io::hash_plotfile(files, "slice").value();
  EXPECT_EQ(io::read_plotfile(files, "slice").value().levels.size(), 1u);
  for (const int n_ranks : {2, 5}) {
    io::MemoryFileSystem of_ranks;
    write_slice(of_ranks, n_ranks, {0, 0.97});
    EXPECT_EQ(io::hash_plotfile(of_ranks, "slice").value(), expected) << n_ranks;
  }
}

// What each rank receives while a plotfile of n x n blocks is written [bytes].
std::vector<std::size_t> received(int n_ranks, int n) {
  std::vector<std::size_t> n_bytes(static_cast<std::size_t>(n_ranks));
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    auto settings = testing::settings();
    settings.mesh.root_blocks = {{n, n}};
    settings.mesh.max_level = 0;
    const auto simulation = testing::made(context, testing::carried_spot(), settings);
    testing::CountingTransport transport(context.transport);
    const Context counted{transport, context.clock, files, context.log, {}};
    ASSERT_TRUE(write_plot(counted, simulation->mesh(), simulation->state(),
                           simulation->time_state(), {"plt", {"q"}, {0}}));
    n_bytes[transport.rank()()] = transport.n_received_bytes();
  });
  EXPECT_TRUE(done) << done.error().message;
  return n_bytes;
}

TEST(WritePlot, tells_no_rank_more_however_many_blocks_others_have) {
  const auto of_16_blocks = received(5, 4);
  EXPECT_EQ(received(5, 16), of_16_blocks);
  for (const std::size_t n_bytes : of_16_blocks) EXPECT_LT(n_bytes, 1024u);
}

TEST(WritePlot, says_what_could_not_be_written) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(io::write_text(files, "out", "a file is in the way"));
  std::string message;

  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    const auto written = write_plot(context, simulation->mesh(), simulation->state(),
                                    simulation->time_state(), {"out/plt", {"q"}, {0}});
    if (!written) message = written.error().message;
  });

  ASSERT_TRUE(done) << done.error().message;
  EXPECT_NE(message.find("'out'"), std::string::npos) << message;
}

}  // namespace
}  // namespace thalweg::app

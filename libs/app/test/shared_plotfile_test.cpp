// SPDX-License-Identifier: MIT
#include <thalweg/app/shared_plotfile.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/io/testing/failing_files.hpp>

#include "carried.hpp"
#include "plain_plotfile.hpp"

namespace thalweg::app {
namespace {

/// Three levels with 12, 7 and 2 boxes of many sizes, of ratios 2 and 4.
io::PlotDescription<2> sample() {
  io::PlotDescription<2> plot{.variables = {"a", "b", "c"},
                              .time = 0.1,
                              .step = 20,
                              .lower = {{-0.5, 3}},
                              .upper = {{0.5, 3.75}},
                              .levels = {}};
  for (const int ratio : {1, 2, 8})
    plot.levels.push_back({.domain = {{}, {{16 * ratio, 12 * ratio}}},
                           .cell_size = Vec<2>::filled(1.0 / (16 * ratio)),
                           .boxes = {}});
  for (int j = 0; j < 12; j += 4)
    for (int i = 0; i < 16; i += 4) plot.levels[0].boxes.push_back({{{i, j}}, {{i + 4, j + 4}}});
  for (int k = 0; k < 7; ++k)  // each wider than the last
    plot.levels[1].boxes.push_back({{{k * (k + 1) / 2, 5 + k}}, {{(k + 1) * (k + 2) / 2, 12}}});
  plot.levels[2].boxes = {{{{8, 40}}, {{16, 56}}}, {{{96, 0}}, {{128, 2}}}};
  return plot;
}

double value(std::size_t level, std::size_t variable, const Index<2>& i) {
  return static_cast<double>(level) - (1.0 / 3) * i[0] + 1e-9 * i[1] * static_cast<int>(variable);
}

/// Which rank has box b of n.
using Owner = std::function<int(int level, std::size_t b, std::size_t n, int n_ranks)>;

int even(int, std::size_t b, std::size_t n, int n_ranks) {
  return static_cast<int>(b * static_cast<std::size_t>(n_ranks) / n);
}
/// The first ranks have nothing, the next only the coarse levels.
int late(int level, std::size_t b, std::size_t n, int n_ranks) {
  const int first = std::min(level + 1, n_ranks - 1);
  return first + even(level, b, n, n_ranks - first);
}
/// Those in the middle have nothing.
int outer(int, std::size_t b, std::size_t n, int n_ranks) {
  return 2 * b < n ? 0 : n_ranks - 1;
}

/// A rank's part of the sample's boxes.
io::PlotDescription<2> part_of(Rank rank, int n_ranks, const Owner& owner) {
  io::PlotDescription<2> plot = sample();
  for (int l = 0; l < 3; ++l) {
    auto& boxes = plot.levels[static_cast<std::size_t>(l)].boxes;
    const auto all = boxes;
    boxes.clear();
    for (std::size_t b = 0; b < all.size(); ++b)
      if (Rank(static_cast<std::uint32_t>(owner(l, b, all.size(), n_ranks))) == rank)
        boxes.push_back(all[b]);
  }
  return plot;
}

Result<void> write(const Context& context, const Owner& owner, int ranks_per_file) {
  const auto part = part_of(context.transport.rank(), context.transport.n_ranks(), owner);
  return write_shared_plotfile(
      context, "plt", part, ranks_per_file, [&](int l, std::size_t b, auto&& put) {
        const Box<2> grown = part.levels[static_cast<std::size_t>(l)].boxes[b].grown(1);
        std::vector<double> storage(View<double, 2>::size_of(grown, 3));
        const View<double, 2> cells(storage.data(), grown, 3);
        for (int v = 0; v < 3; ++v)
          for_each(grown, [&](const Index<2>& i) {
            cells[v, i] = value(static_cast<std::size_t>(l), static_cast<std::size_t>(v), i);
          });
        put(cells);
      });
}

std::map<std::string, std::string> contents(const io::FileSystem& files, const std::string& path,
                                            const std::string& prefix = "") {
  std::map<std::string, std::string> all;
  const auto names = files.list(path).value();
  for (const std::string& name : names) {
    const std::string file = path + "/" + name;
    if (files.status(file).value()->kind == io::FileStatus::Kind::directory)
      all.merge(contents(files, file, prefix + name + "/"));
    else
      all[prefix + name] = io::read_text(files, file).value();
  }
  return all;
}

TEST(SharedPlotfile, is_to_the_byte_what_the_format_says_however_the_boxes_are_spread) {
  for (const Owner& owner : {Owner(even), Owner(late), Owner(outer)})
    for (const int n_ranks : {1, 2, 3, 5})
      for (const int ranks_per_file : {1, 2, 16}) {
        SCOPED_TRACE(::testing::Message() << n_ranks << " ranks, " << ranks_per_file << " a file");
        io::MemoryFileSystem files;
        ASSERT_TRUE(testing::on_ranks(n_ranks, files, [&](const Context& context) {
          ASSERT_TRUE(write(context, owner, ranks_per_file));
        }));
        const auto n_files = static_cast<std::size_t>((n_ranks - 1) / ranks_per_file + 1);
        const auto expected = testing::plain_plotfile(sample(), n_files, value);
        const auto found = contents(files, "plt");
        ASSERT_EQ(found.size(), expected.size());
        for (const auto& [name, bytes] : expected) {
          ASSERT_TRUE(found.contains(name)) << name;
          EXPECT_TRUE(found.at(name) == bytes) << name << ":\n" << found.at(name);
        }
      }
}

TEST(SharedPlotfile, is_not_there_where_any_rank_cannot_do_any_of_its_operations) {
  const int n_ranks = 3;
  int n_failed = 0;
  for (int culprit = 0; culprit < n_ranks; ++culprit)
    for (std::uint64_t operation = 0;; ++operation) {
      io::MemoryFileSystem disk;
      std::vector<std::string> failures(n_ranks);
      const auto done = testing::on_ranks(n_ranks, disk, [&](const Context& context) {
        io::testing::FailingFiles files(disk);
        if (context.transport.rank() == Rank(static_cast<std::uint32_t>(culprit)))
          files.plan({.first = operation});
        const auto written =
            write({context.transport, context.clock, files, context.log, {}}, outer, 2);
        if (!written) failures[context.transport.rank()()] = written.error().message;
      });
      ASSERT_TRUE(done) << done.error().message;
      if (failures[0].empty()) break;
      ++n_failed;
      EXPECT_EQ(failures, std::vector<std::string>(n_ranks, failures[0]));
      EXPECT_TRUE(failures[0].starts_with("rank " + std::to_string(culprit))) << failures[0];
      EXPECT_NE(failures[0].find("No space left"), std::string::npos) << failures[0];
      EXPECT_EQ(disk.list(".").value(), std::vector<std::string>{}) << culprit << ", " << operation;
    }
  EXPECT_GT(n_failed, 50);
}

TEST(SharedPlotfile, leaves_what_is_of_no_plotfile_as_it_is) {
  for (const int n_ranks : {1, 3}) {
    io::MemoryFileSystem files;
    ASSERT_TRUE(files.make_directory("plt.tmp/thesis"));
    ASSERT_TRUE(io::write_text(files, "plt.tmp/Header", "mine"));
    int n_refused = 0;
    ASSERT_TRUE(testing::on_ranks(n_ranks, files, [&](const Context& context) {
      const auto written = write(context, even, 1);
      ASSERT_FALSE(written);
      EXPECT_NE(written.error().message.find("move it away"), std::string::npos);
      ++n_refused;
    }));
    EXPECT_EQ(n_refused, n_ranks);
    EXPECT_EQ(files.list("plt.tmp").value(), (std::vector<std::string>{"Header", "thesis"}));
    EXPECT_EQ(io::read_text(files, "plt.tmp/Header").value(), "mine");
  }
}

}  // namespace
}  // namespace thalweg::app

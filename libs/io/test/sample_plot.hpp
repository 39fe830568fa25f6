// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <thalweg/core/view.hpp>
#include <thalweg/io/plotfile.hpp>

namespace thalweg::io {

inline constexpr int sample_block_cells = 8;
inline constexpr int sample_ghosts = 2;

/// Three nested levels around the middle of [-0.5, 0.5]^D, of ratio 2 or of two ratios.
///
/// Level 0 has all 2^D blocks, each finer one the inner 2^D: at ratio 2 of 4^D and of 8^D.
template <int D>
PlotDescription<D> sample_description(std::array<int, 2> ratios = {2, 2}) {
  PlotDescription<D> plot;
  plot.variables = {"density", "pressure", "level"};
  plot.time = 0.1;
  plot.step = 20;
  plot.lower = Vec<D>::filled(-0.5);
  plot.upper = Vec<D>::filled(0.5);
  int n_blocks = 2;
  for (std::size_t level = 0; level < 3; ++level) {
    if (level > 0) n_blocks *= ratios[level - 1];
    const Box<D> blocks{Index<D>::filled(n_blocks / 2 - 1), Index<D>::filled(n_blocks / 2 + 1)};
    PlotLevel<D> l;
    l.domain = Box<D>::cube(n_blocks * sample_block_cells);
    l.cell_size = Vec<D>::filled(1.0 / (n_blocks * sample_block_cells));
    for_each(blocks, [&](const Index<D>& i) {
      l.boxes.push_back(Box<D>::cube(1).shifted(i).refined(sample_block_cells));
    });
    l.n_boxes = l.boxes.size();
    plot.levels.push_back(l);
  }
  return plot;
}

/// A value that is exact also in single precision, so that readers can be held to every bit.
template <int D>
double sample_value(const PlotDescription<D>& plot, int level, int variable, const Index<D>& i) {
  const double h = plot.levels[static_cast<std::size_t>(level)].cell_size[0];
  double sum = 1, squares = 0.125;
  for (int a = 0; a < D; ++a) {
    const double x = -0.5 + (i[a] + 0.5) * h;
    sum += (1 << a) * x;
    squares += x * x;
  }
  if (variable == 0) return sum;
  return variable == 1 ? squares : level;
}

/// The text of its only writer.
inline std::string alone(const SharedText& text) {
  std::string all;
  for (const SharedSection& section : text) all += section.heading + section.lines;
  return all;
}

/// Write the tables and publish, as the only writer.
/// @shape extrema [level][box * n_variables + variable]
template <int D>
Result<void> finish_alone(const PlotfileWriter<D>& writer, FileSystem& files,
                          const std::vector<std::vector<Extrema>>& extrema) {
  for (int l = 0; l < static_cast<int>(extrema.size()); ++l) {
    const auto table = writer.table(l, extrema[static_cast<std::size_t>(l)]);
    if (const auto done = write_text(files, writer.table_file(l), alone(table)); !done) return done;
  }
  if (const auto done = write_text(files, writer.header_file(), alone(writer.header())); !done)
    return done;
  return writer.publish(files);
}

/// Write every box of a plot from arrays with ghost cells, which hold -1.
template <int D>
Result<void> write_sample(FileSystem& files, const std::string& path,
                          const PlotDescription<D>& plot, int n_files) {
  const PlotfileWriter<D> writer(path, plot, n_files);
  if (const auto done = writer.prepare(files); !done) return done;
  const int n_components = static_cast<int>(plot.variables.size());
  std::vector<std::vector<Extrema>> extrema(plot.levels.size());
  WriteBuffer buffer(files);
  for (int level = 0; level < static_cast<int>(plot.levels.size()); ++level) {
    const auto& boxes = plot.levels[static_cast<std::size_t>(level)].boxes;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const Box<D> grown = boxes[b].grown(sample_ghosts);
      std::vector<double> storage(View<double, D>::size_of(grown, n_components), -1);
      const View<double, D> cells(storage.data(), grown, n_components);
      for (int c = 0; c < n_components; ++c)
        for_each(boxes[b],
                 [&](const Index<D>& i) { cells[c, i] = sample_value(plot, level, c, i); });
      const auto found = writer.write_box(buffer, level, b, cells);
      if (!found) return std::unexpected(found.error());
      auto& all = extrema[static_cast<std::size_t>(level)];
      all.insert(all.end(), found->begin(), found->end());
    }
  }
  if (const auto done = buffer.flush(); !done) return done;
  if (const auto done = writer.sync(files); !done) return done;
  return finish_alone(writer, files, extrema);
}

}  // namespace thalweg::io

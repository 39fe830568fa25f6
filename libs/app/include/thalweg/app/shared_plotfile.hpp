// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/shared_text.hpp>
#include <thalweg/app/shares.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/plotfile.hpp>

namespace thalweg::app {
namespace detail {

/// Say where this rank's boxes stand among those of all: after those of lower ranks. Collective.
template <int D>
void place_boxes(flow::Transport& transport, io::PlotDescription<D>& plot, int n_files) {
  for (io::PlotLevel<D>& level : plot.levels) {
    const std::uint64_t mine = level.boxes.size();
    level.first_box = flow::exclusive_scan(transport, mine, std::plus<>(), std::uint64_t{0});
    level.n_boxes = flow::all_reduce(transport, mine, std::plus<>());
    level.first_offset =
        flow::exclusive_scan(transport, io::data_fill(level, plot.format(), n_files),
                             std::mem_fn(&io::DataFill::then), io::DataFill{})
            .n_bytes;
  }
}

}  // namespace detail

/// Write a plotfile of boxes that are on all ranks; complete on all when it returns. Collective.
///
/// A rank holds its own boxes, and what it learns of others are sums: the file lists all boxes,
/// but nobody in memory does (docs/adr/0021-checkpoints-and-plotfiles.md).
/// @param plot  of this rank, but for the places of its boxes among all, which are found here
/// @param with_cells  called as with_cells(level, box, put) for each of this rank's boxes, by any
/// of the workers; calls put(cells) once, with a View<const double, D> that holds the box
/// @errors on all ranks alike: a rank that cannot write says which file, and nothing is left.
/// Throws what with_cells throws, and nothing is left where no other rank goes on writing
/// @cost of a rank its own boxes' lines in a table, and 13 log P messages of 32 bytes at most a
/// level
template <int D, class WithCells>
[[nodiscard]] Result<void> write_shared_plotfile(const Context& context, const std::string& path,
                                                 io::PlotDescription<D> plot, int ranks_per_file,
                                                 WithCells&& with_cells,
                                                 const Workers& workers = {}) {
  auto& transport = context.transport;
  const int n_files = (transport.n_ranks() - 1) / ranks_per_file + 1;
  detail::place_boxes(transport, plot, n_files);
  const io::PlotfileWriter<D> writer(path, std::move(plot), n_files);
  Result<void> mine;
  if (transport.rank() == Rank{0}) mine = writer.prepare(context.files);
  if (const auto all = check_on_all_ranks(transport, mine); !all) return all;

  // A rank that has failed goes through all this with the others, and writes no more.
  const auto note = [&](const Result<void>& done) {
    if (mine && !done) mine = done;
  };
  const auto& levels = writer.description().levels;
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    const std::size_t n_boxes = levels[static_cast<std::size_t>(l)].boxes.size();
    const std::size_t n_variables = writer.description().variables.size();
    std::vector<io::Extrema> extrema(n_boxes * n_variables);
    std::vector<Result<void>> done(workers.n);  // of each share
    const auto write_share = [&](const Share& share) {
      io::WriteBuffer buffer(context.files);
      share.for_each(n_boxes, [&](std::size_t b) {
        with_cells(l, b, [&](const View<const double, D>& cells) {
          if (!mine || !done[share.share]) return;
          const auto written = writer.write_box(buffer, l, b, cells);
          if (written)
            std::ranges::copy(*written,
                              extrema.begin() + static_cast<std::ptrdiff_t>(b * n_variables));
          else
            done[share.share] = std::unexpected(written.error());
        });
      });
      if (mine && done[share.share]) done[share.share] = buffer.flush();
    };
    try {
      workers.run(write_share);
    } catch (...) {
      static_cast<void>(context.files.remove(writer.folder()));
      throw;
    }
    for (const auto& of_share : done) note(of_share);
    note(write_shared_text(context, writer.table_file(l), writer.table(l, extrema)));
  }
  note(write_shared_text(context, writer.header_file(), writer.header()));
  if (mine) mine = writer.sync(context.files);
  return publish_or_remove(context, writer.folder(), mine,
                           [&] { return writer.publish(context.files); });
}

}  // namespace thalweg::app

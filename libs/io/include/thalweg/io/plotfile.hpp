// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::io {

/// One level of a plot: its index space and its boxes in the order they are written.
template <int D>
struct PlotLevel {
  Box<D> domain;              ///< all cells of the level's index space; gives the ratio of levels
  Vec<D> cell_size;           ///< [length]
  std::vector<Box<D>> boxes;  ///< half-open, disjoint, inside the domain; at least one
};

/// What a plotfile holds, but for the numbers. The same on every rank that writes a part of it.
template <int D>
struct PlotDescription {
  std::vector<std::string> variables;  ///< names of [A-Za-z0-9_]: readers crash on blanks
  double time = 0;
  std::int64_t step = 0;
  Vec<D> lower{};                    ///< lower corner of the domain [length]
  Vec<D> upper{};                    ///< upper corner of the domain [length]
  std::vector<PlotLevel<D>> levels;  ///< coarsest first; none empty
};

/// The smallest and the largest value of one variable in one box.
struct Extremes {
  double min = 0;
  double max = 0;

  bool operator==(const Extremes&) const = default;
};

/// Writes one AMReX plotfile in three parts, so that each rank or task writes its own boxes.
///
/// prepare() on one rank; then write_box() for every box, anywhere, in any order, at any time: each
/// is one write at an offset known beforehand; then finish() on one rank, with all extremes. The
/// file Header comes last and by a rename: a plotfile without it is not complete.
/// @threads write_box is safe on distinct boxes
/// @source AMReX plotfile format "HyperCLaw-V1.1"; boxes become inclusive in the files
template <int D>
class PlotfileWriter {
 public:
  /// Lay out the records of all boxes.
  ///
  /// @param path     the plotfile's directory; digits last, so that viewers find the series
  /// @param n_files  data files of a level, at most; successive boxes share one
  /// @errors Error naming the variable, level or box that cannot be written
  PlotfileWriter(std::string path, PlotDescription<D> description, int n_files);

  const std::string& path() const { return path_; }
  const PlotDescription<D>& description() const { return description_; }

  /// Make the directories, and remove what an earlier plotfile of this name has left.
  Result<void> prepare(FileSystem& files) const;

  /// Write the cells of one box from a view that may have ghost cells, which are left out.
  /// @return the extremes of each variable, to be gathered for finish()
  Result<std::vector<Extremes>> write_box(FileSystem& files, int level, std::size_t box,
                                          const View<const double, D>& cells) const;

  /// Write the tables of all levels and the Header.
  /// @shape extremes [level][box * n_variables + variable]
  Result<void> finish(FileSystem& files, const std::vector<std::vector<Extremes>>& extremes) const;

 private:
  std::string data_file(std::size_t box, std::size_t n_boxes) const;
  std::string cell_header(std::size_t level, const std::vector<Extremes>& extremes) const;
  std::string header() const;

  std::string path_;
  PlotDescription<D> description_;
  std::size_t n_files_;
  std::vector<std::vector<std::uint64_t>> offsets_;  // [level][box], of the record in its file
};

extern template class PlotfileWriter<1>;
extern template class PlotfileWriter<2>;
extern template class PlotfileWriter<3>;

}  // namespace thalweg::io

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/shared_text.hpp>
#include <thalweg/io/write_buffer.hpp>

namespace thalweg::io {

/// How a plotfile holds its numbers, all IEEE 754.
enum class NumberType { float32, float64 };

/// Bytes of a number.
constexpr std::size_t bytes_of(NumberType numbers) {
  return numbers == NumberType::float64 ? sizeof(double) : sizeof(float);
}

/// What a plotfile holds of each cell.
struct RecordFormat {
  int n_variables = 0;
  NumberType numbers = NumberType::float64;
};

/// One level of a plot as one of its writers knows it: its own boxes, and where they stand among
/// all. The boxes of one writer come after those of another, in all tables and files.
template <int D>
struct PlotLevel {
  Box<D> domain;                   ///< all cells of the level's index space; gives ratios of levels
  Vec<D> cell_size;                ///< [length]
  std::vector<Box<D>> boxes;       ///< of this writer: half-open, disjoint, inside the domain
  std::uint64_t n_boxes = 0;       ///< of all writers; at least one
  std::uint64_t first_box = 0;     ///< boxes of the writers before
  std::uint64_t first_offset = 0;  ///< what those put into the file that the first box may go on
};

/// What a plotfile holds, but for the numbers. The same for all its writers, but for their boxes.
template <int D>
struct PlotDescription {
  std::vector<std::string> variables;  ///< names of [A-Za-z0-9_]: readers crash on blanks
  double time = 0;
  std::int64_t step = 0;             ///< of level 0
  bool is_subcycled = false;         ///< whether a level makes as many steps as it is finer
  Vec<D> lower{};                    ///< lower corner of the domain [length]
  Vec<D> upper{};                    ///< upper corner of the domain [length]
  std::vector<PlotLevel<D>> levels;  ///< coarsest first; none empty
  std::string deck{};                ///< what made it, for deck.toml beside Header; "": none
  std::string field{};  ///< what phase space has along x alone, for field.csv there; "": none
  NumberType numbers = NumberType::float64;

  RecordFormat format() const { return {static_cast<int>(variables.size()), numbers}; }
};

/// How far boxes in a row fill the data file that the last of them goes to.
struct DataFill {
  std::uint64_t n_begun = 0;  ///< files that begin in the row
  std::uint64_t n_bytes = 0;  ///< from the last begin on; if there is none, of the whole row

  /// That of this row and the next together. Associative, so a scan over writers can add them up.
  DataFill then(const DataFill& next) const {
    return {n_begun + next.n_begun, next.n_begun > 0 ? next.n_bytes : n_bytes + next.n_bytes};
  }
};

/// What one writer's boxes of a level add to its data files: of all writers before, it gives
/// first_offset, which is not read here.
/// @param n_files  data files of a level, at most; successive boxes share one
template <int D>
DataFill data_fill(const PlotLevel<D>& level, const RecordFormat& format, int n_files);

/// Whether readers of plotfiles take a variable of this name: [A-Za-z0-9_], one or more.
bool is_variable_name(std::string_view name);

/// Whether there is nothing but what a run writes of a plotfile, all of it or a part; or nothing.
bool is_part_of_plotfile(const FileSystem& files, const std::string& path);

/// Whether a run would call a plotfile so: "plt" and a step.
bool is_plotfile_name(std::string_view name);

/// Whether a run would call a plotfile of a plane so: "slice_", the axis, the number of the plane
/// among those of the axis, "_" and a step, as in slice_z1_00040.
bool is_slice_name(std::string_view name);

/// The smallest and the largest value of one variable in one box, but for what is no number.
struct Extrema {
  double min = 0;
  double max = 0;

  bool operator==(const Extrema&) const = default;
};

/// Writes one writer's part of an AMReX plotfile: that of a rank, or all of it.
///
/// prepare() by one of the writers; then write_box() for every box, anywhere, in any order, at any
/// time: each goes to an offset known beforehand; then the tables, a text that all share,
/// to be written to table_file() and header_file(); sync() by all, and when all is there, publish()
/// by one. Until then the directory has another name: a plotfile is complete or not there.
/// @threads write_box is safe on distinct boxes, with a buffer for each thread
/// @source AMReX plotfile format "HyperCLaw-V1.1"; boxes become inclusive in the files
template <int D>
class PlotfileWriter {
 public:
  /// Lay out the records of this writer's boxes.
  ///
  /// @param path     the plotfile's directory; digits last, so that viewers find the series
  /// @param n_files  as in data_fill
  /// @errors Error naming the variable, level or box that cannot be written
  PlotfileWriter(std::string path, PlotDescription<D> description, int n_files);

  const std::string& path() const { return path_; }
  const PlotDescription<D>& description() const { return description_; }

  /// Where it is written, until publish() gives it its name.
  std::string folder() const { return path_ + std::string(unfinished_suffix); }
  /// Make the directories anew.
  /// @errors where what is not of a plotfile has their name, or the one that another plotfile has
  /// when it is replaced: publish() would remove it
  Result<void> prepare(FileSystem& files) const;

  /// Write the cells of one box of this writer from a view that may have ghost cells, which are
  /// left out; they are in the file when the buffer is flushed. As float32 numbers beyond 3.4e38
  /// are infinite, and those below 1.2e-38 are 0.
  /// @return the extrema of each variable as they are written, to be gathered for table()
  Result<std::vector<Extrema>> write_box(WriteBuffer& to, int level, std::size_t box,
                                         const View<const double, D>& cells) const;

  /// The table of a level's boxes: where they are and between which values.
  /// @shape extrema [box * n_variables + variable] of this writer
  SharedText table(int level, const std::vector<Extrema>& extrema) const;
  /// What the file Header says.
  SharedText header() const;

  /// Where they are written.
  std::string table_file(int level) const;
  std::string header_file() const { return folder() + "/Header"; }

  /// Make this writer's boxes survive a loss of power.
  Result<void> sync(FileSystem& files) const;
  /// Make the plotfile count, in place of an older one. @pre all writers have written and synced
  Result<void> publish(FileSystem& files) const;

 private:
  std::string path_;
  PlotDescription<D> description_;
  std::uint64_t n_files_;
  std::vector<std::vector<std::uint64_t>> offsets_;  // [level][box], of the record in its file
};

extern template DataFill data_fill(const PlotLevel<1>&, const RecordFormat&, int);
extern template DataFill data_fill(const PlotLevel<2>&, const RecordFormat&, int);
extern template DataFill data_fill(const PlotLevel<3>&, const RecordFormat&, int);
extern template class PlotfileWriter<1>;
extern template class PlotfileWriter<2>;
extern template class PlotfileWriter<3>;

}  // namespace thalweg::io

// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/plotfile.hpp>

namespace thalweg::io {

/// One box of a plotfile and where its numbers are.
struct PlotRecord {
  Box<3> box;  ///< one layer of cells, [0, 1), along the axes the plotfile does not have
  std::string file;
  std::uint64_t offset = 0;
  std::vector<Extrema> extrema;  ///< of each variable
};

/// One level of a plotfile.
struct PlotfileLevel {
  Box<3> domain;
  Vec<3> cell_size{};
  std::vector<PlotRecord> records;  ///< in the order of the file
};

/// A plotfile of 1, 2 or 3 dimensions without its numbers; axes it does not have are padded.
struct Plotfile {
  std::string path;
  int dimension = 0;
  std::vector<std::string> variables;
  double time = 0;
  std::int64_t step = 0;
  Vec<3> lower{};
  Vec<3> upper{};
  std::vector<int> ratios;  ///< between a level and the next
  std::vector<PlotfileLevel> levels;
};

/// Whether a path is a folder with the header of a plotfile, of any program.
bool is_plotfile(const FileSystem& files, const std::string& path);

/// Find the plotfile that a path is, or whose Header it is, or the one of most steps in a folder of
/// results.
/// @return the path itself where there is none: read_plotfile says what it lacks
std::string last_plotfile(const FileSystem& files, const std::string& path);

/// Read the tables of a plotfile that PlotfileWriter, or AMReX, has written.
///
/// Boxes of a level are disjoint, as Header lists them, and lie over whole cells of boxes of the
/// next coarser one. Those of level 0 may leave parts of the domain out, as codes do where all is
/// solid.
/// @errors names the file and what was expected where
Result<Plotfile> read_plotfile(const FileSystem& files, const std::string& path);

/// Read the numbers of one box, of single or double precision: variable slowest, x fastest.
Result<std::vector<double>> read_record(const FileSystem& files, const Plotfile& plot,
                                        std::size_t level, std::size_t record);

/// Hash the number of variables and, of every box, the level, the bounds and the bits of its cells.
///
/// The same for any order of the boxes and any files; blind to time, step, and names.
Result<std::uint64_t> hash_plotfile(const FileSystem& files, const std::string& path);

/// Compare two plotfiles bit by bit, and say where they first differ: level, box, cell, variable
/// and both values; or which box only one of them has.
/// @return none if they are equal
Result<std::optional<std::string>> diff_plotfiles(const FileSystem& files, const std::string& a,
                                                  const std::string& b);

/// How far two plotfiles are from each other.
struct DifferenceNorms {
  struct Row {
    std::size_t level = 0;
    std::string variable;
    double largest = 0;  ///< max |a - b|; NaN where one of them is no number
    double mean = 0;     ///< of |a - b| over the cells of the level
    double scale = 0;    ///< max |a| of what is finite in a

    /// The largest difference relative to the largest finite value; where that is 0, itself.
    double relative() const { return scale > 0 ? largest / scale : largest; }
  };
  std::vector<Row> rows;                  ///< of each variable of each level
  std::optional<std::string> other_mesh;  ///< the first box, level or variable only one has
};

/// Compare two plotfiles number by number, as far as their boxes are the same.
Result<DifferenceNorms> norms_of_difference(const FileSystem& files, const std::string& a,
                                            const std::string& b);

}  // namespace thalweg::io

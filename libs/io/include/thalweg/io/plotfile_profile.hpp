// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/plotfile_read.hpp>

// Cells of a plotfile that carry the solution - no finer ones lie over them - as rows of numbers:
// along a line, or by their distance from a point.

namespace thalweg::io {

/// The positions of variables by their names, in this order; of no names, all.
/// @errors says which variables there are, or which name comes twice
Result<std::vector<std::size_t>> variables_of(const Plotfile& plot,
                                              std::span<const std::string> names);

/// A cell that a line goes through.
struct LineCell {
  double place = 0;  ///< of its centre along the line [length]
  double width = 0;  ///< along the line [length]
  std::size_t level = 0;
  std::vector<double> values;  ///< of the variables asked for
};

/// The cells on a line parallel to an axis, from its lower end to its upper one.
/// @param at  where the line is on the other axes [length]
/// @errors says where the domain is if the line misses it, or that no box is on it; a file that
///         cannot be read
Result<std::vector<LineCell>> cells_on_line(const FileSystem& files, const Plotfile& plot, int axis,
                                            const Vec<3>& at,
                                            std::span<const std::size_t> variables);

/// Cells whose centres are about as far from a point.
struct Shell {
  double radius = 0;  ///< the middle of the distances that belong to it [length]
  double volume = 0;  ///< of its cells; in fewer dimensions their area or length
  std::int64_t n_cells = 0;
  std::vector<double> means;  ///< of the variables asked for, by volume
};

/// Means over shells around a point, equally wide up to the farthest corner of the domain. Shells
/// without a cell are left out.
/// @pre n_shells > 0   @errors a file that cannot be read
Result<std::vector<Shell>> shells_around(const FileSystem& files, const Plotfile& plot,
                                         const Vec<3>& centre, int n_shells,
                                         std::span<const std::size_t> variables);

}  // namespace thalweg::io

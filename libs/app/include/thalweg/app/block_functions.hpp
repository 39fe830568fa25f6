// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <thalweg/app/derived.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/source_terms.hpp>

namespace thalweg::app {

/// What functions of blocks may ask a block for, by name.
template <int D>
struct BlockFields {
  std::vector<std::string> components;
  std::vector<DerivedField<D>> derived;  ///< that read their own cell alone
  std::vector<std::string> derived_names;
};

/// The components, and those of a problem's derived fields that read their own cell alone.
template <int D>
std::shared_ptr<const BlockFields<D>> block_fields(std::vector<std::string> components,
                                                   const std::vector<DerivedField<D>>& derived);

/// A copy of cells of one block, for functions that do not know the dimension.
struct BlockCells {
  std::shared_ptr<const std::vector<std::string>> names{};
  std::shared_ptr<const std::vector<std::string>> derived_names{};
  /// Gives the derived field of this number as the values are now, of all cells, x fastest.
  std::function<std::vector<double>(const BlockCells&, std::size_t)> derive{};
  int level = 0;
  double time = 0;
  int n_ghosts = 0;  ///< cells on each side beside those that the function is about
  /// Of all cells, by axis [length]; behind a periodic side they are those of the other side.
  std::vector<std::vector<double>> centres{};
  std::vector<double> values{};     ///< x is fastest, components follow each other
  std::vector<double> cell_size{};  ///< by axis [length]
};

/// Sets values of a block, where they are.
using ChangeBlock = std::function<void(BlockCells&)>;
/// Takes the values of a block a step further.
using AdvanceBlock = std::function<void(BlockCells&, double dt)>;
/// Gives the longest step that the cells may make [time]; infinity: any.
using LimitBlock = std::function<double(const BlockCells&)>;
/// Gives a number for each cell but the ghost cells, x fastest.
using TagBlock = std::function<std::vector<std::uint8_t>(const BlockCells&)>;

/// Functions of whole blocks that a caller has beside those of the problem. Each may be none.
///
/// @threads called from any worker, for several blocks at once  @errors what they throw fails the
/// task that has called them
struct BlockFunctions {
  /// Changes the state at the start, after the problem has set it; cells outside the domain, too.
  ChangeBlock initial{};
  /// Says which cells to refine, those with a number other than 0, in place of the problem.
  TagBlock tag{};
  /// Advances each cell by itself by dt [time], backwards where it is negative, as
  /// step::SourceTerms; between two halves of the problem's own source terms.
  AdvanceBlock source{};
  /// How long a step may be, beside what the problem says.
  LimitBlock longest_dt{};
};

/// The problem's initial state, and a function that changes it.
template <int D>
step::SetCells<D> changed_initial(std::shared_ptr<const BlockFields<D>> fields,
                                  step::SetCells<D> initial, ChangeBlock change);

/// Tags that a function gives. @errors throws std::runtime_error where they are not one a cell
template <int D>
step::SetTags<D> tags_given_by(std::shared_ptr<const BlockFields<D>> fields, TagBlock tag);

/// How long a step may be by the problem, which may say nothing, and by a function.
template <int D>
step::FindLongestDt<D> joined_longest_dt(std::shared_ptr<const BlockFields<D>> fields,
                                         step::FindLongestDt<D> own, LimitBlock limit);

/// The problem's source terms, which may be none, and those of a function together: half a step of
/// the first, a step of the second, half a step of the first.
template <int D>
step::SourceTerms<D> joined_source(std::shared_ptr<const BlockFields<D>> fields,
                                   step::SourceTerms<D> own, AdvanceBlock source,
                                   const mesh::Geometry<D>& geometry);

}  // namespace thalweg::app

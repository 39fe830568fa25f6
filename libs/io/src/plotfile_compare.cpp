// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "fab.hpp"

namespace thalweg::io {

namespace {

bool comes_before(const Box<3>& a, const Box<3>& b) {
  return a.lo != b.lo ? a.lo < b.lo : a.hi < b.hi;
}

/// The records of a level by their box, whatever their order in the file.
std::vector<std::size_t> sorted_records(const PlotfileLevel& level) {
  std::vector<std::size_t> order(level.records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return comes_before(level.records[a].box, level.records[b].box);
  });
  return order;
}

bool is_same(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

/// Describe the first number of a box whose bits differ.
std::optional<std::string> compare_values(const Plotfile& plot, std::size_t level,
                                          const Box<3>& box, const std::vector<double>& a,
                                          const std::vector<double>& b) {
  const auto [at, other] = std::ranges::mismatch(a, b, is_same);
  if (at == a.end()) return std::nullopt;
  const auto n = at - a.begin();
  const auto cell = n % box.n_cells();
  const auto row = cell / box.extent(0);
  const Index<3> i = box.lo + Index<3>{{static_cast<int>(cell % box.extent(0)),
                                        static_cast<int>(row % box.extent(1)),
                                        static_cast<int>(row / box.extent(1))}};
  const std::string where = detail::box_text({i, i + Index<3>::filled(1)}, plot.dimension);
  const auto variable = static_cast<std::size_t>(n / box.n_cells());
  return fmt::format("level {} box {} cell {} {}: {:.17g} and {:.17g}, difference {:.3g}", level,
                     detail::box_text(box, plot.dimension), where.substr(1, where.find(' ') - 1),
                     plot.variables[variable], *at, *other, *at - *other);
}

/// Compare the boxes of a level one by one, as long as nothing is found: what only one of the
/// plotfiles has, with the advice, or what compare(box, numbers of a, numbers of b) finds.
template <class Compare>
Result<std::optional<std::string>> compare_levels(const FileSystem& files, const Plotfile& a,
                                                  const Plotfile& b, std::size_t level,
                                                  const std::string& advice,
                                                  const Compare& compare) {
  const auto& records_a = a.levels[level].records;
  const auto& records_b = b.levels[level].records;
  const auto order_a = sorted_records(a.levels[level]);
  const auto order_b = sorted_records(b.levels[level]);
  const auto only = [&](const Plotfile& plot, const Box<3>& box) {
    return fmt::format("level {} box {}: only in '{}'{}", level,
                       detail::box_text(box, plot.dimension), plot.path, advice);
  };
  for (std::size_t k = 0; k < std::max(order_a.size(), order_b.size()); ++k) {
    if (k == order_b.size()) return only(a, records_a[order_a[k]].box);
    if (k == order_a.size()) return only(b, records_b[order_b[k]].box);
    const Box<3>& box_a = records_a[order_a[k]].box;
    const Box<3>& box_b = records_b[order_b[k]].box;
    if (comes_before(box_a, box_b)) return only(a, box_a);
    if (comes_before(box_b, box_a)) return only(b, box_b);
    auto values_a = read_record(files, a, level, order_a[k]);
    if (!values_a) return std::unexpected(values_a.error());
    auto values_b = read_record(files, b, level, order_b[k]);
    if (!values_b) return std::unexpected(values_b.error());
    if (auto found = compare(box_a, *values_a, *values_b)) return found;
  }
  return std::nullopt;
}

/// Say where level 0 has more cells along an axis in one: the same indices may be other places.
std::optional<std::string> compare_resolutions(const Plotfile& a, const Plotfile& b) {
  const auto cells_of = [](const Plotfile& plot) {
    std::string text;
    for (int axis = 0; axis < plot.dimension; ++axis)
      text += fmt::format("{}{}", axis > 0 ? " x " : "", plot.levels[0].domain.extent(axis));
    return text;
  };
  const std::string of_a = cells_of(a), of_b = cells_of(b);
  if (of_a == of_b) return std::nullopt;
  return fmt::format(
      "level 0 has {} cells in one and {} in the other (cells of the same indices are compared); "
      "compare what 'line' or 'profile' print of both, or their errors: python -m thalweg errors A "
      "B",
      of_a, of_b);
}

/// Compare all levels; compare(a, level, box, numbers of a, numbers of b) as in compare_levels.
/// @param advice  what follows the words about a block that only one has
template <class Compare>
Result<std::optional<std::string>> compare_plotfiles(const FileSystem& files, const std::string& a,
                                                     const std::string& b,
                                                     const std::string& advice,
                                                     const Compare& compare) {
  const auto plot_a = read_plotfile(files, a);
  if (!plot_a) return std::unexpected(plot_a.error());
  const auto plot_b = read_plotfile(files, b);
  if (!plot_b) return std::unexpected(plot_b.error());
  if (plot_a->dimension != plot_b->dimension)
    return fmt::format("one has {} dimensions, the other {}", plot_a->dimension, plot_b->dimension);
  if (plot_a->variables != plot_b->variables)
    return fmt::format("one has variables [{}], the other [{}]", joined_text(plot_a->variables),
                       joined_text(plot_b->variables));
  if (auto other_cells = compare_resolutions(*plot_a, *plot_b)) return other_cells;
  const std::size_t n_levels = std::min(plot_a->levels.size(), plot_b->levels.size());
  for (std::size_t l = 0; l < n_levels; ++l) {
    auto found = compare_levels(files, *plot_a, *plot_b, l, advice,
                                [&](const Box<3>& box, const auto& of_a, const auto& of_b) {
                                  return compare(*plot_a, l, box, of_a, of_b);
                                });
    if (!found || *found) return found;
  }
  if (plot_a->levels.size() != plot_b->levels.size()) {
    const Plotfile& more = plot_a->levels.size() > n_levels ? *plot_a : *plot_b;
    return fmt::format("level {}: only in '{}'{}", n_levels, more.path, advice);
  }
  return std::nullopt;
}

}  // namespace

Result<std::uint64_t> hash_plotfile(const FileSystem& files, const std::string& path) {
  const auto plot = read_plotfile(files, path);
  if (!plot) return std::unexpected(plot.error());
  std::uint64_t hash =
      hash_number(plot->variables.size(), static_cast<std::uint64_t>(plot->dimension));
  for (std::size_t l = 0; l < plot->levels.size(); ++l)
    for (const std::size_t r : sorted_records(plot->levels[l])) {
      const auto values = read_record(files, *plot, l, r);
      if (!values) return std::unexpected(values.error());
      const Box<3>& box = plot->levels[l].records[r].box;
      hash = hash_number(l, hash);
      hash = hash_bytes(std::as_bytes(std::span(box.lo.at)), hash);
      hash = hash_bytes(std::as_bytes(std::span(box.hi.at)), hash);
      hash = hash_bytes(std::as_bytes(std::span(*values)), hash);
    }
  return hash;
}

Result<std::optional<std::string>> diff_plotfiles(const FileSystem& files, const std::string& a,
                                                  const std::string& b) {
  return compare_plotfiles(files, a, b,
                           " (blocks are compared one by one, and these are others); compare what "
                           "'line' or 'profile' print of both",
                           compare_values);
}

Result<DifferenceNorms> norms_of_difference(const FileSystem& files, const std::string& a,
                                            const std::string& b) {
  DifferenceNorms norms;
  std::vector<double> n_cells;  // of each row
  const auto add = [&](const Plotfile& plot, std::size_t level, const Box<3>& box,
                       const std::vector<double>& of_a,
                       const std::vector<double>& of_b) -> std::optional<std::string> {
    const std::size_t n = plot.variables.size();
    for (std::size_t v = 0; norms.rows.size() < (level + 1) * n; ++v) {
      norms.rows.push_back({.level = level, .variable = plot.variables[v % n]});
      n_cells.push_back(0);
    }
    const auto cells = static_cast<std::size_t>(box.n_cells());
    for (std::size_t v = 0; v < n; ++v) {
      auto& row = norms.rows[level * n + v];
      n_cells[level * n + v] += static_cast<double>(cells);
      for (std::size_t i = v * cells; i < (v + 1) * cells; ++i) {
        const double d = is_same(of_a[i], of_b[i]) ? 0.0 : std::abs(of_a[i] - of_b[i]);
        row.largest = std::isnan(d) ? d : std::max(row.largest, d);
        row.mean += d;
        if (std::isfinite(of_a[i])) row.scale = std::max(row.scale, std::abs(of_a[i]));
      }
    }
    return std::nullopt;
  };
  auto found = compare_plotfiles(files, a, b,
                                 " (norms need the same blocks in both); compare runs on one level "
                                 "(mesh.max_level=0), or what 'line' or 'profile' print of both",
                                 add);
  if (!found) return std::unexpected(found.error());
  norms.other_mesh = std::move(*found);
  for (std::size_t r = 0; r < norms.rows.size(); ++r) norms.rows[r].mean /= n_cells[r];
  return norms;
}

}  // namespace thalweg::io

// SPDX-License-Identifier: MIT
#include <thalweg/io/plotfile_profile.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/box.hpp>
#include <thalweg/core/cell_number.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>

namespace thalweg::io {

namespace {

/// The cells of a level that finer ones of the next level lie over.
Box<3> coarsened(const Plotfile& plot, std::size_t level, const Box<3>& finer) {
  Index<3> ratio = Index<3>::filled(1);  // axes that there are not have one layer on each level
  for (int a = 0; a < plot.dimension; ++a) ratio[a] = plot.ratios[level];
  return finer.coarsened(ratio);
}

/// Where a place is in the numbering of a level's cells, in the domain; the nearest cell of one
/// outside.
int cell_at(const Plotfile& plot, const PlotfileLevel& level, int axis, double place) {
  const double width = plot.levels.front().cell_size[axis];
  const double number =
      cell_number((place - plot.lower[axis]) / width, std::round(width / level.cell_size[axis]));
  const double last = level.domain.extent(axis) - 1;
  return level.domain.lo[axis] + static_cast<int>(std::min(std::max(0.0, number), last));
}

double centre_of(const Plotfile& plot, const PlotfileLevel& level, int axis, int cell) {
  return plot.lower[axis] + (cell - level.domain.lo[axis] + 0.5) * level.cell_size[axis];
}

std::vector<double> values_at(const View<const double, 3>& cells, const Index<3>& i,
                              std::span<const std::size_t> variables) {
  std::vector<double> values;
  for (const std::size_t v : variables) values.push_back(cells[static_cast<int>(v), i]);
  return values;
}

View<const double, 3> view_of(const Plotfile& plot, const Box<3>& box,
                              const std::vector<double>& values) {
  return {values.data(), box, static_cast<int>(plot.variables.size())};
}

/// Says where a line misses the domain, if it does.
std::optional<std::string> miss(const Plotfile& plot, int axis, const Vec<3>& at) {
  for (int a = 0; a < plot.dimension; ++a)
    if (a != axis && !(at[a] >= plot.lower[a] && at[a] <= plot.upper[a]))
      return fmt::format(
          "the line at {} = {:g} (the domain of '{}' has {} from {:g} to {:g}); choose one "
          "inside",
          axis_name(a), at[a], plot.path, axis_name(a), plot.lower[a], plot.upper[a]);
  return std::nullopt;
}

/// Finds which cells of a level are covered by boxes of the next finer one.
class Cover {
 public:
  Cover(const Plotfile& plot, std::size_t level) {
    if (level + 1 == plot.levels.size()) return;
    for (const auto& record : plot.levels[level + 1].records)
      boxes_.push_back(coarsened(plot, level, record.box));
    std::ranges::sort(boxes_, {}, [](const Box<3>& box) { return box.lo.at; });
    for (const Box<3>& box : boxes_) widest_ = std::max(widest_, box.extent(0));
  }

  /// One number a cell of a box, x fastest: whether finer cells lie over it.
  std::vector<std::uint8_t> of(const Box<3>& box) const {
    std::vector<std::uint8_t> is_covered(View<std::uint8_t, 3>::size_of(box, 1), 0);
    const View<std::uint8_t, 3> marks(is_covered.data(), box, 1);
    const auto x = [](const Box<3>& finer) { return finer.lo[0]; };
    const auto begin = std::ranges::lower_bound(boxes_, box.lo[0] - widest_, {}, x);
    const auto end = std::ranges::lower_bound(boxes_, box.hi[0], {}, x);
    for (auto finer = begin; finer != end; ++finer)
      for_each(intersect(*finer, box), [&](const Index<3>& i) { marks[0, i] = 1; });
    return is_covered;
  }

 private:
  std::vector<Box<3>> boxes_;  ///< by their lower ends, x first
  int widest_ = 0;             ///< along x
};

}  // namespace

Result<std::vector<std::size_t>> variables_of(const Plotfile& plot,
                                              std::span<const std::string> names) {
  std::vector<std::size_t> variables;
  for (std::size_t v = 0; names.empty() && v < plot.variables.size(); ++v) variables.push_back(v);
  for (const std::string& name : names) {
    const auto found = std::ranges::find(plot.variables, name);
    if (found == plot.variables.end())
      return std::unexpected(Failure{fmt::format("no variable '{}' in '{}' (there are {})", name,
                                                 plot.path, joined_text(plot.variables))});
    const auto v = static_cast<std::size_t>(found - plot.variables.begin());
    if (std::ranges::find(variables, v) != variables.end())
      return std::unexpected(
          Failure{fmt::format("the variable '{}' is named twice (readers ask for columns by name); "
                              "name it once",
                              name)});
    variables.push_back(v);
  }
  return variables;
}

Result<std::vector<LineCell>> cells_on_line(const FileSystem& files, const Plotfile& plot, int axis,
                                            const Vec<3>& at,
                                            std::span<const std::size_t> variables) {
  THALWEG_EXPECT(axis >= 0 && axis < plot.dimension, "an axis that the plotfile has");
  if (const auto missed = miss(plot, axis, at)) return std::unexpected(Failure{*missed});
  std::vector<LineCell> all;
  for (std::size_t l = 0; l < plot.levels.size(); ++l) {
    const PlotfileLevel& level = plot.levels[l];
    Index<3> first;  // where the line enters a box, but for its axis
    for (int a = 0; a < plot.dimension; ++a) first[a] = cell_at(plot, level, a, at[a]);
    const Cover cover(plot, l);
    for (std::size_t r = 0; r < level.records.size(); ++r) {
      const Box<3>& box = level.records[r].box;
      Box<3> cut{first, first + Index<3>::filled(1)};
      cut.lo[axis] = box.lo[axis];
      cut.hi[axis] = box.hi[axis];
      if (!box.contains(cut)) continue;
      const auto values = read_record(files, plot, l, r);
      if (!values) return std::unexpected(values.error());
      const auto is_covered = cover.of(cut);
      for_each(cut, [&](const Index<3>& i) {
        if (is_covered[static_cast<std::size_t>(i[axis] - cut.lo[axis])] != 0) return;
        all.push_back({centre_of(plot, level, axis, i[axis]), level.cell_size[axis], l,
                       values_at(view_of(plot, box, *values), i, variables)});
      });
    }
  }
  if (all.empty())
    return std::unexpected(Failure{fmt::format(
        "a line on which '{}' has no cells (its boxes leave that part of the domain out); choose "
        "another place",
        plot.path)});
  std::ranges::sort(all, {}, &LineCell::place);
  return all;
}

Result<std::vector<Shell>> shells_around(const FileSystem& files, const Plotfile& plot,
                                         const Vec<3>& centre, int n_shells,
                                         std::span<const std::size_t> variables) {
  THALWEG_EXPECT(n_shells > 0, "there are shells");
  double farthest = 0;  // squared, then not
  for (int a = 0; a < plot.dimension; ++a) {
    const double x =
        std::max(std::abs(plot.lower[a] - centre[a]), std::abs(plot.upper[a] - centre[a]));
    farthest += x * x;
  }
  farthest = std::sqrt(farthest);
  if (!std::isfinite(farthest))
    return std::unexpected(Failure{fmt::format(
        "the centre {} (distances from there to '{}' are too large for numbers); "
        "choose a nearer one",
        joined_text(std::span(centre.at).first(std::size_t(plot.dimension)), ","), plot.path)});
  std::vector<Shell> shells(static_cast<std::size_t>(n_shells));
  for (std::size_t s = 0; s < shells.size(); ++s)
    shells[s] = {.radius = (static_cast<double>(s) + 0.5) * farthest / n_shells,
                 .means = std::vector<double>(variables.size())};
  for (std::size_t l = 0; l < plot.levels.size(); ++l) {
    const PlotfileLevel& level = plot.levels[l];
    const Cover cover(plot, l);
    double volume = 1;
    for (int a = 0; a < plot.dimension; ++a) volume *= level.cell_size[a];
    for (std::size_t r = 0; r < level.records.size(); ++r) {
      const Box<3>& box = level.records[r].box;
      const auto values = read_record(files, plot, l, r);
      if (!values) return std::unexpected(values.error());
      const auto cells = view_of(plot, box, *values);
      for_each(box, [&, is_covered = cover.of(box)](const Index<3>& i) {
        if (is_covered[static_cast<std::size_t>(cells.offset(i))] != 0) return;
        double distance = 0;
        for (int a = 0; a < plot.dimension; ++a) {
          const double x = centre_of(plot, level, a, i[a]) - centre[a];
          distance += x * x;
        }
        const auto s = static_cast<std::size_t>(std::sqrt(distance) / farthest * n_shells);
        Shell& shell = shells[std::min(s, shells.size() - 1)];
        shell.volume += volume;
        ++shell.n_cells;
        for (std::size_t v = 0; v < variables.size(); ++v)
          shell.means[v] += volume * cells[static_cast<int>(variables[v]), i];
      });
    }
  }
  std::erase_if(shells, [](const Shell& shell) { return shell.n_cells == 0; });
  for (Shell& shell : shells)
    for (double& mean : shell.means) mean /= shell.volume;
  return shells;
}

}  // namespace thalweg::io

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thalweg/core/contract.hpp>
#include <thalweg/io/plotfile.hpp>
#include <utility>

#include "fab.hpp"

namespace thalweg::io {

namespace {

void check_names(const std::vector<std::string>& variables) {
  if (variables.empty()) throw Error("the plot has no variables; name at least one");
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (const std::string& name : variables) {
    if (name.empty() || !std::ranges::all_of(name, is_allowed))
      throw Error(
          fmt::format("plot variable '{}' has a character outside [A-Za-z0-9_] "
                      "(common readers crash on it); rename it",
                      name));
    if (std::ranges::count(variables, name) > 1)
      throw Error(fmt::format("plot variable '{}' is named twice", name));
  }
}

/// How many times finer a level is than the next coarser one.
template <int D>
int ratio_above(const PlotDescription<D>& plot, std::size_t level) {
  return plot.levels[level].domain.extent(0) / plot.levels[level - 1].domain.extent(0);
}

template <int D>
void check(const PlotDescription<D>& plot) {
  check_names(plot.variables);
  if (plot.levels.empty()) throw Error("the plot has no levels; describe at least level 0");
  for (std::size_t l = 0; l < plot.levels.size(); ++l) {
    const PlotLevel<D>& level = plot.levels[l];
    if (level.boxes.empty())
      throw Error(
          fmt::format("level {} of the plot has no boxes (readers need some); leave it out", l));
    if (l > 0 && level.domain != plot.levels[l - 1].domain.refined(ratio_above(plot, l)))
      throw Error(fmt::format(
          "the domain {} of level {} is not that of level {} refined (readers want one ratio for "
          "all axes)",
          detail::box_text(detail::padded(level.domain), D), l, l - 1));
    for (const Box<D>& box : level.boxes)
      if (box.is_empty() || !level.domain.contains(box))
        throw Error(fmt::format("box {} of level {} is empty or outside the domain {}",
                                detail::box_text(detail::padded(box), D), l,
                                detail::box_text(detail::padded(level.domain), D)));
  }
}

/// Which data file holds a box: as many successive boxes in each as may be.
std::size_t file_of(std::size_t box, std::size_t n_boxes, std::size_t n_files) {
  return box * std::min(n_files, n_boxes) / n_boxes;
}

template <class T, int D>
std::string blank_separated(const BasicVec<T, D>& v) {
  std::string text;
  for (int a = 0; a < D; ++a) text += fmt::format("{}{:.17g}", a == 0 ? "" : " ", v[a]);
  return text;
}

}  // namespace

template <int D>
PlotfileWriter<D>::PlotfileWriter(std::string path, PlotDescription<D> description, int n_files)
    : path_(std::move(path)),
      description_(std::move(description)),
      n_files_(static_cast<std::size_t>(n_files)) {
  if (n_files < 1)
    throw Error(fmt::format("n_files = {} (a level needs a data file); try 1", n_files));
  check(description_);
  const int n_components = static_cast<int>(description_.variables.size());
  for (const PlotLevel<D>& level : description_.levels) {
    std::vector<std::uint64_t>& offsets = offsets_.emplace_back();
    const std::size_t n_boxes = level.boxes.size();
    std::uint64_t offset = 0;
    for (std::size_t b = 0; b < n_boxes; ++b) {
      if (b > 0 && file_of(b, n_boxes, n_files_) != file_of(b - 1, n_boxes, n_files_)) offset = 0;
      offsets.push_back(offset);
      const Box<D>& box = level.boxes[b];
      offset += detail::fab_header(detail::padded(box), D, n_components).size() +
                View<double, D>::size_of(box, n_components) * sizeof(double);
    }
  }
}

template <int D>
std::string PlotfileWriter<D>::data_file(std::size_t box, std::size_t n_boxes) const {
  return fmt::format("Cell_D_{:05}", file_of(box, n_boxes, n_files_));
}

template <int D>
Result<void> PlotfileWriter<D>::prepare(FileSystem& files) const {
  // The old Header goes first: from then on nobody takes what is there for a whole plotfile.
  if (const auto done = files.remove(path_ + "/Header"); !done) return done;
  if (const auto done = files.remove(path_); !done) return done;
  for (std::size_t l = 0; l < description_.levels.size(); ++l)
    if (const auto done = files.make_directory(fmt::format("{}/Level_{}", path_, l)); !done)
      return done;
  return {};
}

template <int D>
Result<std::vector<Extremes>> PlotfileWriter<D>::write_box(
    FileSystem& files, int level, std::size_t box, const View<const double, D>& cells) const {
  const auto l = static_cast<std::size_t>(level);
  THALWEG_EXPECT(l < offsets_.size() && box < offsets_[l].size(), "no such box in the plot");
  const Box<D>& region = description_.levels[l].boxes[box];
  const int n_components = static_cast<int>(description_.variables.size());
  THALWEG_EXPECT(cells.n_components() == n_components, "one component a variable");
  THALWEG_EXPECT(cells.box().contains(region), "the view must hold the box");

  const std::string text = detail::fab_header(detail::padded(region), D, n_components);
  std::vector<std::byte> record(text.size() +
                                View<double, D>::size_of(region, n_components) * sizeof(double));
  std::memcpy(record.data(), text.data(), text.size());
  std::byte* to = record.data() + text.size();
  std::vector<Extremes> extremes;
  for (int c = 0; c < n_components; ++c) {
    const double first = cells[c, region.lo];
    Extremes range{first, first};
    for_each_row(region, [&](const Index<D>& i, int n) {
      const double* row = cells.at(c, i);
      for (int k = 0; k < n; ++k) {
        range.min = std::min(range.min, row[k]);
        range.max = std::max(range.max, row[k]);
      }
      std::memcpy(to, row, static_cast<std::size_t>(n) * sizeof(double));
      to += static_cast<std::size_t>(n) * sizeof(double);
    });
    extremes.push_back(range);
  }
  const std::string file =
      fmt::format("{}/Level_{}/{}", path_, level, data_file(box, offsets_[l].size()));
  if (const auto done = files.write(file, offsets_[l][box], record); !done)
    return std::unexpected(done.error());
  return extremes;
}

template <int D>
std::string PlotfileWriter<D>::cell_header(std::size_t level,
                                           const std::vector<Extremes>& extremes) const {
  const std::vector<Box<D>>& boxes = description_.levels[level].boxes;
  const std::size_t n_components = description_.variables.size();
  // Version 1 has extremes; "how" 1 is several boxes a file; no ghost cells, ever.
  std::string text = fmt::format("1\n1\n{}\n0\n({} 0\n", n_components, boxes.size());
  for (const Box<D>& box : boxes) text += detail::box_text(detail::padded(box), D) + "\n";
  text += fmt::format(")\n{}\n", boxes.size());
  for (std::size_t b = 0; b < boxes.size(); ++b)
    text += fmt::format("FabOnDisk: {} {}\n", data_file(b, boxes.size()), offsets_[level][b]);
  for (double Extremes::* end : {&Extremes::min, &Extremes::max}) {
    text += fmt::format("\n{},{}\n", boxes.size(), n_components);
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      for (std::size_t c = 0; c < n_components; ++c)
        text += fmt::format("{:.17e},", extremes[b * n_components + c].*end);
      text += "\n";
    }
  }
  return text;
}

template <int D>
std::string PlotfileWriter<D>::header() const {
  const PlotDescription<D>& plot = description_;
  const std::size_t n_levels = plot.levels.size();
  std::string text = fmt::format("HyperCLaw-V1.1\n{}\n", plot.variables.size());
  for (const std::string& name : plot.variables) text += name + "\n";
  text += fmt::format("{}\n{:.17g}\n{}\n", D, plot.time, n_levels - 1);
  text += blank_separated(plot.lower) + "\n" + blank_separated(plot.upper) + "\n";
  for (std::size_t l = 1; l < n_levels; ++l)
    text += fmt::format("{}{}", l > 1 ? " " : "", ratio_above(plot, l));
  text += "\n";
  for (std::size_t l = 0; l < n_levels; ++l)
    text += fmt::format("{}{}", l > 0 ? " " : "",
                        detail::box_text(detail::padded(plot.levels[l].domain), D));
  text += "\n";
  for (std::size_t l = 0; l < n_levels; ++l)
    text += fmt::format("{}{}", l > 0 ? " " : "", plot.step);
  text += "\n";
  for (const PlotLevel<D>& level : plot.levels) text += blank_separated(level.cell_size) + "\n";
  text += "0\n0\n";  // Cartesian; no boundary width
  for (std::size_t l = 0; l < n_levels; ++l) {
    const PlotLevel<D>& level = plot.levels[l];
    text += fmt::format("{} {} {:.17g}\n{}\n", l, level.boxes.size(), plot.time, plot.step);
    for (const Box<D>& box : level.boxes)
      for (int a = 0; a < D; ++a) {
        const auto edge = [&](int i) {
          return plot.lower[a] + level.cell_size[a] * (i - level.domain.lo[a]);
        };
        text += fmt::format("{:.17g} {:.17g}\n", edge(box.lo[a]), edge(box.hi[a]));
      }
    text += fmt::format("Level_{}/Cell\n", l);
  }
  return text;
}

template <int D>
Result<void> PlotfileWriter<D>::finish(FileSystem& files,
                                       const std::vector<std::vector<Extremes>>& extremes) const {
  THALWEG_EXPECT(extremes.size() == description_.levels.size(), "extremes of every level");
  for (std::size_t l = 0; l < extremes.size(); ++l) {
    THALWEG_EXPECT(extremes[l].size() == offsets_[l].size() * description_.variables.size(),
                   "extremes of every box and variable");
    const std::string path = fmt::format("{}/Level_{}/Cell_H", path_, l);
    if (const auto done = write_text(files, path, cell_header(l, extremes[l])); !done) return done;
  }
  return write_text(files, path_ + "/Header", header());
}

template class PlotfileWriter<1>;
template class PlotfileWriter<2>;
template class PlotfileWriter<3>;

}  // namespace thalweg::io

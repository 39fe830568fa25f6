// SPDX-License-Identifier: MIT
#include <thalweg/io/plotfile.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>

#include "fab.hpp"
#include "step_number.hpp"

namespace thalweg::io {

namespace {

constexpr std::string_view deck_file = "deck.toml";
constexpr std::string_view field_file = "field.csv";

void check_names(const std::vector<std::string>& variables) {
  if (variables.empty()) throw Error("the plot has no variables; name at least one");
  for (const std::string& name : variables) {
    if (!is_variable_name(name))
      throw Error(
          fmt::format("plot variable '{}' has a character outside [A-Za-z0-9_] "
                      "(common readers crash on it); rename it",
                      name));
    if (std::ranges::count(variables, name) > 1)
      throw Error(
          fmt::format("plot variable '{}' is named twice (readers ask for variables by name); name "
                      "it once in output.derived, by itself or by its group, and give derived "
                      "fields other names than components have",
                      name));
  }
}

/// How many times finer a level is than the next coarser one.
template <int D>
int ratio_above(const PlotDescription<D>& plot, std::size_t level) {
  return plot.levels[level].domain.extent(0) / plot.levels[level - 1].domain.extent(0);
}

/// Steps that a level has made, or would have if it had been there from the start; of more, the
/// largest number that readers take, who keep it in an int.
template <int D>
std::int64_t steps_of(const PlotDescription<D>& plot, std::size_t level) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  std::int64_t steps = std::min(plot.step, most);
  for (std::size_t l = 1; plot.is_subcycled && l <= level; ++l)
    steps = std::min(steps * ratio_above(plot, l), most);
  return steps;
}

template <int D>
void check(const PlotDescription<D>& plot) {
  check_names(plot.variables);
  if (plot.levels.empty()) throw Error("the plot has no levels; describe at least level 0");
  for (std::size_t l = 0; l < plot.levels.size(); ++l) {
    const PlotLevel<D>& level = plot.levels[l];
    THALWEG_EXPECT(level.first_box + level.boxes.size() <= level.n_boxes,
                   "a writer's boxes are among those of all");
    if (level.n_boxes == 0)
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
std::uint64_t file_of(std::uint64_t box, std::uint64_t n_boxes, std::uint64_t n_files) {
  return box * std::min(n_files, n_boxes) / n_boxes;
}

/// Call record(offset) for each box of a writer, and tell how far they fill their last file.
/// @param first_offset  where the file stands that the first box may go on
template <int D, class Record>
DataFill place_records(const PlotLevel<D>& level, std::uint64_t first_offset,
                       const RecordFormat& format, std::uint64_t n_files, Record&& record) {
  const auto file = [&](std::uint64_t b) { return file_of(b, level.n_boxes, n_files); };
  DataFill fill{0, first_offset};
  for (std::uint64_t b = level.first_box; const Box<D>& box : level.boxes) {
    if (b == 0 || file(b) != file(b - 1)) fill = {fill.n_begun + 1, 0};
    record(fill.n_bytes);
    const Box<3> all = detail::padded(box);
    fill.n_bytes += detail::fab_header(all, D, format).size() + detail::fab_bytes(all, format);
    ++b;
  }
  return fill;
}

/// The name of the data file of a writer's box.
template <int D>
std::string data_file(const PlotLevel<D>& level, std::size_t box, std::uint64_t n_files) {
  return fmt::format("Cell_D_{:05}", file_of(level.first_box + box, level.n_boxes, n_files));
}

template <class T, int D>
std::string blank_separated(const BasicVec<T, D>& v) {
  std::string text;
  for (int a = 0; a < D; ++a) text += fmt::format("{}{:.17g}", a == 0 ? "" : " ", v[a]);
  return text;
}

/// A number as a file holds it. As a float it is 0 where it would be subnormal, which some threads
/// do not have.
template <class Number>
Number as_written(double x) {
  return std::abs(x) < double{std::numeric_limits<Number>::min()} && sizeof(Number) < sizeof x
             ? Number{0}
             : static_cast<Number>(x);
}

/// Put the cells of a region behind each other, and find the extrema of each component.
template <class Number, int D>
std::vector<Extrema> put_cells(const Box<D>& region, const View<const double, D>& cells,
                               std::byte* to) {
  std::vector<Extrema> extrema;
  for (int c = 0; c < cells.n_components(); ++c) {
    // What is no number is passed over, wherever it is: readers in C++ cannot read one in a table.
    Extrema range{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    for_each_row(region, [&](const Index<D>& i, int n) {
      const double* row = cells.at(c, i);
      for (int k = 0; k < n; ++k) {
        const Number x = as_written<Number>(row[k]);
        std::memcpy(to, &x, sizeof x);
        to += sizeof x;
        if (!std::isfinite(x)) continue;
        range.min = std::min(range.min, double{x});
        range.max = std::max(range.max, double{x});
      }
    });
    extrema.push_back(range);
  }
  return extrema;
}

}  // namespace

bool is_part_of_plotfile(const FileSystem& files, const std::string& path) {
  const auto there = files.status(path);
  if (there && !there->has_value()) return true;
  const auto names = files.list(path);
  return names && std::ranges::all_of(*names, [](const std::string& name) {
           return name == "Header" || name.starts_with("Level_") || name == deck_file ||
                  is_temporary_name(name, deck_file) || name == field_file ||
                  is_temporary_name(name, field_file);
         });
}

bool is_variable_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::ranges::all_of(name, is_allowed);
}

bool is_plotfile_name(std::string_view name) {
  constexpr std::string_view prefix = "plt";
  return name.starts_with(prefix) && detail::is_step_number(name.substr(prefix.size()));
}

bool is_slice_name(std::string_view name) {
  constexpr std::string_view prefix = "slice_";
  const std::size_t end = name.rfind('_');
  if (!name.starts_with(prefix) || end == std::string_view::npos || end <= prefix.size())
    return false;
  const std::string_view plane = name.substr(prefix.size(), end - prefix.size());
  return plane[0] >= 'x' && plane[0] <= 'z' && detail::is_number(plane.substr(1)) &&
         detail::is_step_number(name.substr(end + 1));
}

template <int D>
DataFill data_fill(const PlotLevel<D>& level, const RecordFormat& format, int n_files) {
  return place_records(level, 0, format, static_cast<std::uint64_t>(n_files), [](std::uint64_t) {});
}

template <int D>
PlotfileWriter<D>::PlotfileWriter(std::string path, PlotDescription<D> description, int n_files)
    : path_(std::move(path)),
      description_(std::move(description)),
      n_files_(static_cast<std::uint64_t>(n_files)) {
  if (n_files < 1)
    throw Error(fmt::format("n_files = {} (a level needs a data file); try 1", n_files));
  check(description_);
  for (const PlotLevel<D>& level : description_.levels) {
    std::vector<std::uint64_t>& offsets = offsets_.emplace_back();
    place_records(level, level.first_offset, description_.format(), n_files_,
                  [&](std::uint64_t offset) { offsets.push_back(offset); });
  }
}

template <int D>
Result<void> PlotfileWriter<D>::prepare(FileSystem& files) const {
  for (const std::string_view suffix : {unfinished_suffix, retired_suffix})
    if (const auto path = path_ + std::string(suffix); !is_part_of_plotfile(files, path))
      return std::unexpected(
          Failure{fmt::format("'{}' is of no plotfile (it has the name of one that is written or "
                              "replaced, and would be lost); move it away",
                              path)});
  if (const auto done = files.remove(folder()); !done) return done;
  for (std::size_t l = 0; l < description_.levels.size(); ++l)
    if (const auto done = files.make_directory(fmt::format("{}/Level_{}", folder(), l)); !done) {
      static_cast<void>(files.remove(folder()));  // the disk may be full
      return done;
    }
  return {};
}

template <int D>
Result<std::vector<Extrema>> PlotfileWriter<D>::write_box(
    WriteBuffer& to, int level, std::size_t box, const View<const double, D>& cells) const {
  const auto l = static_cast<std::size_t>(level);
  THALWEG_EXPECT(l < offsets_.size() && box < offsets_[l].size(), "no such box in the plot");
  const Box<D>& region = description_.levels[l].boxes[box];
  const RecordFormat format = description_.format();
  THALWEG_EXPECT(cells.n_components() == format.n_variables, "one component a variable");
  THALWEG_EXPECT(cells.box().contains(region), "the view must hold the box");

  const Box<3> all = detail::padded(region);
  const std::string text = detail::fab_header(all, D, format);
  const std::string file = fmt::format("{}/Level_{}/{}", folder(), level,
                                       data_file(description_.levels[l], box, n_files_));
  const auto record = to.room(file, offsets_[l][box], text.size() + detail::fab_bytes(all, format));
  if (!record) return std::unexpected(record.error());
  std::memcpy(record->data(), text.data(), text.size());
  std::byte* const numbers = record->data() + text.size();
  return format.numbers == NumberType::float64 ? put_cells<double>(region, cells, numbers)
                                               : put_cells<float>(region, cells, numbers);
}

template <int D>
SharedText PlotfileWriter<D>::table(int level, const std::vector<Extrema>& extrema) const {
  const auto l = static_cast<std::size_t>(level);
  const PlotLevel<D>& of = description_.levels[l];
  const std::size_t n_variables = description_.variables.size();
  THALWEG_EXPECT(extrema.size() == of.boxes.size() * n_variables,
                 "extrema of every box and variable");
  // Version 1 has extrema; "how" 1 is several boxes a file; no ghost cells, ever.
  SharedSection boxes{fmt::format("1\n1\n{}\n0\n({} 0\n", n_variables, of.n_boxes), ""};
  for (const Box<D>& box : of.boxes) boxes.lines += detail::box_text(detail::padded(box), D) + "\n";
  SharedSection records{fmt::format(")\n{}\n", of.n_boxes), ""};
  for (std::size_t b = 0; b < of.boxes.size(); ++b)
    records.lines += fmt::format("FabOnDisk: {} {}\n", data_file(of, b, n_files_), offsets_[l][b]);
  SharedText text{std::move(boxes), std::move(records)};
  for (double Extrema::* end : {&Extrema::min, &Extrema::max}) {
    SharedSection& ends = text.emplace_back(fmt::format("\n{},{}\n", of.n_boxes, n_variables), "");
    for (std::size_t i = 0; i < extrema.size(); ++i)
      ends.lines +=
          fmt::format("{:.17e},{}", extrema[i].*end, (i + 1) % n_variables == 0 ? "\n" : "");
  }
  return text;
}

template <int D>
SharedText PlotfileWriter<D>::header() const {
  const PlotDescription<D>& plot = description_;
  const std::size_t n_levels = plot.levels.size();
  std::string heading = fmt::format("HyperCLaw-V1.1\n{}\n", plot.variables.size());
  for (const std::string& name : plot.variables) heading += name + "\n";
  heading += fmt::format("{}\n{:.17g}\n{}\n", D, plot.time, n_levels - 1);
  heading += blank_separated(plot.lower) + "\n" + blank_separated(plot.upper) + "\n";
  for (std::size_t l = 1; l < n_levels; ++l)
    heading += fmt::format("{}{}", l > 1 ? " " : "", ratio_above(plot, l));
  heading += "\n";
  for (std::size_t l = 0; l < n_levels; ++l)
    heading += fmt::format("{}{}", l > 0 ? " " : "",
                           detail::box_text(detail::padded(plot.levels[l].domain), D));
  heading += "\n";
  for (std::size_t l = 0; l < n_levels; ++l)
    heading += fmt::format("{}{}", l > 0 ? " " : "", steps_of(plot, l));
  heading += "\n";
  for (const PlotLevel<D>& level : plot.levels) heading += blank_separated(level.cell_size) + "\n";
  heading += "0\n0\n";  // Cartesian; no boundary width
  SharedText text;
  for (std::size_t l = 0; l < n_levels; ++l) {
    const PlotLevel<D>& level = plot.levels[l];
    heading += fmt::format("{} {} {:.17g}\n{}\n", l, level.n_boxes, plot.time, steps_of(plot, l));
    std::string edges;
    for (const Box<D>& box : level.boxes)
      for (int a = 0; a < D; ++a) {
        const auto edge = [&](int i) {
          return plot.lower[a] + level.cell_size[a] * (i - level.domain.lo[a]);
        };
        edges += fmt::format("{:.17g} {:.17g}\n", edge(box.lo[a]), edge(box.hi[a]));
      }
    text.emplace_back(std::move(heading), std::move(edges));
    heading = fmt::format("Level_{}/Cell\n", l);
  }
  text.emplace_back(std::move(heading), "");
  return text;
}

template <int D>
std::string PlotfileWriter<D>::table_file(int level) const {
  return fmt::format("{}/Level_{}/Cell_H", folder(), level);
}

template <int D>
Result<void> PlotfileWriter<D>::sync(FileSystem& files) const {
  for (std::size_t l = 0; l < description_.levels.size(); ++l) {
    const PlotLevel<D>& level = description_.levels[l];
    std::string last;
    for (std::size_t b = 0; b < level.boxes.size(); ++b) {
      const auto file = data_file(level, b, n_files_);
      if (file == std::exchange(last, file)) continue;
      if (const auto done = files.sync(fmt::format("{}/Level_{}/{}", folder(), l, file)); !done)
        return done;
    }
  }
  return {};
}

template <int D>
Result<void> PlotfileWriter<D>::publish(FileSystem& files) const {
  const auto write = [&](std::string_view name, const std::string& text) -> Result<void> {
    if (text.empty()) return {};
    return write_text(files, fmt::format("{}/{}", folder(), name), text);
  };
  if (const auto done = write(deck_file, description_.deck); !done) return done;
  if (const auto done = write(field_file, description_.field); !done) return done;
  for (std::size_t l = 0; l < description_.levels.size(); ++l)
    if (const auto done = files.sync(fmt::format("{}/Level_{}", folder(), l)); !done) return done;
  if (const auto done = files.sync(folder()); !done) return done;
  // One of the same step gives its name away as a whole: no part of it may ever stand there.
  const std::string retired = path_ + std::string(retired_suffix);
  if (const auto done = files.remove(retired); !done) return done;
  const auto before = files.status(path_);
  if (!before) return std::unexpected(before.error());
  if (before->has_value())
    if (const auto done = files.rename(path_, retired); !done) return done;
  if (const auto done = files.rename(folder(), path_); !done) {
    if (before->has_value()) static_cast<void>(files.rename(retired, path_));
    return done;
  }
  // Should the name be lost with the power, no part of a plotfile has it.
  const std::size_t slash = path_.rfind('/');
  const auto synced = files.sync(slash == std::string::npos ? "." : path_.substr(0, slash));
  if (synced) static_cast<void>(files.remove(retired));
  return {};
}

// All of them, whichever dimensions are built: plotfiles of planes have one less.
#define THALWEG_INSTANTIATE(D)                                                   \
  template DataFill data_fill<D>(const PlotLevel<D>&, const RecordFormat&, int); \
  template class PlotfileWriter<D>
THALWEG_INSTANTIATE(1);
THALWEG_INSTANTIATE(2);
THALWEG_INSTANTIATE(3);
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::io

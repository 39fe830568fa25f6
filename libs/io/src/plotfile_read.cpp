// SPDX-License-Identifier: MIT
#include <thalweg/io/plotfile_read.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/print_errors.hpp>

#include "fab.hpp"
#include "plotfile_boxes.hpp"

namespace thalweg::io {

namespace {

constexpr int finest_level = 62;  // as in checkpoints

/// Thrown where a table is not as it should be; does not leave this file.
struct Malformed {
  std::string message;
};

/// Takes a text apart word by word; parentheses and commas separate words as blanks do.
class Words {
 public:
  Words(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

  [[noreturn]] void expected(std::string_view what, std::string_view found) const {
    throw Malformed{fmt::format("'{}' line {}: '{}' found where {} should be", path_, begun_,
                                printable(found, 60), what)};
  }

  std::string word(std::string_view what) {
    while (position_ < text_.size() && is_separator(text_[position_])) skip();
    begun_ = line_;
    const std::size_t start = position_;
    while (position_ < text_.size() && !is_separator(text_[position_])) ++position_;
    if (start == position_) expected(what, "the end of the file");
    return text_.substr(start, position_ - start);
  }
  std::string line() {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string rest = text_.substr(position_, end - position_);
    position_ = std::min(end + 1, text_.size());
    begun_ = line_++;
    return rest;
  }
  /// What is a name for people or of a file: no terminal should get anything else.
  std::string name(std::string_view what, std::string found) const {
    if (!std::ranges::all_of(found, [](char c) { return c >= 0x20 && c < 0x7f; }))
      expected(what, found);
    return found;
  }
  std::int64_t integer(std::string_view what, std::int64_t lowest, std::int64_t highest) {
    const std::string w = word(what);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (error != std::errc{} || end != w.data() + w.size() || value < lowest || value > highest)
      expected(fmt::format("{} in [{}, {}]", what, lowest, highest), w);
    return value;
  }
  double real(std::string_view what) {
    const std::string w = word(what);
    double value = 0;  // from_chars knows nan and inf, and no locale
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (error != std::errc{} || end != w.data() + w.size()) expected(what, w);
    return value;
  }
  /// A number of things that each take at least a byte of this file.
  std::size_t count(std::string_view what, std::int64_t lowest) {
    return static_cast<std::size_t>(integer(what, lowest, static_cast<std::int64_t>(text_.size())));
  }
  Box<3> box(int dimension) {
    Box<3> box{{}, {{1, 1, 1}}};
    constexpr std::int64_t limit = std::int64_t{1} << 29;  // so that an extent is an int
    for (int a = 0; a < dimension; ++a)
      box.lo[a] = static_cast<int>(integer("a lower bound", -limit, limit));
    for (int a = 0; a < dimension; ++a)
      box.hi[a] = static_cast<int>(integer("an upper bound", box.lo[a], limit)) + 1;
    for (int a = 0; a < dimension; ++a) integer("a cell-centred type", 0, 0);
    return box;
  }

 private:
  static bool is_separator(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '(' || c == ')' || c == ',';
  }
  void skip() {
    if (text_[position_] == '\n') ++line_;
    ++position_;
  }

  std::string path_;
  std::string text_;
  std::size_t position_ = 0;
  int line_ = 1;
  int begun_ = 1;  // the line of what was read last
};

Words open(const FileSystem& files, const std::string& path) {
  auto text = read_text(files, path);
  if (!text) throw Malformed{text.error().message};
  return {path, std::move(*text)};
}

Vec<3> read_vec(Words& words, int dimension, std::string_view what) {
  Vec<3> v{};
  for (int a = 0; a < dimension; ++a) v[a] = words.real(what);
  return v;
}

/// What Header says of the boxes of a level.
struct ListedBoxes {
  std::vector<double> edges;  ///< [2 * (box * dimension + axis)], lower and upper one [length]
  std::string path;           ///< of their tables, in the plotfile
};

ListedBoxes read_listed_boxes(Words& words, std::size_t level, int dimension) {
  ListedBoxes listed;
  const auto number = static_cast<std::int64_t>(level);
  words.integer("the level", number, number);
  const std::size_t n_boxes = words.count("the number of boxes", 1);
  words.real("the time");
  words.integer("the step", 0, INT64_MAX);
  for (std::size_t i = 0; i < 2 * n_boxes * static_cast<std::size_t>(dimension); ++i)
    listed.edges.push_back(words.real("an edge of a box"));
  listed.path = words.name("the path of the level", words.word("the path of the level"));
  return listed;
}

// Read the corners of the domain.
void read_corners(Words& words, Plotfile& plot) {
  plot.lower = read_vec(words, plot.dimension, "the lower corner");
  plot.upper = read_vec(words, plot.dimension, "the upper corner");
  for (int a = 0; a < plot.dimension; ++a)
    if (const double width = plot.upper[a] - plot.lower[a]; !std::isfinite(width) || width <= 0)
      words.expected(fmt::format("an upper corner above the lower one, {}", plot.lower[a]),
                     fmt::format("{}", plot.upper[a]));
}

// Read the domains of all levels in cells, each so many times as fine as the one before.
void read_domains(Words& words, Plotfile& plot) {
  for (std::size_t l = 0; l < plot.levels.size(); ++l) {
    Box<3>& domain = plot.levels[l].domain;
    domain = words.box(plot.dimension);
    for (int a = 0; l > 0 && a < plot.dimension; ++a) {
      const Box<3>& coarser = plot.levels[l - 1].domain;
      const std::int64_t ratio = plot.ratios[l - 1];
      if (domain.lo[a] != ratio * coarser.lo[a] || domain.hi[a] != ratio * coarser.hi[a])
        words.expected(fmt::format("a domain {} times as fine as that of level {}", ratio, l - 1),
                       detail::box_text(domain, plot.dimension));
    }
  }
}

void read_cell_sizes(Words& words, Plotfile& plot) {
  for (PlotfileLevel& level : plot.levels) {
    level.cell_size = read_vec(words, plot.dimension, "a cell size");
    for (int a = 0; a < plot.dimension; ++a) {
      const double width = plot.upper[a] - plot.lower[a], n = level.domain.extent(a);
      if (!(std::abs(n * level.cell_size[a] - width) <= 1e-6 * width))
        words.expected(fmt::format("a cell size of which {} make {}", n, width),
                       fmt::format("{}", level.cell_size[a]));
    }
  }
}

Plotfile read_header(Words& words, std::vector<ListedBoxes>& listed) {
  Plotfile plot;
  if (const std::string magic = words.line(); magic != "HyperCLaw-V1.1")
    words.expected("HyperCLaw-V1.1", magic);
  const std::size_t n_variables = words.count("the number of variables", 1);
  words.line();
  for (std::size_t i = 0; i < n_variables; ++i)
    plot.variables.push_back(words.name("the name of a variable", words.line()));
  plot.dimension = static_cast<int>(words.integer("the dimension", 1, 3));
  plot.time = words.real("the time");
  const auto n_levels =
      static_cast<std::size_t>(words.integer("the finest level", 0, finest_level)) + 1;
  read_corners(words, plot);
  for (std::size_t l = 1; l < n_levels; ++l)
    plot.ratios.push_back(static_cast<int>(words.integer("a ratio", 1, 1 << 20)));
  plot.levels.resize(n_levels);
  read_domains(words, plot);
  plot.step = words.integer("a step", 0, INT64_MAX);
  for (std::size_t l = 1; l < n_levels; ++l) words.integer("a step", 0, INT64_MAX);
  read_cell_sizes(words, plot);
  words.integer("Cartesian coordinates", 0, 0);
  words.integer("no boundary width", 0, 0);
  for (std::size_t l = 0; l < n_levels; ++l)
    listed.push_back(read_listed_boxes(words, l, plot.dimension));
  return plot;
}

void read_extrema(Words& words, std::vector<PlotRecord>& records, std::size_t n_variables,
                  double Extrema::* end) {
  words.integer("the number of boxes", static_cast<std::int64_t>(records.size()),
                static_cast<std::int64_t>(records.size()));
  words.integer("the number of variables", static_cast<std::int64_t>(n_variables),
                static_cast<std::int64_t>(n_variables));
  for (PlotRecord& record : records) {
    record.extrema.resize(n_variables);
    for (Extrema& range : record.extrema) range.*end = words.real("an extreme value");
  }
}

std::vector<PlotRecord> read_records(Words& words, const Plotfile& plot, const Box<3>& domain,
                                     const std::string& directory) {
  const auto n_variables = static_cast<std::int64_t>(plot.variables.size());
  words.integer("version 1", 1, 1);
  words.integer("the way of writing", 0, 1);
  words.integer("the number of variables", n_variables, n_variables);
  words.integer("no ghost cells", 0, 0);
  const std::size_t n_boxes = words.count("the number of boxes", 1);
  words.word("0");
  std::vector<PlotRecord> records(n_boxes);
  for (PlotRecord& record : records) {
    record.box = words.box(plot.dimension);
    if (!domain.contains(record.box))
      words.expected("a box in the domain of the level",
                     detail::box_text(record.box, plot.dimension));
  }
  words.integer("the number of records", static_cast<std::int64_t>(n_boxes),
                static_cast<std::int64_t>(n_boxes));
  for (PlotRecord& record : records) {
    if (const std::string w = words.word("FabOnDisk:"); w != "FabOnDisk:")
      words.expected("FabOnDisk:", w);
    record.file = directory + words.name("a file", words.word("a file"));
    record.offset = static_cast<std::uint64_t>(words.integer("an offset", 0, INT64_MAX));
  }
  read_extrema(words, records, plot.variables.size(), &Extrema::min);
  read_extrema(words, records, plot.variables.size(), &Extrema::max);
  return records;
}

[[noreturn]] void damaged(const std::string& table, const std::string& problem) {
  throw Malformed{fmt::format(
      "'{}': {}; the plotfile is damaged: copy it anew, or let its program write it again", table,
      problem)};
}

/// Compare the boxes of a level with those that Header lists. Edges are those from that of the
/// first box on: whether the domain begins at cell 0 or not, programs say otherwise.
void compare_with_header(const Plotfile& plot, const PlotfileLevel& level,
                         const ListedBoxes& listed, const std::string& table) {
  const auto d = static_cast<std::size_t>(plot.dimension);
  if (listed.edges.size() != 2 * d * level.records.size())
    damaged(table, fmt::format("it has {} boxes where Header lists {}", level.records.size(),
                               listed.edges.size() / (2 * d)));
  const Box<3>& first = level.records[0].box;
  for (std::size_t i = 0; i < listed.edges.size(); ++i) {
    const int axis = static_cast<int>(i / 2 % d);
    const Box<3>& box = level.records[i / (2 * d)].box;
    const int cells = (i % 2 == 0 ? box.lo : box.hi)[axis] - first.lo[axis];
    const double h = level.cell_size[axis],
                 from_first = listed.edges[i] - listed.edges[2 * (i / 2 % d)];
    const double rounding = 1e-6 * (plot.upper[axis] - plot.lower[axis]);
    if (!(std::abs(from_first - cells * h) <= 0.5 * h + rounding))
      damaged(table, fmt::format("Header has other edges for box {}",
                                 detail::box_text(box, plot.dimension)));
  }
}

std::vector<Box<3>> boxes_of(const PlotfileLevel& level) {
  std::vector<Box<3>> boxes;
  for (const PlotRecord& record : level.records) boxes.push_back(record.box);
  return boxes;
}

/// That each cell is in one box at most.
void check_disjoint(const Plotfile& plot, const PlotfileLevel& level, const std::string& table) {
  if (const auto place = detail::overlap_of(boxes_of(level)))
    damaged(table, fmt::format("several boxes have the same cells {} (these would count twice)",
                               detail::box_text(*place, plot.dimension)));
}

/// That the boxes of a level lie over whole cells of the next coarser one, in boxes of it: of cells
/// that carry the solution, there is then one at each place.
void check_nested(const Plotfile& plot, std::size_t level, const std::string& table) {
  Index<3> ratio = Index<3>::filled(1);
  for (int a = 0; a < plot.dimension; ++a) ratio[a] = plot.ratios[level - 1];
  std::vector<Box<3>> covered;
  for (const Box<3>& box : boxes_of(plot.levels[level])) {
    covered.push_back(box.coarsened(ratio));
    if (Box<3>{covered.back().lo * ratio, covered.back().hi * ratio} != box)
      damaged(table, fmt::format("box {} ends inside of cells of level {} (finer boxes lie over "
                                 "whole ones)",
                                 detail::box_text(box, plot.dimension), level - 1));
  }
  if (const auto place = detail::outside_of(covered, boxes_of(plot.levels[level - 1])))
    damaged(table, fmt::format("its boxes lie over cells {} of level {}, which no box there has "
                               "(a level lies within the next coarser one)",
                               detail::box_text(*place, plot.dimension), level - 1));
}

/// Read so many numbers that begin at an offset.
template <class Number>
Result<std::vector<double>> read_numbers(const FileSystem& files, const std::string& path,
                                         std::uint64_t offset, std::size_t n) {
  std::vector<Number> values(n);
  if (const auto done = files.read(path, offset, std::as_writable_bytes(std::span(values))); !done)
    return std::unexpected(done.error());
  if constexpr (std::is_same_v<Number, double>)
    return values;
  else
    return std::vector<double>(values.begin(), values.end());
}

}  // namespace

bool is_plotfile(const FileSystem& files, const std::string& path) {
  const auto header = files.status(path + "/Header");
  return header && *header && (*header)->kind == FileStatus::Kind::file;
}

std::string last_plotfile(const FileSystem& files, const std::string& path) {
  constexpr std::string_view header = "/Header";
  if (path.ends_with(header))
    if (auto folder = path.substr(0, path.size() - header.size()); is_plotfile(files, folder))
      return folder;
  const auto names = files.list(path);
  if (is_plotfile(files, path) || !names) return path;
  std::string last;
  const auto is_later = [&](const std::string& name) {
    return name.size() == last.size() ? name > last : name.size() > last.size();
  };
  for (const std::string& name : *names)
    if (is_plotfile_name(name) && is_later(name)) last = name;
  return last.empty() ? path : path + "/" + last;
}

Result<Plotfile> read_plotfile(const FileSystem& files, const std::string& path) try {
  const auto status = files.status(path);
  if (!status) return std::unexpected(status.error());
  if (!*status)
    return std::unexpected(
        Failure{fmt::format("'{}' does not exist; name a plotfile or a folder of results", path)});
  if ((*status)->kind == FileStatus::Kind::file)
    return std::unexpected(Failure{fmt::format(
        "'{}' is a file (a plotfile is a folder); name a plotfile or a folder of results", path)});
  if (const auto manifest = files.status(path + "/manifest"); manifest && *manifest)
    return std::unexpected(
        Failure{fmt::format("'{}' is a checkpoint (a run goes on from it, and it cannot be read as "
                            "a plotfile); name a plotfile, plt*",
                            path)});
  if (const auto header = files.status(path + "/Header"); header && !*header) {
    if (const auto names = files.list(path); !names) return std::unexpected(names.error());
    return std::unexpected(
        Failure{fmt::format("'{}' is no plotfile and holds none (a plotfile is a folder plt* with "
                            "a Header); name a plotfile or a folder of results",
                            path)});
  }
  Words words = open(files, path + "/Header");
  std::vector<ListedBoxes> listed;
  Plotfile plot = read_header(words, listed);
  plot.path = path;
  for (std::size_t l = 0; l < plot.levels.size(); ++l) {
    PlotfileLevel& level = plot.levels[l];
    const std::string name = fmt::format("{}/{}_H", path, listed[l].path);
    Words table = open(files, name);
    const std::string directory = listed[l].path.substr(0, listed[l].path.rfind('/') + 1);
    level.records = read_records(table, plot, level.domain, directory);
    compare_with_header(plot, level, listed[l], name);
    check_disjoint(plot, level, name);
    if (l > 0) check_nested(plot, l, name);
  }
  return plot;
} catch (const Malformed& malformed) {
  return std::unexpected(Failure{fmt::format("not a whole plotfile: {}", malformed.message)});
}

Result<std::vector<double>> read_record(const FileSystem& files, const Plotfile& plot,
                                        std::size_t level, std::size_t record) {
  const PlotRecord& where = plot.levels.at(level).records.at(record);
  const std::string path = plot.path + "/" + where.file;
  const auto status = files.status(path);
  if (!status) return std::unexpected(status.error());
  const std::uint64_t file_bytes = *status ? (*status)->size_bytes : 0;  // removed meanwhile
  const std::uint64_t n_left = file_bytes - std::min(where.offset, file_bytes);
  const auto too_short = [&] {
    return std::unexpected(Failure{fmt::format("'{}' is too short for box {}", path,
                                               detail::box_text(where.box, plot.dimension))});
  };
  if (n_left == 0) return too_short();
  RecordFormat format{static_cast<int>(plot.variables.size()), NumberType::float64};
  const auto header = [&] { return detail::fab_header(where.box, plot.dimension, format); };
  std::string begin(std::min<std::uint64_t>(header().size(), n_left), '\0');
  if (const auto done = files.read(path, where.offset, std::as_writable_bytes(std::span(begin)));
      !done)
    return std::unexpected(done.error());
  if (!begin.starts_with(header())) format.numbers = NumberType::float32;
  if (!begin.starts_with(header()))
    return std::unexpected(Failure{fmt::format(
        "'{}' byte {}: no record of box {} with {} variables, in single or double "
        "precision",
        path, where.offset, detail::box_text(where.box, plot.dimension), format.n_variables)});
  // A damaged table must not ask for all the memory.
  const double size = static_cast<double>(where.box.extent(0)) * where.box.extent(1) *
                      where.box.extent(2) * format.n_variables;
  if (size * static_cast<double>(bytes_of(format.numbers)) > static_cast<double>(n_left))
    return too_short();
  const std::uint64_t offset = where.offset + header().size();
  const auto n = static_cast<std::size_t>(size);
  return format.numbers == NumberType::float64 ? read_numbers<double>(files, path, offset, n)
                                               : read_numbers<float>(files, path, offset, n);
}

}  // namespace thalweg::io

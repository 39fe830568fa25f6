// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/plotfile_profile.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {

// The axes of a plane, if a plotfile is one, as a run calls its folder: slice_x1_00020.
std::optional<std::string_view> axes_in_plane(std::string_view path) {
  constexpr std::string_view start = "slice_", digits = "0123456789";
  const auto name = path.substr(path.find_last_of('/') + 1);
  if (!name.starts_with(start)) return std::nullopt;
  const auto words = name.substr(start.size());  // axis and number, _, step
  const auto end = words.find_first_not_of(digits, 1);
  if (end == words.npos || end < 2 || words[end] != '_' || words.size() < end + 6 ||
      words.find_first_not_of(digits, end + 1) != words.npos)
    return std::nullopt;
  switch (words[0]) {
    case 'x':
      return "yz";
    case 'y':
      return "xz";
    case 'z':
      return "xy";
  }
  return std::nullopt;
}

// The axes of a plotfile, a letter each: as the application of the deck beside it calls them.
std::string_view axes_of(std::span<const Application> applications, const io::FileSystem& files,
                         const io::Plotfile& plot) {
  std::string_view axes = "xyz";
  if (const auto in_plane = axes_in_plane(plot.path))
    axes = *in_plane;
  else if (const auto deck = io::read_text(files, plot.path + "/deck.toml")) {
    const auto name = io::find_string(*deck, {}, "application.name");
    for (const auto& application : applications)
      if (application.name == name) axes = application.axes;
  }
  return axes.substr(0, static_cast<std::size_t>(plot.dimension));
}

// Numbers as short as they can be to be read back to the same bits. What is no number has a sign
// that the processor chose: it is left out, as in series.csv.
std::string comma_separated(const std::vector<double>& values) {
  std::string text;
  for (const double value : values)
    text += fmt::format(",{}", std::isnan(value) ? std::abs(value) : value);
  return text;
}

// The heading of columns of these variables; what would end a column is quoted.
std::string heading(const io::Plotfile& plot, std::span<const std::size_t> variables) {
  std::string text;
  for (const std::size_t v : variables) {
    const std::string& name = plot.variables[v];
    text +=
        name.find_first_of(",\"") == std::string::npos ? "," + name : fmt::format(",{:?}", name);
  }
  return text;
}

// @errors throws Error with what is wrong
void check_places(std::string_view option, const std::vector<double>& places, std::size_t n,
                  std::string_view meaning) {
  bool is_right = places.size() == n;
  for (const double place : places) is_right = is_right && std::isfinite(place);
  if (!is_right)
    throw Error(fmt::format("{} {} (must be {}); give {} numbers separated by commas", option,
                            joined_text(places, ","), meaning, n));
}

// Makes a table of a plotfile, and prints or writes it.
int write_table(const TableRequest& request,
                const std::function<std::string(const io::FileSystem&, const io::Plotfile&,
                                                std::span<const std::size_t>)>& table) {
  io::PosixFileSystem files;
  if (request.target)
    if (const auto why = objection_to(files, *request.target, request.force); !why.empty())
      throw Error(why);
  const auto plot = value_of(io::read_plotfile(files, io::last_plotfile(files, request.plotfile)));
  const auto text = table(files, plot, value_of(io::variables_of(plot, request.variables)));
  if (!request.target)
    fmt::print("{}", text);
  else
    value_of(io::write_text(files, *request.target, text));
  return exit_success;
}

}  // namespace

int command_line(std::span<const Application> applications, const LineRequest& request) {
  return write_table(request.table, [&](const auto& files, const auto& plot, auto variables) {
    const auto axes = axes_of(applications, files, plot);
    const std::string name = request.axis.empty() ? std::string(1, axes.front()) : request.axis;
    const auto found = name.size() == 1 ? axes.find(name) : axes.npos;
    if (found == axes.npos)
      throw Error(fmt::format("--axis {} ('{}' has {}); choose one of these", name, plot.path,
                              joined_text(axes)));
    const int axis = static_cast<int>(found);
    Vec<3> at = 0.5 * (plot.lower + plot.upper);
    if (!request.at.empty() && plot.dimension == 1)
      throw Error(
          fmt::format("--at {} ('{}' has one axis, and the line is all of it); leave it out",
                      joined_text(request.at, ","), plot.path));
    if (!request.at.empty()) {
      check_places("--at", request.at, plot.dimension - 1, "where the line is on the other axes");
      std::size_t next = 0;
      for (int a = 0; a < plot.dimension; ++a)
        if (a != axis) at[a] = request.at[next++];
    }
    std::string text = fmt::format("{},width,level{}\n", name, heading(plot, variables));
    for (const auto& cell : value_of(io::cells_on_line(files, plot, axis, at, variables)))
      text += fmt::format("{},{},{}{}\n", cell.place, cell.width, cell.level,
                          comma_separated(cell.values));
    return text;
  });
}

int command_profile(const ProfileRequest& request) {
  return write_table(request.table, [&](const auto& files, const auto& plot, auto variables) {
    check_places("--centre", request.centre, plot.dimension, "a point, one number per axis");
    Vec<3> centre;
    for (int a = 0; a < plot.dimension; ++a) centre[a] = request.centre[std::size_t(a)];
    std::string text = fmt::format("radius,volume,cells{}\n", heading(plot, variables));
    for (const auto& shell :
         value_of(io::shells_around(files, plot, centre, request.n_shells, variables)))
      text += fmt::format("{},{},{}{}\n", shell.radius, shell.volume, shell.n_cells,
                          comma_separated(shell.means));
    return text;
  });
}

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/plotfile_profile.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {

// The axes of a plotfile, a letter each: of phase space, as the deck beside it says, x and v.
std::string_view axes_of(const io::FileSystem& files, const io::Plotfile& plot) {
  const auto deck = io::read_text(files, plot.path + "/deck.toml");
  if (plot.dimension == 2 && deck && io::find_string(*deck, {}, "application.name") == "vlasov")
    return "xv";
  return std::string_view("xyz").substr(0, static_cast<std::size_t>(plot.dimension));
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
    throw Error(fmt::format("{} {} (must be {}); give {} numbers with commas between them", option,
                            joined_text(places, ","), meaning, n));
}

template <class T>
T value_of(Result<T> result) {
  if (!result) throw Error(result.error().message);
  return *std::move(result);
}

// Makes a table of a plotfile, and prints or writes it.
int write_table(const TableRequest& request,
                const std::function<std::string(const io::FileSystem&, const io::Plotfile&,
                                                std::span<const std::size_t>)>& table) try {
  io::PosixFileSystem files;
  if (request.target)
    if (const auto why = objection_to(files, *request.target, request.force); !why.empty())
      throw Error(why);
  const auto plot = value_of(io::read_plotfile(files, io::last_plotfile(files, request.plotfile)));
  const auto text = table(files, plot, value_of(io::variables_of(plot, request.variables)));
  if (!request.target)
    fmt::print("{}", text);
  else if (const auto done = io::write_text(files, *request.target, text); !done)
    throw Error(done.error().message);
  return exit_success;
} catch (const Error& error) {
  print_errors(error.what());
  return exit_bad_request;
}

}  // namespace

int command_line(const LineRequest& request) {
  return write_table(request.table, [&](const auto& files, const auto& plot, auto variables) {
    const auto axes = axes_of(files, plot);
    const auto found = request.axis.size() == 1 ? axes.find(request.axis) : axes.npos;
    if (found == axes.npos)
      throw Error(fmt::format("--axis {} ('{}' has {}); choose one of these", request.axis,
                              plot.path, joined_text(axes)));
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
    std::string text = fmt::format("{},width,level{}\n", request.axis, heading(plot, variables));
    for (const auto& cell : value_of(io::cells_on_line(files, plot, axis, at, variables)))
      text += fmt::format("{},{},{}{}\n", cell.place, cell.width, cell.level,
                          comma_separated(cell.values));
    return text;
  });
}

int command_profile(const ProfileRequest& request) {
  return write_table(request.table, [&](const auto& files, const auto& plot, auto variables) {
    check_places("--centre", request.centre, plot.dimension, "a point, one number an axis");
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

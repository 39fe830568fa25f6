// SPDX-License-Identifier: MIT
#include "vtk.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::lulesh {
namespace {

constexpr int hexahedron = 12;  // VTK's number of the kind of cell; its corners are in our order

struct CellField {
  const char* name;
  double* Fields::* values;
};
constexpr CellField cell_fields[] = {{"e", &Fields::e},
                                     {"p", &Fields::p},
                                     {"q", &Fields::q},
                                     {"v", &Fields::v},
                                     {"ss", &Fields::ss}};

std::string file_name(std::int64_t cycle, int file) {
  return fmt::format("lulesh_{:05}_{}.vtu", cycle, file);
}

/// Append an array of numbers f(i).
template <class F>
void put_array(std::string& text, std::string_view attributes, std::size_t n, const F& f) {
  text += fmt::format("<DataArray {} format=\"ascii\">\n", attributes);
  for (std::size_t i = 0; i < n; ++i) text += fmt::format("{}\n", f(i));
  text += "</DataArray>\n";
}

template <class F>
void put_vectors(std::string& text, std::string_view name, std::size_t n, const F& f) {
  put_array(text, fmt::format(R"(type="Float64" Name="{}" NumberOfComponents="3")", name), n, f);
}

std::vector<int> region_numbers(const State& state) {
  std::vector<int> numbers(state.cube().n_elements());
  int number = 0;
  for (const Region& region : state.regions()) {
    ++number;
    for (const std::uint32_t e : region.elements) numbers[e] = number;
  }
  return numbers;
}

/// What a rank has in its file.
std::string piece_of(const State& state) {
  const Fields& f = state.fields();
  const std::size_t n_elements = state.cube().n_elements();
  const std::size_t n_nodes = state.cube().n_nodes();
  const auto vector = [](double x, double y, double z) { return fmt::format("{} {} {}", x, y, z); };
  std::string text = fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
                                 n_nodes, n_elements);
  put_vectors(text, "place", n_nodes,
              [&](std::size_t n) { return vector(f.x[n], f.y[n], f.z[n]); });
  text += "</Points>\n<Cells>\n";
  put_array(text, R"(type="Int64" Name="connectivity")", n_elements,
            [&](std::size_t e) { return joined_text(std::span(f.nodes + 8 * e, 8), " "); });
  put_array(text, R"(type="Int64" Name="offsets")", n_elements,
            [](std::size_t e) { return 8 * (e + 1); });
  put_array(text, R"(type="UInt8" Name="types")", n_elements,
            [](std::size_t) { return hexahedron; });
  text += "</Cells>\n<CellData>\n";
  for (const CellField& field : cell_fields)
    put_array(text, fmt::format(R"(type="Float64" Name="{}")", field.name), n_elements,
              [&](std::size_t e) { return (f.*field.values)[e]; });
  const std::vector<int> regions = region_numbers(state);
  put_array(text, R"(type="Int32" Name="region")", n_elements,
            [&](std::size_t e) { return regions[e]; });
  text += "</CellData>\n<PointData>\n";
  put_vectors(text, "velocity", n_nodes,
              [&](std::size_t n) { return vector(f.xd[n], f.yd[n], f.zd[n]); });
  return text + "</PointData>\n</Piece>\n";
}

/// The file that says what the parts are.
std::string index_of(const State& state, int n_files) {
  std::string text =
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\">\n<PUnstructuredGrid>\n"
      "<PPoints>\n<PDataArray type=\"Float64\" Name=\"place\" NumberOfComponents=\"3\"/>\n"
      "</PPoints>\n<PCellData>\n";
  for (const CellField& field : cell_fields)
    text += fmt::format("<PDataArray type=\"Float64\" Name=\"{}\"/>\n", field.name);
  text +=
      "<PDataArray type=\"Int32\" Name=\"region\"/>\n</PCellData>\n<PPointData>\n"
      "<PDataArray type=\"Float64\" Name=\"velocity\" NumberOfComponents=\"3\"/>\n</PPointData>\n";
  for (int file = 0; file < n_files; ++file)
    text += fmt::format("<Piece Source=\"{}\"/>\n", file_name(state.clock.cycle, file));
  return text + "</PUnstructuredGrid>\n</VTKFile>\n";
}

Result<void> write_at(const app::Context& context, const std::string& path, std::uint64_t begin,
                      std::string_view text) {
  return context.files.write(path, begin, std::as_bytes(std::span(text)));
}

}  // namespace

Result<void> write_vtk(const app::Context& context, const std::string& folder, int n_files,
                       const State& state) {
  flow::Transport& transport = context.transport;
  const int n_ranks = transport.n_ranks();
  const auto file_of = [&](int rank) {
    return static_cast<int>(std::int64_t{rank} * n_files / n_ranks);
  };
  const auto path = [&](const std::string& name) { return fmt::format("{}/{}", folder, name); };
  const std::string index = path(fmt::format("lulesh_{:05}.pvtu", state.clock.cycle));

  Result<void> mine;
  if (transport.rank() == Rank(0)) {
    mine = context.files.remove(index);
    for (int file = 0; mine && file < n_files; ++file)
      mine = context.files.remove(path(file_name(state.clock.cycle, file)));
  }
  if (const auto all = app::check_on_all_ranks(transport, mine); !all) return all;

  constexpr std::string_view head =
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\">\n<UnstructuredGrid>\n";
  constexpr std::string_view tail = "</UnstructuredGrid>\n</VTKFile>\n";
  const int rank = static_cast<int>(transport.rank()());
  const bool is_first = rank == 0 || file_of(rank - 1) != file_of(rank);
  const bool is_last = rank == n_ranks - 1 || file_of(rank + 1) != file_of(rank);
  std::string text = piece_of(state);
  if (is_first) text.insert(0, head);
  if (is_last) text += tail;
  const auto sizes = flow::all_gather(transport, std::uint64_t{text.size()});
  std::uint64_t begin = 0;
  for (int r = rank; r-- > 0 && file_of(r) == file_of(rank);)
    begin += sizes[static_cast<std::size_t>(r)];
  mine = write_at(context, path(file_name(state.clock.cycle, file_of(rank))), begin, text);
  if (const auto all = app::check_on_all_ranks(transport, mine); !all) return all;
  if (rank == 0) mine = write_at(context, index, 0, index_of(state, n_files));
  return app::check_on_all_ranks(transport, mine);
}

}  // namespace thalweg::lulesh

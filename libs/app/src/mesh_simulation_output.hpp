// SPDX-License-Identifier: MIT
// What a simulation says of itself and writes. Included by mesh_simulation_*d.cpp.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/mesh_simulation.hpp>
#include <thalweg/app/plot.hpp>
#include <thalweg/app/points.hpp>
#include <thalweg/app/totals.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::app {

template <int D>
CostEstimate MeshSimulation<D>::cost() const {
  const auto sum = [&](auto x) {
    return static_cast<double>(flow::all_reduce(context_.transport, x, std::plus<decltype(x)>{}));
  };
  CostEstimate estimate;
  const auto n_values = [&](const field::LevelField<D>& level) {
    std::uint64_t n = level.n_alone() * block_size(true);
    for (const auto& joined : level.joined())
      n += field::LevelField<D>::joined_size(settings_.mesh.block_cells, joined.n,
                                             equations().n_ghosts(), equations().n_components());
    return n;
  };
  const std::int64_t block_cells = Box<D>{{}, settings_.mesh.block_cells}.n_cells();
  for (int l = 0; l < mesh_->n_levels(); ++l) {
    const LevelWork work = work_of(l);
    estimate.levels.push_back(
        {.n_blocks = work.n_blocks,
         .n_cells = work.n_blocks * block_cells,
         .updates = static_cast<double>(work.zone_updates),
         .bytes = sizeof(double) * sum(n_values(state_->cells[static_cast<std::size_t>(l)]))});
  }
  estimate.field_bytes = sum(std::uint64_t{field_bytes()});
  estimate.held_bytes = sum(std::uint64_t{held_bytes()});
  return estimate;
}

template <int D>
auto MeshSimulation<D>::series_fields() const -> std::vector<DerivedField<D>> {
  std::vector<DerivedField<D>> fields;
  for (const auto& field : problem_.derived)
    if (field.reads == Reads::cell && (field.is_in_series || !field.integral_unit.empty()))
      fields.push_back(field);
  return fields;
}

template <int D>
auto MeshSimulation<D>::integrated_fields() const -> std::vector<DerivedField<D>> {
  auto fields = series_fields();
  std::erase_if(fields, [](const auto& field) { return field.integral_unit.empty(); });
  return fields;
}

/// The unit of what has an integral in another one.
inline std::string unit_of_value(const std::string& of_integral) {
  constexpr std::string_view times_volume = "*volume";
  if (of_integral.empty() || of_integral == times_volume.substr(1)) return "";
  if (!of_integral.ends_with(times_volume)) return of_integral + "/volume";
  return of_integral.substr(0, of_integral.size() - times_volume.size());
}

template <int D>
std::vector<io::Column> MeshSimulation<D>::series_columns() const {
  std::vector<io::Column> columns{{"time", "time"}, {"dt", "time"}};
  const auto add_extrema = [&](const std::string& name, const std::string& unit) {
    columns.push_back({name + " min", unit});
    columns.push_back({name + " max", unit});
  };
  const auto& units = problem_.components.units;
  for (std::size_t c = 0; c < units.size(); ++c) {
    const auto& name = problem_.components.names[c];
    columns.push_back({name + " total", units[c]});
    add_extrema(name, unit_of_value(units[c]));
  }
  for (const auto& field : series_fields()) {
    if (!field.integral_unit.empty())
      columns.push_back({field.name + " total", field.integral_unit});
    if (field.is_in_series) add_extrema(field.name, field.unit);
  }
  return columns;
}

template <int D>
Workers MeshSimulation<D>::workers(const char* task_name) const {
  const auto n = static_cast<std::size_t>(n_workers());
  return {n, [this, n, task_name](const std::function<void(const Share&)>& body) {
            flow::Recorder recorder = new_recorder();
            for (std::size_t w = 0; w < n; ++w)
              recorder.task(task_name,
                            std::array{flow::Access{recorder.datum("share"), flow::Mode::out}},
                            [&body, w, n](flow::TaskContext&) { body({w, n}); },
                            {.preferred_worker = static_cast<std::uint32_t>(w)});
            auto graph = flow::capture(std::move(recorder), context_.execution.model);
            if (const auto done = executor_.run(graph, 1); !done)
              throw RankError(done.error().message);
          }};
}

template <int D>
std::vector<double> MeshSimulation<D>::series_values() const {
  const int n_components = equations().n_components();
  const auto fields = series_fields();
  std::vector<DerivedField<D>> ranged;
  for (const auto& field : fields)
    if (field.is_in_series) ranged.push_back(field);
  const auto sums = totals();
  const auto ranges = extrema(context_.transport, *mesh_, *state_, n_components,
                              {ranged, time_state_.time}, workers("extrema"));
  std::vector<double> values{time_state_.time, time_state_.dt_before};
  auto sum = sums.begin();
  auto range = ranges.begin();
  const auto add = [&](bool has_total, bool has_range) {
    if (has_total) values.push_back(*sum++);
    if (!has_range) return;
    values.insert(values.end(), {range->min, range->max});
    ++range;
  };
  for (int c = 0; c < n_components; ++c) add(true, true);
  for (const auto& field : fields) add(!field.integral_unit.empty(), field.is_in_series);
  return values;
}

template <int D>
std::vector<std::string> MeshSimulation<D>::total_names() const {
  std::vector<std::string> names = component_names();
  for (const auto& field : integrated_fields()) names.push_back(field.name);
  return names;
}

template <int D>
std::vector<double> MeshSimulation<D>::totals() const {
  return app::totals(context_.transport, *mesh_, *state_, equations().n_components(),
                     {integrated_fields(), time_state_.time}, workers("totals"));
}

template <int D>
std::vector<double> MeshSimulation<D>::largest_totals() const {
  const auto& domain = mesh_->forest.geometry.config();
  const double volume = product(domain.upper - domain.lower);
  std::vector<double> largest;
  for (const auto& [min, max] :
       extrema(context_.transport, *mesh_, *state_, equations().n_components(),
               {integrated_fields(), time_state_.time}, workers("extrema")))
    largest.push_back(volume * std::max(std::abs(min), std::abs(max)));
  return largest;
}

template <int D>
LocalBlocks MeshSimulation<D>::local_blocks() const {
  const auto lengths = [](const Vec<D>& v) { return std::vector(v.at.begin(), v.at.end()); };
  const auto indices = [](const Index<D>& v) {
    return std::vector<std::int64_t>(v.at.begin(), v.at.end());
  };
  const auto strides = [](const View<double, D>& view) {
    std::vector<std::int64_t> by_axis;
    for (int a = 0; a < D; ++a) by_axis.push_back(view.stride(a));
    return by_axis;
  };
  const auto& geometry = mesh_->forest.geometry;
  LocalBlocks all{.revision = blocks_revision(),
                  .lower = lengths(geometry.config().lower),
                  .upper = lengths(geometry.config().upper),
                  .levels = {}};
  for (std::size_t l = 0; l < state_->cells.size(); ++l) {
    const auto& cells = state_->cells[l];
    auto& level = all.levels.emplace_back();
    level.cell_size = lengths(geometry.cell_size(static_cast<int>(l)));
    for (std::size_t b = 0; b < cells.size(); ++b) {
      const Box<D> valid = geometry.cells(cells.keys()[b]);
      const auto& view = cells.view(b);
      level.blocks.push_back({.lower = indices(valid.lo),
                              .extent = indices(geometry.block_cells()),
                              .n_ghosts = valid.lo[0] - view.box().lo[0],
                              .data = view.at(0, valid.lo),
                              .strides = strides(view),
                              .component_stride = view.component_stride()});
    }
  }
  return all;
}

template <int D>
auto MeshSimulation<D>::derived_fields(const std::vector<std::string>& names) const
    -> std::vector<DerivedField<D>> {
  std::vector<DerivedField<D>> fields;
  for (const auto& name : names)
    for (const auto& field : problem_.derived)
      if (field.name == name || (!name.empty() && field.group == name)) fields.push_back(field);
  return fields;
}

template <int D>
void MeshSimulation<D>::fill_ghosts_for(const std::vector<DerivedField<D>>& fields) {
  if (std::ranges::any_of(fields, [](const auto& f) { return f.reads == Reads::neighbours; }))
    if (const auto filled = fill_ghosts(); !filled) throw RankError(filled.error().message);
}

/// Which of these components a plotfile has, in order.
inline std::vector<int> plotted_components(const std::vector<std::string>& all,
                                           const PlotRequest& request) {
  std::vector<int> components;
  for (std::size_t c = 0; c < all.size(); ++c)
    if (!request.fields || std::ranges::find(*request.fields, all[c]) != request.fields->end())
      components.push_back(static_cast<int>(c));
  return components;
}

template <int D>
std::vector<std::string> MeshSimulation<D>::plot_variables(const PlotRequest& request) const {
  const auto& all = problem_.components.names;
  std::vector<std::string> names;
  for (const int c : plotted_components(all, request))
    names.push_back(all[static_cast<std::size_t>(c)]);
  for (const auto& field : derived_fields(request.derived)) names.push_back(field.name);
  return names;
}

template <int D>
Result<void> MeshSimulation<D>::write_plot(const PlotRequest& request) {
  const auto derived = derived_fields(request.derived);
  fill_ghosts_for(derived);
  const PlotTarget target{.path = request.path,
                          .variables = plot_variables(request),
                          .components = plotted_components(problem_.components.names, request),
                          .ranks_per_file = request.ranks_per_file,
                          .deck = request.deck,
                          .is_subcycled = settings_.time.subcycle,
                          .numbers = request.numbers};
  if constexpr (D > 1)
    if (request.plane)
      return write_plane(context_, *mesh_, *state_, time_state_, target, *request.plane, derived,
                         workers("plotfile"));
  THALWEG_EXPECT(!request.plane, "a plane across one of several axes");
  return app::write_plot(context_, *mesh_, *state_, time_state_, target, derived,
                         workers("plotfile"));
}

template <int D>
std::vector<io::Column> MeshSimulation<D>::point_columns(const PointRequest& request) const {
  std::vector<io::Column> columns{{"time", "time"}};
  const auto& [names, units, n_coefficients] = problem_.components;
  const auto fields = derived_fields(request.derived);
  for (const auto& point : request.points) {
    std::string at;
    for (std::size_t a = 0; a < D; ++a) at += fmt::format("{}{}", a == 0 ? "" : " ", point[a]);
    for (std::size_t c = 0; c < names.size(); ++c)
      columns.push_back({fmt::format("{} at ({})", names[c], at), unit_of_value(units[c])});
    for (const auto& field : fields)
      columns.push_back({fmt::format("{} at ({})", field.name, at), field.unit});
  }
  return columns;
}

template <int D>
std::vector<double> MeshSimulation<D>::point_values(const PointRequest& request) {
  const auto fields = derived_fields(request.derived);
  fill_ghosts_for(fields);
  std::vector<Vec<D>> points;
  for (const auto& point : request.points) {
    auto& x = points.emplace_back();
    std::copy_n(point.begin(), D, x.at.begin());
  }
  std::vector<double> values{time_state_.time};
  const auto of_points =
      values_at<D>(context_.transport, *mesh_, *state_, points,
                   problem_.components.names.size() + fields.size(), {fields, time_state_.time});
  values.insert(values.end(), of_points.begin(), of_points.end());
  return values;
}

template <int D>
Result<Checkpoint> MeshSimulation<D>::write_checkpoint(const CheckpointTarget& target) const {
  return app::write_checkpoint(context_, *mesh_, *state_, time_state_, last_regrid_, target);
}

}  // namespace thalweg::app

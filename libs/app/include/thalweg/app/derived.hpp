// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/covered_boxes.hpp>
#include <thalweg/app/shares.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/combine.hpp>
#include <thalweg/io/plotfile.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>

namespace thalweg::app {

/// What a derived field reads beside the cell it is computed for.
enum class Reads { cell, neighbours };

/// Sets out, which has one component on `valid`, from the cells of a block of a level. Called from
/// any worker. @shape cells  the valid ones; where the field reads neighbours with ghost cells
template <int D>
using ComputeField =
    std::function<void(const step::LevelContext<D>& level, const View<const double, D>& cells,
                       const Box<D>& valid, const View<double, D>& out)>;

/// The same of a function of a cell.
/// @tparam State  that of the equations, or as many of its first components as the function reads
/// @param f  f(CellContext<D>, StateStencil<State, D>) -> double: a pure function, which may read
/// the states of other cells only if the field says so: Reads::neighbours
/// @errors the function of a block throws Error where cells have fewer components than State
template <class State, int D, class F>
ComputeField<D> compute_cells(F f) {
  return [f = std::move(f)](const step::LevelContext<D>& level, const View<const double, D>& cells,
                            const Box<D>& valid, const View<double, D>& out) {
    constexpr int n = numerics::n_components_of<State>;
    if (n > cells.n_components())
      throw Error(fmt::format(
          "compute_cells has a State of {} components (the equations have {}, and it would read "
          "past them); give it their State",
          n, cells.n_components()));
    const int reach = valid.lo[0] - cells.box().lo[0];
    for_each(valid, [&](const Index<D>& i) {
      out[0, i] = f(level.cell(i), numerics::StateStencil<State, D>(cells, i, reach));
    });
  };
}

/// A field that is computed from the state where it is looked at.
template <int D>
struct DerivedField {
  std::string name{};  ///< as in plotfiles
  std::string unit{};
  std::string group{};  ///< output.derived may name several fields at once; "": by its name only
  Reads reads = Reads::cell;
  bool is_in_series = true;  ///< whether series.csv has its extrema, if it reads no neighbours
  /// Of its integral over the domain, which series.csv then has in any case; "": that means
  /// nothing. Of fields that read no neighbours alone.
  std::string integral_unit{};
  ComputeField<D> compute{};

  /// Set out, on the valid cells of a block. A field of one cell is not shown the ghost cells,
  /// which need not be filled: to read them is an error, not another number on other ranks.
  void set(const step::LevelContext<D>& level, const View<const double, D>& cells,
           const Box<D>& valid, const View<double, D>& out) const {
    compute(level, reads == Reads::neighbours ? cells : cells.part(valid), valid, out);
  }
};

/// Some fields, and the time of the state of which they are computed.
template <int D>
struct DerivedFields {
  std::vector<DerivedField<D>> fields{};
  double time = 0;
};

namespace detail {

/// The numbers of all components.
inline std::vector<int> all_components(int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Some components of some of the valid cells of a block, and its derived fields there.
template <int D>
struct WithDerived {
  std::vector<double> values;
  View<double, D> cells;

  /// @param region  of the block's valid cells
  WithDerived(const mesh::Geometry<D>& geometry, const field::LevelField<D>& level, std::size_t b,
              const Box<D>& region, double time, std::span<const int> components,
              const std::vector<DerivedField<D>>& derived)
      : values(
            View<double, D>::size_of(region, static_cast<int>(components.size() + derived.size()))),
        cells(values.data(), region, static_cast<int>(components.size() + derived.size())) {
    const auto& state = level.view(b);
    int to = 0;
    for (const int c : components) {
      for_each(region, [&](const Index<D>& i) { cells[to, i] = state[c, i]; });
      ++to;
    }
    const step::LevelContext<D> context(geometry, level.keys()[b].level, time);
    for (const auto& field : derived)
      field.set(context, state, region, View<double, D>(cells.at(to++, region.lo), region, 1));
  }
};

}  // namespace detail

/// @errors throws Error where the state has fewer components: on ranks that have blocks, as others
/// do not know, so end the program
template <int D>
void check_n_components(const step::State<D>& state, int n_components) {
  for (const auto& level : state.cells)
    if (level.size() > 0 && (n_components < 0 || n_components > level.view(0).n_components()))
      throw Error(fmt::format(
          "n_components = {} (the state has {}, and there is nothing behind them); give a number "
          "from 0 to that",
          n_components, level.view(0).n_components()));
}

/// The smallest and largest value of each component and then of each field, over the leaf cells of
/// all ranks: the same bits for any ranks. Collective.
/// @pre the ghost cells are filled if a field reads neighbours
/// @errors as check_n_components
template <int D>
std::vector<io::Extrema> extrema(flow::Transport& transport, const step::Mesh<D>& mesh,
                                 const step::State<D>& state, int n_components,
                                 const DerivedFields<D>& derived = {},
                                 const Workers& workers = {}) {
  check_n_components(state, n_components);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto& geometry = mesh.forest.geometry;
  const auto& [fields, time] = derived;
  const auto n = static_cast<std::size_t>(n_components) + fields.size();
  using Ranges = std::vector<io::Extrema>;
  const auto merge = [](io::Extrema& into, double x) {
    into = {flow::Min{}(into.min, x), flow::Max{}(into.max, x)};
  };
  std::vector<Ranges> of_shares(workers.n, Ranges(n, {infinity, -infinity}));
  workers.run([&](const Share& share) {
    Ranges& own = of_shares[share.share];
    std::vector<double> values(View<double, D>::size_of({{}, geometry.block_cells()}, 1));
    for (const auto& level : state.cells)
      share.for_each(level.size(), [&](std::size_t b) {
        const auto& key = level.keys()[b];
        const step::LevelContext<D> context(geometry, key.level, time);
        const auto valid = geometry.cells(key);
        const auto covered = covered_boxes(mesh, key);
        const auto over_leaves = [&](const View<const double, D>& from, int component,
                                     io::Extrema& into) {
          for_each(valid, [&](const Index<D>& i) {
            for (const auto& box : covered)
              if (box.contains(i)) return;
            merge(into, from[component, i]);
          });
        };
        for (int c = 0; c < n_components; ++c)
          over_leaves(level.view(b), c, own[static_cast<std::size_t>(c)]);
        const View<double, D> out(values.data(), valid, 1);
        for (std::size_t f = 0; f < fields.size(); ++f) {
          fields[f].set(context, level.view(b), valid, out);
          over_leaves(out, 0, own[static_cast<std::size_t>(n_components) + f]);
        }
      });
  });
  Ranges& own = of_shares[0];
  // Of a share or a rank without blocks it is empty, its least value infinite.
  const auto joined = [](const io::Extrema& a, const io::Extrema& b) -> io::Extrema {
    return {flow::Min{}(a.min, b.min), flow::Max{}(a.max, b.max)};
  };
  for (const Ranges& of_share : of_shares)
    for (std::size_t i = 0; i < n; ++i) own[i] = joined(own[i], of_share[i]);
  for (auto& range : own) {
    range = flow::all_reduce(transport, range, joined);
    range = {range.min + 0.0, range.max + 0.0};  // no -0, whoever was first
  }
  return own;
}

}  // namespace thalweg::app

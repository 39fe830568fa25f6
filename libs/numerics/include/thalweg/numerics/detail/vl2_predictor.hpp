// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/apply_fluxes.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/strips.hpp>
#include <thalweg/numerics/detail/tally.hpp>
#include <thalweg/numerics/detail/to_primitive.hpp>
#include <thalweg/numerics/detail/wall_faces.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// What half a step with donor-cell fluxes keeps while it works on one block: no more than a strip
/// of cells in two planes and the faces around it.
template <int D>
struct PredictorWorkspace {
  /// The primitive states of a strip in a plane at the start of the step.
  struct Plane {
    RowBuffer along_x;   ///< with the cells straight out along x
    RowBuffer across_x;  ///< with the rows on both sides
  };

  template <class System>
  PredictorWorkspace(const RowKernels<System>& kernels, const Box<D>& valid, Scratch& scratch)
      : n_rows(n_rows_at_once(valid, 1)), replaced(valid, 0, scratch) {
    const int length = n_places_of_strip(valid, 1, n_rows);
    const auto take = [&] { return take_row(length, System::n_components, scratch); };
    for (Plane& plane : planes) plane = {take(), take()};
    for (RowBuffer& row : flux) row = take();
    half = take();
    if constexpr (D > 1) {
      Box<D> faces = valid;
      faces.hi[1] = valid.lo[1] + 1;
      seam = scratch.take(faces, System::n_components);
    }
    if (has_gravity(kernels.system)) weighed = {take(), take()};
  }

  int n_rows;                          ///< of a strip
  std::array<Plane, 2> planes;         ///< one after the other
  std::array<RowBuffer, 4> flux;       ///< by axis; along z through the lower and the upper faces
  RowBuffer half;                      ///< the new states of a row
  View<double, D> seam;                ///< along y, through the upper faces of the strip before
  std::array<RowBuffer, 2> weighed{};  ///< cells at their faces; none where no gravity acts
  Tally<D> replaced;                   ///< inadmissible states
};

/// Take over the states of a row that are admissible; the others stay as they were, which is
/// counted.
template <class System>
void take_admissible_row(const System& equations, int n, const double* half,
                         std::ptrdiff_t half_stride, double* u, std::ptrdiff_t u_stride,
                         double* replaced) {
  using State = typename System::State;
  for_each_in_row(n, [=, system = equations](int i) {
    const auto after = load<State>(half + i, half_stride);
    const bool is_good = system.admissible(after);
    store(map_components([=](double a, double b) { return is_good ? a : b; }, after,
                         load<State>(u + i, u_stride)),
          u + i, u_stride);
    replaced[i] += is_good ? 0.0 : 1.0;
  });
}

/// Advances the valid cells of a block by half a step with donor-cell fluxes.
template <class System>
class Predictor {
  static constexpr int D = System::dim;
  using Plane = typename PredictorWorkspace<D>::Plane;

 public:
  Predictor(const RowKernels<System>& kernels, View<double, D> u, const Box<D>& valid,
            StepSize<D> step, const PredictorWorkspace<D>& work)
      : kernels_(kernels), u_(u), valid_(valid), step_(step), work_(work), n_(valid.extent(0)) {
    step_.walls = weighed_walls(kernels.system, step.walls);
  }

  void predict() const {
    for_each_strip(valid_, work_.n_rows, [&](const Index<D>& row, int n_rows) {
      if constexpr (D < 3) {
        convert(row, n_rows, work_.planes[0]);
        advance_strip(row, n_rows, work_.planes[0], work_.flux);
      } else {
        in_each_plane(row, n_rows);
      }
    });
  }

 private:
  void in_each_plane(Index<D> row, int n_rows) const {
    auto [below, here] = work_.planes;
    auto flux = work_.flux;
    const Strip strip{n_rows, n_, n_};
    convert_outside(row - Index<D>::unit(2), n_rows, below);
    convert(row, n_rows, here);
    solve(2, row, strip, below.across_x.from(n_), here.across_x.from(n_), flux[2]);
    for (; row[2] < valid_.hi[2]; ++row[2]) {
      Plane& above = below;
      const Index<D> next = row + Index<D>::unit(2);
      // Cells of this plane are read before they are advanced, those of the next one not yet.
      if (next[2] < valid_.hi[2])
        convert(next, n_rows, above);
      else
        convert_outside(next, n_rows, above);
      solve(2, next, strip, here.across_x.from(n_), above.across_x.from(n_), flux[3]);
      advance_strip(row, n_rows, here, flux);
      std::swap(flux[2], flux[3]);
      std::swap(here, above);
    }
  }

  /// Convert a strip of cells, those straight out from them along x, and the rows on both sides
  /// that are not advanced yet.
  void convert(Index<D> row, int n_rows, const Plane& to) const {
    if constexpr (D > 1) {
      if (row[1] == valid_.lo[1]) convert_outside(row - Index<D>::unit(1), 1, to, 0);
      convert_outside(row + n_rows * Index<D>::unit(1), 1, to, n_rows + 1);
    }
    for (int r = 0; r < n_rows; ++r) {
      convert_row_by_axis(kernels_.system, row, n_, 1, u_, to.along_x.from(r * (n_ + 2)),
                          to.across_x.from((r + 1) * n_));
      if constexpr (D > 1) ++row[1];
    }
  }

  /// Convert rows that are not advanced to those of a plane from the first one on.
  void convert_outside(Index<D> row, int n_rows, const Plane& to, int first = 1) const {
    for (int r = first; r < first + n_rows; ++r) {
      convert_cells(kernels_.system, n_, u_.at(0, row), u_.component_stride(),
                    to.across_x.data + r * n_, to.across_x.stride);
      if constexpr (D > 1) ++row[1];
    }
  }

  /// Advance a strip of cells, the fluxes along z around which are known.
  void advance_strip(Index<D> row, int n_rows, const Plane& plane,
                     const std::array<RowBuffer, 4>& flux) const {
    solve(0, row, {n_rows, n_ + 1, n_ + 2}, plane.along_x, plane.along_x.from(1), flux[0]);
    if constexpr (D > 1) solve_along_y(row, n_rows, plane.across_x, flux[1]);
    for (int r = 0; r < n_rows; ++r) {
      std::array<RowOfFaces, std::size_t{D}> faces;
      const double* const along_x = flux[0].data + r * (n_ + 2);
      faces[0] = {along_x, along_x + 1, flux[0].stride};
      for (std::size_t a = 1; a < D; ++a) {
        const double* const lower = flux[a].data + r * n_;
        faces[a] = {lower, a == 1 ? lower + n_ : flux[3].data + r * n_, flux[a].stride};
      }
      advance(row, faces, plane.across_x.from((r + 1) * n_));
      if constexpr (D > 1) ++row[1];
    }
  }

  /// Find the fluxes on both sides of a strip's rows; the strip before has found its upper ones.
  void solve_along_y(Index<D> row, int n_rows, const RowBuffer& cells,
                     const RowBuffer& flux) const {
    using State = typename System::State;
    const bool is_first = row[1] == valid_.lo[1];
    Index<D> of_seam = row;
    of_seam[1] = valid_.lo[1];
    const RowBuffer seam{work_.seam.at(0, of_seam), work_.seam.component_stride()};
    if (!is_first) copy_row<State>(n_, seam, flux);
    const int first = is_first ? 0 : n_;
    if (!is_first) ++row[1];
    solve(1, row, {is_first ? n_rows + 1 : n_rows, n_, n_}, cells.from(first),
          cells.from(first + n_), flux.from(first));
    copy_row<State>(n_, flux.from(n_rows * n_), seam);
  }

  /// Find the donor-cell fluxes through a strip of faces, the first being the lower one of cell
  /// `row`, between the cells l and r, which are lifted to the faces by the weight of the gas, and
  /// which walls mirror.
  void solve(int axis, [[maybe_unused]] const Index<D>& row, const Strip& strip, const RowBuffer& l,
             const RowBuffer& r, const RowBuffer& flux) const {
    const auto solve_faces = kernels_.fluxes[static_cast<std::size_t>(axis)];
    const System& system = kernels_.system;
    const int n = strip.size();
    if constexpr (GravitySystem<System>)
      if (const double half = 0.5 * step_.dx[axis] * acceleration_along(system, axis); half != 0) {
        const auto& [lower, upper] = work_.weighed;
        constexpr int rho = System::density_at;
        add_weight(system, n, half, l.data + rho * l.stride, l.data, l.stride, lower.data,
                   lower.stride);
        add_weight(system, n, -half, r.data + rho * r.stride, r.data, r.stride, upper.data,
                   upper.stride);
        mirror_at_walls<System>(step_.walls, faces_of(valid_, axis), axis, row, strip, lower,
                                upper);
        return solve_faces(system, n, lower.data, lower.stride, upper.data, upper.stride, flux.data,
                           flux.stride);
      }
    solve_faces(system, n, l.data, l.stride, r.data, r.stride, flux.data, flux.stride);
  }

  /// Let the fluxes around a row and gravity act for half the step.
  /// @param old  primitive states of the row
  void advance(const Index<D>& row, const std::array<RowOfFaces, std::size_t{D}>& faces,
               [[maybe_unused]] const RowBuffer& old) const {
    Vec<D> c;
    for (int a = 0; a < D; ++a) c[a] = 0.5 * step_.dt / step_.dx[a];
    double* const u = u_.at(0, row);
    const std::ptrdiff_t u_stride = u_.component_stride();
    const RowBuffer& half = work_.half;
    subtract_differences<typename System::State>(n_, c, faces, u, u_stride, half.data, half.stride);
    if constexpr (GravitySystem<System>)
      if (has_gravity(kernels_.system))
        add_gravity_row(kernels_.system, n_, 0.5 * step_.dt, 0.5, old.data, old.stride, half.data,
                        half.stride);
    take_admissible_row(kernels_.system, n_, half.data, half.stride, u, u_stride,
                        work_.replaced.counts(row));
  }

  const RowKernels<System>& kernels_;
  View<double, D> u_;
  Box<D> valid_;
  StepSize<D> step_;
  const PredictorWorkspace<D>& work_;
  int n_;  ///< cells of a row
};

}  // namespace thalweg::numerics::detail

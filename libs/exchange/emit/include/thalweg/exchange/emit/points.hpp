// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include <thalweg/core/centring.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/plan/points.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/boundary_points.hpp>
#include <thalweg/numerics/prolong_points.hpp>

// Data at nodes and faces use what cells use (emit_fill, emit_move, emit_prolong), with plans and
// surroundings of points. A block's `interior` stands for the points that it owns, `ghosts` for all
// others it holds, those between it and owners of the same level included: a fill sets them.

namespace thalweg::exchange {

/// Boundary conditions, and how values at points of one centring are interpolated.
template <int dim_>
struct PointBoundaryContext {
  static constexpr int D = dim_;
  static constexpr int dim = dim_;
  static constexpr int n_components = 1;

  mesh::Geometry<D> geometry;
  numerics::Boundaries<D> boundaries;
  Centring<D> centring;

  static std::span<const flow::Access> reads() { return {}; }
  /// Fill the points of a view of a level that lie outside the domain.
  void fill_boundaries(const View<double, D>& points, int level) const {
    numerics::fill_boundary_points(centring, points, geometry.domain_cells(level), boundaries);
  }
  /// Interpolate a region of points of a level from the coarser ones around it.
  void prolong(const View<const double, D>& coarse, const View<double, D>& fine,
               const Box<D>& region, int level) const {
    numerics::prolong_points(centring, coarse, fine, region, geometry.ratio(level - 1));
  }
};

/// Give every block of a field at points of a level its data in a recording.
///
/// Blocks are divided among the workers in contiguous pieces of the curve.
template <int D>
LevelData<D> bind_points(flow::Recorder& recorder, const mesh::Geometry<D>& geometry, int level,
                         const field::LevelField<D>& field, const Centring<D>& centring,
                         int n_workers);

/// Record replacing the coarse points that lie on a level by what its points make of them.
///
/// What the coarse level's owners got, the others have after the next fill.
template <int D>
void emit_restrict_points(flow::Recorder& recorder, const Centring<D>& centring,
                          const LevelData<D>& fine, const LevelData<D>& coarse,
                          const RestrictPlan<D>& plan, int ratio);

}  // namespace thalweg::exchange

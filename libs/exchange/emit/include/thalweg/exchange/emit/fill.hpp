// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/outside_states.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/ghost.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/balanced_walls.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/prolong_balanced.hpp>
#include <thalweg/numerics/prolongation.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::exchange {

/// How ghost cells are filled that no block of their level covers, whatever the equations.
template <int D>
struct FillSettings {
  mesh::Geometry<D> geometry;
  numerics::Boundaries<D> boundaries;
  numerics::Prolongation prolongation{};
  SetOutside<D> outside{};  ///< the states outside faces that are Boundary::dirichlet or fixed
};

/// For which time states outside the domain are asked for.
struct BoundaryTime {
  std::function<double()> time{};        ///< called from tasks
  std::vector<flow::Access> reads = {};  ///< what it reads, for tasks to declare
};

/// FillSettings with the system that interpolates and mirrors states, at a time.
template <class System>
struct BoundaryContext : FillSettings<System::dim> {
  static constexpr int D = System::dim;
  static constexpr int n_components = System::n_components;

  System system{};
  BoundaryTime when{};  ///< none where no states outside are asked for

  std::span<const flow::Access> reads() const { return when.reads; }
  /// Fill the cells of a view of a level that lie outside the domain.
  void fill_boundaries(const View<double, D>& cells, int level) const {
    const Box<D> domain = this->geometry.domain_cells(level);
    numerics::fill_boundaries(system, cells, domain, this->boundaries,
                              [&](const numerics::BoundaryRow<D>& row) {
                                this->outside(this->geometry, level, when.time(), row);
                              });
    if constexpr (numerics::GravitySystem<System>)
      if (numerics::has_gravity(system))
        numerics::balance_walls(system, cells, domain, this->boundaries,
                                this->geometry.cell_size(level));
  }
  /// Interpolate a region of cells of a level from the coarser ones around it.
  void prolong(const View<const double, D>& coarse, const View<double, D>& fine,
               const Box<D>& region, int level) const {
    const int ratio = this->geometry.ratio(level - 1);
    if constexpr (numerics::GravitySystem<System>)
      if (numerics::has_gravity(system))
        return numerics::prolong_balanced<System>(system, this->prolongation, coarse, fine, region,
                                                  ratio, this->geometry.cell_size(level - 1));
    numerics::prolong<System>(system, this->prolongation, coarse, fine, region, ratio);
  }
};

/// A BoundaryContext of cells or a PointBoundaryContext whose type need not be known: what records
/// a fill is compiled once a dimension. A value; copies share what it was made of.
/// @threads as the context it was made of   @cost one indirect call a block
template <int D>
class FillContext {
 public:
  template <class Context>
    requires(!std::same_as<Context, FillContext>)
  FillContext(const Context& context) : rules_(std::make_shared<const RulesOf<Context>>(context)) {}

  const mesh::Geometry<D>& geometry() const { return rules_->geometry(); }
  int n_components() const { return rules_->n_components; }
  /// What the functions below read beside their arguments, for tasks to declare.
  std::span<const flow::Access> reads() const { return rules_->reads(); }
  /// Fill what lies outside the domain in a view of a level.
  void fill_boundaries(const View<double, D>& cells, int level) const {
    rules_->fill_boundaries(cells, level);
  }
  /// Interpolate a region of a level from the coarser one around it.
  void prolong(const View<const double, D>& coarse, const View<double, D>& fine,
               const Box<D>& region, int level) const {
    rules_->prolong(coarse, fine, region, level);
  }

 private:
  struct Rules {
    explicit Rules(int n) : n_components(n) {}
    virtual ~Rules() = default;
    virtual const mesh::Geometry<D>& geometry() const = 0;
    virtual std::span<const flow::Access> reads() const = 0;
    virtual void fill_boundaries(const View<double, D>& cells, int level) const = 0;
    virtual void prolong(const View<const double, D>& coarse, const View<double, D>& fine,
                         const Box<D>& region, int level) const = 0;
    int n_components;
  };
  template <class Context>
  struct RulesOf final : Rules {
    explicit RulesOf(const Context& c) : Rules(Context::n_components), context(c) {}
    const mesh::Geometry<D>& geometry() const override { return context.geometry; }
    std::span<const flow::Access> reads() const override { return context.reads(); }
    void fill_boundaries(const View<double, D>& cells, int level) const override {
      context.fill_boundaries(cells, level);
    }
    void prolong(const View<const double, D>& coarse, const View<double, D>& fine,
                 const Box<D>& region, int level) const override {
      context.prolong(coarse, fine, region, level);
    }
    Context context;
  };

  std::shared_ptr<const Rules> rules_;
};

/// The next coarser level as a source of ghost cells, at a moment within its last step.
template <int D>
struct CoarserLevel {
  const LevelData<D>& data;
  const CoarsePlan<D>& plan;
  double theta = 1;  ///< 0: the saved state, 1: the present one
};

/// Bytes of scratch that interpolating needs for a block with ghost cells.
/// @param reach  of the prolongation
template <class System>
std::size_t scratch_bytes_prolong(const mesh::Geometry<System::dim>& geometry, int n_ghosts,
                                  int reach) {
  constexpr int D = System::dim;
  numerics::Scratch counting;
  // The patch lies within the coarsened block with ghosts and what is read around it; at an odd
  // place the coarsened box may be one cell longer. The smaller the ratio the larger it is.
  int ratio = geometry.ratio(0);
  for (int l = 1; l < geometry.max_level(); ++l) ratio = std::min(ratio, geometry.ratio(l));
  const Box<D> block = Box<D>{{}, geometry.block_cells()}.grown(n_ghosts);
  Box<D> patch = block.coarsened(ratio).grown(reach);
  patch.hi += Index<D>::filled(1);
  counting.take(patch, System::n_components);
  return counting.n_bytes();
}

/// Record filling the ghost cells of all blocks of a level (FillPatch): from blocks of the same
/// level, else interpolated from the coarser one in space and time, else from the physical
/// boundary.
///
/// Where the plan leaves out edges and corners these stay as they are.
/// @param boundary  BoundaryContext of cells, or of points: PointBoundaryContext
/// @param coarser   none on level 0
template <int D>
void emit_fill(flow::Recorder& recorder, const std::type_identity_t<FillContext<D>>& boundary,
               const LevelData<D>& level, const GhostPlan<D>& plan,
               std::type_identity_t<std::optional<CoarserLevel<D>>> coarser);

}  // namespace thalweg::exchange

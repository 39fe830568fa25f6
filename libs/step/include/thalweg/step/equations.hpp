// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/numerics/admissible.hpp>
#include <thalweg/numerics/balanced_walls.hpp>
#include <thalweg/numerics/reflux.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/signal.hpp>
#include <thalweg/numerics/update_vl2.hpp>
#include <thalweg/step/source_terms.hpp>

namespace thalweg::step {

class FaceEquations;

/// Equations with a scheme that solves them and boundary conditions, as the tasks of a step see
/// them: functions of a block. What records a step is compiled once a dimension; the equations
/// and the scheme are known to EquationsOf alone.
/// @threads all functions are called from any worker   @cost one indirect call a block
template <int D>
class Equations {
 public:
  virtual ~Equations() = default;

  int n_components() const { return n_components_; }
  /// How many of them, the first ones, have fluxes that are corrected where a level ends.
  int n_refluxed() const { return n_refluxed_; }
  int n_ghosts() const { return n_ghosts_; }
  /// What an admissible state has.
  std::string_view admissible_states() const { return admissible_states_; }
  /// The names of the components, for messages; none: nobody has named them.
  std::span<const std::string> component_names() const { return component_names_; }
  /// How a field on faces is advanced, in place of cells; null where cells are.
  virtual const FaceEquations* faces() const { return nullptr; }
  virtual std::span<const numerics::Stage> stages() const = 0;
  /// Bytes of scratch that advancing a block of these cells needs.
  virtual std::size_t scratch_bytes(const Box<D>& block) const = 0;
  /// Bytes of scratch that interpolating from a coarser level needs.
  virtual std::size_t scratch_bytes_prolong() const = 0;

  /// What fills ghost cells outside the domain, and from coarser cells.
  virtual exchange::FillContext<D> boundary(exchange::BoundaryTime when) const = 0;
  /// The same when a source has acted on all ghost cells, so also on those of Boundary::dirichlet.
  virtual exchange::FillContext<D> boundary_after_source(exchange::BoundaryTime when) const = 0;

  /// The size of a step of some cells of a level, and where they end at walls.
  virtual numerics::StepSize<D> step_size(double dt, int level, const Box<D>& valid) const = 0;
  /// Do one stage of a step: see numerics::BlockScheme. @pre faces() is null
  virtual numerics::StepReport<D> update_stage(std::size_t k, const View<double, D>& cells,
                                               const View<const double, D>& start,
                                               const Box<D>& valid, numerics::StepSize<D> step,
                                               std::span<std::byte> scratch) const = 0;
  /// Replace coarse fluxes by fine ones in the cells along some faces: numerics::correct_states.
  virtual void correct_cells(const View<double, D>& cells, const View<const double, D>& coarse,
                             const View<const double, D>& fine, const Box<D>& faces, int axis,
                             numerics::Side side, double h) const = 0;
  /// The first cell, along x, y, z, whose state is inadmissible.
  virtual std::optional<Index<D>> find_inadmissible(const View<const double, D>& cells,
                                                    const Box<D>& valid) const = 0;
  /// The largest signal per cell width of a block [1/time]; infinity if a state is inadmissible.
  virtual double max_signal(const View<const double, D>& cells, const Box<D>& valid,
                            const Vec<D>& dx) const = 0;
  /// How fast it grows: see step::signal_growth.
  virtual double growth(const SourceTerms<D>& source, const View<const double, D>& cells,
                        const Box<D>& valid, const Vec<D>& dx, double signal,
                        const SourceStep& step, std::span<std::byte> scratch) const = 0;

 protected:
  Equations(int n_components, int n_refluxed, int n_ghosts, std::string_view admissible_states,
            std::vector<std::string> component_names)
      : n_components_(n_components),
        n_refluxed_(n_refluxed),
        n_ghosts_(n_ghosts),
        admissible_states_(admissible_states),
        component_names_(std::move(component_names)) {}

 private:
  int n_components_;
  int n_refluxed_;
  int n_ghosts_;
  std::string_view admissible_states_;
  std::vector<std::string> component_names_;
};

/// What of equations follows from their system and from boundary conditions.
template <numerics::HyperbolicSystem System>
class EquationsIn : public Equations<System::dim> {
 public:
  static constexpr int D = System::dim;

  std::size_t scratch_bytes_prolong() const override {
    return exchange::scratch_bytes_prolong<System>(fill_.geometry, this->n_ghosts(),
                                                   fill_.prolongation.reach());
  }
  exchange::FillContext<D> boundary(exchange::BoundaryTime when) const override {
    return context(fill_, std::move(when));
  }
  exchange::FillContext<D> boundary_after_source(exchange::BoundaryTime when) const override {
    auto fill = fill_;
    std::ranges::replace(fill.boundaries, numerics::Boundary::dirichlet,
                         numerics::Boundary::periodic);  // nothing to do
    return context(std::move(fill), std::move(when));
  }
  numerics::StepSize<D> step_size(double dt, int level, const Box<D>& valid) const override {
    const auto& geometry = fill_.geometry;
    return {dt, geometry.cell_size(level),
            numerics::walls_of(valid, geometry.domain_cells(level), fill_.boundaries)};
  }
  void correct_cells(const View<double, D>& cells, const View<const double, D>& coarse,
                     const View<const double, D>& fine, const Box<D>& faces, int axis,
                     numerics::Side side, double h) const override {
    numerics::correct_states(system_, cells, coarse, fine, faces, axis, side, h);
  }
  std::optional<Index<D>> find_inadmissible(const View<const double, D>& cells,
                                            const Box<D>& valid) const override {
    return numerics::find_inadmissible(system_, cells, valid);
  }
  double max_signal(const View<const double, D>& cells, const Box<D>& valid,
                    const Vec<D>& dx) const override {
    return numerics::max_signal_if_admissible(system_, cells, valid, dx);
  }
  double growth(const SourceTerms<D>& source, const View<const double, D>& cells,
                const Box<D>& valid, const Vec<D>& dx, double signal, const SourceStep& step,
                std::span<std::byte> scratch) const override {
    return signal_growth(system_, source, cells, valid, dx, signal, step, scratch);
  }

 protected:
  EquationsIn(System system, int n_ghosts, exchange::FillSettings<D> fill,
              std::vector<std::string> component_names)
      : Equations<D>(System::n_components, numerics::n_refluxed_of<System>, n_ghosts,
                     numerics::admissible_states_of<System>, std::move(component_names)),
        system_(std::move(system)),
        fill_(std::move(fill)) {}

  System system_;
  exchange::FillSettings<D> fill_;

 private:
  exchange::FillContext<D> context(exchange::FillSettings<D> fill,
                                   exchange::BoundaryTime when) const {
    // Tasks that need no time do not wait for what it is read from.
    if (std::ranges::none_of(fill.boundaries, numerics::is_user_defined)) when = {};
    return exchange::BoundaryContext<System>{std::move(fill), system_, std::move(when)};
  }
};

/// The equations of a scheme that advances cells.
template <numerics::BlockScheme Scheme>
class EquationsOf final : public EquationsIn<typename Scheme::System> {
 public:
  static constexpr int D = Scheme::dim;

  EquationsOf(Scheme scheme, exchange::FillSettings<D> fill,
              std::vector<std::string> component_names)
      : EquationsIn<typename Scheme::System>(scheme.system, scheme.n_ghosts, std::move(fill),
                                             std::move(component_names)),
        scheme_(std::move(scheme)) {}

  std::span<const numerics::Stage> stages() const override { return scheme_.stages(); }
  std::size_t scratch_bytes(const Box<D>& block) const override {
    return scheme_.scratch_bytes(block);
  }
  numerics::StepReport<D> update_stage(std::size_t k, const View<double, D>& cells,
                                       const View<const double, D>& start, const Box<D>& valid,
                                       numerics::StepSize<D> step,
                                       std::span<std::byte> scratch) const override {
    return scheme_.update_stage(k, cells, start, valid, step, scratch);
  }

 private:
  Scheme scheme_;
};

/// Equations of a scheme: what StepSettings takes.
/// @param component_names  for messages; may be none
template <numerics::BlockScheme Scheme>
std::shared_ptr<const Equations<Scheme::dim>> equations_of(
    Scheme scheme, exchange::FillSettings<Scheme::dim> fill,
    std::vector<std::string> component_names = {}) {
  return std::make_shared<const EquationsOf<Scheme>>(std::move(scheme), std::move(fill),
                                                     std::move(component_names));
}

}  // namespace thalweg::step

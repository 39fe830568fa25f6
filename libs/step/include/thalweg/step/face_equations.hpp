// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/points.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/constrained_transport.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/equations.hpp>

namespace thalweg::step {

/// Sets the faces of the valid cells of a block, at the start.
using SetFaces = std::function<void(const LevelContext<2>& level, const numerics::FaceViews<2>& b,
                                    const Box<2>& valid)>;

/// The initial state of a field without divergence, from its potential along z; what
/// Problem::initial holds for a FaceScheme.
class InitialPotential {
  template <class F>
  static constexpr bool is_of_node =
      std::is_invocable_r_v<double, const F&, const numerics::CellContext<2>&>;

 public:
  InitialPotential() = default;
  /// @param f  f(CellContext<2>) -> double: the potential at the `centre`, a node; a pure function
  template <class F>
    requires is_of_node<F>
  InitialPotential(F f)
      : set_([f = std::move(f)](const LevelContext<2>& level, const numerics::FaceViews<2>& b,
                                const Box<2>& valid) {
          const auto at_node = [&](const Index<2>& i) { return double(f(level.node(i))); };
          const Vec<2> dx = level.node(valid.lo).dx;
          for (int a = 0; a < 2; ++a)
            for_each(Centring<2>::face(a).points(valid), [&](const Index<2>& face) {
              b[static_cast<std::size_t>(a)][0, face] =
                  numerics::curl_on_face(at_node, a, face, dx);
            });
        }) {}
  template <class F>
    requires(!is_of_node<F>)
  InitialPotential(F) {
    static_assert(is_of_node<F>, "initial is a function: initial(CellContext) -> double");
  }

  explicit operator bool() const { return static_cast<bool>(set_); }
  operator const SetFaces&() const { return set_; }

 private:
  SetFaces set_;
};

/// What a problem with a scheme says of the start.
template <class Scheme>
using InitialOf = std::conditional_t<numerics::FaceScheme<Scheme>, InitialPotential,
                                     InitialState<typename Scheme::State, Scheme::dim>>;

/// Equations of a field on faces, as functions of a block.
/// @threads as Equations
class FaceEquations {
 public:
  virtual ~FaceEquations() = default;
  virtual const numerics::Boundaries<2>& boundaries() const = 0;
  /// Set e at all nodes of a block; if it is not the first stage, half of what it is more than it
  /// was.
  virtual void set_electric_field(const numerics::ConstFaceViews<2>& b, const View<double, 2>& e,
                                  bool is_first) const = 0;
  /// Set the cells of a block.
  virtual void set_cells(const numerics::ConstFaceViews<2>& b, const View<double, 2>& cells,
                         const Box<2>& valid, const Vec<2>& dx) const = 0;
};

/// The equations of a FaceScheme, with boundary conditions.
template <numerics::FaceScheme Scheme>
class FaceEquationsOf final : public EquationsIn<typename Scheme::System>, public FaceEquations {
 public:
  using System = typename Scheme::System;
  using Base = EquationsIn<System>;

  FaceEquationsOf(System system, exchange::FillSettings<2> fill,
                  std::vector<std::string> component_names)
      : Base(std::move(system), Scheme::n_ghosts, std::move(fill), std::move(component_names)) {}

  std::size_t scratch_bytes_prolong() const override {
    return std::max(Base::scratch_bytes_prolong(),
                    exchange::scratch_bytes_prolong<exchange::PointBoundaryContext<2>>(
                        this->fill_.geometry, Scheme::n_ghosts_of_faces, 1));
  }
  const FaceEquations* faces() const override { return this; }
  std::span<const numerics::Stage> stages() const override { return {}; }
  std::size_t scratch_bytes(const Box<2>&) const override { return 0; }
  numerics::StepReport<2> update_stage(std::size_t, const View<double, 2>&,
                                       const View<const double, 2>&, const Box<2>&,
                                       numerics::StepSize<2>, std::span<std::byte>) const override {
    THALWEG_EXPECT(false, "cells follow from the faces");
    return {};
  }
  const numerics::Boundaries<2>& boundaries() const override { return this->fill_.boundaries; }
  void set_electric_field(const numerics::ConstFaceViews<2>& b, const View<double, 2>& e,
                          bool is_first) const override {
    for_each(e.box(), [&](const Index<2>& node) {
      const double value = this->system_.electric_field(b, node);
      e[0, node] = is_first ? value : 0.5 * (value - e[0, node]);
    });
  }
  void set_cells(const numerics::ConstFaceViews<2>& b, const View<double, 2>& cells,
                 const Box<2>& valid, const Vec<2>& dx) const override {
    for_each(valid, [&](const Index<2>& i) {
      numerics::store(this->system_.cell(b, i, dx), cells.at(0, i), cells.component_stride());
    });
  }
};

/// Equations of a scheme: what StepSettings takes.
/// @param component_names  for messages; may be none
template <numerics::FaceScheme Scheme>
std::shared_ptr<const Equations<2>> equations_of(Scheme scheme, exchange::FillSettings<2> fill,
                                                 std::vector<std::string> component_names = {}) {
  return std::make_shared<const FaceEquationsOf<Scheme>>(std::move(scheme.system), std::move(fill),
                                                         std::move(component_names));
}

}  // namespace thalweg::step

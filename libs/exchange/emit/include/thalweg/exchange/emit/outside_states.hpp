// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <type_traits>
#include <utility>

#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::exchange {

/// Sets a row of cells of a level that lie outside the domain, at a time.
template <int D>
using SetOutside = std::function<void(const mesh::Geometry<D>& geometry, int level, double time,
                                      const numerics::BoundaryRow<D>& row)>;

/// The states outside faces that are Boundary::dirichlet or fixed, as a function of a cell says
/// them. It is known where it is wrapped, so it is compiled into its loop.
///
/// @threads called from any worker   @cost one indirect call a row of cells
template <numerics::HyperbolicSystem System>
class OutsideStates {
 public:
  static constexpr int D = System::dim;
  using State = typename System::State;

 private:
  template <class F>
  static constexpr bool is_of_cell =
      std::is_invocable_r_v<State, const F&, const numerics::BoundaryCell<System>&>;

 public:
  OutsideStates() = default;
  /// @param f  f(BoundaryCell<System>) -> State: a pure function
  template <class F>
    requires is_of_cell<F>
  OutsideStates(F f)
      : set_([f = std::move(f)](const mesh::Geometry<D>& geometry, int level, double time,
                                const numerics::BoundaryRow<D>& row) {
          const Vec<D> dx = geometry.cell_size(level);
          row.template set<State>([&](const Index<D>& cell, const State& inside) {
            return f(numerics::BoundaryCell<System>{
                {geometry.centre(level, cell), dx, level, time}, row.face, inside});
          });
        }) {}
  /// A function that sets the cells of a row itself.
  OutsideStates(SetOutside<D> set) : set_(std::move(set)) {}
  /// Another F: for the compiler to say what the function is.
  template <class F>
    requires(!is_of_cell<F> && !std::is_convertible_v<F, SetOutside<D>>)
  OutsideStates(F) {
    static_assert(is_of_cell<F>, "outside is a function: outside(BoundaryCell<System>) -> State");
  }

  explicit operator bool() const { return static_cast<bool>(set_); }
  operator const SetOutside<D>&() const { return set_; }

 private:
  SetOutside<D> set_;
};

}  // namespace thalweg::exchange

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// Convert n cells of a row to primitive variables.
template <class System, int D = System::dim>
void convert_row(const System& equations, const Index<D>& row, int n, ConstView<D> u,
                 const View<double, D>& w) {
  const double* const from = u.at(0, row);
  double* const to = w.at(0, row);
  const std::ptrdiff_t from_stride = u.component_stride(), to_stride = w.component_stride();
  compute_row(n, [=, system = equations](int i) {
    using State = typename System::State;
    store(system.to_primitive(load<State>(from + i, from_stride)), to + i, to_stride);
  });
}

/// Convert the whole block to primitive variables.
template <class System, int D = System::dim>
void convert_to_primitive(const System& equations, ConstView<D> u, View<double, D> w) {
  for_each_row(w.box(), [&](const Index<D>& row, int n) { convert_row(equations, row, n, u, w); });
}

/// Convert the valid cells to primitive variables, and those straight out from them along an axis:
/// what methods read that go along one axis after another. Edges and corners of w stay as they are.
template <class System, int D = System::dim>
void convert_straight_out(const System& equations, ConstView<D> u, const Box<D>& valid,
                          View<double, D> w) {
  for_each_row(w.box(), [&](Index<D> row, int n) {
    int n_outside = 0;
    for (int a = 1; a < D; ++a) n_outside += row[a] < valid.lo[a] || row[a] >= valid.hi[a];
    if (n_outside > 1) return;
    if (n_outside == 1) {
      row[0] = valid.lo[0];
      n = valid.extent(0);
    }
    convert_row(equations, row, n, u, w);
  });
}

}  // namespace thalweg::numerics::detail

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// Convert the whole block to primitive variables.
template <class System, int D = System::dim>
void convert_to_primitive(const System& equations, ConstView<D> u, View<double, D> w) {
  for_each_row(w.box(), [&](const Index<D>& row, int n) {
    const double* const from = u.at(0, row);
    double* const to = w.at(0, row);
    const std::ptrdiff_t from_stride = u.component_stride(), to_stride = w.component_stride();
    compute_row(n, [=, system = equations](int i) {
      using State = typename System::State;
      store(system.to_primitive(load<State>(from + i, from_stride)), to + i, to_stride);
    });
  });
}

}  // namespace thalweg::numerics::detail

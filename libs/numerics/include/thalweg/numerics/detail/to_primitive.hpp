// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// Convert n cells of a row to primitive variables.
template <class System>
void convert_cells(const System& equations, int n, const double* from, std::ptrdiff_t from_stride,
                   double* to, std::ptrdiff_t to_stride) {
  compute_row(n, [=, system = equations](int i) {
    using State = typename System::State;
    store(system.to_primitive(load<State>(from + i, from_stride)), to + i, to_stride);
  });
}

/// Convert n cells of a row of a view to primitive variables.
template <class System, int D = System::dim>
void convert_row(const System& equations, const Index<D>& row, int n, ConstView<D> u,
                 const View<double, D>& w) {
  convert_cells(equations, n, u.at(0, row), u.component_stride(), w.at(0, row),
                w.component_stride());
}

/// Convert n cells of a row and the ghost cells beside them along x to primitive variables; the n
/// cells to another row, too, that has no ghost cells.
template <class System, int D = System::dim>
void convert_row_by_axis(const System& equations, const Index<D>& row, int n, int n_ghosts,
                         ConstView<D> u, const RowBuffer& along_x, const RowBuffer& across_x) {
  convert_cells(equations, n + 2 * n_ghosts, u.at(0, row) - n_ghosts, u.component_stride(),
                along_x.data, along_x.stride);
  copy_row<typename System::Primitive>(n, along_x.from(n_ghosts), across_x);
}

/// Convert the cells of a box to primitive variables.
template <class System, int D = System::dim>
void convert_box(const System& equations, const Box<D>& cells, ConstView<D> u,
                 const View<double, D>& w) {
  for_each_row(cells, [&](const Index<D>& row, int n) { convert_row(equations, row, n, u, w); });
}

}  // namespace thalweg::numerics::detail

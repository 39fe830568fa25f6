// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// The first cell of a row along x whose state is inadmissible, if any.
/// @param row  its first cell   @param n  its length
template <HyperbolicSystem System, int D = System::dim>
std::optional<Index<D>> find_inadmissible_in_row(const System& equations, ConstView<D> u,
                                                 const Index<D>& row, int n) {
  const double* const q = u.at(0, row);
  const auto is_bad = [=, stride = u.component_stride(), system = equations](int i) {
    return !system.admissible(load<typename System::State>(q + i, stride));
  };
  if (!any_in_row(n, is_bad)) return std::nullopt;
  Index<D> cell = row;
  while (!is_bad(cell[0] - row[0])) ++cell[0];
  return cell;
}

/// The first cell, along x, y, z, whose state is inadmissible, if any.
/// @threads safe   @verified admissible_test.cpp
template <HyperbolicSystem System, int D = System::dim>
std::optional<Index<D>> find_inadmissible(const System& system, ConstView<D> u,
                                          const Box<D>& valid) {
  std::optional<Index<D>> found;
  for_each_row(valid, [&](const Index<D>& row, int n) {
    if (!found) found = find_inadmissible_in_row(system, u, row, n);
  });
  return found;
}

}  // namespace thalweg::numerics

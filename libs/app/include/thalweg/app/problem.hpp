// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// What is to be solved: equations and scheme, initial data, boundaries, where to refine.
template <class Scheme>
struct Problem {
  static constexpr int D = Scheme::dim;

  Scheme scheme;
  /// The mean state of a cell at the start, from its centre and size. Called from one thread.
  std::function<typename Scheme::State(const Vec<D>& centre, const Vec<D>& dx)> initial;
  numerics::Boundaries<D> boundaries{};
  /// Set the tags of a block's cells, from its cells with ghosts; a pure function.
  std::function<void(int level, View<const double, D> cells, const Box<D>& valid,
                     View<std::uint8_t, D> tags)>
      tag;
  std::vector<std::string> component_names;  ///< as written to plotfiles
};

/// How a problem is discretised and run.
template <int D>
struct Settings {
  typename mesh::Geometry<D>::Config mesh;
  step::TimeSettings time;
  int regrid_interval = 2;  ///< steps of level 0 between regrids; 0: never after the start
  int regrid_buffer = 2;    ///< cells around a tagged cell that are refined as well
  int max_comm_tasks = 4;   ///< messages to one neighbour and phase; 0: one a block face
};

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/step/time_control.hpp>
#include <thalweg/vlasov/grid.hpp>
#include <thalweg/vlasov/initial.hpp>

namespace thalweg::vlasov {

/// How the field at the end of a step is found before it, for the feet of that step.
enum class Predictor : std::uint8_t {
  euler,          ///< E - dt (J - <J>), as published
  ab2,            ///< Adams-Bashforth: J extrapolated to the middle of the step
  leapfrog,       ///< from the field before: E' - 2 dt (J - <J>)
  extrapolation,  ///< 3 E - 3 E' + E'', without the current
};

enum class Splitting : std::uint8_t {
  none,    ///< feet in two dimensions, tensor interpolation, as published
  strang,  ///< half a step in v, one in x, half a step in v
};

/// How the field is found of the density.
enum class Poisson : std::uint8_t {
  cumulative,  ///< by sums along x of sixth order, on the ranks of all slabs
  fft,         ///< by Fourier transforms on one rank
};

/// Who owns which tiles; leaves no trace in the results.
enum class Decomposition : std::uint8_t {
  blocks,       ///< rectangles of tiles
  v,            ///< cut along v only, as first published
  x,            ///< cut along x only
  round_robin,  ///< tile by tile
};

/// Which of the tiles that could be advanced goes first; leaves no trace in the results.
enum class TileOrder : std::uint8_t {
  along_v,  ///< in the order of their numbers
  border,   ///< by how many of their points other ranks read, most first
};

/// Which tasks go before others that are ready; leaves no trace in the results.
enum class Priorities : std::uint8_t {
  none,
  messages,  ///< those that make messages, or wait for them
};

/// Which vectors kernels are compiled for; leaves no trace in the results.
enum class Vectors : std::uint8_t {
  widest,    ///< that this processor has
  portable,  ///< that any processor of the build has
};

/// What is to be run.
struct Settings {
  Grid grid;
  Initial initial;
  double density = 1;            ///< mean of rho at the start
  int tile_x = 64, tile_v = 64;  ///< points of a tile, but for the last along an axis
  int halo_x = 3, halo_v = 3;    ///< points around a tile that its steps may read
  bool halo_is_given = false;    ///< else it is that of the strongest field that energy allows
  int degree = 5;                ///< 3, 5 or 7
  Predictor predictor = Predictor::euler;
  Splitting splitting = Splitting::none;
  Poisson poisson = Poisson::cumulative;
  Decomposition decomposition = Decomposition::blocks;
  TileOrder tile_order = TileOrder::along_v;
  Priorities priorities = Priorities::messages;
  Vectors vectors = Vectors::widest;
  int max_comm_tasks = 4;  ///< messages to one rank with ghosts; 0: one a ghost part
  double dt = 0;
  step::TimeSettings time;
};

}  // namespace thalweg::vlasov

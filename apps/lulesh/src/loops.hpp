// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <thalweg/lulesh/time_step.hpp>

namespace thalweg::lulesh {

/// Elements or nodes [begin, end) of a rank.
struct Block {
  std::uint32_t begin, end;

  std::uint32_t size() const { return end - begin; }
};

/// What an element does to a node at one of its corners; numbers are kept apart until a node adds
/// them up, stress first.
struct CornerForce {
  double numbers[6];  ///< along x, y, z, of stress; and of hourglass forces
};

/// The arrays of a rank, and what is next to what; State owns them.
struct Fields {
  // Of nodes.
  double *x, *y, *z;        ///< place
  double *xd, *yd, *zd;     ///< velocity
  double *xdd, *ydd, *zdd;  ///< acceleration
  const double* nodal_mass;
  const std::uint8_t* fixed;  ///< bit a: the node stays on the symmetry plane normal to axis a
  const std::uint32_t* corner_slots;  ///< [8 * node + i]: of its elements in global order

  // Of elements.
  double *e, *p, *q, *v, *ss;  ///< energy, pressure, viscosity, relative volume, sound speed
  const double* volo;          ///< reference volume, and mass: the density is 1
  double *vnew, *delv, *vdov, *arealg;
  double* delx[3];                  ///< position gradients along xi, eta and zeta
  double* delv_of[3];               ///< velocity gradients, with ghosts and a zero behind
  const std::uint32_t* nodes;       ///< [8 * element + corner]
  const std::uint32_t* neighbours;  ///< [6 * element + 2 * axis + side], in delv_of
  const std::uint8_t* runs;         ///< elements whose nodes and neighbours follow each other
  CornerForce* corners;             ///< [8 * element + corner], ghosts, and a zero
};

/// Elements of one region, `max_piece` at most, and how often their equation of state is computed.
struct Piece {
  const std::uint32_t* elements;
  std::uint32_t n_elements;
  std::int64_t n_repetitions;
};

/// So many that what is kept of them between the loops of material() stays in the first cache.
constexpr std::uint32_t max_piece = 256;
/// Doubles that material() works in.
constexpr std::size_t material_scratch_size = 8 * max_piece;

/// The kernels of a cycle, fused where they need nothing of each other's other elements, and
/// compiled for one kind of processor. All kinds give the same bits. Numbers are those of the
/// reference's kernels in the README.
/// @threads safe on distinct blocks
struct Loops {
  std::string_view name;
  /// Forces at the corners of elements (2, 3, 5, 6, 7).
  Fault (*force)(const Fields&, Block elements);
  /// Accelerations of nodes (1, 4, 8, 9, 10).
  void (*accelerate)(const Fields&, Block nodes);
  /// Velocities and places of nodes after dt (11, 12).
  void (*move)(const Fields&, Block nodes, double dt);
  /// New volumes, and gradients of place and velocity (13, 14, 15).
  Fault (*kinematics)(const Fields&, Block elements, double dt);
  /// Viscosity, equation of state, volumes and bounds on the next time step (16 - 22).
  Fault (*material)(const Fields&, const Piece& piece, double* scratch, Constraints& constraints);
};

/// The loops for every x86-64-v3 processor, or whatever the build is for.
const Loops& portable_loops();
/// Those for processors with AVX-512; null where the build or this processor has none.
const Loops* avx512_loops();
/// The fastest that this processor runs.
inline const Loops& best_loops() {
  const Loops* const wide = avx512_loops();
  return wide == nullptr ? portable_loops() : *wide;
}

}  // namespace thalweg::lulesh

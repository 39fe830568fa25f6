// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/miniamr/data/flops.hpp>
#include <thalweg/miniamr/data/shape.hpp>

namespace thalweg::miniamr::data {

/// The constants of the mixed stencil: a1 and, for each of num_vars / 4 materials, an a0.
struct MixedConstants {
  double a1 = 0;
  std::vector<double> a0;
};

/// The constants the reference has: the first numbers of the C library's rand() from seed 1 on.
/// @pre n_vars >= 8
/// @threads none: rand() has one state for the whole program
MixedConstants mixed_constants(int n_vars);

/// All variables of a block in scratch, with ghost cells on all sides.
struct GhostedBlock {
  double* first = nullptr;  ///< cell (0, 0, 0) of variable 0
  std::ptrdiff_t y = 0;     ///< distance of rows
  std::ptrdiff_t z = 0;
  std::ptrdiff_t variable = 0;
};

/// Whether the update of a variable may use another, or itself.
bool mixed_update_uses(int n_vars, int variable, int other);

/// Replace one variable by the mixed stencil of a stage, which uses others too: those before it are
/// new already. Variables come in four groups of n_vars / 4; variable 0, and those left over, get
/// the mean of 7 cells.
/// @param stage  counted from the start of the run: six kinds take turns
/// @param work   as many numbers as a variable has with ghost cells
/// @return what that took; part of it depends on the values
Flops mixed_update(const Shape& shape, const GhostedBlock& block, int variable, std::int64_t stage,
                   const MixedConstants& constants, double* work);

}  // namespace thalweg::miniamr::data

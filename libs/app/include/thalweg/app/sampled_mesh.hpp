// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/problem.hpp>

namespace thalweg::app {

/// Look at some blocks of each level, without memory for the others: where cells follow from tags,
/// this is what can be known of a deep mesh before it is made.
///
/// From some blocks of level 0 on, each block is given its initial state and its tags; the children
/// that these ask for, of the block's own, stand for those of all blocks of the level, and some of
/// them are looked at next. Blocks that only buffers and nesting ask for are left out. Of several
/// samples the least counts, so that a few blocks that are not like the others, hit by chance, do
/// not decide: more is refused where all samples say so.
/// @param enough_bytes  a sample ends where it has reached so much
/// @return what the mesh takes at least, up to chance; all zero if that is not more than enough, or
/// if not known: for states that cannot be made, which a run will name
/// @threads the same on all ranks and machines, and no messages
/// @cost    up to 4 x 16 blocks a level
/// @source  Knuth, Math. Comp. 29 (1975) 121: the size of a tree by samples of paths through it;
///          Chen, SIAM J. Comput. 21 (1992) 295: by several nodes of a level
template <int D>
SampledMesh sample_mesh(const BlockProblem<D>& problem, const Settings<D>& settings,
                        double enough_bytes);

extern template SampledMesh sample_mesh(const BlockProblem<1>&, const Settings<1>&, double);
extern template SampledMesh sample_mesh(const BlockProblem<2>&, const Settings<2>&, double);
extern template SampledMesh sample_mesh(const BlockProblem<3>&, const Settings<3>&, double);

}  // namespace thalweg::app

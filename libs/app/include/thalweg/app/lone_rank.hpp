// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace thalweg::app {

/// Whether what has started this process as one of several ranks did so itself. A program that a
/// rank starts, as a run's report starts this one, inherits the rank's environment and is none: MPI
/// must not be started there. It is known by its parent, which has the same in its environment.
/// @threads no other may write the environment meanwhile
bool is_one_of_several_ranks();

/// Whether this process prints what every rank would print alike, as help: the first of several
/// ranks does, and all where nobody says which is the first. @threads as above
bool prints_for_all_ranks();

/// What is wrong where this process is one of several ranks, and MPI knows of it alone; "" where it
/// is not so.
/// @param n_ranks  that MPI knows of
/// @threads as above
std::string words_of_lone_rank(int n_ranks);

/// Say so as a warning, on every such rank.
void warn_of_lone_rank(int n_ranks);

}  // namespace thalweg::app

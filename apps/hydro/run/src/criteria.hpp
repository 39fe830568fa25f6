// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/app/deck_reader.hpp>
#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/step/cell_functions.hpp>

namespace thalweg::hydro {

/// What a deck may say of where to refine.
std::vector<io::Parameter> criteria_parameters();

/// A rule that looks at the gas, and at the scalars behind it if there are any.
template <int D>
using Criterion = step::RefinementTags<GasState<D>, D>;

/// What a deck's regrid.criteria ask for, all together: a cell is refined if any of them says so.
/// Complains to the reader of what does not go together.
template <int D>
step::SetTags<D> read_criteria(app::DeckReader<D>& reader, const Gas<D>& gas,
                               const GasProblem<D>& problem);

}  // namespace thalweg::hydro

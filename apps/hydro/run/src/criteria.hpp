// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/hydro/deck_reader.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/mesh/geometry.hpp>

namespace thalweg::hydro {

/// What a deck may say of where to refine.
std::vector<io::Parameter> criteria_parameters();

/// Sets tags of a block's cells from its cells with ghosts: app::Problem::tag.
template <int D>
using Criterion = std::function<void(int level, View<const double, D> cells, const Box<D>& valid,
                                     View<std::uint8_t, D> tags)>;

/// What a deck's regrid.criteria ask for, all together: a cell is refined if any of them says so.
/// Complains to the reader of what does not go together.
/// @param mesh  may be invalid, if the reader has been told; then the criterion must not be called
template <int D>
Criterion<D> read_criteria(DeckReader<D>& reader, const Gas<D>& gas, const GasProblem<D>& problem,
                           const typename mesh::Geometry<D>::Config& mesh);

extern template Criterion<1> read_criteria(DeckReader<1>&, const Gas<1>&, const GasProblem<1>&,
                                           const mesh::Geometry<1>::Config&);
extern template Criterion<2> read_criteria(DeckReader<2>&, const Gas<2>&, const GasProblem<2>&,
                                           const mesh::Geometry<2>::Config&);
extern template Criterion<3> read_criteria(DeckReader<3>&, const Gas<3>&, const GasProblem<3>&,
                                           const mesh::Geometry<3>::Config&);

}  // namespace thalweg::hydro

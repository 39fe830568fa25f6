// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <thalweg/hydro/averages.hpp>
#include <thalweg/hydro/deck_gas.hpp>
#include <thalweg/hydro/deck_reader.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/boundary.hpp>

namespace thalweg::hydro {

// How a problem is added: one file problems/NAME.cpp with one function, which the build finds:
//
//     ProblemFile problem_NAME() {
//       return problem_file<1, 2>(  // the dimensions it exists in
//           {{.name = "problem.width", .default_value = 0.1, .doc = "Of the jump."}},
//           []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
//             const double width = read.real("width");
//             return {.initial = averages_of(read.gas, [=](const Vec<D>& x) { ... })};
//           });
//     }
//
// Parameters that several problems share (gamma, centre, radius, ...) are declared in
// src/parameters.cpp and need not be declared again.

/// The keys of the states of inflows, in the order 2*axis + side.
inline constexpr std::array<std::string_view, 6> inflow_names{
    "boundary.inflow_lower_x", "boundary.inflow_upper_x", "boundary.inflow_lower_y",
    "boundary.inflow_upper_y", "boundary.inflow_lower_z", "boundary.inflow_upper_z"};

/// What a problem is told of a cell, to say whether to refine it.
template <int D>
struct CellInside {
  int level;
  Vec<D> centre;
  Vec<D> dx;
  GasPrimitive<D> gas;
};

/// What a problem says of a gas in D dimensions.
template <int D>
struct GasProblem {
  using State = GasState<D>;

  /// The mean state of a cell at the start.
  std::function<State(const Vec<D>& centre, const Vec<D>& dx)> initial;
  /// The share of passive scalar k = 0, 1, ... in the mass of a cell at the start; none: the
  /// problem carries no scalars.
  std::function<double(int k, const Vec<D>& centre, const Vec<D>& dx)> scalar{};
  /// The states outside boundaries of kind "problem", whose scalars are those of the mirror image;
  /// none: the problem has no such boundaries.
  std::function<State(const numerics::CellOutside<Gas<D>>&)> outside{};
  /// Whether `outside` holds states against gravity and `source`, or makes them of the mirror
  /// image, as walls are. Else it is a solution: what acts on the gas acts there as well.
  bool outside_is_held = false;
  /// How fast sources change the state of a cell, in units of the state over time; none: nothing
  /// but source.gravity acts. Called for ghost cells outside the domain, too, and up to half a step
  /// before the start. A pure function, called from workers.
  std::function<State(const Vec<D>& centre, double time, const State&)> source{};
  /// Whether to refine a cell, where a deck's regrid.criteria have "problem"; none: it says
  /// nothing. A pure function, called from workers.
  std::function<bool(const CellInside<D>&)> refine{};
};

/// Reads what a deck says of a problem: names are without "problem.".
template <int D>
struct ProblemReader {
  Gas<D> gas;
  Vec<D> gravity;
  Vec<D> lower;  ///< corners of the domain
  Vec<D> upper;
  DeckReader<D>& deck;

  double real(const std::string& name) const { return deck.real("problem." + name); }
  int integer(const std::string& name) const { return deck.integer("problem." + name); }
  const std::string& string(const std::string& name) const {
    return deck.string("problem." + name);
  }
  Vec<D> reals(const std::string& name) const { return deck.reals("problem." + name); }
  Index<D> integers(const std::string& name) const { return deck.integers("problem." + name); }
  /// A density, one velocity and a pressure, as problem.NAME has them.
  GasPrimitive<1> state_along(const std::string& name) const;
  /// The gas of a problem that is made for an ideal one; complains of a deck with another.
  Euler<D> ideal_gas() const;
  /// problem.axis, which must be one of the domain's.
  int axis() const;
  /// source.gravity along the last axis, which must be negative.
  double gravity_down() const;
};

/// A problem as its file declares it.
struct ProblemFile {
  template <int D>
  using Make = std::function<GasProblem<D>(ProblemReader<D>&)>;

  std::vector<io::Parameter> parameters;         ///< its own; names begin with "problem."
  std::tuple<Make<1>, Make<2>, Make<3>> make{};  ///< none where it does not exist

  template <int D>
  const Make<D>& in_dimensions() const {
    return std::get<Make<D>>(make);
  }
};

/// Declare a problem that exists in these dimensions.
/// @param make  make(ProblemReader<D>&) returns a GasProblem<D>; complains to the reader's deck
template <int... Dims, class Make>
ProblemFile problem_file(std::vector<io::Parameter> parameters, Make make) {
  ProblemFile file{std::move(parameters)};
  ((std::get<ProblemFile::Make<Dims>>(file.make) = make), ...);
  return file;
}

/// All problems by name. Generated by the build from the files in problems/.
std::map<std::string, ProblemFile> problem_files();

}  // namespace thalweg::hydro

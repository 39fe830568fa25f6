// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/app/deck_reader.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/emit/outside_states.hpp>
#include <thalweg/hydro/averages.hpp>
#include <thalweg/hydro/deck_gas.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/gas_rate.hpp>
#include <thalweg/hydro/problem_keys.hpp>
#include <thalweg/hydro/problems.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/step/cell_functions.hpp>

namespace thalweg::hydro {

// How a problem is added: one file problems/NAME.cpp with one function, which the build finds:
//
//     ProblemFile problem_NAME() {
//       return problem_file<1, 2>(  // the dimensions it exists in
//           "A jump of density that the gas carries along.",
//           {{.name = "problem.width", .default_value = 0.1, .doc = "Width of the jump."}},
//           []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
//             const double width = read.real("width");
//             return {.initial = averages_of(read.gas, [=](const Vec<D>& x) { ... })};
//           });
//     }
//
// Keys that several problems have, each for itself, are made by problem_keys.hpp.

template <int D>
using Cell = numerics::CellContext<D>;

/// The shares of passive scalars in the mass of the gas at the start; what GasProblem::scalars
/// holds. One indirect call a block.
template <int D>
class ScalarShares {
 public:
  ScalarShares() = default;
  /// @param f  f(k, Cell<D>) -> double, the share of scalar k = 0, 1, ...: a pure function
  template <class F>
    requires std::is_invocable_r_v<double, const F&, int, const Cell<D>&>
  ScalarShares(F f)
      : of_block_([f = std::move(f)](const step::LevelContext<D>& level,
                                     const View<double, D>& cells, const Box<D>& region, int n) {
          for_each(region, [&](const Index<D>& i) {
            const auto cell = level.cell(i);
            for (int k = 0; k < n; ++k) cells[D + 2 + k, i] = cells[0, i] * f(k, cell);
          });
        }) {}

  explicit operator bool() const { return static_cast<bool>(of_block_); }
  /// Set the masses of the first n scalars, behind the gas. @pre the density is set
  void operator()(const step::LevelContext<D>& level, const View<double, D>& cells,
                  const Box<D>& region, int n) const {
    of_block_(level, cells, region, n);
  }

 private:
  std::function<void(const step::LevelContext<D>&, const View<double, D>&, const Box<D>&, int)>
      of_block_;
};

/// What a problem says of a gas in D dimensions. Its functions are pure, and called from workers.
template <int D>
struct GasProblem {
  using State = GasState<D>;

  /// initial(Cell) -> State: the mean state of a cell at the start.
  step::InitialState<State, D> initial;
  /// scalars(k, Cell) -> double: the share of passive scalar k = 0, 1, ... in the mass of a cell at
  /// the start; none: 0 everywhere, unless a function of blocks sets them.
  ScalarShares<D> scalars{};
  /// outside(BoundaryCell) -> State: the states outside boundaries of kind "problem", whose scalars
  /// are those of the mirror image; none: the problem has no such boundaries.
  exchange::OutsideStates<Gas<D>> outside{};
  /// Whether `outside` holds states against gravity and `rate`, or makes them of the mirror
  /// image, as walls are. Else it is a solution: what acts on the gas acts there as well.
  bool outside_is_fixed = false;
  /// Whether decks may well have no such boundaries. Else one that names no sides, and has none by
  /// default, is warned that `outside` has no effect.
  bool outside_is_optional = false;
  /// rate(Cell, State) -> State: how fast sources change the state of a cell at cell.time, in
  /// units of the state over time; none: nothing but source.gravity acts. Asked for ghost cells
  /// outside the domain, too, and up to half a step before the start.
  GasRate<D> rate{};
  /// longest_dt(Cell, State) -> double: how long a step of a cell may be [time], where `rate` is
  /// faster than the gas; infinity, or none: as long as signals allow.
  step::LongestDt<State, D> longest_dt{};
  /// tag(Cell, StateStencil) -> bool: whether to refine a cell, where a deck's regrid.criteria
  /// have "problem"; none: it says nothing.
  step::RefinementTags<State, D> tag{};
};

/// Reads what a deck says of a problem: names are without "problem.".
template <int D>
struct ProblemReader {
  Gas<D> gas;
  Vec<D> gravity;
  Vec<D> lower;  ///< corners of the domain
  Vec<D> upper;
  Vec<D> period;         ///< widths of the domain along axes with periodic sides; 0 along others
  Vec<D> coarsest_cell;  ///< size of a cell of level 0
  app::DeckReader<D>& deck;

  double real(const std::string& name) const { return deck.real("problem." + name); }
  int integer(const std::string& name) const { return deck.integer("problem." + name); }
  const std::string& string(const std::string& name) const {
    return deck.string("problem." + name);
  }
  Vec<D> reals(const std::string& name) const { return deck.reals("problem." + name); }
  Index<D> integers(const std::string& name) const { return deck.integers("problem." + name); }
  /// problem.centre, which must lie in the domain, or on its sides; over periodic ones it may.
  Vec<D> centre() const;
  /// problem.radius of a ball around problem.centre that cells of level 0 must see, for it to be
  /// refined, and that leaves gas around it.
  double radius() const;
  /// problem.interface along problem.axis, where two states meet: it must lie in the domain.
  double interface() const {
    check_interface(axis(), real("interface"), "problem.interface =");
    return real("interface");
  }
  /// problem.pressure of gas with this velocity, whose kinetic energy must not drown it: what is
  /// stored is the sum.
  double pressure_at(const Vec<D>& velocity, double density = 1.0) const;
  /// The ball of hot gas that a deck describes, in gas with this velocity.
  Blast<D, DeckEos> ball(const Vec<D>& velocity) const;
  /// Complain where two states meet outside the domain.
  void check_interface(int axis, double place, const std::string& whose) const;
  /// A function of x: the way to it from centre(), over a periodic side where that is shorter.
  auto way_from_centre() const {
    return [point = centre(), around = period](const Vec<D>& x) {
      return x - nearest_image(point, x, around);
    };
  }
  /// A density, one velocity and a pressure, as problem.NAME has them.
  GasPrimitive<1> state_along(const std::string& name) const;
  /// Complain of a domain that does not go from 0 to 1 along an axis.
  void check_unit_extent(int axis) const;
  /// The gas of a problem that is made for an ideal one; complains of a deck with another.
  Euler<D> ideal_gas() const;
  /// The same of a problem whose states are those of one gamma.
  Euler<D> ideal_gas_of(double gamma) const;
  /// problem.speed of the vortex of vortex.cpp, which must leave gas in its middle.
  double vortex_speed() const;
  /// problem.axis, which must be one of the domain's.
  int axis() const;
  /// source.gravity along the last axis, which must be negative.
  double gravity_down() const;
  /// problem.pressure where the last coordinate is 0; gas of problem.density_ratio above must not
  /// weigh as much.
  double interface_pressure() const;
  /// problem.n_waves of a periodic box: along some axis one, and each of more than two cells.
  Index<D> box_waves() const;
  /// The wave that a deck describes, of problem.amplitude: it must leave gas in its trough.
  LinearWave<D> linear_wave(Wave wave) const;
  /// problem.n_waves of an interface where the last coordinate is 0, which must lie in the domain:
  /// along some other axis one, along the last none, and each of more than two cells.
  Index<D> interface_waves() const;

 private:
  /// Complain of waves of two cells of level 0 or fewer.
  void check_cells_of(const Index<D>& n_waves) const;
};

/// A problem as its file declares it.
struct ProblemFile {
  template <int D>
  using Make = std::function<GasProblem<D>(ProblemReader<D>&)>;

  std::string doc;                               ///< one sentence
  std::vector<io::Parameter> parameters;         ///< its own; names begin with "problem."
  std::tuple<Make<1>, Make<2>, Make<3>> make{};  ///< none where it does not exist
  Defaults defaults{};                           ///< of its sides

  template <int D>
  const Make<D>& in_dimensions() const {
    return std::get<Make<D>>(make);
  }
};

/// Declare a problem that exists in these dimensions.
/// @param make  make(ProblemReader<D>&) returns a GasProblem<D>; complains to the reader's deck
/// @param defaults  of its sides, see keys::sides
template <int... Dims, class Make>
ProblemFile problem_file(std::string doc, std::vector<io::Parameter> parameters, Make make,
                         Defaults defaults = {}) {
  ProblemFile file{
      .doc = std::move(doc), .parameters = std::move(parameters), .defaults = std::move(defaults)};
  const auto add = [&]<int D>(std::integral_constant<int, D>) {
    if constexpr (is_compiled(D)) std::get<ProblemFile::Make<D>>(file.make) = make;
  };
  (add(std::integral_constant<int, Dims>{}), ...);
  return file;
}

/// All problems by name. Generated by the build from the files in problems/.
std::map<std::string, ProblemFile> problem_files();

}  // namespace thalweg::hydro

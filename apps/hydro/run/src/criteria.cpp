// SPDX-License-Identifier: MIT
#include "criteria.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/numerics/tag.hpp>
#include <thalweg/numerics/tag_loehner.hpp>

namespace thalweg::hydro {

namespace {

template <int D>
using State = GasState<D>;

/// Call use(f) with the point function f that makes a std::array of numbers of a state.
template <int D, class Use>
Criterion<D> with_quantity(std::string_view name, const Gas<D>& gas, Use use) {
  if (name == "density") return use([](State<D> u) { return std::array{u.rho}; });
  if (name == "pressure")  // above its least: positive
    return use(
        [gas](State<D> u) { return std::array{gas.pressure(u) - gas.eos.least_pressure()}; });
  THALWEG_EXPECT(name == "velocity", "a word of regrid.loehner_of");
  return use([gas](State<D> u) { return gas.to_primitive(u).vel.at; });
}

/// Of density or pressure: relative to itself.
template <int D>
Criterion<D> jumps_of(std::string_view name, const Gas<D>& gas, double threshold) {
  return with_quantity<D>(name, gas, [=](auto quantity) -> Criterion<D> {
    return [=](const step::LevelContext<D>&, const View<const double, D>& cells,
               const Box<D>& valid, const View<std::uint8_t, D>& tags) {
      numerics::tag_jumps<State<D>>(cells, tags, valid, threshold, quantity);
    };
  });
}

/// Of a velocity: relative to the speed of sound, so that it is the same in a stream.
template <int D>
Criterion<D> jumps_of_velocity(const Gas<D>& gas, double threshold) {
  return [=](const step::LevelContext<D>&, const View<const double, D>& cells, const Box<D>& valid,
             const View<std::uint8_t, D>& tags) {
    numerics::tag_differences<State<D>>(cells, tags, valid, threshold, [gas](State<D> u) {
      const auto w = gas.to_primitive(u);
      const double scale = gas.sound_speed(w);
      std::array<numerics::ScaledValue, D> scaled;
      for (std::size_t a = 0; a < D; ++a) scaled[a] = {w.vel[static_cast<int>(a)], scale};
      return scaled;
    });
  };
}

template <int D>
Criterion<D> loehner_of(std::string_view name, const Gas<D>& gas, const numerics::Loehner& rule) {
  return with_quantity<D>(name, gas, [=](auto quantity) -> Criterion<D> {
    return [=](const step::LevelContext<D>&, const View<const double, D>& cells,
               const Box<D>& valid, const View<std::uint8_t, D>& tags) {
      numerics::tag_loehner<State<D>>(cells, tags, valid, rule, quantity);
    };
  });
}

/// Call use.operator()<State>(f) with the point function f that makes the shares of passive scalars
/// of a state.
template <int D, class Use>
Criterion<D> with_shares(int n_scalars, Use use) {
  const auto with = [&]<int N>(std::integral_constant<int, N>) {
    using Dyed = typename ScalarGas<D, N>::State;
    return use.template operator()<Dyed>(
        [](const Dyed& u) { return ((1.0 / u.gas.rho) * u.rho_x).at; });
  };
  return n_scalars == 1 ? with(std::integral_constant<int, 1>{})
                        : with(std::integral_constant<int, max_scalars>{});
}

/// Of the shares of passive scalars: absolute, as they are between 0 and 1.
template <int D>
Criterion<D> jumps_of_scalars(int n_scalars, double threshold) {
  return with_shares<D>(n_scalars, [=]<class Dyed>(auto shares) -> Criterion<D> {
    return [=](const step::LevelContext<D>&, const View<const double, D>& cells,
               const Box<D>& valid, const View<std::uint8_t, D>& tags) {
      numerics::tag_differences<Dyed>(cells, tags, valid, threshold, [shares](const Dyed& u) {
        const auto x = shares(u);
        std::array<numerics::ScaledValue, std::tuple_size_v<decltype(shares(u))>> scaled;
        for (std::size_t k = 0; k < x.size(); ++k) scaled[k] = {x[k], 1.0};
        return scaled;
      });
    };
  });
}

template <int D>
Criterion<D> loehner_of_scalars(int n_scalars, const numerics::Loehner& rule) {
  return with_shares<D>(n_scalars, [=]<class Dyed>(auto shares) -> Criterion<D> {
    return [=](const step::LevelContext<D>&, const View<const double, D>& cells,
               const Box<D>& valid, const View<std::uint8_t, D>& tags) {
      numerics::tag_loehner<Dyed>(cells, tags, valid, rule, shares);
    };
  });
}

template <int D>
Criterion<D> inside_box(app::DeckReader<D>& reader) {
  Vec<D> lower = reader.reals("regrid.box_lower"), upper = reader.reals("regrid.box_upper");
  const Vec<D> first = reader.reals("mesh.lower"), last = reader.reals("mesh.upper");
  for (int a = 0; a < D; ++a)
    if (!(lower[a] < upper[a] && lower[a] < last[a] && upper[a] > first[a]))
      reader.complain(fmt::format(
          "regrid.criteria has \"box\", from {:g} to {:g} on axis {} (no cell of the domain, from "
          "{:g} to {:g}, is in it); give regrid.box_lower and regrid.box_upper around some",
          lower[a], upper[a], a, first[a], last[a]));
  for (int a = 0; a < D; ++a) {
    lower[a] = std::max(lower[a], first[a]);
    upper[a] = std::min(upper[a], last[a]);
  }
  return [lower, upper](const step::LevelContext<D>& level, const View<const double, D>&,
                        const Box<D>& valid, const View<std::uint8_t, D>& tags) {
    Box<D> inside = valid;
    const Vec<D> dx = level.cell(valid.lo).dx;
    for (int a = 0; a < D; ++a) {
      // A box thinner than a cell counts as one cell wide, or it might lie between centres; at a
      // face it has the cells of both sides, rounding or not.
      const double middle = 0.5 * (lower[a] + upper[a]), half = 0.5 * (1 + 1e-9) * dx[a];
      const double from = std::min(lower[a], middle - half);
      const double to = std::max(upper[a], middle + half);
      const auto is_inside = [&](int at) {
        Index<D> cell = valid.lo;
        cell[a] = at;
        const double x = level.cell(cell).centre[a];
        return x > from && x < to;
      };
      int &lo = inside.lo[a], &hi = inside.hi[a];
      while (lo < hi && !is_inside(lo)) ++lo;
      while (lo < hi && !is_inside(hi - 1)) --hi;
    }
    for_each(inside, [&](const Index<D>& i) { tags[0, i] = 1; });
  };
}

}  // namespace

std::vector<io::Parameter> criteria_parameters() {
  using Parameters = std::vector<io::Parameter>;
  using Strings = std::vector<std::string>;
  Parameters all{
      {.name = "regrid.criteria",
       .default_value = Strings{"density", "pressure", "velocity"},
       .choices = {"density", "pressure", "velocity", "scalars", "loehner", "problem", "box"},
       .doc = "Refine where any of these holds: jumps of a quantity, Loehner's estimator, the "
              "problem's own, a box."}};
  const auto add = [&all](Strings criteria, Parameters some) {
    for (io::Parameter& p :
         io::used_with({"regrid.criteria", std::move(criteria)}, std::move(some)))
      all.push_back(std::move(p));
  };
  add({"density", "pressure"},
      {io::real("regrid.threshold", 0.3, "",
                "Refine a cell where density or pressure jumps by more than this fraction.",
                io::Range::above(0))});
  add({"density"},
      {io::real("regrid.density", 0, "", "Threshold for density alone; 0: regrid.threshold.",
                io::Range::at_least(0))});
  add({"pressure"},
      {io::real("regrid.pressure", 0, "", "Threshold for pressure alone; 0: regrid.threshold.",
                io::Range::at_least(0))});
  add({"velocity"},
      {io::real("regrid.velocity", 0.3, "speed of sound",
                "Refine a cell where a velocity jumps by more than this.", io::Range::above(0))});
  add({"scalars"},
      {io::real("regrid.scalars", 0.1, "",
                "Refine a cell where the mass fraction of a passive scalar jumps by more than "
                "this.",
                io::Range::above(0))});
  add({"loehner"}, {io::real("regrid.loehner", 0.5, "",
                             "Refine a cell where Loehner's estimate of the error exceeds this.",
                             io::Range::above_up_to(0, 1)),
                    {.name = "regrid.loehner_of",
                     .default_value = Strings{"density"},
                     .choices = {"density", "pressure", "velocity", "scalars"},
                     .length = {1, 4},
                     .doc = "Quantities that Loehner's estimator looks at, each by itself."},
                    io::real("regrid.loehner_filter", 0.01, "",
                             "Loehner's filter constant: relative ripples below it are ignored.",
                             io::Range::between(0, 1))});
  add({"box"},
      {io::vector("regrid.box_lower", {0, 0, 0}, "length",
                  "Lower corner of the box in which the criterion \"box\" refines cells with their "
                  "centres; along an axis on which it is thinner than a cell, the nearest one."),
       io::vector("regrid.box_upper", {0, 0, 0}, "length", "Upper corner of that box.")});
  return io::changeable(std::move(all));
}

template <int D>
step::SetTags<D> read_criteria(app::DeckReader<D>& reader, const Gas<D>& gas,
                               const GasProblem<D>& problem) {
  const int n_scalars = reader.integer("hydro.scalars");
  const auto has_scalars = [&](std::string_view key) {
    if (n_scalars == 0)
      reader.complain(fmt::format(
          "{} has \"scalars\" (the gas carries none: hydro.scalars = 0); leave it out", key));
    return n_scalars > 0;
  };
  std::vector<step::SetTags<D>> criteria;
  for (const std::string& name : reader.deck().strings("regrid.criteria")) {
    if (name == "density" || name == "pressure") {
      const double own = reader.real("regrid." + name);
      criteria.push_back(jumps_of<D>(name, gas, own > 0 ? own : reader.real("regrid.threshold")));
    } else if (name == "velocity") {
      criteria.push_back(jumps_of_velocity<D>(gas, reader.real("regrid.velocity")));
    } else if (name == "loehner") {
      const numerics::Loehner rule{reader.real("regrid.loehner"),
                                   reader.real("regrid.loehner_filter")};
      for (const std::string& quantity : reader.deck().strings("regrid.loehner_of")) {
        if (quantity != "scalars")
          criteria.push_back(loehner_of<D>(quantity, gas, rule));
        else if (has_scalars("regrid.loehner_of"))
          criteria.push_back(loehner_of_scalars<D>(n_scalars, rule));
      }
    } else if (name == "scalars") {
      if (has_scalars("regrid.criteria"))
        criteria.push_back(jumps_of_scalars<D>(n_scalars, reader.real("regrid.scalars")));
    } else if (name == "box") {
      criteria.push_back(inside_box<D>(reader));
    } else {
      THALWEG_EXPECT(name == "problem", "a word of regrid.criteria");
      if (problem.tag)
        criteria.push_back(problem.tag);
      else
        reader.complain(fmt::format(
            "regrid.criteria has \"problem\" ('{}' does not say where to refine); leave it out",
            reader.string("problem.name")));
    }
  }
  return [criteria = std::move(criteria)](const step::LevelContext<D>& level,
                                          const View<const double, D>& cells, const Box<D>& valid,
                                          const View<std::uint8_t, D>& tags) {
    for (const auto& criterion : criteria) criterion(level, cells, valid, tags);
  };
}

#define THALWEG_INSTANTIATE(D) \
  template step::SetTags<D> read_criteria(app::DeckReader<D>&, const Gas<D>&, const GasProblem<D>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydro

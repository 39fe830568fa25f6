// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/hydro/problems.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/tag.hpp>

namespace thalweg::hydro {

namespace {

/// Reads values with one entry an axis, and collects what is wrong.
template <int D>
class AxisReader {
 public:
  explicit AxisReader(const io::Deck& deck) : deck_(deck) {}

  Vec<D> reals(std::string_view name) {
    Vec<D> result;
    read(deck_.reals(name), name, [&](int a, double x) { result[a] = x; });
    return result;
  }
  Index<D> integers(std::string_view name) {
    Index<D> result;
    read(deck_.integers(name), name, [&](int a, auto x) { result[a] = static_cast<int>(x); });
    return result;
  }
  numerics::Boundaries<D> boundaries() {
    numerics::Boundaries<D> result;
    for (const std::size_t side : {0u, 1u}) {
      const std::string_view name = side == 0 ? "boundary.lower" : "boundary.upper";
      read(deck_.strings(name), name, [&](int a, const std::string& kind) {
        result[2 * static_cast<std::size_t>(a) + side] =
            kind == "periodic"  ? numerics::Boundary::periodic
            : kind == "outflow" ? numerics::Boundary::outflow
                                : numerics::Boundary::reflecting;
      });
    }
    return result;
  }
  void complain(std::string error) { errors_.push_back(std::move(error)); }
  void throw_if_wrong() const {
    if (!errors_.empty()) throw Error(fmt::format("{}", fmt::join(errors_, "\n")));
  }

 private:
  template <class T, class Set>
  void read(const std::vector<T>& values, std::string_view name, Set set) {
    // Defaults have three entries, also in a resolved deck; others must have one an axis.
    if (!deck_.is_default(name) && values.size() != D)
      complain(fmt::format("{} has {} entries (mesh.dim = {} axes want one each); give {}", name,
                           values.size(), D, D));
    for (std::size_t a = 0; a < std::min<std::size_t>(D, values.size()); ++a)
      set(static_cast<int>(a), values[a]);
  }

  const io::Deck& deck_;
  std::vector<std::string> errors_;
};

template <int D>
app::Settings<D> read_settings(const io::Deck& deck, const numerics::Boundaries<D>& boundaries,
                               AxisReader<D>& axes) {
  app::Settings<D> settings;
  settings.mesh = {.lower = axes.reals("mesh.lower"),
                   .upper = axes.reals("mesh.upper"),
                   .root_blocks = axes.integers("mesh.root_blocks"),
                   .block_cells = static_cast<int>(deck.integer("mesh.block_cells")),
                   .ratio = static_cast<int>(deck.integer("mesh.ratio")),
                   .max_level = static_cast<int>(deck.integer("mesh.max_level"))};
  settings.time = {.end = deck.real("time.end"),
                   .max_steps = deck.integer("time.max_steps"),
                   .cfl = deck.real("time.cfl"),
                   .max_growth = deck.real("time.max_growth"),
                   .initial_shrink = deck.real("time.initial_shrink")};
  settings.regrid_interval = static_cast<int>(deck.integer("regrid.interval"));
  settings.regrid_buffer = static_cast<int>(deck.integer("regrid.buffer"));
  settings.prolongation = {
      .order = static_cast<numerics::ProlongOrder>(deck.integer("mesh.prolongation")),
      .limiter = deck.string("mesh.prolongation_limiter") == "minmod"
                     ? numerics::SlopeLimiter::minmod
                     : numerics::SlopeLimiter::monotonised_central};
  settings.max_comm_tasks = static_cast<int>(deck.integer("exchange.max_comm_tasks"));
  settings.partition = {
      .cost = deck.string("partition.cost") == "measured" ? app::Cost::measured : app::Cost::one,
      .threshold = {deck.real("partition.threshold")}};
  if (settings.partition.cost == app::Cost::measured && deck.integer("run.grain") > 1)
    axes.complain(fmt::format(
        "partition.cost = \"measured\" with run.grain = {} (tasks of several blocks are "
        "timed together, so no block's time is known); set run.grain = 1",
        deck.integer("run.grain")));
  settings.memory_limit_bytes =
      static_cast<std::size_t>(0x1p20 * deck.real("run.memory_limit_mib"));
  try {
    app::geometry_of<D>(settings.mesh, boundaries);
  } catch (const Error& error) {
    axes.complain(error.what());
  }
  return settings;
}

template <int D>
auto read_initial(const io::Deck& deck, const app::Settings<D>& settings, AxisReader<D>& axes)
    -> decltype(app::Problem<GasScheme<D>>::initial) {
  const Euler<D> gas{.gamma = deck.real("problem.gamma")};
  const std::string_view name = deck.string("problem.name");
  if (name == "sedov")
    return Sedov<D>{.gas = gas,
                    .centre = axes.reals("problem.centre"),
                    .radius = deck.real("problem.radius"),
                    .energy = deck.real("problem.energy"),
                    .p = deck.real("problem.pressure")};
  if (name == "blast")
    return Blast<D>{.gas = gas,
                    .centre = axes.reals("problem.centre"),
                    .velocity = axes.reals("problem.velocity"),
                    .radius = deck.real("problem.radius"),
                    .p_inside = deck.real("problem.pressure_inside"),
                    .p_outside = deck.real("problem.pressure")};
  if (name == "sod") {
    const auto axis = static_cast<int>(deck.integer("problem.axis"));
    if (axis >= D)
      axes.complain(
          fmt::format("problem.axis = {} (mesh.dim = {} has axes below {}); give one of "
                      "those",
                      axis, D, D));
    return ShockTube<D>{.gas = gas, .axis = std::min(axis, D - 1)};
  }
  if (name == "linear_wave") {
    const std::string_view wave = deck.string("problem.wave");
    const auto n_waves = axes.integers("problem.n_waves");
    if (n_waves == Index<D>{})
      axes.complain(
          "problem.n_waves is zero on every axis (there would be no wave); give one axis "
          "at least 1");
    return LinearWave<D>{.gas = gas,
                         .wave = wave == "sound_backward"  ? Wave::sound_backward
                                 : wave == "sound_forward" ? Wave::sound_forward
                                                           : Wave::entropy,
                         .box = settings.mesh.upper - settings.mesh.lower,
                         .n_waves = n_waves,
                         .amplitude = deck.real("problem.amplitude")};
  }
  return Uniform<D>{.gas = gas,
                    .state = {.rho = 1.0, .vel = axes.reals("problem.velocity"), .p = 1.0}};
}

template <int D>
auto read_tag(const io::Deck& deck, const app::Settings<D>& settings, AxisReader<D>& axes)
    -> decltype(app::Problem<GasScheme<D>>::tag) {
  if (deck.string("regrid.criterion") == "jumps")
    return [gas = Euler<D>{.gamma = deck.real("problem.gamma")},
            threshold = deck.real("regrid.threshold")](
               int, View<const double, D> cells, const Box<D>& valid, View<std::uint8_t, D> tags) {
      numerics::tag_jumps<typename Euler<D>::State>(
          cells, tags, valid, threshold,
          [gas](typename Euler<D>::State u) { return gas.jump_quantities(u); });
    };
  return [mesh = settings.mesh, lower = axes.reals("regrid.box_lower"),
          upper = axes.reals("regrid.box_upper")](int level, View<const double, D>,
                                                  const Box<D>& valid, View<std::uint8_t, D> tags) {
    const mesh::Geometry<D> geometry(mesh);
    for_each(valid, [&](const Index<D>& i) {
      const auto x = geometry.centre(level, i);
      bool is_inside = true;
      for (int a = 0; a < D; ++a) is_inside = is_inside && x[a] > lower[a] && x[a] < upper[a];
      tags[0, i] = is_inside ? 1 : 0;
    });
  };
}

}  // namespace

template <int D>
Setup<D> set_up(const io::Deck& deck) {
  AxisReader<D> axes(deck);
  const auto boundaries = axes.boundaries();
  const auto settings = read_settings<D>(deck, boundaries, axes);
  for (auto& error : scheme_errors(deck)) axes.complain(std::move(error));
  Setup<D> setup{{.scheme = gas_scheme<D>(deck),
                  .initial = read_initial<D>(deck, settings, axes),
                  .boundaries = boundaries,
                  .tag = read_tag<D>(deck, settings, axes),
                  .component_names = {}},
                 settings};
  axes.throw_if_wrong();
  for (const auto name : Euler<D>::component_names())
    setup.problem.component_names.emplace_back(name);
  return setup;
}

template Setup<1> set_up<1>(const io::Deck&);
template Setup<2> set_up<2>(const io::Deck&);
template Setup<3> set_up<3>(const io::Deck&);

}  // namespace thalweg::hydro

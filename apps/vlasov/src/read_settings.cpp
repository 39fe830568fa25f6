// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/read_settings.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/vlasov/halo.hpp>

namespace thalweg::vlasov {

namespace {

/// A value and the word for it in decks.
template <class T>
struct Word {
  std::string_view text;
  T value;
};

/// The value that a deck names by a word. @pre the deck was checked: it is one of them
template <class T, std::size_t n>
T named(const io::Deck& deck, std::string_view key, const Word<T> (&words)[n]) {
  return std::ranges::find(words, deck.string(key), &Word<T>::text)->value;
}

constexpr Word<Predictor> predictors[] = {{"euler", Predictor::euler},
                                          {"ab2", Predictor::ab2},
                                          {"leapfrog", Predictor::leapfrog},
                                          {"extrapolation", Predictor::extrapolation}};
constexpr Word<Splitting> splittings[] = {{"none", Splitting::none}, {"strang", Splitting::strang}};
constexpr Word<Poisson> solvers[] = {{"cumulative", Poisson::cumulative}, {"fft", Poisson::fft}};
constexpr Word<Decomposition> decompositions[] = {{"blocks", Decomposition::blocks},
                                                  {"v", Decomposition::v},
                                                  {"x", Decomposition::x},
                                                  {"round_robin", Decomposition::round_robin}};
constexpr Word<TileOrder> tile_orders[] = {{"along_v", TileOrder::along_v},
                                           {"border", TileOrder::border}};
constexpr Word<Priorities> priorities[] = {{"none", Priorities::none},
                                           {"messages", Priorities::messages}};

Initial read_initial(const io::Deck& deck) {
  Initial initial{.beams = {}, .waves = {}, .length = deck.real("vlasov.length")};
  for (const auto& beam : deck.tables("vlasov.beams"))
    initial.beams.push_back({.density = beam.at("density"),
                             .drift = beam.at("drift"),
                             .temperature = beam.at("temperature"),
                             .a0 = beam.at("a0"),
                             .a2 = beam.at("a2")});
  for (const auto& mode : deck.tables("vlasov.modes"))
    initial.waves.push_back({static_cast<int>(mode.at("m")), mode.at("amplitude")});
  return initial;
}

/// Standard deviations of a beam that have to be within vmax, where it is 0.01 of its greatest, and
/// those that should be: with 3 a wave is damped at three times its rate.
constexpr double n_widths = 3, n_good_widths = 5;

/// Tiles of all ranks, so that an int counts them.
constexpr std::int64_t most_tiles = 1 << 30;

/// How many radians of the plasma's oscillations a step may take.
constexpr double most_phase = 0.5;

/// How fast a beam is so many standard deviations from its mean.
double reach(const Beam& beam, double n) {
  return std::abs(beam.drift) + n * std::sqrt(beam.temperature);
}

std::string words_of(const Beam& beam) {
  return fmt::format("vlasov.beams has drift = {:g} and temperature = {:g}", beam.drift,
                     beam.temperature);
}

/// How many times as dense a beam is on the points of a grid, far from where that ends.
double sampled_density(const Beam& beam, const Grid& grid) {
  double sum = 0;
  for (int j = 0; j < grid.nv; ++j) sum += grid.dv() * beam(grid.v(j));
  const double square = beam.drift * beam.drift + beam.temperature;  // the mean of v^2
  return sum / (beam.density * (beam.a0 + beam.a2 * square));
}

/// The mean of rho over all points.
double mean_density(const Grid& grid, const Initial& initial) {
  double of_v = 0, of_x = 0;
  for (int j = 0; j < grid.nv; ++j) of_v += grid.dv() * initial.of_v(grid.v(j));
  for (int i = 0; i < grid.nx; ++i) of_x += initial.of_x(grid.x(i)) / grid.nx;
  return of_v * of_x;
}

/// No stronger field can come of the energy W there is at the start. As E' = rho - n >= -n, n being
/// the mean density, E falls from its greatest value no faster than along a line, so that
/// E^3 / (6 n) <= sum of E^2 / 2 dx <= W.
double strongest_field(const Settings& settings) {
  const Grid& grid = settings.grid;
  double density = 0, kinetic = 0, potential = 0;
  for (int j = 0; j < grid.nv; ++j) {
    const double v = grid.v(j), f = grid.dv() * std::abs(settings.initial.of_v(v));
    density += f;
    kinetic += 0.5 * v * v * f * grid.length;
  }
  std::map<int, double> amplitudes;  // those of one wave number add up
  for (const Wave& wave : settings.initial.waves) amplitudes[wave.m] += wave.amplitude;
  for (const auto& [m, amplitude] : amplitudes) {
    const double k = 2 * std::numbers::pi * m / grid.length;
    const double field = density * amplitude / k;
    potential += 0.25 * field * field * grid.length;
  }
  const double bound = std::cbrt(6 * density * (kinetic + potential));
  const double most = density * grid.length;
  return bound < most ? bound : most;  // also where the energy is no number
}

class Reader {
 public:
  explicit Reader(const io::Deck& deck) : deck_(deck) {}

  Settings read() {
    const auto& cells = deck_.integers("vlasov.cells");
    const auto& tile = deck_.integers("vlasov.tile");
    Settings settings{
        .grid = {static_cast<int>(cells[0]), static_cast<int>(cells[1]),
                 deck_.real("vlasov.length"), deck_.real("vlasov.vmax")},
        .initial = read_initial(deck_),
        .tile_x = static_cast<int>(std::min(tile[0], cells[0])),
        .tile_v = static_cast<int>(std::min(tile[1], cells[1])),
        .degree = static_cast<int>(deck_.integer("vlasov.degree")),
        .predictor = named(deck_, "vlasov.predictor", predictors),
        .splitting = named(deck_, "vlasov.splitting", splittings),
        .poisson = named(deck_, "vlasov.poisson", solvers),
        .decomposition = named(deck_, "vlasov.decomposition", decompositions),
        .tile_order = named(deck_, "vlasov.tile_order", tile_orders),
        .priorities = named(deck_, "vlasov.priorities", priorities),
        .max_comm_tasks = static_cast<int>(deck_.integer("exchange.max_comm_tasks")),
        .dt = deck_.real("time.dt"),
        .time = {.end = deck_.real("time.end"), .max_steps = deck_.integer("time.max_steps")}};
    settings.density = mean_density(settings.grid, settings.initial);
    check(settings);
    set_halo(settings);
    if (!errors_.empty()) throw Error(joined_text(errors_, "\n"));
    return settings;
  }

 private:
  void check(const Settings& settings) {
    if (settings.degree % 2 == 0)
      errors_.push_back(fmt::format(
          "vlasov.degree = {} (interpolation has as many points on both sides); take 3, 5 or 7",
          settings.degree));
    if (settings.initial.beams.empty())
      errors_.push_back("vlasov.beams = [] (there is nothing to run); give at least one table");
    for (const auto& mode : deck_.tables("vlasov.modes"))
      if (mode.at("m") != std::floor(mode.at("m")))
        errors_.push_back(fmt::format(
            "vlasov.modes has m = {} (the box is periodic); give a whole number of waves",
            mode.at("m")));
    const Grid& grid = settings.grid;
    const std::int64_t n_tiles = std::int64_t{Cuts(grid.nx, settings.tile_x).n_parts()} *
                                 Cuts(grid.nv, settings.tile_v).n_parts();
    if (n_tiles > most_tiles)
      errors_.push_back(
          fmt::format("vlasov.tile = [{}, {}] with vlasov.cells = [{}, {}] ({} tiles, which are "
                      "counted to {}); raise vlasov.tile",
                      settings.tile_x, settings.tile_v, grid.nx, grid.nv, n_tiles, most_tiles));
    const Initial& initial = settings.initial;
    for (const Wave& wave : initial.waves)
      if (2.0 * std::abs(wave.m) >= grid.nx)
        errors_.push_back(fmt::format(
            "vlasov.modes has m = {} with vlasov.cells = [{}, {}] (a wave needs more than two "
            "points, and another one would be seen); give fewer waves, or {} points along x at "
            "least",
            wave.m, grid.nx, grid.nv, 2 * std::int64_t{std::abs(wave.m)} + 1));
    for (const Beam& beam : initial.beams) {
      const auto is = words_of(beam);
      const double width = std::sqrt(beam.temperature), sampled = sampled_density(beam, grid);
      if (reach(beam, n_widths) > grid.v_max)
        errors_.push_back(
            fmt::format("{} with vlasov.vmax = {:g} (what is faster than vmax is left out); raise "
                        "vmax to {:.4g}",
                        is, grid.v_max, reach(beam, n_good_widths)));
      else if (width < grid.dv() && std::abs(sampled - 1) > 0.01)
        errors_.push_back(fmt::format(
            "{} with vlasov.cells = [{}, {}] (thinner than the points: on them it is {:.3g} times "
            "as dense); give at least {:.6g} points along v, or a higher temperature",
            is, grid.nx, grid.nv, sampled, std::ceil(2 * grid.v_max / width)));
    }
    constexpr double rounding = 1e-12;
    const auto points = [](int n) { return std::views::iota(0, n); };
    if (!std::isfinite(settings.density) || !(settings.density > 0))
      errors_.push_back(
          fmt::format("vlasov.beams and vlasov.modes have a mean density of {} (it must be above 0 "
                      "and a number); look at density, a0, a2 and the amplitudes",
                      settings.density));
    else if (std::ranges::any_of(points(grid.nv),
                                 [&](int j) { return initial.of_v(grid.v(j)) < 0; }))
      errors_.emplace_back(
          "vlasov.beams make f negative at some velocity (it is a density in phase space); raise "
          "a0 or a2");
    if (std::ranges::any_of(points(grid.nx),
                            [&](int i) { return initial.of_x(grid.x(i)) < -rounding; }))
      errors_.emplace_back(
          "vlasov.modes make the density negative somewhere (1 + the sum of the waves must be 0 or "
          "more); lower the amplitudes");
    if (settings.time.end / settings.dt > 1e15)
      errors_.push_back(
          fmt::format("time.dt = {} with time.end = {} (too many steps to be counted); "
                      "give longer steps",
                      settings.dt, settings.time.end));
  }

  void set_halo(Settings& settings) {
    if (settings.degree % 2 == 0 || !errors_.empty()) return;
    const Grid& grid = settings.grid;
    const bool is_split = settings.splitting == Splitting::strang;
    const double field = strongest_field(settings);
    const double fastest = grid.v_max + (is_split ? 0 : 0.5 * settings.dt * field);
    const double shift_x = settings.dt * fastest / grid.dx();
    const double shift_v = settings.dt * field / grid.dv();
    const double slowest = settings.dt * grid.v_max / grid.dx();
    constexpr double most = widest_halo - 16;  // points, with those that interpolation reads
    if (!(shift_x <= most && shift_v <= most))
      return errors_.push_back(
          fmt::format("time.dt = {} (in a step points of phase space move up to {:.4g} points "
                      "along x and {:.4g} along "
                      "v); lower it",
                      settings.dt, shift_x, shift_v));
    const auto given = static_cast<int>(deck_.integer("vlasov.halo"));
    settings.halo_is_given = given > 0;
    settings.halo_x = given > 0 ? given : needed_halo({-shift_x, shift_x}, settings.degree);
    settings.halo_v = given > 0 ? given : needed_halo({-shift_v, shift_v}, settings.degree);
    // Somewhere the field is not below 0, and does not slow down the fastest.
    const int least = needed_halo({0, slowest}, settings.degree);
    if (given > 0 && given < least)
      errors_.push_back(fmt::format(
          "vlasov.halo = {} (a step of time.dt = {} moves the fastest points by {:.4g}, and "
          "interpolation of degree {} reads around where they come from); give at least {}, or 0",
          given, settings.dt, slowest, settings.degree, least));
  }

  const io::Deck& deck_;
  std::vector<std::string> errors_;
};

}  // namespace

Settings read_settings(const io::Deck& deck) {
  return Reader(deck).read();
}

std::vector<std::string> warnings_of(const Settings& settings) {
  std::vector<std::string> all;
  for (const Beam& beam : settings.initial.beams)
    if (const double good = reach(beam, n_good_widths); good > settings.grid.v_max)
      all.push_back(fmt::format(
          "{} with vlasov.vmax = {:g} (velocities are periodic: with less than {:g} "
          "standard deviations of a beam rates of waves are wrong, with {:g} by several "
          "times); raise vmax to {:.4g}",
          words_of(beam), settings.grid.v_max, n_good_widths, n_widths, good));
  const double frequency = std::sqrt(settings.density);  // of the plasma
  if (const double phase = frequency * settings.dt; phase > most_phase)
    all.push_back(fmt::format(
        "time.dt = {:g} with a mean density of {:.4g} (the plasma frequency, its square root, "
        "times dt is {:.3g}: with more than {:g} steps do not follow the plasma's oscillations, "
        "and energy may grow several times over); lower time.dt to {:.3g}",
        settings.dt, settings.density, phase, most_phase, most_phase / frequency));
  const double own = double(settings.tile_x) * settings.tile_v;
  const double with_halo =
      (settings.tile_x + 2.0 * settings.halo_x) * (settings.tile_v + 2.0 * settings.halo_v);
  if (with_halo > 2 * own)
    all.push_back(fmt::format(
        "vlasov.tile = [{}, {}] with halos of {} points along x and {} along v (they are {:.3g} "
        "times as many points as the tile has, and take as much more memory); raise vlasov.tile, "
        "or lower {}",
        settings.tile_x, settings.tile_v, settings.halo_x, settings.halo_v, with_halo / own - 1,
        settings.halo_is_given ? "vlasov.halo" : "time.dt"));
  return all;
}

}  // namespace thalweg::vlasov

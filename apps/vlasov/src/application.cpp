// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/application.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/vlasov/halo.hpp>
#include <thalweg/vlasov/read_settings.hpp>
#include <thalweg/vlasov/simulation.hpp>

namespace thalweg::vlasov {

namespace {

using io::Range;

class Setup final : public app::AnySetup {
 public:
  explicit Setup(const io::Deck& deck)
      : settings_(read_settings(deck)),
        scheme_name_(fmt::format("vlasov lagrange{} {} {} {}", settings_.degree,
                                 deck.string("vlasov.predictor"), deck.string("vlasov.splitting"),
                                 deck.string("vlasov.poisson"))) {}

  const step::TimeSettings& time() const override { return settings_.time; }
  int max_level() const override { return 0; }
  std::vector<std::string> warnings() const override { return warnings_of(settings_); }
  double root_bytes() const override {
    const auto with_halo = [](int n, int tile, int halo) {
      return n + 2.0 * halo * std::ceil(static_cast<double>(n) / tile);
    };
    return 2 * sizeof(double) * with_halo(settings_.grid.nx, settings_.tile_x, settings_.halo_x) *
           with_halo(settings_.grid.nv, settings_.tile_v, settings_.halo_v);
  }
  app::SampledMesh sampled_mesh(double) const override { return {}; }  // it has one level
  const std::string& scheme_name() const override { return scheme_name_; }
  std::vector<std::string> component_names() const override { return {component_name}; }
  void take(app::BlockFunctions functions) override {
    if (functions.initial || functions.tag || functions.source || functions.longest_dt)
      throw Error(
          "a function of blocks (these equations live on tiles of phase space); leave it out, and "
          "say what f is at the start by vlasov.beams and vlasov.modes");
  }
  Result<std::unique_ptr<app::AnySimulation>> simulation(const app::Context& context,
                                                         const app::Checkpoint* from,
                                                         app::OnStep on_step) const override {
    return make_simulation(context, settings_, from, std::move(on_step));
  }
  Result<std::unique_ptr<app::AnySimulation>> simulation_to_inspect(
      const app::Context& context, const app::Checkpoint* from) const override {
    if (from != nullptr) return simulation(context, from, {});
    return simulation_without_points(context, settings_);
  }
  Result<app::WantedBlocks> wanted_blocks(const app::Context&) const override {
    return app::WantedBlocks{};  // where tiles are, the deck says
  }
  Result<std::unique_ptr<app::AnySimulation>> simulation_without_cells(
      const app::Context& context, const app::WantedBlocks&) const override {
    return simulation_without_points(context, settings_);
  }

 private:
  Settings settings_;
  std::string scheme_name_;
};

std::vector<io::Parameter> parameters() {
  constexpr auto may_change = io::AtRestart::may_change;
  constexpr Range extents = Range::between(1e-100, 1e100);  // whose squares are numbers
  return {
      io::real("vlasov.length", 4 * std::numbers::pi, "length", "Length of the periodic box.",
               extents),
      io::real("vlasov.vmax", 6, "velocity", "Velocities go from -vmax to vmax, periodically.",
               extents),
      {.name = "vlasov.cells",
       .default_value = std::vector<std::int64_t>{128, 128},
       .unit = "points",
       .range = Range::between(1, 65536),
       .length = io::Length::exactly(2),
       .doc = "Points along x and along v."},
      {.name = "vlasov.tile",
       .default_value = std::vector<std::int64_t>{64, 64},
       .unit = "points",
       .range = Range::between(1, 1024),
       .length = io::Length::exactly(2),
       .doc = "Points of a tile, which is what a task works on; the last along an axis may have "
              "fewer."},
      {.name = "vlasov.halo",
       .default_value = std::int64_t{0},
       .unit = "points",
       .range = Range::between(0, widest_halo),
       .doc = "Points around a tile that its step may read; 0: as many as time.dt needs, with the "
              "strongest field that the energy at the start allows; steps that make a stronger one "
              "are too long.",
       .at_restart = may_change},
      {.name = "vlasov.degree",
       .default_value = std::int64_t{5},
       .range = Range::between(3, 7),
       .doc = "Degree of the Lagrange interpolation: 3, 5 or 7."},
      {.name = "vlasov.predictor",
       .default_value = "euler",
       .choices = {"euler", "ab2", "leapfrog", "extrapolation"},
       .doc = "How the field at the end of a step is found before it: by Ampere's law (Euler, "
              "Adams-Bashforth, leapfrog), or of the fields before.",
       .used_with = {"vlasov.splitting", {"none"}}},
      {.name = "vlasov.splitting",
       .default_value = "none",
       .choices = {"none", "strang"},
       .doc = "none: feet in two dimensions and tensor interpolation, as published; strang: half a "
              "step in v, one in x, half a step in v, which conserves mass."},
      {.name = "vlasov.poisson",
       .default_value = "cumulative",
       .choices = {"cumulative", "fft"},
       .doc =
           "How the field is found of the density: by sums of sixth order along x, or by Fourier "
           "transforms, on one rank."},
      {.name = "vlasov.decomposition",
       .default_value = "blocks",
       .choices = {"blocks", "v", "x", "round_robin"},
       .doc = "Who owns which tiles: rectangles, cuts along v or x alone, or tiles one by one; "
              "results are the same to the bit.",
       .at_restart = may_change},
      {.name = "vlasov.tile_order",
       .default_value = "along_v",
       .choices = {"along_v", "border"},
       .doc = "Which of the tiles that could be advanced goes first: in their order, or those of "
              "which other ranks read the most points, whose messages so leave early; results are "
              "the same to the bit.",
       .at_restart = may_change},
      {.name = "vlasov.priorities",
       .default_value = "messages",
       .choices = {"none", "messages"},
       .doc = "Whether tasks that make messages, or wait for them, go before others; results are "
              "the same to the bit.",
       .at_restart = may_change},
      io::tables(
          "vlasov.beams",
          {{{"density", 1.}, {"drift", 0.}, {"temperature", 1.}, {"a0", 1.}, {"a2", 0.}}},
          {io::real("density", 1, "", "Number density of the beam.", Range::at_least(0)),
           io::real("drift", 0, "velocity", "Mean velocity u of the beam."),
           io::real("temperature", 1, "velocity^2", "Temperature T of the beam.", Range::above(0)),
           io::real("a0", 1, "", "Factor of the Maxwellian."),
           io::real("a2", 0, "1/velocity^2", "Factor of v^2 times the Maxwellian.")},
          "f at the start: the sum of n (a0 + a2 v^2) exp(-(v - u)^2 / (2 T)) / sqrt(2 pi T), with "
          "n = density, u = drift, T = temperature."),
      io::tables("vlasov.modes", {{{"m", 1.}, {"amplitude", 0.01}}},
                 {io::real("m", 1, "", "Waves in the box.", Range::between(1, 1e6)),
                  io::real("amplitude", 0.01, "", "Amplitude of the wave.")},
                 "The beams are multiplied by 1 + the sum of amplitude cos(m 2 pi x / length)."),
      io::real("time.dt", 0.1, "time", "Length of a step.", Range::above(0)),
  };
}

}  // namespace

app::Application application() {
  return {.name = "vlasov",
          .doc =
              "Charged particles in one dimension: the Vlasov-Poisson system on tiles of phase "
              "space.",
          .parameters = parameters(),
          .without = {"mesh.", "boundary.", "regrid.", "partition.", "slices.", "points.",
                      "output.fields", "time.cfl", "time.max_growth", "time.max_dt",
                      "time.initial_shrink", "time.split_sources", "time.subcycle", "time.retries"},
          .axes = "xv",
          .set_up = [](const io::Deck& deck) -> std::unique_ptr<app::AnySetup> {
            return std::make_unique<Setup>(deck);
          }};
}

}  // namespace thalweg::vlasov

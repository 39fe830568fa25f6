// SPDX-License-Identifier: MIT
// bench: a Sedov blast's regrids, beside its steps, its ghost exchange and a fixed mesh (1 thread)
// Blocks of 16^3, three levels, a regrid every two steps; the fixed mesh has one level of as large
// blocks.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/app/application.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/hydro/application.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/io/deck.hpp>

namespace {

using namespace thalweg;

constexpr auto sedov = R"(
[problem]
name = "sedov"
radius = 0.03
[mesh]
upper = [0.5, 0.5, 0.5]
block_cells = 16
[boundary]
lower = ["reflecting", "reflecting", "reflecting"]
[time]
end = 100.0
[regrid]
criteria = ["density", "pressure"]
interval = 0
)";

template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

hydro::Setup<3> setup_of(const std::vector<std::string>& overrides) {
  const std::vector<app::Application> applications{hydro::application()};
  return hydro::set_up<3>(app::load_deck(applications, sedov, "sedov", overrides));
}

class Blast {
 public:
  Blast(app::Runtime& runtime, flow::Model model, const std::vector<std::string>& overrides)
      : setup_(setup_of(overrides)),
        simulation_(hydro::Simulation<3>::create(
                        runtime.context({.model = model}), setup_.problem, setup_.settings,
                        [&](const app::StepStatistics& s) { zones_ = s.zone_updates; })
                        .value()) {}

  /// Seconds that some steps take, with no regrid.
  double advance(std::int64_t n_steps) {
    return seconds(
        [&] { bench::require(simulation_->advance_to(simulation_->time_state().step + n_steps)); });
  }
  /// Seconds that a regrid takes, whether the mesh changes or not.
  double regrid() {
    return seconds([&] { bench::require(simulation_->regrid()); });
  }
  std::uint64_t revision() const { return simulation_->mesh().forest.revision; }
  /// Seconds that filling the ghost cells takes in one step of level 0, substeps included.
  double exchange(app::Runtime& runtime) {
    const auto& mesh = simulation_->mesh();
    const auto& problem = setup_.problem;
    const exchange::FillSettings<3> fill{mesh.forest.geometry, problem.boundaries};
    const exchange::BoundaryContext<hydro::Gas<3>> boundary{fill, problem.scheme.system};
    flow::Recorder recorder(Rank{0}, 1);
    const auto levels = step::bind(recorder, mesh, simulation_->state(), 1);
    record_fill(recorder, boundary, levels, 0, 0);
    auto graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    const auto clock = SteadyClock();
    flow::Executor executor({.scratch_bytes = step::scratch_bytes(
                                 *step::equations_of(problem.scheme, fill), mesh.forest.geometry)},
                            runtime.transport(), clock);
    (void)executor.run(graph, 1);
    return seconds([&] { (void)executor.run(graph, 1); });
  }
  std::int64_t zones() const { return zones_; }
  std::int64_t n_blocks() const {
    std::int64_t n = 0;
    for (const auto& level : simulation_->mesh().forest.levels) n += level.n_global;
    return n;
  }

 private:
  void record_fill(flow::Recorder& recorder,
                   const exchange::BoundaryContext<hydro::Gas<3>>& boundary,
                   const std::vector<exchange::LevelData<3>>& levels, std::size_t l, int substep) {
    const auto ratio = [&](std::size_t level) {
      return boundary.geometry.ratio(static_cast<int>(level));
    };
    std::optional<exchange::CoarserLevel<3>> coarser;
    const auto& plans = simulation_->mesh().plans[l];
    if (l > 0)
      coarser.emplace(levels[l - 1], plans.interface->coarse,
                      static_cast<double>(substep) / ratio(l - 1));
    exchange::emit_fill(recorder, boundary, levels[l], plans.ghost, coarser);
    if (l + 1 == levels.size()) return;
    for (int k = 0; k < ratio(l); ++k) record_fill(recorder, boundary, levels, l + 1, k);
  }

  hydro::Setup<3> setup_;
  std::unique_ptr<hydro::Simulation<3>> simulation_;
  std::int64_t zones_ = 0;
};

void measure(app::Runtime& runtime, bench::Report& report, flow::Model model) {
  Blast moving(runtime, model, {"mesh.max_level=2"});
  Blast fixed(runtime, model, {"mesh.root_blocks=[4,4,4]"});
  for (int i = 0; i < 30; ++i) {  // until the blast is some blocks wide
    moving.advance(2);
    moving.regrid();
  }
  fixed.advance(1);
  std::vector<double> milliseconds;
  std::vector<double> in_exchanges;
  std::vector<double> of_the_run;
  std::vector<double> of_the_rate;
  for (int i = 0; i < 15; ++i) {
    const double steps = moving.advance(2);
    const double zones = 2 * static_cast<double>(moving.zones());
    const auto revision = moving.revision();
    const double regrid = moving.regrid();
    const double rate_fixed = static_cast<double>(fixed.zones()) / fixed.advance(1);
    of_the_run.push_back(100 * regrid / (steps + regrid));
    of_the_rate.push_back(100 * zones / (steps + regrid) / rate_fixed);
    if (moving.revision() == revision) continue;
    milliseconds.push_back(regrid * 1e3);
    in_exchanges.push_back(regrid / moving.exchange(runtime));
  }
  const std::string label = std::string(flow::to_string(model)) + ": ";
  report.add(label + "blocks", "", {static_cast<double>(moving.n_blocks())});
  report.add(label + "regrid that changes the mesh", "ms", milliseconds);
  report.add(label + "the same / ghost exchange of a step", "", in_exchanges);
  report.add(label + "all regrids, of the run", "%", of_the_run);
  report.add(label + "zone updates a second, of those on a fixed mesh", "%", of_the_rate);
}

}  // namespace

int main(int argc, char** argv) {
  app::Runtime runtime(&argc, &argv);
  bench::Report report;
  for (const auto model : {flow::Model::bulk, flow::Model::dataflow})
    measure(runtime, report, model);
  report.print();
}

// SPDX-License-Identifier: MIT
// bench: share of a replayed step spent outside tasks, and zone updates a second (1 thread)
// Blocks of 16^3; a uniform mesh and one of three levels.
#include <cstdint>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/app/application.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/hydro/application.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/io/deck.hpp>

namespace {

using namespace thalweg;

constexpr auto blast = R"(
[problem]
name = "blast"
centre = [0.5, 0.5, 0.5]
radius = 0.2
pressure = 0.1
[mesh]
block_cells = 16
[boundary]
lower = ["periodic", "periodic", "periodic"]
upper = ["periodic", "periodic", "periodic"]
[time]
end = 100.0
[regrid]
criteria = ["density", "pressure"]
interval = 0
)";

void measure(app::Runtime& runtime, bench::Report& report, flow::Model model,
             const std::string& name, const std::vector<std::string>& overrides) {
  constexpr int n_repetitions = 5;
  constexpr std::int64_t n_steps = 4;
  const std::vector<app::Application> applications{hydro::application()};
  const auto deck = app::load_deck(applications, blast, "blast", overrides);
  const auto setup = hydro::set_up<3>(deck);
  std::int64_t zones_per_step = 0;
  const auto made = hydro::Simulation<3>::create(
                        runtime.context({.model = model}), setup.problem, setup.settings,
                        [&](const app::StepStatistics& s) { zones_per_step = s.zone_updates; })
                        .value();
  auto& simulation = *made;
  const auto advance = [&](std::int64_t steps) {
    bench::require(simulation.advance_to(simulation.time_state().step + steps));
  };
  advance(1);
  std::vector<double> outside;
  std::vector<double> rate;
  for (int i = 0; i < n_repetitions; ++i) {
    const auto before = simulation.executor().accounting().front();
    advance(n_steps);
    const auto after = simulation.executor().accounting().front();
    const auto work = static_cast<double>(after.work_ns - before.work_ns);
    const auto rest = static_cast<double>(after.overhead_ns - before.overhead_ns + after.idle_ns -
                                          before.idle_ns);
    outside.push_back(100 * rest / (work + rest));
    rate.push_back(1e3 * static_cast<double>(n_steps * zones_per_step) / (work + rest));
  }
  const std::string label = name + ", " + std::string(flow::to_string(model));
  report.add(label + ": outside tasks", "%", outside);
  report.add(label + ": zone updates", "M/s", rate);
}

}  // namespace

int main(int argc, char** argv) {
  app::Runtime runtime(&argc, &argv);
  bench::Report report;
  for (const auto model : {flow::Model::bulk, flow::Model::dataflow}) {
    measure(runtime, report, model, "64 blocks, uniform", {"mesh.root_blocks=[4,4,4]"});
    measure(runtime, report, model, "3 levels", {"mesh.max_level=2"});
  }
  report.print();
}

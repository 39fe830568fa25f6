// SPDX-License-Identifier: MIT
// bench: variation of step time, step to step, run to run, rank to rank; pools and malloc
// Coefficients of variation, per cent. A blast on two levels of blocks of 16^3, bulk, a regrid
// every four steps. Steps on one mesh do the same work; so do runs, but for the machine. Ranks are
// compared by the time in their tasks: mpirun -n 2 build/release/bin/bench_step_variation.
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/app/application.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/flow/collective.hpp>
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
max_level = 1
[time]
end = 100.0
[regrid]
criteria = ["density", "pressure"]
interval = 4
)";

/// The standard deviation of values over their mean, in per cent.
double variation(const std::vector<double>& values) {
  double mean = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  double square = 0;
  for (const double v : values) square += (v - mean) * (v - mean);
  return 100 * std::sqrt(square / static_cast<double>(values.size())) / mean;
}

/// What one run took.
struct Run {
  double per_step = 0;     ///< mean [s]
  double on_one_mesh = 0;  ///< variation of the steps between two regrids, mean
  double of_ranks = 0;     ///< variation of the ranks' time in tasks
};

Run run(app::Runtime& runtime, field::BlockSource block_source) {
  constexpr std::int64_t n_steps = 8;
  const std::vector<app::Application> applications{hydro::application()};
  auto setup = hydro::set_up<3>(app::load_deck(applications, blast, "blast"));
  setup.settings.block_source = block_source;
  std::vector<double> steps;
  const auto made =
      hydro::Simulation<3>::create(runtime.context({.model = flow::Model::bulk}), setup.problem,
                                   setup.settings,
                                   [&](const app::StepStatistics& s) { steps.push_back(s.wall_s); })
          .value();
  auto& simulation = *made;
  bench::require(simulation.advance_to(n_steps));

  Run result;
  const auto in_tasks = static_cast<double>(simulation.executor().total_time().work_ns);
  result.of_ranks = variation(flow::all_gather(runtime.transport(), in_tasks));
  for (std::size_t i = 0; i + 3 < steps.size(); i += 4)  // the first of four has the regrid in it
    result.on_one_mesh += variation({steps[i + 1], steps[i + 2], steps[i + 3]}) /
                          (0.25 * static_cast<double>(n_steps));
  for (const double s : steps) result.per_step += s / static_cast<double>(n_steps);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  app::Runtime runtime(&argc, &argv);
  constexpr int n_runs = 5;
  std::vector<std::vector<Run>> runs(2);
  for (int i = 0; i < n_runs; ++i)  // in turns: what else the machine does hits both
    for (const auto source : {field::BlockSource::slabs, field::BlockSource::heap})
      runs[static_cast<std::size_t>(source)].push_back(run(runtime, source));
  if (runtime.rank() != Rank{0}) return 0;
  bench::Report report;
  for (std::size_t source = 0; source < 2; ++source) {
    const std::string label = source == 0 ? "pools: " : "malloc: ";
    std::vector<double> per_step, on_one_mesh, of_ranks;
    for (const Run& one : runs[source]) {
      per_step.push_back(one.per_step * 1e3);
      on_one_mesh.push_back(one.on_one_mesh);
      of_ranks.push_back(one.of_ranks);
    }
    report.add(label + "a step", "ms", per_step);
    report.add(label + "step to step on one mesh", "%", on_one_mesh);
    report.add(label + "run to run", "%", {variation(per_step)});
    report.add(label + "rank to rank", "%", of_ranks);
  }
  report.print();
}

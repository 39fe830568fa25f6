// SPDX-License-Identifier: MIT
// bench: points of Vlasov-Poisson a second of processor time, 64^2 tiles, ghosts and sums included
// The published scheme and split steps, with AVX-512 where there is one and as compiled for any
// processor, on one thread; what a tile takes beside its tasks; and two threads against one, in
// turns, which says something on a quiet machine only. With the argument 8192 on so many points
// along an axis; else 1024.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/app/runtime.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/vlasov/simulation.hpp>

namespace {

using namespace thalweg;

constexpr int n_repetitions = 5;

vlasov::Settings settings_of(int n, vlasov::Splitting splitting, vlasov::Vectors vectors) {
  const double length = 12.566370614359172, v_max = 6;
  return {.grid = {.nx = n, .nv = n, .length = length, .v_max = v_max},
          .initial = {.beams = {{}}, .waves = {{1, 0.01}}, .length = length},
          .halo_x = 3,
          .halo_v = 3,
          .splitting = splitting,
          .vectors = vectors,
          .dt = 0.9 * length / n / v_max,
          .time = {}};
}

double cpu_s() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A run that goes on and on.
class Run {
 public:
  Run(app::Runtime& runtime, const vlasov::Settings& settings, std::uint32_t n_workers)
      : n_points_(static_cast<double>(settings.grid.nx) * settings.grid.nv),
        simulation_(vlasov::make_simulation(
                        runtime.context({.executor = {.n_workers = n_workers}}), settings, nullptr,
                        [this](const app::StepStatistics& step) {
                          outside_s_ += (1 - step.parallel_efficiency) * step.wall_s;
                        })
                        .value()) {
    advance(2);
  }

  void advance(std::int64_t n_steps) {
    outside_s_ = 0;
    bench::require(simulation_->advance_to(simulation_->time_state().step + n_steps));
  }
  /// Million points a second of processor time.
  double speed(std::int64_t n_steps) {
    const double before = cpu_s();
    advance(n_steps);
    return 1e-6 * n_points_ * static_cast<double>(n_steps) / (cpu_s() - before);
  }
  /// Wall-clock seconds.
  double seconds(std::int64_t n_steps) {
    const SteadyClock clock;
    const std::int64_t start_ns = clock.now_ns();
    advance(n_steps);
    return 1e-9 * static_cast<double>(clock.now_ns() - start_ns);
  }
  /// Time beside the bodies of tasks in the last steps, a tile of 64^2 points [us].
  double outside_us(std::int64_t n_steps) const {
    return 1e6 * outside_s_ / static_cast<double>(n_steps) / (n_points_ / 4096);
  }

 private:
  double n_points_;
  double outside_s_ = 0;
  std::unique_ptr<app::AnySimulation> simulation_;
};

}  // namespace

int main(int argc, char** argv) {
  using vlasov::Splitting, vlasov::Vectors;
  const int n = argc > 1 ? std::atoi(argv[1]) : 1024;
  const std::int64_t n_steps = n > 2048 ? 2 : 10;
  app::Runtime runtime(&argc, &argv);
  bench::Report report;
  const std::string size = std::to_string(n) + "^2, ";
  for (const auto& [name, splitting] :
       {std::pair{"published scheme", Splitting::none}, std::pair{"split", Splitting::strang}})
    for (const auto& [vectors_name, vectors] :
         {std::pair{"widest vectors", Vectors::widest}, std::pair{"portable", Vectors::portable}}) {
      Run run(runtime, settings_of(n, splitting, vectors), 1);
      std::vector<double> speeds, outside;
      for (int i = 0; i < n_repetitions; ++i) {
        speeds.push_back(run.speed(n_steps));
        outside.push_back(run.outside_us(n_steps));
      }
      report.add(size + name + ", " + vectors_name, "Mpoints/s", speeds);
      report.add(size + name + ", " + vectors_name + ": beside tasks, a tile", "us", outside);
    }
  Run one(runtime, settings_of(n, Splitting::none, Vectors::widest), 1);
  Run two(runtime, settings_of(n, Splitting::none, Vectors::widest), 2);
  std::vector<double> ratios;
  for (int i = 0; i < n_repetitions; ++i)
    ratios.push_back(one.seconds(n_steps) / two.seconds(n_steps));
  report.add(size + "one thread over two, wall clock", "", ratios);
  report.print();
}

// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/report.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg::lulesh {

SymmetryError symmetry_error(std::span<const double> energy, int s) {
  SymmetryError error;
  const auto n = static_cast<std::size_t>(s);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = j + 1; k < n; ++k) {
      const double difference = std::abs(energy[j * n + k] - energy[k * n + j]);
      error.total += difference;
      error.largest = std::max(error.largest, difference);
      const double relative = difference / energy[k * n + j];
      if (error.largest_relative < relative) error.largest_relative = relative;
    }
  return error;
}

std::string first_lines(const Options& options, int n_ranks) {
  const std::int64_t s = options.settings.s;
  return fmt::format(
      "Running problem size {}^3 per domain until completion\n"
      "Num processors: {}\n"
      "Num threads: {}\n"
      "Total number of elements: {} \n\n"
      "To run other sizes, use -s <integer>.\n"
      "To run a fixed number of iterations, use -i <integer>.\n"
      "To run a more or less balanced region set, use -b <integer>.\n"
      "To change the relative costs of regions, use -c <integer>.\n"
      "To print out progress, use -p\n"
      "To write an output file for VisIt, use -v\n"
      "See help (-h) for more options\n",
      s, n_ranks, options.execution.executor.n_workers, n_ranks * s * s * s);
}

std::string cycle_line(const CycleClock& clock) {
  return fmt::format("cycle = {}, time = {:e}, dt={:e}", clock.cycle, clock.time, clock.dt);
}

std::string last_lines(const Options& options, int n_ranks, const RunFacts& facts) {
  const auto s = static_cast<double>(options.settings.s);
  const double elements = s * s * s;
  const double us_a_cycle =
      facts.n_cycles > 0 ? facts.elapsed_s * 1e6 / static_cast<double>(facts.n_cycles) : 0;
  const double elements_a_us = us_a_cycle > 0 ? elements * n_ranks / us_a_cycle : 0;
  return fmt::format(
      "Run completed:\n"
      "   Problem size        =  {}\n"
      "   MPI tasks           =  {}\n"
      "   Iteration count     =  {}\n"
      "   Final Origin Energy =  {:12.6e}\n"
      "   Testing Plane 0 of Energy Array on rank 0:\n"
      "        MaxAbsDiff   = {:12.6e}\n"
      "        TotalAbsDiff = {:12.6e}\n"
      "        MaxRelDiff   = {:12.6e}\n\n"
      "Elapsed time         = {:10.2g} (s)\n"
      "Grind time (us/z/c)  = {:10.8g} (per dom)  ({:10.8g} overall)\n"
      "FOM                  = {:10.8g} (z/s)\n",
      options.settings.s, n_ranks, facts.clock.cycle, facts.origin_energy, facts.symmetry.largest,
      facts.symmetry.total, facts.symmetry.largest_relative, facts.elapsed_s, us_a_cycle / elements,
      facts.elapsed_s, 1000 * elements_a_us);
}

std::string time_line(const flow::WorkerTime& time) {
  const auto all = static_cast<double>(time.work_ns + time.overhead_ns + time.idle_ns);
  const auto percent = [&](std::int64_t ns) {
    return all > 0 ? 100 * static_cast<double>(ns) / all : 0;
  };
  return fmt::format(
      "Threads' time        = {:.2f} % work, {:.2f} % overhead, {:.2f} % idle, {} tasks",
      percent(time.work_ns), percent(time.overhead_ns), percent(time.idle_ns), time.n_tasks);
}

std::string fault_line(const CycleClock& clock) {
  const char* what = "";
  switch (clock.fault.check) {
    case Check::jacobian:
      what = "has no volume at its centre (integrate stress), VolumeError";
      break;
    case Check::volume:
      what = "has no volume (hourglass control), VolumeError";
      break;
    case Check::new_volume:
      what = "has no volume after nodes have moved (kinematics), VolumeError";
      break;
    case Check::viscosity:
      what = "has an artificial viscosity above 1e12 (monotonic q), QStopError";
      break;
    case Check::none:
      break;
  }
  return fmt::format("element {} {}, in cycle {} at time {:e} with dt {:e}", clock.fault.element,
                     what, clock.cycle, clock.time, clock.dt);
}

int exit_code(const Fault& fault) {
  constexpr int volume_error = -1 & 0xff;
  constexpr int q_stop_error = -2 & 0xff;
  if (fault.check == Check::none) return 0;
  return fault.check == Check::viscosity ? q_stop_error : volume_error;
}

}  // namespace thalweg::lulesh

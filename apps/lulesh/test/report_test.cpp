// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/report.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace thalweg::lulesh {
namespace {

TEST(LuleshReport, has_the_lines_of_the_reference) {
  const RunFacts facts{.clock = {.time = 1e-2, .dt = 1e-5, .cycle = 72},
                       .n_cycles = 72,
                       .origin_energy = 7853.6651,
                       .symmetry = {5.684342e-13, 1.771377e-12, 4.412566e-14},
                       .elapsed_s = 0.01125};
  const Options options{.settings = {.s = 5}};
  EXPECT_EQ(last_lines(options, 8, facts),
            "Run completed:\n"
            "   Problem size        =  5\n"
            "   MPI tasks           =  8\n"
            "   Iteration count     =  72\n"
            "   Final Origin Energy =  7.853665e+03\n"
            "   Testing Plane 0 of Energy Array on rank 0:\n"
            "        MaxAbsDiff   = 5.684342e-13\n"
            "        TotalAbsDiff = 1.771377e-12\n"
            "        MaxRelDiff   = 4.412566e-14\n"
            "\n"
            "Elapsed time         =      0.011 (s)\n"
            "Grind time (us/z/c)  =       1.25 (per dom)  (   0.01125 overall)\n"
            "FOM                  =       6400 (z/s)\n");
  EXPECT_EQ(cycle_line({.time = 1.25e-5, .dt = 1.25e-5, .cycle = 1}),
            "cycle = 1, time = 1.250000e-05, dt=1.250000e-05");
}

TEST(LuleshReport, counts_elements_in_64_bits) {
  const Options options{.settings = {.s = 800}, .execution = {.executor = {.n_workers = 2}}};
  const std::string lines = first_lines(options, 8);
  EXPECT_NE(lines.find("Running problem size 800^3 per domain until completion\n"
                       "Num processors: 8\nNum threads: 2\n"
                       "Total number of elements: 4096000000 \n"),
            std::string::npos);
}

TEST(LuleshReport, compares_elements_across_the_diagonal) {
  const std::vector<double> energy{9, 1, 2, 1, 9, 4, 2.5, 3, 9};
  const SymmetryError error = symmetry_error(energy, 3);
  EXPECT_EQ(error.largest, 1);
  EXPECT_EQ(error.total, 1.5);
  EXPECT_EQ(error.largest_relative, 1.0 / 3);
}

TEST(LuleshReport, divides_the_time_of_threads) {
  EXPECT_EQ(time_line({.work_ns = 9000, .overhead_ns = 250, .idle_ns = 750, .n_tasks = 12}),
            "Threads' time        = 90.00 % work, 2.50 % overhead, 7.50 % idle, 12 tasks");
}

TEST(LuleshReport, says_where_and_when_a_fault_is) {
  const CycleClock clock{
      .time = 1e-3, .dt = 2e-5, .cycle = 40, .fault = {Check::new_volume, 12345678901}};
  EXPECT_EQ(fault_line(clock),
            "element 12345678901 has no volume after nodes have moved (kinematics), VolumeError, "
            "in cycle 40 at time 1.000000e-03 with dt 2.000000e-05");
}

TEST(LuleshReport, ends_with_the_references_codes) {
  EXPECT_EQ(exit_code({}), 0);
  for (const Check check : {Check::jacobian, Check::volume, Check::new_volume})
    EXPECT_EQ(exit_code({check, 0}), 255);  // exit(-1)
  EXPECT_EQ(exit_code({Check::viscosity, 0}), 254);
}

}  // namespace
}  // namespace thalweg::lulesh

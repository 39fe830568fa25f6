// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/report.hpp>

#include <string>

#include <gtest/gtest.h>

namespace thalweg::hpccg {
namespace {

TEST(Report, has_the_lines_of_the_reference_in_its_order) {
  const Options options{.n = {{10, 10, 5}}, .ranks = {{1, 1, 2}}};
  const RunFacts facts{.solution = {149, 258.24, 1.64471e-93},
                       .total_s = 0.5,
                       .ddot_s = 0.1,
                       .waxpby_s = 0.2,
                       .sparsemv_s = 0.25,
                       .exchange_s = 0.125,
                       .setup_s = 0.125,
                       .least_reduce_s = 0.01,
                       .most_reduce_s = 0.03,
                       .mean_reduce_s = 0.02};
  // Keys as the reference program writes them on two ranks, numbers of these facts.
  const std::string expected =
      "Mini-Application Name: hpccg\nMini-Application Version: 1.0\n"
      "Parallelism: \n  Number of MPI ranks: 2\n  OpenMP not enabled: \n"
      "Dimensions: \n  nx: 10\n  ny: 10\n  nz: 5\n"
      "Number of iterations: 149\nFinal residual: 1.64471e-93\n"
      "#********** Performance Summary (times in sec) ***********: \n"
      "Time Summary: \n  Total   : 0.5\n  DDOT    : 0.1\n  WAXPBY  : 0.2\n  SPARSEMV: 0.25\n"
      "FLOPS Summary: \n  Total   : 9.536e+06\n  DDOT    : 596000\n  WAXPBY  : 894000\n"
      "  SPARSEMV: 8.046e+06\n"
      "MFLOPS Summary: \n  Total   : 19.072\n  DDOT    : 5.96\n  WAXPBY  : 4.47\n"
      "  SPARSEMV: 32.184\n"
      "DDOT Timing Variations: \n  Min DDOT MPI_Allreduce time: 0.01\n"
      "  Max DDOT MPI_Allreduce time: 0.03\n  Avg DDOT MPI_Allreduce time: 0.02\n"
      "SPARSEMV OVERHEADS: \n  SPARSEMV MFLOPS W OVERHEAD: 16.092\n"
      "  SPARSEMV PARALLEL OVERHEAD Time: 0.25\n  SPARSEMV PARALLEL OVERHEAD Pct: 50\n"
      "  SPARSEMV PARALLEL OVERHEAD Setup Time: 0.125\n"
      "  SPARSEMV PARALLEL OVERHEAD Setup Pct: 25\n"
      "  SPARSEMV PARALLEL OVERHEAD Bdry Exch Time: 0.125\n"
      "  SPARSEMV PARALLEL OVERHEAD Bdry Exch Pct: 25\n"
      "Execution: \n  Model: dataflow\n";
  const std::string text = report_yaml(options, facts);
  EXPECT_EQ(text.substr(0, expected.size()), expected);
  EXPECT_NE(text.find("  Format: sell\n  Sums: pieces\n  Grid of ranks: 1x1x2\n"),
            std::string::npos);
}

}  // namespace
}  // namespace thalweg::hpccg

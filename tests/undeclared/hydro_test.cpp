// SPDX-License-Identifier: MIT
// No false alarm: gas dynamics on an adaptive mesh, through regrids, on one rank and on three.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <thalweg/flow/access_checker.hpp>

#include "../support/dimensions.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

std::string blast(int dim) {
  return R"(
[problem]
name = "blast"
gamma = 1.4
centre = )" +
         repeated(dim, "0.4") + R"(
velocity = )" +
         repeated(dim, "5.0") + R"(
pressure = 0.1
[mesh]
dim = )" +
         std::to_string(dim) + R"(
lower = )" +
         repeated(dim, "0.0") + R"(
upper = )" +
         repeated(dim, "1.0") + R"(
root_blocks = )" +
         repeated(dim, "2") + R"(
block_cells = 8
max_level = )" +
         std::to_string(dim == 3 ? 1 : 2) + R"(
[boundary]
lower = )" +
         repeated(dim, "\"periodic\"") + R"(
upper = )" +
         repeated(dim, "\"periodic\"") + R"(
[time]
end = 10.0
max_steps = 6
[regrid]
interval = 2
threshold = 0.4
)";
}

template <int D>
void expect_nothing_found(int n_ranks, flow::Model model) {
  flow::AccessChecker checker;
  std::uint64_t n_regrids = 0;
  const auto done =
      simulate<D>(deck(blast(D)), {.n_ranks = n_ranks, .model = model, .checker = &checker},
                  [&](auto& simulation) {
                    const auto run = simulation.advance_to(6);
                    if (!run) throw std::runtime_error(run.error().message);
                    n_regrids = simulation.mesh().forest.revision;
                  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GT(n_regrids, 1u);
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u) << "of " << checker.n_checked();
}

TEST(Hydro, declares_all_it_uses_in_1d) {
  expect_nothing_found<1>(1, flow::Model::dataflow);
  expect_nothing_found<1>(3, flow::Model::phase);
}

TEST(Hydro, declares_all_it_uses_in_2d) {
  expect_nothing_found<2>(1, flow::Model::dataflow);
  expect_nothing_found<2>(3, flow::Model::dataflow);
}

TEST(Hydro, declares_all_it_uses_in_3d) {
  expect_nothing_found<3>(1, flow::Model::dataflow);
  expect_nothing_found<3>(3, flow::Model::dataflow);
}

}  // namespace
}  // namespace thalweg::testing

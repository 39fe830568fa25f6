// SPDX-License-Identifier: MIT
// Whole runs of the reference's cases over MPI: all models, one and two threads.
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>

#include "reference_suites.hpp"

namespace thalweg::miniamr {
namespace {

using testing::ReferenceCase;

constexpr std::int64_t too_many_blocks = 30'000;

/// An execution model, and how many threads it is given.
struct Way {
  std::string model;
  int n_threads;
};

class ReferenceMpi : public ::testing::TestWithParam<std::tuple<ReferenceCase, Way>> {};

TEST_P(ReferenceMpi, has_its_bits) {
  const auto& [c, way] = GetParam();
  const int n_ranks = comm::test_session->n_ranks();
  const auto grids = testing::grids_of(c.root, n_ranks);
  if (grids.empty()) GTEST_SKIP() << "no grid of " << n_ranks << " ranks fits";
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  const SteadyClock clock;
  io::MemoryFileSystem files;
  const Options options =
      testing::options_on(c, grids.back(),
                          fmt::format("{} --model {} --threads {}", testing::as_the_reference,
                                      way.model, way.n_threads));
  testing::Printed printed;
  Logger log(printed.file(), transport.rank());
  const auto facts = run(options, {transport, clock, files, log, execution_of(options)});
  ASSERT_TRUE(facts) << facts.error().message;
  if (transport.rank() == Rank())
    testing::expect_reference(c, c.field_hash, printed.text(), *facts);
  testing::expect_sums(c, *facts);
}

const auto ways =
    ::testing::Values(Way{"bulk", 1}, Way{"forkjoin", 1}, Way{"forkjoin", 2}, Way{"phase", 1},
                      Way{"phase", 2}, Way{"dataflow", 1}, Way{"dataflow", 2});
const auto name = [](const auto& test) {
  const auto& [c, way] = test.param;
  return fmt::format("{}_{}_{}", c.name, way.model, way.n_threads);
};
INSTANTIATE_TEST_SUITE_P(Small, ReferenceMpi,
                         ::testing::Combine(testing::small_cases(too_many_blocks), ways), name);
INSTANTIATE_TEST_SUITE_P(DISABLED_Large, ReferenceMpi,
                         ::testing::Combine(testing::large_cases(too_many_blocks), ways), name);

}  // namespace
}  // namespace thalweg::miniamr

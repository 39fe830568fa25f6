// SPDX-License-Identifier: MIT
// Whole runs of the reference's cases over MPI: all models, one and two threads.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>

#include "expect_reference.hpp"
#include "run_on.hpp"

namespace thalweg::miniamr {
namespace {

using testing::ReferenceCase;

constexpr std::int64_t many_blocks = 30'000;  // too many for each day

std::vector<ReferenceCase> cases(std::int64_t first, std::int64_t last) {
  return testing::reference_cases_of(REFERENCE_CASES, first, last);
}

class ReferenceMpi : public ::testing::TestWithParam<ReferenceCase> {};

TEST_P(ReferenceMpi, has_its_bits_in_all_models_on_one_and_two_threads) {
  const ReferenceCase& c = GetParam();
  const int n_ranks = comm::test_session->n_ranks();
  const auto grids = testing::grids_of(c.root, n_ranks);
  if (grids.empty()) GTEST_SKIP() << "no grid of " << n_ranks << " ranks fits";
  comm::MpiTransport transport(*comm::test_session);
  const SteadyClock clock;
  io::MemoryFileSystem files;
  for (const std::string how :
       {"--model bulk", "--model forkjoin", "--model forkjoin --threads 2", "--model phase",
        "--model phase --threads 2", "--model dataflow", "--model dataflow --threads 2"}) {
    SCOPED_TRACE(how);
    const Options options = testing::options_on(c, grids.back(), testing::as_the_reference + how);
    testing::Printed printed;
    Logger log(printed.file(), transport.rank());
    const auto facts = run(options, {transport, clock, files, log, execution_of(options)});
    ASSERT_TRUE(facts) << facts.error().message;
    if (transport.rank() == Rank())
      testing::expect_reference(c, c.field_hash, printed.text(), *facts);
    testing::expect_sums(c, *facts);
  }
}

const auto name = [](const auto& c) { return c.param.name; };
INSTANTIATE_TEST_SUITE_P(Small, ReferenceMpi, ::testing::ValuesIn(cases(0, many_blocks)), name);
INSTANTIATE_TEST_SUITE_P(DISABLED_Large, ReferenceMpi,
                         ::testing::ValuesIn(cases(many_blocks, testing::any_blocks)), name);

}  // namespace
}  // namespace thalweg::miniamr

int main(int argc, char** argv) {
  return thalweg::comm::run_mpi_tests(argc, argv);
}

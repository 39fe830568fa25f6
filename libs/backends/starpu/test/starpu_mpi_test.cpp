// SPDX-License-Identifier: MIT
#include <thalweg/backends/starpu.hpp>

#include <thalweg/comm/session.hpp>
#include <thalweg/comm/transport_mpi.hpp>

#include "backend_ranks.hpp"
#include "starpu_home.hpp"

namespace thalweg::backends {
namespace {

/// MPI for the tests of this program.
class BackendMpi : public testing::Test {
 public:
  static inline comm::Session* session = nullptr;

 protected:
  comm::MpiTransport transport{*session};
};

TEST_F(BackendMpi, random_programs_give_the_serial_result_in_all_models) {
  const auto n_ranks = static_cast<std::uint32_t>(transport.n_ranks());
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    // In every other one the last rank has no work.
    const std::uint32_t n_busy = n_ranks > 1 && seed % 2 == 1 ? n_ranks - 1 : n_ranks;
    const comm::DistributedProgram program({.seed = seed, .n_ranks = n_ranks, .n_busy = n_busy});
    expect_serial_result<StarPuExecutor>(transport, {.n_threads = 2}, program,
                                         static_cast<flow::Model>(seed % 4));
  }
}

}  // namespace
}  // namespace thalweg::backends

int main(int argc, char** argv) {
  thalweg::comm::Session session(&argc, &argv);
  thalweg::backends::BackendMpi::session = &session;
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new thalweg::backends::StarPuHome);
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, session.world());
  return failed;
}

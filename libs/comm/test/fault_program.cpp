// SPDX-License-Identifier: MIT
// fault_program FAULT MODEL N_WORKERS: runs planted_fault.hpp under MPI, with a limit of five
// seconds.
#include <cstdio>
#include <string>
#include <string_view>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/flow/model.hpp>

#include "planted_fault.hpp"

int main(int argc, char** argv) {
  using namespace thalweg;
  if (argc != 4) return 2;
  comm::Session session(&argc, &argv);
  comm::MpiTransport transport(session);
  const SteadyClock clock;
  comm::Fault fault = comm::Fault::none;
  for (const comm::FaultCase& c : comm::fault_cases())
    if (std::string_view(argv[1]) == c.name) fault = c.fault;
  std::setvbuf(stdout, nullptr, _IOFBF, BUFSIZ);  // as in a file: some MPIs give a terminal
  std::printf("rank %u begins\n", session.rank()());
  const flow::ExecutorConfig config{.n_workers = static_cast<std::uint32_t>(std::stoul(argv[3])),
                                    .watchdog_s = 5};
  comm::run_with_fault(fault, transport, *flow::model_from_string(argv[2]), config, clock);
  return 0;
}

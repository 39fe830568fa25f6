// SPDX-License-Identifier: MIT
// Requests that somebody else makes, here MPI's own collectives, bound to the end of a task.
//
// As TAMPI_Iwait and TAMPI_Iwaitall do: the body returns at once, and what depends on the task
// waits.
#include <mpi.h>

#include <array>
#include <cstdio>

#include <thalweg/comm/foreign_request.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  const comm::Communicator own(mpi.world());  // so that nothing is mixed up with the runtime's

  flow::Recorder r(mpi.rank(), mpi.n_ranks());
  const auto mine = r.data<double>("mine", 2, 1.0 + mpi.rank()());
  const auto sum = r.data<double>("sum", 1), largest = r.data<double>("largest", 1);
  r.task("work", uses(inout(mine)), [](auto v) { v[1] = 2 * v[0]; });
  r.task("reduce", uses(in(mine), out(sum), out(largest)),
         [&own](auto v, auto s, auto l, flow::TaskContext& context) {
           context.with_transport([&] {  // threads are inside MPI in turns
             std::array<MPI_Request, 2> requests{};
             MPI_Iallreduce(&v[0], &s[0], 1, MPI_DOUBLE, MPI_SUM, own.get(), &requests[0]);
             MPI_Iallreduce(&v[1], &l[0], 1, MPI_DOUBLE, MPI_MAX, own.get(), &requests[1]);
             context.bind(std::array{comm::foreign_request(requests[0]),
                                     comm::foreign_request(requests[1])});
           });
         });
  bool is_right = true;
  const double n = mpi.n_ranks();
  r.task("use", uses(in(sum), in(largest)), [&is_right, n](auto s, auto l) {
    is_right = is_right && s[0] == n * (n + 1) / 2 && l[0] == 2 * n;
  });
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);

  const SteadyClock clock;
  flow::Executor executor({.n_workers = 2}, transport, clock);
  const auto done = executor.run(graph, 100);
  if (!done) transport.abort(done.error().message);
  std::printf("rank %u: sum %g, largest %g\n", mpi.rank()(), sum.const_view()[0],
              largest.const_view()[0]);
  return is_right ? 0 : 1;
}

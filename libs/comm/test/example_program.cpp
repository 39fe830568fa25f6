// SPDX-License-Identifier: MIT
// What README.md says of MPI, and the tasks that wait of libs/flow/README.md. Ends with 0 if their
// results are right.
#include <mpi.h>

#include <cstdint>
#include <span>
#include <utility>

#include <thalweg/comm/communicator.hpp>
#include <thalweg/comm/foreign_request.hpp>
#include <thalweg/comm/session.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/executor.hpp>

namespace thalweg::flow {
namespace {

/// @return whether all ranks were added up, and the number of the rank on the left came
bool wait_in_tasks(Transport& transport, const comm::Communicator& foreign) {
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());
  const std::uint32_t here = transport.rank()();
  const Rank left((here + n - 1) % n), right((here + 1) % n);
  Recorder r(transport.rank(), transport.n_ranks());
  const auto mine = r.data<int>("mine", 1, static_cast<int>(here));
  const auto sum = r.data<int>("sum", 1);
  const auto x = r.data<double>("x", 1, static_cast<double>(here));
  const auto y = r.data<double>("y", 1, -1.0);

  r.task("sum", uses(in(mine), out(sum)), [&](auto from, auto to, TaskContext& context) {
    MPI_Request request = MPI_REQUEST_NULL;
    context.with_transport([&] {
      MPI_Iallreduce(from.data(), to.data(), 1, MPI_INT, MPI_SUM, foreign.get(), &request);
    });
    context.bind(comm::foreign_request(request));  // over only when that is: TAMPI's Iwait
  });
  r.task("ring", uses(in(x), out(y)),
         [=](std::span<const double> v, std::span<double> w, TaskContext& context) -> Coroutine {
           const bool is_first = here % 2 == 0;  // if all sent first, all might wait for ever
           if (is_first) co_await context.send(std::as_bytes(v), right, Tag(0));
           co_await context.recv(std::as_writable_bytes(w), left, Tag(0));
           if (!is_first) co_await context.send(std::as_bytes(v), right, Tag(0));
         });

  Graph graph = capture(std::move(r), Model::dataflow);
  const SteadyClock clock;
  Executor executor({.n_workers = 2}, transport, clock);
  const auto report = executor.run(graph, 10);
  if (!report) transport.abort(report.error().message);
  return sum.const_view()[0] == static_cast<int>(n * (n - 1) / 2) &&
         y.const_view()[0] == static_cast<double>(left());
}

}  // namespace
}  // namespace thalweg::flow

int main(int argc, char** argv) {
  using namespace thalweg;

  const comm::Session session(&argc,
                              &argv);     // MPI_Init_thread(SERIALIZED); at the end MPI_Finalize
  comm::MpiTransport transport(session);  // all ranks together

  const comm::Communicator foreign(session.world());
  return flow::wait_in_tasks(transport, foreign) ? 0 : 1;
}

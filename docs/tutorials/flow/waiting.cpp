// SPDX-License-Identifier: MIT
// Tasks that wait for something outside without holding a worker, in two ways.
#include <cstdio>

#include <thalweg/comm/foreign_request.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  const comm::Communicator own(mpi.world());  // for the MPI calls of this program
  const auto n_ranks = static_cast<std::uint32_t>(mpi.n_ranks());
  const Rank right((mpi.rank()() + 1) % n_ranks), left((mpi.rank()() + n_ranks - 1) % n_ranks);

  flow::Recorder r(mpi.rank(), mpi.n_ranks());
  const auto mine = r.data<int>("mine", 1, static_cast<int>(mpi.rank()()));
  const auto sum = r.data<int>("sum", 1), token = r.data<int>("token", 1);

  // A request of MPI, bound to a task: the task is over, for those who use `sum`, when that is.
  r.task("sum", uses(in(mine), out(sum)), [&](auto from, auto to, flow::TaskContext& context) {
    MPI_Request request = MPI_REQUEST_NULL;
    context.with_transport([&] {
      MPI_Iallreduce(from.data(), to.data(), 1, MPI_INT, MPI_SUM, own.get(), &request);
    });
    context.bind(comm::foreign_request(request));
  });

  // The blocking style: a token goes once round the ring, and no worker waits for it.
  const bool is_first = mpi.rank() == Rank(0);
  r.task("ring", uses(in(sum), inout(token)),
         [=](auto total, auto t, flow::TaskContext& context) -> flow::Coroutine {
           const flow::Tag tag(0);
           if (!is_first) co_await context.recv(std::as_writable_bytes(t), left, tag);
           t[0] += total[0];
           if (n_ranks > 1) co_await context.send(std::as_bytes(t), right, tag);
           if (is_first && n_ranks > 1)
             co_await context.recv(std::as_writable_bytes(t), left, tag);
         });
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);

  const SteadyClock clock;
  flow::Executor executor({.n_workers = 2}, transport, clock);
  const auto done = executor.run(graph, 10);
  if (!done) transport.abort(done.error().message);

  // Rank 0 got back what all have added in ten rounds.
  const int expected = 10 * mpi.n_ranks() * (mpi.n_ranks() * (mpi.n_ranks() - 1) / 2);
  if (is_first) std::printf("the token says %d\n", token.const_view()[0]);
  return !is_first || token.const_view()[0] == expected ? 0 : 1;
}

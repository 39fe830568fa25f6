// SPDX-License-Identifier: MIT
// Tasks that wait in the middle, and none of them holds a worker: a token goes round the ranks.
//
// Each rank has 20 such tasks and one worker. Task k waits for token k, adds its rank and passes it
// on. A body that blocked would stop everything: who holds the only worker waits for others' tasks.
#include <array>
#include <cstdio>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  constexpr std::uint32_t n_tokens = 20;
  const auto n_ranks = static_cast<std::uint32_t>(mpi.n_ranks());
  const std::uint32_t here = mpi.rank()();
  const Rank left((here + n_ranks - 1) % n_ranks), right((here + 1) % n_ranks);

  flow::Recorder r(mpi.rank(), mpi.n_ranks());
  std::array<int, n_tokens> results{};
  for (std::uint32_t k = 0; k < n_tokens; ++k) {
    const auto token = r.data<int>("token", 1);
    const flow::Tag tag(k);
    r.task("pass on", uses(inout(token)),
           [=, &results](std::span<int> t, flow::TaskContext& context) -> flow::Coroutine {
             const bool is_first = here == k % n_ranks;
             if (!is_first) co_await context.recv(std::as_writable_bytes(t), left, tag);
             t[0] = is_first ? 1000 + static_cast<int>(here) : t[0] + static_cast<int>(here);
             // Alone there is nobody who receives while we wait for the send to be over.
             if (n_ranks > 1) co_await context.send(std::as_bytes(t), right, tag);
             if (n_ranks > 1 && is_first)
               co_await context.recv(std::as_writable_bytes(t), left, tag);
             results[k] = t[0];
           });
  }
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);

  const SteadyClock clock;
  flow::Executor executor({.n_workers = 1}, transport, clock);
  const auto done = executor.run(graph, 1);
  if (!done) transport.abort(done.error().message);

  // A token is back where it began when everybody has added his rank.
  const int expected = 1000 + static_cast<int>(n_ranks * (n_ranks - 1) / 2);
  bool is_right = true;
  for (std::uint32_t k = here; k < n_tokens; k += n_ranks)
    is_right = is_right && results[k] == expected;
  std::printf("rank %u: %d, expected %d\n", here, results[here], expected);
  return is_right ? 0 : 1;
}

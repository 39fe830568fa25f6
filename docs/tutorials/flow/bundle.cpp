// SPDX-License-Identifier: MIT
// Many small messages to a neighbour as few: max_comm_tasks.
#include <cstdio>
#include <vector>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/message_bundle.hpp>

using namespace thalweg;

namespace {

struct Outcome {
  double sum = 0;
  std::size_t n_messages = 0;
};

/// Swap 24 faces with the neighbours in a ring, and work on each as soon as it is there.
Outcome run(comm::MpiTransport& transport, int max_comm_tasks) {
  constexpr std::size_t n_faces = 24, face_size = 10;
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());
  const std::uint32_t here = transport.rank()();
  const Rank left((here + n - 1) % n), right((here + 1) % n);

  flow::Recorder r(transport.rank(), transport.n_ranks());
  const auto faces = r.data<double>("faces", n_faces * face_size, 1.0 + here);
  const auto theirs = r.data<double>("theirs", n_faces * face_size);
  flow::MessageBundle exchange("faces", max_comm_tasks);
  for (std::size_t f = 0; f < n_faces; ++f) {
    exchange.send(in(faces.range(f * face_size, (f + 1) * face_size)), right);
    exchange.recv(out(theirs.range(f * face_size, (f + 1) * face_size)), left);
  }
  exchange.record(r);
  for (std::size_t f = 0; f < n_faces; ++f)
    r.task("use",
           uses(in(theirs.range(f * face_size, (f + 1) * face_size)),
                inout(faces.range(f * face_size, (f + 1) * face_size))),
           [](auto from, auto to) {
             for (std::size_t i = 0; i < face_size; ++i) to[i] = 0.5 * (to[i] + from[i]);
           });
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);

  const SteadyClock clock;
  flow::Executor executor({.n_workers = 2}, transport, clock);
  if (const auto done = executor.run(graph, 3); !done) transport.abort(done.error().message);
  Outcome result{.n_messages = graph.n_messages()};
  for (const double x : faces.const_view()) result.sum += x;
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  const Outcome one_a_face = run(transport, 0);
  bool is_right = one_a_face.n_messages == 48;
  for (const int max_comm_tasks : {1, 2, 8}) {
    const Outcome bundled = run(transport, max_comm_tasks);
    is_right = is_right && bundled.sum == one_a_face.sum &&
               bundled.n_messages == 2 * static_cast<std::size_t>(max_comm_tasks);
    if (mpi.rank() == Rank(0))
      std::printf("max_comm_tasks %d: %zu messages instead of %zu, sum %.17g\n", max_comm_tasks,
                  bundled.n_messages, one_a_face.n_messages, bundled.sum);
  }
  return is_right ? 0 : 1;
}

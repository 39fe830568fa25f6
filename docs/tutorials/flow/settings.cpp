// SPDX-License-Identifier: MIT
// Settings for studies: who makes messages progress, how they are posted, what a worker runs next.
//
// A wavefront over a periodic row of cells, two ghost cells exchanged a step. Whatever is chosen,
// the bits are the same; what differs is the time, which is printed.
#include <cstdio>
#include <string>
#include <vector>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

namespace {

struct Outcome {
  double value;
  double time_ms;
};

Outcome run(comm::MpiTransport& transport, const flow::ExecutorConfig& config) {
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());
  const std::uint32_t here = transport.rank()();
  const Rank left((here + n - 1) % n), right((here + 1) % n);
  flow::Recorder r(transport.rank(), transport.n_ranks());
  const auto u = r.data<double>("u", 34, 1.0 + here);
  r.send(in(u.range(1, 2)), left);
  r.send(in(u.range(32, 33)), right);
  r.recv(out(u.range(33, 34)), right);
  r.recv(out(u.range(0, 1)), left);
  // Who sends something is the more urgent one.
  for (std::size_t i = 1; i <= 32; ++i)
    r.task("cell", uses(in(u.range(i - 1, i)), inout(u.range(i, i + 1)), in(u.range(i + 1, i + 2))),
           [](auto west, auto cell, auto east) {
             cell[0] = 0.5 * cell[0] + 0.3 * west[0] + 0.2 * east[0];
           },
           {.priority = i == 1 || i == 32 ? 1 : 0});
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);

  const SteadyClock clock;
  flow::Executor executor(config, transport, clock);
  const auto start_ns = clock.now_ns();
  const auto done = executor.run(graph, 500);
  if (!done) transport.abort(done.error().message);
  return {u.const_view()[17], 1e-6 * static_cast<double>(clock.now_ns() - start_ns)};
}

}  // namespace

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  using flow::Posting, flow::Progress;
  const std::vector<std::pair<std::string, flow::ExecutorConfig>> studies{
      {"idle workers poll", {.n_workers = 2}},
      {"polled after each task too", {.n_workers = 2, .progress = Progress::task_boundary}},
      {"a thread of its own polls", {.n_workers = 2, .progress = Progress::thread}},
      {"persistent requests", {.n_workers = 2, .posting = Posting::persistent}},
      {"oldest ready task first", {.n_workers = 2, .runs_successor_next = false}},
      {"priorities ignored", {.n_workers = 2, .honours_priorities = false}}};

  const double expected = run(transport, {.n_workers = 1}).value;
  bool is_same = true;
  for (const auto& [name, config] : studies) {
    const Outcome result = run(transport, config);
    is_same = is_same && result.value == expected;
    if (mpi.rank() == Rank(0)) std::printf("%-28s %8.2f ms\n", name.c_str(), result.time_ms);
  }
  return is_same ? 0 : 1;
}

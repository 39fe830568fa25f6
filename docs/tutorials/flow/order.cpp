// SPDX-License-Identifier: MIT
// What decides when a task runs: its data, explicit edges, priorities, preferred workers.
#include <cstdio>
#include <string>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

int main() {
  std::string log;  // written by tasks of one worker, so without a race
  comm::SimNetwork network({});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::Recorder r(transport.rank(), transport.n_ranks());
    const auto say = [&log](const char* what) { return [&log, what](auto&&...) { log += what; }; };

    // Four blocks of one field: a list of accesses made at run time, as long as it needs to be.
    std::vector<flow::DatumId> blocks;
    for (int b = 0; b < 4; ++b) blocks.push_back(r.datum("block " + std::to_string(b)));
    for (const flow::DatumId block : blocks) {
      const std::vector<flow::Access> accesses{{block, flow::Mode::out}};
      r.task("fill", accesses, say("f"), {.cost = 2.5, .preferred_worker = block() % 2});
    }
    std::vector<flow::Access> all;
    for (const flow::DatumId block : blocks) all.push_back({block, flow::Mode::in});
    const flow::TaskId sum = r.task("sum", all, say("S"));

    // Independent of all that, and ready at once: the most urgent ones first.
    const std::vector<flow::Access> none;
    r.task("idle work", none, say("-"), {.priority = -1});
    r.task("urgent", none, say("1"), {.priority = 1});
    r.task("more urgent", none, say("2"), {.priority = 2});

    // No datum says that the report is to be printed after the sum: an edge does.
    const flow::TaskId report = r.task("report", none, say("R"), {.priority = 3});
    r.after(sum, report);

    flow::Graph graph = capture(std::move(r), flow::Model::dataflow);
    flow::Executor executor({}, transport, network.clock());
    if (const auto ran = executor.run(graph, 1); !ran) transport.abort(ran.error().message);
  });
  std::printf("%s\n", done ? log.c_str() : done.error().message.c_str());
  return log == "21ffffSR-" ? 0 : 1;
}

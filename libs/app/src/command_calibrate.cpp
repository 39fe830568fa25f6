// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <string>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/predict/calibrate.hpp>
#include <thalweg/predict/machine.hpp>

#include "commands.hpp"

namespace thalweg::app {

int command_calibrate(const CalibrateRequest& request) {
  Runtime runtime(nullptr, nullptr);
  flow::Transport& transport = runtime.transport();
  warn_of_lone_rank(transport.n_ranks());
  try {
    check_same_words(transport, "calibrate -o " + request.target);
    if (transport.n_ranks() == 1)
      throw Error(
          "calibrate on one rank (it measures messages between two); start two: mpirun -n 2, both "
          "on a node for its memory, or one on each of two nodes for the network");
    const std::string why = runtime.rank() == Rank{0}
                                ? objection_to(runtime.files(), request.target, request.force)
                                : "";
    const Result<void> mine = why.empty() ? Result<void>() : std::unexpected(Failure{why});
    value_of(check_on_all_ranks(transport, mine));
    flow::ComputeNode* node = transport.compute_node();
    // Of ranks 0 and 1, as rank 0 knows it; without a node no two ranks share one.
    const bool is_one_node = node != nullptr && std::ranges::count(node->ranks(), Rank{1}) > 0;
    const auto context = runtime.context({});
    const auto found = predict::calibrate(transport, context.clock);
    if (!found) transport.abort("error: " + found.error().message);
    predict::Machine machine{.name = "",  // that of the file, so that two machines are told apart
                             .cores_per_node = static_cast<int>(n_online_processors()),
                             .task_overhead_ns = found->task_overhead_ns};
    (is_one_node ? machine.memory : machine.network) = found->link;
    machine.memory.gap_ns = 0;  // see Machine
    Result<void> written;
    if (runtime.rank() == Rank{0})
      written = io::write_text(runtime.files(), request.target, predict::to_toml(machine));
    value_of(check_on_all_ranks(transport, written));
    if (runtime.rank() == Rank{0})
      fmt::print(
          "{}: a task {:.3g} ns, a message between {} {}\n{} is left out, "
          "which means ideal: {} to measure it, and put both sections into one file\n",
          request.target, found->task_overhead_ns, is_one_node ? "ranks of a node" : "nodes",
          predict::words_of(found->link), is_one_node ? "[network]" : "[memory]",
          is_one_node ? "start one rank on each of two nodes" : "start two ranks on one node");
    // Within a node workers copy the bytes, so that they take time.
    if (runtime.rank() == Rank{0} && is_one_node && found->link.overhead_ns_per_byte == 0)
      print_to_stderr(
          "warning: [memory] overhead_ns_per_byte = 0 (what messages add to work was less than "
          "what other programs do, so all of a byte's time is in bandwidth_gb_s); calibrate again "
          "when nothing else runs on the node\n");
    return exit_success;
  } catch (const Error& error) {
    if (runtime.rank() == Rank{0}) print_errors(error.what());
    return exit_bad_request;
  } catch (const std::exception& error) {
    runtime.transport().abort("error: " + words_of(error));
  }
  return exit_failure;  // not reached: abort does not return
}

}  // namespace thalweg::app

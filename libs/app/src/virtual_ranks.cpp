// SPDX-License-Identifier: MIT
#include <thalweg/app/virtual_ranks.hpp>

#include <stdexcept>
#include <utility>

#include <thalweg/app/driver.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::app {

Result<void> on_virtual_ranks(int n_ranks, const Execution& execution,
                              const std::function<void(const Context&)>& program) {
  comm::SimNetwork network({.n_ranks = n_ranks});
  return network.run([&](flow::Transport& transport) {
    io::MemoryFileSystem files;
    Logger log(nullptr, transport.rank());
    flow::UniformPicker picker(transport.rank()());
    Context context{transport, network.clock(), files, log, execution};
    if (execution.n_workers > 1) context.execution.picker = &picker;  // all ranks share one thread
    context.execution.progress = flow::Progress::idle;
    program(context);
  });
}

Result<void> look_at_steps(const Application& application, const io::Deck& deck, int n_ranks,
                           const std::function<void(const flow::Graph&)>& look) {
  return on_virtual_ranks(n_ranks, execution_of(deck), [&](const Context& context) {
    if (const auto looked = look_at_step(application, deck, context, look); !looked)
      throw std::runtime_error(looked.error().message);
  });
}

Result<predict::TaskTimes> measure_tasks(const Application& application, const io::Deck& deck,
                                         std::int64_t n_steps, const Clock& clock) {
  predict::TaskTimes times;
  Execution execution = execution_of(deck);
  execution.n_workers = 1;
  const auto done = on_virtual_ranks(2, execution, [&](const Context& simulated) {
    predict::TaskTimeSink sink(times, 2);
    Context context{simulated.transport, clock, simulated.files, simulated.log,
                    simulated.execution};
    context.execution.sink = &sink;
    const auto made = application.set_up(deck)->simulation(context, nullptr, {});
    if (!made) throw std::runtime_error(made.error().message);
    if (const auto advanced = (*made)->advance_to(n_steps); !advanced)
      throw std::runtime_error(advanced.error().message);
  });
  if (!done) return std::unexpected(done.error());
  return times;
}

Result<predict::Job> capture_job(const Application& application, const io::Deck& deck, int n_ranks,
                                 const predict::TaskTimes& times) {
  predict::JobBuilder builder(n_ranks, execution_of(deck).n_workers, times);
  const auto looked = look_at_steps(application, deck, n_ranks,
                                    [&](const flow::Graph& graph) { builder.add(graph); });
  if (!looked) return std::unexpected(looked.error());
  return std::move(builder).finish();
}

}  // namespace thalweg::app

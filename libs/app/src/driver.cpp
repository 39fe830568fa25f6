// SPDX-License-Identifier: MIT
#include <thalweg/app/driver.hpp>

#include <cstdint>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/flow/model.hpp>

namespace thalweg::app {

void check(const Application& application, const io::Deck& deck) {
  application.set_up(deck);
}

Execution execution_of(const io::Deck& deck) {
  const auto model = *flow::model_from_string(deck.string("run.model"));
  Execution execution{.model = model,
                      .depth = static_cast<std::uint32_t>(deck.integer("run.depth")),
                      .grain = static_cast<std::uint32_t>(deck.integer("run.grain")),
                      .latency_us = deck.real("run.latency_us"),
                      .progress = *flow::progress_from_string(deck.string("run.progress")),
                      .posting = *flow::posting_from_string(deck.string("run.posting")),
                      .watchdog_s = deck.real("run.watchdog")};
  set_threads(execution, static_cast<std::uint32_t>(deck.integer("run.threads")));
  return execution;
}

Result<RunEnd> run(const Application& application, const io::Deck& deck, const Context& context,
                   const std::string& folder, const std::optional<Checkpoint>& from,
                   const std::optional<RunDescription>& description) {
  const auto begun = begin_run(application, deck, context, folder, from);
  if (!begun) return std::unexpected(begun.error());
  if (const auto started = (*begun)->start(description); !started)
    return std::unexpected(started.error());
  return (*begun)->advance();
}

Result<void> look_at_step(const Application& application, const io::Deck& deck,
                          const Context& context, const WantedBlocks& wanted, const OnGraph& look) {
  const auto made = application.set_up(deck)->without_cells(context, wanted);
  if (!made) return std::unexpected(made.error());
  const flow::Graph& graph = (*made)->step_graph();
  look(graph, static_cast<double>((*made)->held_bytes()));
  return {};
}

}  // namespace thalweg::app

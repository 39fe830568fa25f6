// SPDX-License-Identifier: MIT
#include <thalweg/app/driver.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/io/plotfile.hpp>

#include "places.hpp"

namespace thalweg::app {

namespace {

bool is_control(char c) {
  return std::iscntrl(static_cast<unsigned char>(c)) != 0;
}

/// Complain of what could not be read back from plotfiles and the manifests of checkpoints.
void check_names(const AnySetup& setup) {
  Complaints complaints;
  const std::string& scheme = setup.scheme_name();
  if (scheme.empty() || std::ranges::any_of(scheme, is_control))
    complaints.add(fmt::format(
        "the set-up has the name '{}' for its scheme (checkpoints have it on a line of their own); "
        "say in a few words how steps are made, as ProblemSetup::scheme_name",
        scheme));
  std::vector<std::string> before;
  const auto check = [&](std::string_view where, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (!io::is_variable_name(name))
        complaints.add(
            fmt::format("{} has the name '{}' (common readers of plotfiles crash on names other "
                        "than letters, digits and '_'); rename it",
                        where, name));
      else if (std::ranges::count(before, name) > 0)
        complaints.add(
            fmt::format("{} has the name '{}', which is taken (readers ask for components and "
                        "derived fields by name); give each a name of its own",
                        where, name));
      before.push_back(name);
    }
  };
  check("Problem::fields", setup.component_names());
  check("Problem::derived", setup.derived_names());
  complaints.throw_if_any();
}

}  // namespace

void check(const Application& application, const io::Deck& deck) {
  check_names(*set_up(application, deck));
}

PlotRequest plot_request_of(const io::Deck& deck, std::string path) {
  PlotRequest request{.path = std::move(path),
                      .derived = derived_of(deck),
                      .numbers = deck.string("output.precision") == "single"
                                     ? io::NumberType::float32
                                     : io::NumberType::float64,
                      .ranks_per_file = static_cast<int>(deck.integer("output.ranks_per_file")),
                      .deck = deck.to_toml()};
  if (deck.is_declared(key_of_fields))
    if (auto fields = deck.strings(key_of_fields);
        std::ranges::find(fields, all_fields) == fields.end())
      request.fields = std::move(fields);
  return request;
}

Execution execution_of(const io::Deck& deck) {
  const auto model = *flow::model_from_string(deck.string("run.model"));
  Execution execution{
      .model = model,
      .grain = static_cast<std::uint32_t>(deck.integer("run.grain")),
      .latency_us = deck.real("run.latency_us"),
      .executor = {.depth = static_cast<std::uint32_t>(deck.integer("run.depth")),
                   .progress = *flow::progress_from_string(deck.string("run.progress")),
                   .posting = *flow::posting_from_string(deck.string("run.posting")),
                   .watchdog_s = deck.real("run.watchdog")}};
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
  const auto made = set_up(application, deck)->simulation_without_cells(context, wanted);
  if (!made) return std::unexpected(made.error());
  const flow::Graph& graph = (*made)->step_graph();
  look(graph, static_cast<double>((*made)->held_bytes()));
  return {};
}

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/free_memory.hpp>
#include <thalweg/app/virtual_ranks.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {

void check_request(const GraphRequest& request) {
  if (request.n_ranks < 1 || request.n_ranks > n_virtual_ranks_at_most)
    throw Error(fmt::format("--ranks {} (must be 1 to {}); as many as mpirun would start",
                            request.n_ranks, n_virtual_ranks_at_most));
  if (request.rank && (*request.rank < 0 || *request.rank >= request.n_ranks))
    throw Error(
        fmt::format("--rank {} (there are ranks 0 to {}); choose one, or leave it out for all",
                    *request.rank, request.n_ranks - 1));
}

// Programs have no deck. @errors throws Error where one is named
void check_is_no_command(const Program& program, const std::string& deck) {
  std::error_code none;  // what cannot be looked at is said to be so when it is read
  if (std::ranges::count(program.commands, deck, &Command::name) > 0 &&
      !std::filesystem::exists(deck, none))
    throw Error(
        fmt::format("graph {} (it is a command, and graph takes decks only); name a deck, or see "
                    "`{} predict --help`, which lists what it takes in place of one",
                    deck, program.name));
}

// So many ranks take seconds, of which a line is said.
constexpr int n_ranks_that_take_long = 1000;

// The graphs of the ranks asked for, each as text. All ranks are made here, one after another in
// one thread: they need each other to agree on the mesh.
Result<std::vector<std::string>> graphs(const Application& application, const io::Deck& deck,
                                        const GraphRequest& request) {
  std::vector<std::string> texts(static_cast<std::size_t>(request.n_ranks));
  const auto done = look_at_steps(virtual_program(application, deck, request.n_ranks),
                                  [&](const flow::Graph& graph, double) {
                                    if (request.rank && graph.rank() != Rank(*request.rank)) return;
                                    std::ostringstream text;
                                    if (request.format == OutputFormat::json)
                                      graph.dump_json(text);
                                    else
                                      graph.dump_dot(text);
                                    texts[graph.rank()()] = text.str();
                                  });
  if (!done) return std::unexpected(done.error());
  return texts;
}

std::string joined(const GraphRequest& request, const std::vector<std::string>& texts) {
  if (request.rank) return texts[static_cast<std::size_t>(*request.rank)];
  if (request.format == OutputFormat::json) return fmt::format("[{}]\n", joined_text(texts, ",\n"));
  return joined_text(texts, "");
}

}  // namespace

DeckText read_deck(const std::string& path) {
  auto text = io::read_text(io::PosixFileSystem(), path);
  if (!text)
    throw Error(
        fmt::format("{} (without a deck there is no graph); check the path", text.error().message));
  return {*std::move(text), path};
}

io::Deck load_for_virtual_ranks(std::span<const Application> applications, const DeckText& from,
                                std::vector<std::string> overrides,
                                const std::optional<std::string>& model, std::optional<int> threads,
                                CellsNeeded cells) {
  overrides = joined_settings(overrides);
  if (model) overrides.push_back("run.model=" + *model);
  if (threads) overrides.push_back(fmt::format("run.threads={}", *threads));
  auto deck = load_deck(applications, from.text, from.name, overrides);
  const auto& application = application_of(applications, deck);
  check(application, deck);
  if (cells == CellsNeeded::none) return deck;
  // Cells where tags want them are on one rank, and not those of the last level.
  if (cells == CellsNeeded::tagged && set_up(application, deck)->max_level() == 0) return deck;
  const auto free_bytes = FreeMemory().bytes();
  check_size(application, deck, 1, free_bytes);  // all ranks are in this process
  check_start(application, deck, 1, free_bytes);
  return deck;
}

int command_graph(const Program& program, const GraphRequest& request) {
  check_request(request);
  check_is_no_command(program, request.deck);
  io::PosixFileSystem files;
  if (request.target)
    if (const auto why = objection_to(files, *request.target, request.force); !why.empty())
      throw Error(why);
  const auto deck =
      load_for_virtual_ranks(program.applications, read_deck(request.deck), request.overrides,
                             request.model, request.threads, CellsNeeded::tagged);
  if (request.n_ranks >= n_ranks_that_take_long)
    print_to_stderr(
        "looking at {} ranks (also for the graph of one, as they agree on the mesh; ten "
        "times as many take some twenty times as long) ...\n",
        request.n_ranks);
  const auto texts = graphs(application_of(program.applications, deck), deck, request);
  if (!texts) {
    print_errors(texts.error().message);
    return exit_failure;
  }
  const auto text = joined(request, *texts);
  if (!request.target)
    fmt::print("{}", text);
  else
    value_of(io::write_text(files, *request.target, text));
  return exit_success;
}

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include "command_vlasov.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/vlasov/application.hpp>

namespace thalweg {

namespace {

/// What makes a run small enough for any machine: coarser by 8 along both axes, and a tenth of the
/// steps, as long as in the deck: longer ones would not follow the plasma's oscillations.
std::vector<std::string> scaled(const io::Deck& deck) {
  const auto& cells = deck.integers("vlasov.cells");
  const auto coarser = [](std::int64_t n) { return std::max<std::int64_t>(1, n / 8); };
  return {fmt::format("vlasov.cells=[{}, {}]", coarser(cells[0]), coarser(cells[1])),
          fmt::format("time.max_steps={}", (deck.integer("time.max_steps") - 1) / 10 + 1),
          fmt::format("time.end={}", deck.real("time.end") / 10)};
}

}  // namespace

int command_vlasov(const std::vector<std::string>& words) {
  const std::vector<app::Application> applications{vlasov::application()};
  if (app::asks_for_help(words))
    fmt::print(
        "thalweg vlasov DECK is thalweg run DECK, for decks of the Vlasov-Poisson system alone, "
        "with one option more:\n"
        "  --scaled                    A small case: an eighth of the cells along both axes, a "
        "tenth of the steps\n\n");
  std::vector<std::string> all{"thalweg", "run"};
  all.insert(all.end(), words.begin(), words.end());
  if (const auto n = std::erase(all, "--scaled"); n > 0) {
    // The deck is the first word; one that cannot be read is left for `run` to complain about.
    const auto text = words.front() == "--scaled"
                          ? Result<std::string>(std::unexpected(Failure{}))
                          : io::read_text(io::PosixFileSystem(), words.front());
    try {
      if (text) {
        const auto more = scaled(app::load_deck(applications, *text, words.front()));
        all.insert(all.begin() + 3, more.begin(), more.end());
      }
    } catch (const Error&) {
    }
  }
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  return app::run_command_line(static_cast<int>(arguments.size()), arguments.data(),
                               {.name = "thalweg",
                                .doc = "Runs decks for the Vlasov-Poisson system.",
                                .version = "",
                                .applications = applications});
}

}  // namespace thalweg

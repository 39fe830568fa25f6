// SPDX-License-Identifier: MIT
#include "command_vlasov.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/vlasov/application.hpp>

#include "on_ranks.hpp"

namespace thalweg {

namespace {

/// What makes a run small enough for any machine: coarser by 8 along both axes, and a tenth of the
/// steps, as long as in the deck: longer ones would not follow the plasma's oscillations. Nothing
/// for a deck that cannot be loaded: `run` complains about it.
/// @param settings  in place of the deck's
std::vector<std::string> scaled(std::span<const app::Application> applications,
                                std::string_view text, std::string_view file_name,
                                const std::vector<std::string>& settings) try {
  const auto deck = app::load_deck(applications, text, file_name, settings);
  const auto& cells = deck.integers("vlasov.cells");
  const auto coarser = [](std::int64_t n) { return std::max<std::int64_t>(1, n / 8); };
  return {fmt::format("vlasov.cells=[{}, {}]", coarser(cells[0]), coarser(cells[1])),
          fmt::format("time.max_steps={}", (deck.integer("time.max_steps") - 1) / 10 + 1),
          fmt::format("time.end={}", deck.real("time.end") / 10)};
} catch (const Error&) {
  return {};
}

/// What the words of `thalweg run` ask to be run.
struct DeckWords {
  std::optional<std::string> deck;
  std::vector<std::string> settings;  ///< key=value each
};

/// What is neither an option nor its value: the deck, if there is one, and settings. What has a `=`
/// is a setting, unless there is such a file.
DeckWords deck_words_of(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 5> with_value{"--model", "--threads", "--out", "--restart",
                                                       "--machine"};
  std::vector<std::string> rest;
  bool is_value = false;
  for (const std::string& word : words) {
    if (std::exchange(is_value, false)) continue;
    is_value = std::ranges::find(with_value, word) != with_value.end();
    if (!word.starts_with('-')) rest.push_back(word);
  }
  DeckWords found;
  if (!rest.empty() && (!rest[0].contains('=') || std::filesystem::is_regular_file(rest[0]))) {
    found.deck = rest[0];
    rest.erase(rest.begin());
  }
  found.settings = app::joined_settings(rest);
  return found;
}

/// Why a deck is not for this command, as it is another application's; "": it is for it, or `run`
/// says what else is wrong. Only decks of others have problems.
std::string objection_to(const std::string& deck, std::string_view text,
                         const std::vector<std::string>& settings) {
  const auto application = io::find_string(text, settings, "application.name");
  const std::string key = application ? "application.name" : "problem.name";
  const auto name = io::find_string(text, settings, key);
  if (!name || application == "vlasov") return "";
  return fmt::format(
      "{}: {} = \"{}\" (a deck of another application, and thalweg vlasov runs those of the "
      "Vlasov-Poisson system alone); use thalweg run {}",
      deck, key, *name, deck);
}

/// Complain once for all ranks. @returns the exit code
int complain(const std::vector<std::string>& words, const std::string& error) {
  const auto none = [] { return std::string(); };  // help is not asked for
  return on_ranks("vlasov", words, none, [&](app::Runtime&) -> Result<int> { throw Error(error); });
}

}  // namespace

int command_vlasov(const std::vector<std::string>& words) {
  const std::vector<app::Application> applications{vlasov::application()};
  const bool is_help = app::asks_for_help(words);
  if (is_help && app::prints_for_all_ranks())
    fmt::print(
        "thalweg vlasov DECK is thalweg run DECK, for decks of the Vlasov-Poisson system alone, "
        "with one option more:\n"
        "  --scaled                    A small case: an eighth of the points along both axes, a "
        "tenth of the steps\n\n");
  std::vector<std::string> all = words;
  const bool is_scaled = std::erase(all, "--scaled") > 0;
  const auto [deck, settings] = is_help ? DeckWords() : deck_words_of(all);
  if (is_scaled && !is_help && !deck)
    return complain(words,
                    "--scaled without a deck (its points and steps become fewer); give it: "
                    "thalweg vlasov DECK --scaled");
  // One that cannot be read is left for `run` to complain about.
  const auto text = deck ? io::read_text(io::PosixFileSystem(), *deck) : std::unexpected(Failure{});
  if (text) {
    if (const auto why = objection_to(*deck, *text, settings); !why.empty())
      return complain(words, why);
    if (is_scaled)
      for (auto& word : scaled(applications, *text, *deck, settings))
        all.push_back(std::move(word));
  }
  all.insert(all.begin(), {"thalweg", "run"});
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  return app::run_command_line(static_cast<int>(arguments.size()), arguments.data(),
                               {.name = "thalweg",
                                .doc = "Runs decks for the Vlasov-Poisson system.",
                                .version = "",
                                .applications = applications});
}

}  // namespace thalweg

// SPDX-License-Identifier: MIT
#include "command_vlasov.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/command_line.hpp>
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
std::vector<std::string> scaled(std::span<const app::Application> applications,
                                std::string_view text, std::string_view file_name) try {
  const auto deck = app::load_deck(applications, text, file_name);
  const auto& cells = deck.integers("vlasov.cells");
  const auto coarser = [](std::int64_t n) { return std::max<std::int64_t>(1, n / 8); };
  return {fmt::format("vlasov.cells=[{}, {}]", coarser(cells[0]), coarser(cells[1])),
          fmt::format("time.max_steps={}", (deck.integer("time.max_steps") - 1) / 10 + 1),
          fmt::format("time.end={}", deck.real("time.end") / 10)};
} catch (const Error&) {
  return {};
}

/// Where the deck is among the words of `thalweg run`; at the end, where there is none. What has a
/// `=` is a setting, unless there is such a file.
std::vector<std::string>::const_iterator find_deck(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 5> with_value{"--model", "--threads", "--out", "--restart",
                                                       "--machine"};
  bool is_value = false;
  const auto first = std::ranges::find_if(words, [&](const std::string& word) {
    if (std::exchange(is_value, false)) return false;
    is_value = std::ranges::find(with_value, word) != with_value.end();
    return !word.starts_with('-');
  });
  if (first == words.end() || !first->contains('=')) return first;
  return std::filesystem::is_regular_file(*first) ? first : words.end();
}

/// Why a deck is not for this command, as it is another application's; "": it is for it, or `run`
/// says what else is wrong. Only decks of others have problems.
std::string objection_to(const std::string& deck, std::string_view text) {
  const auto application = io::find_string(text, {}, "application.name");
  const std::string key = application ? "application.name" : "problem.name";
  const auto name = io::find_string(text, {}, key);
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
  if (is_help)
    fmt::print(
        "thalweg vlasov DECK is thalweg run DECK, for decks of the Vlasov-Poisson system alone, "
        "with one option more:\n"
        "  --scaled                    A small case: an eighth of the points along both axes, a "
        "tenth of the steps\n\n");
  std::vector<std::string> all = words;
  const bool is_scaled = std::erase(all, "--scaled") > 0;
  const auto deck = is_help ? all.cend() : find_deck(all);
  if (is_scaled && !is_help && deck == all.end())
    return complain(words,
                    "--scaled without a deck (its points and steps become fewer); give it: "
                    "thalweg vlasov DECK --scaled");
  // One that cannot be read is left for `run` to complain about.
  const auto text =
      deck == all.end() ? std::unexpected(Failure{}) : io::read_text(io::PosixFileSystem(), *deck);
  if (text) {
    if (const auto why = objection_to(*deck, *text); !why.empty()) return complain(words, why);
    if (is_scaled) {
      const auto more = scaled(applications, *text, *deck);
      all.insert(deck + 1, more.begin(), more.end());
    }
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

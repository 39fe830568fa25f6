// SPDX-License-Identifier: MIT
#include <thalweg/app/check_on_all_ranks.hpp>

#include <span>

#include <fmt/format.h>

#include <thalweg/flow/collective.hpp>

namespace thalweg::app {

std::string broadcast(flow::Transport& transport, std::string_view text) {
  const std::string_view mine = transport.rank() == Rank{0} ? text : "";
  const auto all = flow::all_gather_v<char>(transport, std::span<const char>(mine));
  return {all.values.begin(), all.values.end()};
}

Result<void> check_on_all_ranks(flow::Transport& transport, const Result<void>& mine) {
  const std::string text = mine ? "" : mine.error().message;
  // A failure without words is one all the same.
  const char has_failed = mine ? 0 : 1;
  const auto failed = flow::all_gather(transport, has_failed);
  const auto texts = flow::all_gather_v<char>(transport, std::span<const char>(text));
  for (int r = 0; r < transport.n_ranks(); ++r) {
    if (failed[static_cast<std::size_t>(r)] == 0) continue;
    const auto words = texts.of(Rank(r));
    return std::unexpected(
        Failure{fmt::format("rank {}: {}", r, std::string_view(words.data(), words.size()))});
  }
  return {};
}

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <thalweg/app/check_on_all_ranks.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include <thalweg/core/crc32c.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::app {

namespace {

/// Of a text that is sent: most texts go in one.
using TextPiece = std::array<char, 1024>;

}  // namespace

std::string broadcast(flow::Transport& transport, std::string_view text) {
  const std::uint64_t n = flow::broadcast(transport, std::uint64_t{text.size()});
  std::string all;
  for (std::uint64_t at = 0; at < n; at += TextPiece{}.size()) {
    TextPiece piece{};
    if (transport.rank() == Rank{0}) text.copy(piece.data(), piece.size(), at);
    piece = flow::broadcast(transport, piece);
    all.append(piece.data(), std::min<std::uint64_t>(piece.size(), n - at));
  }
  return all;
}

bool is_so_on_rank_0(flow::Transport& transport, bool is_so) {
  return flow::broadcast(transport, is_so ? 1 : 0) != 0;
}

std::vector<std::string> gather_texts(flow::Transport& transport, std::string_view mine) {
  const auto all = flow::all_gather_v<char>(transport, std::span<const char>(mine));
  std::vector<std::string> texts;
  for (int r = 0; r < transport.n_ranks(); ++r) {
    const auto of_rank = all.of(Rank(r));
    texts.emplace_back(of_rank.begin(), of_rank.end());
  }
  return texts;
}

Result<void> check_on_all_ranks(flow::Transport& transport, const Result<void>& mine) {
  const auto n_ranks = static_cast<std::uint32_t>(transport.n_ranks());
  const std::uint32_t here = transport.rank()();
  const std::uint32_t first =
      flow::all_reduce(transport, mine ? n_ranks : here,
                       [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); });
  if (first == n_ranks) return {};
  const std::string_view text = here == first ? std::string_view(mine.error().message) : "";
  const auto all = flow::all_gather_v<char>(transport, std::span<const char>(text));
  const std::string words(all.values.begin(), all.values.end());
  // What has been agreed on before says already whose it is.
  if (words.starts_with("rank ")) return std::unexpected(Failure{words});
  return std::unexpected(Failure{fmt::format("rank {}: {}", first, words)});
}

Result<std::string> made_by_rank_0(flow::Transport& transport,
                                   const std::function<Result<std::string>()>& make) {
  Result<std::string> made;
  if (transport.rank() == Rank{0}) made = make();
  const Result<void> mine = made ? Result<void>() : std::unexpected(made.error());
  if (const auto all = check_on_all_ranks(transport, mine); !all)
    return std::unexpected(all.error());
  return broadcast(transport, *made);
}

void try_on_all_ranks(flow::Transport& transport, const std::function<void()>& doing) {
  std::string mine;
  try {
    doing();
  } catch (const Error& error) {
    mine = error.what();
    if (mine.empty()) mine = "something is wrong (an Error was thrown without words)";
  }
  const auto n_failed =
      flow::all_reduce(transport, mine.empty() ? 0 : 1, [](int a, int b) { return a + b; });
  if (n_failed == 0) return;
  const auto texts = gather_texts(transport, mine);
  const auto first = std::ranges::find_if(texts, [](const auto& t) { return !t.empty(); });
  if (std::ranges::count(texts, *first) == std::ssize(texts)) throw Error(*first);
  // Each line is an error of its own.
  const auto whose = fmt::format("rank {}: ", first - texts.begin());
  std::string words = whose;
  for (const char c : *first) words += c == '\n' ? "\n" + whose : std::string(1, c);
  throw Error(words);
}

namespace {

// A text around a place in it, whole if it is short.
std::string around(std::string_view text, std::size_t at) {
  constexpr std::size_t most = 80, before = 30;
  if (text.size() <= most) return std::string(text);
  const std::size_t first = std::min(at - std::min(at, before), text.size() - most);
  return fmt::format("{}{}{}", first == 0 ? "" : "...", text.substr(first, most),
                     first + most == text.size() ? "" : "...");
}

}  // namespace

void check_same_words(flow::Transport& transport, std::string_view words) {
  struct Sums {
    std::uint32_t least, greatest;
  };
  const std::uint32_t mine = crc32c(std::as_bytes(std::span(words)));
  const Sums all = flow::all_reduce(transport, Sums{mine, mine}, [](const Sums& a, const Sums& b) {
    return Sums{std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
  });
  if (all.least == all.greatest) return;
  const auto texts = gather_texts(transport, words);
  const auto other = std::ranges::find_if(texts, [&](const auto& t) { return t != texts[0]; });
  const auto [first, second] = std::ranges::mismatch(texts[0], *other);
  const auto at = static_cast<std::size_t>(first - texts[0].begin());
  throw Error(
      fmt::format("ranks were started with different words, rank 0 with '{}' and rank {} with '{}' "
                  "(they are to "
                  "make one run); give all the same program, deck and options",
                  around(texts[0], at), other - texts.begin(), around(*other, at)));
}

}  // namespace thalweg::app

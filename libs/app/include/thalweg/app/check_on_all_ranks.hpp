// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::app {

/// What rank 0 has, on all ranks. Collective.
std::string broadcast(flow::Transport& transport, std::string_view text);
/// The same of whether something is so.
bool is_so_on_rank_0(flow::Transport& transport, bool is_so);

/// What each rank has, by rank, on all ranks. Collective.
std::vector<std::string> gather_texts(flow::Transport& transport, std::string_view mine);

/// Success if all ranks had it; else the failure of the lowest rank that has one, on all.
/// Collective.
///
/// So that ranks that went on and ranks that could not do the same next.
[[nodiscard]] Result<void> check_on_all_ranks(flow::Transport& transport, const Result<void>& mine);
/// How many collectives that is where all had success.
inline constexpr int n_collectives_of_check = 1;

/// What rank 0 makes, on all ranks, or why it could not. Collective.
Result<std::string> made_by_rank_0(flow::Transport& transport,
                                   const std::function<Result<std::string>()>& make);

/// Do something on each rank, and throw Error on all of them where it does on any: with the words
/// of the lowest rank that has some, and its number unless all have the same. Collective.
///
/// For what is given by applications, which may find something wrong on one rank alone.
void try_on_all_ranks(flow::Transport& transport, const std::function<void()>& doing);

/// Make sure that all ranks were started with the same words. Collective; the first thing that a
/// program does, so that even two programs in one mpirun hear of it.
/// @errors throws Error, on all ranks alike
void check_same_words(flow::Transport& transport, std::string_view words);

}  // namespace thalweg::app

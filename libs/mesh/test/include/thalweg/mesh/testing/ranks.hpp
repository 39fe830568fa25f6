// SPDX-License-Identifier: MIT
#pragma once
#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh::testing {

/// Where the ranks of one process meet to swap messages.
class Post {
 public:
  explicit Post(int n_ranks) : meeting_(n_ranks), outboxes_(static_cast<std::size_t>(n_ranks)) {}

  template <class T>
  Messages<T> exchange(Rank self, const Messages<T>& out) {
    outboxes_[self()] = &out;
    meeting_.arrive_and_wait();
    Messages<T> in;
    for (std::size_t from = 0; from < outboxes_.size(); ++from)
      for (const auto& [to, message] : *static_cast<const Messages<T>*>(outboxes_[from]))
        if (to == self) in.emplace_back(Rank(from), message);
    meeting_.arrive_and_wait();
    return in;
  }

 private:
  std::barrier<> meeting_;
  std::vector<const void*> outboxes_;
};

/// Call f(rank, exchange) on every rank, each in a thread, and return the results by rank.
///
/// An exception ends the program: the other ranks would wait for ever.
template <class F>
auto on_ranks(int n_ranks, F f) {
  Post post(n_ranks);
  const auto run = [&](Rank rank) {
    return f(rank, [&post, rank](const auto& out) { return post.exchange(rank, out); });
  };
  std::vector<decltype(run(Rank(0)))> results(static_cast<std::size_t>(n_ranks));
  std::vector<std::jthread> threads;
  for (int q = 0; q < n_ranks; ++q)
    threads.emplace_back([&, q] { results[static_cast<std::size_t>(q)] = run(Rank(q)); });
  threads.clear();  // waits for all
  return results;
}

}  // namespace thalweg::mesh::testing

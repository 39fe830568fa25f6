// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh::testing {

/// Where threads wait for each other, again and again.
///
/// std::barrier of GCC 12 polls: beside other work, a test took minutes instead of half a second.
class Meeting {
 public:
  explicit Meeting(int n_threads) : n_threads_(n_threads) {}

  void arrive_and_wait() {
    std::unique_lock lock(mutex_);
    if (++n_arrived_ == n_threads_) {
      n_arrived_ = 0;
      ++round_;
      all_arrived_.notify_all();
    } else {
      all_arrived_.wait(lock, [this, round = round_] { return round_ != round; });
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_arrived_;
  int n_threads_;
  int n_arrived_ = 0;
  std::int64_t round_ = 0;
};

/// Where the ranks of one process meet to swap messages.
class Post {
 public:
  explicit Post(int n_ranks) : meeting_(n_ranks), n_rounds_(static_cast<std::size_t>(n_ranks)) {
    boxes_.fill(Boxes(n_rounds_.size()));
  }

  template <class T>
  Messages<T> exchange(Rank self, const Messages<T>& out) {
    const Boxes& boxes = put(self, std::make_shared<const Messages<T>>(out));
    Messages<T> in;
    for (std::size_t from = 0; from < boxes.size(); ++from)
      for (const auto& [to, message] : *static_cast<const Messages<T>*>(boxes[from].get()))
        if (to == self) in.emplace_back(Rank(from), message);
    return in;
  }
  /// What a rank hands over that is as far below.
  template <class T>
  std::vector<T> ring_shift(Rank self, std::span<const T> out, std::int64_t distance) {
    using Values = std::vector<T>;
    const Boxes& boxes = put(self, std::make_shared<const Values>(out.begin(), out.end()));
    const auto n = static_cast<std::int64_t>(boxes.size());
    const auto from = static_cast<std::size_t>(((self() - distance) % n + n) % n);
    return *static_cast<const Values*>(boxes[from].get());
  }

 private:
  using Boxes = std::vector<std::shared_ptr<const void>>;

  // Put something where all can see it, once all have. They meet once a round, so what is put there
  // stays while the next round begins: two sets of boxes, in turns.
  const Boxes& put(Rank self, std::shared_ptr<const void> out) {
    Boxes& boxes = boxes_[n_rounds_[self()]++ % 2];
    boxes[self()] = std::move(out);
    meeting_.arrive_and_wait();
    return boxes;
  }

  Meeting meeting_;
  std::vector<std::size_t> n_rounds_;  ///< of each rank
  std::array<Boxes, 2> boxes_;
};

/// What mesh::Collectives asks for where no ranks share memory.
struct WriteForOneself {
  template <class Write>
  NodeSharedArray<std::uint64_t> write_node_shared(std::size_t n_values, Write&& write) {
    std::vector<std::uint64_t> values(n_values);
    write(std::span(values));
    return values;
  }
};

/// One rank's way to the others: models Collectives.
class VirtualRank : public WriteForOneself {
 public:
  VirtualRank(Post& post, Rank rank, int n_ranks) : post_(&post), rank_(rank), n_ranks_(n_ranks) {}

  template <class T>
  Messages<T> exchange(const Messages<T>& out) {
    return post_->exchange(rank_, out);
  }
  template <class T>
  std::vector<T> all_gather(const T& mine) {
    return gather(std::span<const T>(&mine, 1));
  }
  template <class T>
  NodeSharedArray<T> all_gather_many(std::span<const T> mine) {
    return gather(mine);
  }
  template <class T, class Op>
  T all_reduce(const T& mine, Op op) {
    const auto all = all_gather(mine);
    return std::accumulate(all.begin() + 1, all.end(), all.front(), op);
  }
  template <class T>
  std::vector<T> ring_shift(std::span<const T> mine, std::int64_t distance) {
    return post_->ring_shift(rank_, mine, distance);
  }

 private:
  template <class T>
  std::vector<T> gather(std::span<const T> mine) {
    Messages<T> out;
    for (int to = 0; to < n_ranks_; ++to)
      for (const T& value : mine) out.emplace_back(Rank(to), value);
    std::vector<T> values;
    for (const auto& [from, value] : exchange(out)) values.push_back(value);
    return values;
  }

  Post* post_;
  Rank rank_;
  int n_ranks_;
};

/// Call f(rank, collectives) on every rank, each in a thread, and return the results by rank.
///
/// An exception ends the program: the other ranks would wait for ever.
template <class F>
auto on_ranks(int n_ranks, F f) {
  Post post(n_ranks);
  const auto run = [&](Rank rank) { return f(rank, VirtualRank(post, rank, n_ranks)); };
  std::vector<decltype(run(Rank(0)))> results(static_cast<std::size_t>(n_ranks));
  std::vector<std::jthread> threads;
  for (int q = 0; q < n_ranks; ++q)
    threads.emplace_back([&, q] { results[static_cast<std::size_t>(q)] = run(Rank(q)); });
  threads.clear();  // waits for all
  return results;
}

/// What a rank says to itself where it is the only one.
struct OneRank : WriteForOneself {
  template <class T>
  Messages<T> exchange(const Messages<T>& out) {
    return out;
  }
  template <class T>
  std::vector<T> all_gather(const T& mine) {
    return {mine};
  }
  template <class T>
  NodeSharedArray<T> all_gather_many(std::span<const T> mine) {
    return std::vector<T>(mine.begin(), mine.end());
  }
  template <class T, class Op>
  T all_reduce(const T& mine, Op) {
    return mine;
  }
  template <class T>
  std::vector<T> ring_shift(std::span<const T> mine, std::int64_t) {
    return {mine.begin(), mine.end()};
  }
};

}  // namespace thalweg::mesh::testing

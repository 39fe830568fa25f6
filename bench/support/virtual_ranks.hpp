// SPDX-License-Identifier: MIT
#pragma once
#include <ucontext.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::bench {

/// What one virtual rank took of one phase.
struct PhaseCost {
  double time_us = 0;         ///< in its own functions, not in the delivery of messages
  std::int64_t sent = 0;      ///< bytes to other ranks
  std::int64_t gathered = 0;  ///< its part of the bytes that its compute node got from gatherings
  int n_rounds = 0;
};

namespace detail {

/// One round of all ranks: they hand over what they send, then take what comes.
struct Round {
  virtual ~Round() = default;
  virtual void deliver() = 0;
};

template <class T>
struct ExchangeRound : Round {
  explicit ExchangeRound(std::size_t n_ranks) : out(n_ranks), in(n_ranks) {}
  void deliver() override {
    std::vector<std::size_t> n(in.size());
    for (const auto* messages : out)
      for (const auto& message : *messages) ++n[message.first()];
    for (std::size_t to = 0; to < in.size(); ++to) in[to].reserve(n[to]);
    for (std::size_t from = 0; from < out.size(); ++from)
      for (const auto& [to, message] : *out[from]) in[to()].emplace_back(Rank(from), message);
  }
  std::vector<const mesh::Messages<T>*> out;
  std::vector<mesh::Messages<T>> in;
};

template <class T>
struct GatherRound : Round {
  explicit GatherRound(std::size_t n_ranks) : mine(n_ranks) {}
  void deliver() override {
    for (const std::span<const T> some : mine) all.insert(all.end(), some.begin(), some.end());
  }
  std::vector<std::span<const T>> mine;
  std::vector<T> all;
};

template <class T>
struct ShiftRound : Round {
  explicit ShiftRound(std::size_t n_ranks) : mine(n_ranks), in(n_ranks) {}
  void deliver() override {
    for (std::size_t from = 0; from < mine.size(); ++from)
      in[(from + distance) % mine.size()].assign(mine[from].begin(), mine[from].end());
  }
  std::size_t distance = 0;  // modulo the number of ranks
  std::vector<std::span<const T>> mine;
  std::vector<std::vector<T>> in;
};

struct WriteRound : Round {
  explicit WriteRound(std::size_t) {}
  void deliver() override {}
  std::vector<std::uint64_t> all;
};

}  // namespace detail

class VirtualRanks;

/// One rank's way to the others: models mesh::Collectives, and keeps time.
class VirtualRank {
 public:
  VirtualRank(VirtualRanks& ranks, Rank rank) : ranks_(&ranks), rank_(rank) {}

  Rank rank() const { return rank_; }
  /// What follows is part of another phase, numbered from 0.
  void begin_phase(std::size_t phase);

  template <class T>
  mesh::Messages<T> exchange(const mesh::Messages<T>& out);
  template <class T>
  std::vector<T> all_gather(const T& mine) {
    const auto all = all_gather_many(std::span<const T>(&mine, 1));
    return {all.begin(), all.end()};
  }
  template <class T>
  NodeSharedArray<T> all_gather_many(std::span<const T> mine);
  template <class T, class Op>
  T all_reduce(const T& mine, Op op) {
    const auto all = all_gather(mine);
    return std::accumulate(all.begin() + 1, all.end(), all.front(), op);
  }
  template <class T>
  std::vector<T> ring_shift(std::span<const T> mine, std::int64_t distance);
  template <class Write>
  NodeSharedArray<std::uint64_t> write_node_shared(std::size_t n_values, Write&& write);

 private:
  VirtualRanks* ranks_;
  Rank rank_;
};

/// Runs a collective program on thousands of ranks in one thread: each is a fiber that stops where
/// a round of messages begins, and goes on when all have come there.
///
/// So each rank does all its work, alone on the core, with what other ranks did before it in the
/// caches. Messages are delivered in no time; how many bytes and rounds they are is counted.
class VirtualRanks {
 public:
  /// @param n_per_machine  ranks that share memory: what they share counts once
  VirtualRanks(int n_ranks, std::size_t n_phases, int n_per_machine)
      : fibers_(static_cast<std::size_t>(n_ranks)),
        n_per_machine_(static_cast<std::size_t>(std::min(n_ranks, n_per_machine))),
        costs_(fibers_.size(), std::vector<PhaseCost>(n_phases)) {}

  int n_ranks() const { return static_cast<int>(fibers_.size()); }
  const std::vector<PhaseCost>& costs(int rank) const {
    return costs_[static_cast<std::size_t>(rank)];
  }
  void reset_costs() {
    for (auto& of_rank : costs_) std::ranges::fill(of_rank, PhaseCost{});
  }

  /// Run program(virtual_rank) on every rank to its end. @errors rethrows what a rank throws
  void run(const std::function<void(VirtualRank)>& program) {
    program_ = &program;
    for (std::size_t r = 0; r < fibers_.size(); ++r) start(r);
    for (std::size_t n_running = fibers_.size(); n_running > 0;) {
      if (round_) round_->deliver();
      taking_ = std::exchange(round_, nullptr);
      n_running = 0;
      for (current_ = 0; current_ < fibers_.size(); ++current_) {
        Fiber& fiber = fibers_[current_];
        begin_ = Clock::now();
        swapcontext(&outside_, &fiber.context);
        if (fiber.failure) std::rethrow_exception(fiber.failure);
        n_running += fiber.is_over ? 0 : 1;
      }
      taking_.reset();
    }
  }

 private:
  friend class VirtualRank;
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t stack_bytes = 64 * 1024;

  struct Fiber {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack;
    std::exception_ptr failure;
    std::size_t phase = 0;
    bool is_over = false;
  };

  void start(std::size_t rank) {
    Fiber& fiber = fibers_[rank];
    // Not set to zero: pages that are not touched take no memory.
    if (!fiber.stack) fiber.stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    fiber.is_over = false;
    fiber.phase = 0;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = &outside_;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(&VirtualRanks::enter), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
  }
  static void enter(unsigned high, unsigned low) {
    auto* self = reinterpret_cast<VirtualRanks*>(static_cast<std::uintptr_t>(high) << 32 | low);
    const std::size_t rank = self->current_;
    Fiber& fiber = self->fibers_[rank];
    try {
      (*self->program_)(VirtualRank(*self, Rank(rank)));
    } catch (...) {
      fiber.failure = std::current_exception();
    }
    self->stop_clock();
    fiber.is_over = true;
  }

  PhaseCost& cost() { return costs_[current_][fibers_[current_].phase]; }
  void stop_clock() {
    const auto now = Clock::now();
    cost().time_us += std::chrono::duration<double, std::micro>(now - begin_).count();
    begin_ = now;
  }
  // The round that the ranks come to; the first of them makes it.
  template <class R>
  R& joined() {
    if (!round_) round_ = std::make_shared<R>(fibers_.size());
    return static_cast<R&>(*round_);
  }
  // Let the other ranks come here, and the messages be delivered.
  template <class R>
  std::shared_ptr<R> wait() {
    ++cost().n_rounds;
    stop_clock();
    swapcontext(&fibers_[current_].context, &outside_);
    return std::static_pointer_cast<R>(taking_);
  }

  // What all ranks took from a round, as a list of each compute node's. It is one for all compute
  // nodes here.
  template <class R, class T>
  NodeSharedArray<T> list_of(const std::shared_ptr<R>& round, const std::vector<T>& all) {
    return {std::shared_ptr<const T>(round, all.data()), all.size(), n_per_machine_};
  }

  std::vector<Fiber> fibers_;
  std::size_t n_per_machine_;
  std::vector<std::vector<PhaseCost>> costs_;
  const std::function<void(VirtualRank)>* program_ = nullptr;
  ucontext_t outside_{};
  std::size_t current_ = 0;
  Clock::time_point begin_;
  std::shared_ptr<detail::Round> round_;   // that ranks hand messages to
  std::shared_ptr<detail::Round> taking_;  // that they take messages from
};

inline void VirtualRank::begin_phase(std::size_t phase) {
  ranks_->stop_clock();
  ranks_->fibers_[rank_()].phase = phase;
}

template <class T>
mesh::Messages<T> VirtualRank::exchange(const mesh::Messages<T>& out) {
  using R = detail::ExchangeRound<T>;
  for (const auto& message : out)
    if (message.first != rank_) ranks_->cost().sent += static_cast<std::int64_t>(sizeof(T));
  ranks_->joined<R>().out[rank_()] = &out;
  return std::move(ranks_->wait<R>()->in[rank_()]);
}

template <class T>
NodeSharedArray<T> VirtualRank::all_gather_many(std::span<const T> mine) {
  using R = detail::GatherRound<T>;
  ranks_->joined<R>().mine[rank_()] = mine;
  const auto round = ranks_->wait<R>();
  const NodeSharedArray<T> all = ranks_->list_of(round, round->all);
  ranks_->cost().gathered += static_cast<std::int64_t>(all.n_bytes());
  return all;
}

template <class T>
std::vector<T> VirtualRank::ring_shift(std::span<const T> mine, std::int64_t distance) {
  using R = detail::ShiftRound<T>;
  const std::int64_t n = ranks_->n_ranks();
  ranks_->cost().sent += static_cast<std::int64_t>(mine.size_bytes());
  ranks_->joined<R>().mine[rank_()] = mine;
  ranks_->joined<R>().distance = static_cast<std::size_t>((distance % n + n) % n);
  return std::move(ranks_->wait<R>()->in[rank_()]);
}

template <class Write>
NodeSharedArray<std::uint64_t> VirtualRank::write_node_shared(std::size_t n_values, Write&& write) {
  using R = detail::WriteRound;
  if (rank_() % ranks_->n_per_machine_ == 0) {
    auto& all = ranks_->joined<R>().all;
    all.resize(n_values);
    write(std::span(all));
  }
  const auto round = ranks_->wait<R>();
  return ranks_->list_of(round, round->all);
}

}  // namespace thalweg::bench

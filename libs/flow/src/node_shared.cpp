// SPDX-License-Identifier: MIT
#include <thalweg/flow/node_shared.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <string_view>

namespace thalweg::flow {
namespace {

/// Some of the ranks of a transport, numbered from 0 in their order, this one among them.
class SomeRanks final : public Transport {
 public:
  SomeRanks(Transport& all, std::span<const Rank> ranks)
      : Transport(
            Rank(static_cast<std::size_t>(std::ranges::find(ranks, all.rank()) - ranks.begin())),
            static_cast<int>(ranks.size())),
        all_(all),
        ranks_(ranks) {
    set_watchdog(all.watchdog_s());
  }

  void post_send(std::span<const std::byte> bytes, Rank to, Channel channel, Tag tag,
                 Ticket ticket) override {
    all_.post_send(bytes, ranks_[to()], channel, tag, ticket);
  }
  void post_recv(std::span<std::byte> bytes, Rank from, Channel channel, Tag tag,
                 Ticket ticket) override {
    all_.post_recv(bytes, ranks_[from()], channel, tag, ticket);
  }
  void poll(std::vector<Ticket>& completed) override { all_.poll(completed); }
  void yield() override { all_.yield(); }
  bool serves_one_thread() const override { return all_.serves_one_thread(); }
  Rank name_of(Rank rank) const override { return all_.name_of(ranks_[rank()]); }
  void let_others_speak() override { all_.let_others_speak(); }
  [[noreturn]] void abort(std::string_view message) override {
    all_.abort(message);
    std::terminate();  // not reached, but GCC does not believe a virtual function
  }

 private:
  Transport& all_;
  InUse in_use_{all_, "a collective of the ranks that share memory"};
  std::span<const Rank> ranks_;
};

}  // namespace

namespace detail {

void meet(Transport& transport, const ComputeNode& compute_node) {
  // Messages order what a process does; memory that is shared past them needs the fences.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  SomeRanks here(transport, compute_node.ranks());
  barrier(here);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

std::shared_ptr<std::byte> all_gather_bytes_node_shared(Transport& transport,
                                                        ComputeNode& compute_node,
                                                        std::span<const std::byte> mine) {
  const std::size_t n = mine.size();
  // Lending memory waits for all ranks of the compute node, and watches nobody: they are here.
  meet(transport, compute_node);
  auto memory = compute_node.lend(n * static_cast<std::size_t>(transport.n_ranks()));
  const auto place_of = [&](Rank rank) { return memory.get() + rank() * n; };
  std::ranges::copy(mine, place_of(transport.rank()));
  meet(transport, compute_node);
  if (compute_node.firsts().size() == 1) return memory;

  if (compute_node.ranks().front() == transport.rank()) {
    // A compute node's ranks need not follow each other: each goes before its bytes.
    std::vector<std::byte> packets;
    packets.reserve(compute_node.ranks().size() * (sizeof(Rank) + n));
    for (const Rank rank : compute_node.ranks()) {
      std::ranges::copy(bytes_of(rank), std::back_inserter(packets));
      packets.insert(packets.end(), place_of(rank), place_of(rank) + n);
    }
    SomeRanks firsts(transport, compute_node.firsts());
    const auto all = all_gather_v<std::byte>(firsts, packets).values;
    for (std::size_t at = 0; at < all.size(); at += sizeof(Rank) + n) {
      Rank rank;
      std::memcpy(&rank, all.data() + at, sizeof rank);
      std::copy_n(all.data() + at + sizeof rank, n, place_of(rank));
    }
  }
  meet(transport, compute_node);
  return memory;
}

}  // namespace detail
}  // namespace thalweg::flow

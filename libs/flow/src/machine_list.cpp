// SPDX-License-Identifier: MIT
#include <thalweg/flow/machine_list.hpp>

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
        ranks_(ranks) {}

  void post_send(std::span<const std::byte> bytes, Rank to, Channel channel, Tag tag,
                 Ticket ticket) override {
    all_.post_send(bytes, ranks_[to()], channel, tag, ticket);
  }
  void post_recv(std::span<std::byte> bytes, Rank from, Channel channel, Tag tag,
                 Ticket ticket) override {
    all_.post_recv(bytes, ranks_[from()], channel, tag, ticket);
  }
  void poll(std::vector<Ticket>& completed) override { all_.poll(completed); }
  [[noreturn]] void abort(std::string_view message) override {
    all_.abort(message);
    std::terminate();  // not reached, but GCC does not believe a virtual function
  }

 private:
  Transport& all_;
  std::span<const Rank> ranks_;
};

}  // namespace

namespace detail {

void meet(Transport& transport, const Machine& machine) {
  // Messages order what a process does; memory that is shared past them needs the fences.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  SomeRanks here(transport, machine.ranks());
  barrier(here);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

std::shared_ptr<std::byte> all_gather_bytes_on_machine(Transport& transport, Machine& machine,
                                                       std::span<const std::byte> mine) {
  const std::size_t n = mine.size();
  auto memory = machine.lend(n * static_cast<std::size_t>(transport.n_ranks()));
  const auto place_of = [&](Rank rank) { return memory.get() + rank() * n; };
  std::ranges::copy(mine, place_of(transport.rank()));
  meet(transport, machine);
  if (machine.firsts().size() == 1) return memory;

  if (machine.ranks().front() == transport.rank()) {
    // A machine's ranks need not follow each other: each goes before its bytes.
    std::vector<std::byte> parcels;
    parcels.reserve(machine.ranks().size() * (sizeof(Rank) + n));
    for (const Rank rank : machine.ranks()) {
      std::ranges::copy(bytes_of(rank), std::back_inserter(parcels));
      parcels.insert(parcels.end(), place_of(rank), place_of(rank) + n);
    }
    SomeRanks firsts(transport, machine.firsts());
    const auto all = all_gather_v<std::byte>(firsts, parcels).values;
    for (std::size_t at = 0; at < all.size(); at += sizeof(Rank) + n) {
      Rank rank;
      std::memcpy(&rank, all.data() + at, sizeof rank);
      std::copy_n(all.data() + at + sizeof rank, n, place_of(rank));
    }
  }
  meet(transport, machine);
  return memory;
}

}  // namespace detail
}  // namespace thalweg::flow

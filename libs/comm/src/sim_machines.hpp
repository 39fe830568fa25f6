// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// The machines of a simulated network, and the memory of each.
class SimMachines {
 public:
  /// @param machine_of  which machine each rank is on, from 0, without gaps; empty: no machines
  SimMachines(const std::vector<int>& machine_of, int n_ranks) {
    if (machine_of.empty()) return;
    THALWEG_EXPECT(machine_of.size() == static_cast<std::size_t>(n_ranks),
                   "each rank is on a machine");
    for (std::size_t r = 0; r < machine_of.size(); ++r) {
      const auto at = static_cast<std::size_t>(machine_of[r]);
      if (shared_.size() <= at) shared_.resize(at + 1);
      shared_[at].ranks.emplace_back(r);
    }
    for (std::size_t r = 0; r < machine_of.size(); ++r) {
      Shared& shared = shared_[static_cast<std::size_t>(machine_of[r])];
      if (shared.ranks.front() == Rank(r)) firsts_.emplace_back(r);
      seats_.emplace_back(*this, shared);
    }
  }
  SimMachines(const SimMachines&) = delete;
  SimMachines& operator=(const SimMachines&) = delete;

  /// Of a rank; null where there are no machines.
  flow::Machine* machine(Rank rank) { return seats_.empty() ? nullptr : &seats_[rank()]; }

 private:
  struct Loan {
    std::shared_ptr<std::vector<std::byte>> memory;
    std::size_t n_takers = 0;
  };
  struct Shared {
    std::vector<Rank> ranks;
    std::map<std::uint64_t, Loan> loans;  ///< by number, until all ranks have come for it
  };
  class Seat final : public flow::Machine {
   public:
    Seat(SimMachines& machines, Shared& shared) : machines_(machines), shared_(shared) {}
    std::span<const Rank> ranks() const override { return shared_.ranks; }
    std::span<const Rank> firsts() const override { return machines_.firsts_; }
    std::shared_ptr<std::byte> lend(std::size_t n_bytes) override {
      const std::uint64_t number = n_loans_++;
      Loan& loan = shared_.loans[number];
      // Not zeros, so that what is read before it is written shows.
      if (!loan.memory)
        loan.memory = std::make_shared<std::vector<std::byte>>(n_bytes, std::byte{0xa5});
      if (loan.memory->size() != n_bytes)
        throw Error(
            "ranks of a machine share memory of different sizes (they do not make the same "
            "calls); let all ranks gather the same");
      const std::shared_ptr<std::byte> memory(loan.memory, loan.memory->data());
      if (++loan.n_takers == shared_.ranks.size()) shared_.loans.erase(number);
      return memory;
    }

   private:
    SimMachines& machines_;
    Shared& shared_;
    std::uint64_t n_loans_ = 0;
  };

  std::deque<Shared> shared_;  // deques: what they hold does not move
  std::deque<Seat> seats_;
  std::vector<Rank> firsts_;
};

}  // namespace thalweg::comm

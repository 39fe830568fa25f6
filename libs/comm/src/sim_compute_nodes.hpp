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

/// The compute nodes of a simulated network, and the memory of each.
class SimComputeNodes {
 public:
  /// @param compute_node_of  which compute node each rank is on, from 0, without gaps; empty: no
  /// compute nodes
  SimComputeNodes(const std::vector<int>& compute_node_of, [[maybe_unused]] int n_ranks) {
    if (compute_node_of.empty()) return;
    THALWEG_EXPECT(compute_node_of.size() == static_cast<std::size_t>(n_ranks),
                   "each rank is on a compute node");
    for (std::size_t r = 0; r < compute_node_of.size(); ++r) {
      const auto at = static_cast<std::size_t>(compute_node_of[r]);
      if (shared_.size() <= at) shared_.resize(at + 1);
      shared_[at].ranks.emplace_back(r);
    }
    for (std::size_t r = 0; r < compute_node_of.size(); ++r) {
      Shared& shared = shared_[static_cast<std::size_t>(compute_node_of[r])];
      if (shared.ranks.front() == Rank(r)) firsts_.emplace_back(r);
      members_.emplace_back(*this, shared);
    }
  }
  SimComputeNodes(const SimComputeNodes&) = delete;
  SimComputeNodes& operator=(const SimComputeNodes&) = delete;

  /// Of a rank; null where there are no compute nodes.
  flow::ComputeNode* compute_node(Rank rank) {
    return members_.empty() ? nullptr : &members_[rank()];
  }

 private:
  struct Loan {
    std::shared_ptr<std::vector<std::byte>> memory;
    std::size_t n_takers = 0;
  };
  struct Shared {
    std::vector<Rank> ranks;
    std::map<std::uint64_t, Loan> loans;  ///< by number, until all ranks have come for it
  };
  class Member final : public flow::ComputeNode {
   public:
    Member(SimComputeNodes& compute_nodes, Shared& shared)
        : compute_nodes_(compute_nodes), shared_(shared) {}
    std::span<const Rank> ranks() const override { return shared_.ranks; }
    std::span<const Rank> firsts() const override { return compute_nodes_.firsts_; }
    std::shared_ptr<std::byte> lend(std::size_t n_bytes) override {
      const std::uint64_t number = n_loans_++;
      Loan& loan = shared_.loans[number];
      // Not zeros, so that what is read before it is written shows.
      if (!loan.memory)
        loan.memory = std::make_shared<std::vector<std::byte>>(n_bytes, std::byte{0xa5});
      if (loan.memory->size() != n_bytes)
        throw Error(
            "ranks of a compute node share memory of different sizes (they do not make the same "
            "calls); let all ranks gather the same");
      const std::shared_ptr<std::byte> memory(loan.memory, loan.memory->data());
      if (++loan.n_takers == shared_.ranks.size()) shared_.loans.erase(number);
      return memory;
    }

   private:
    SimComputeNodes& compute_nodes_;
    Shared& shared_;
    std::uint64_t n_loans_ = 0;
  };

  std::deque<Shared> shared_;  // deques: what they hold does not move
  std::deque<Member> members_;
  std::vector<Rank> firsts_;
};

}  // namespace thalweg::comm

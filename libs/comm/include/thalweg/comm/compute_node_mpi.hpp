// SPDX-License-Identifier: MIT
#pragma once
#include <mpi.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include <thalweg/comm/communicator.hpp>
#include <thalweg/comm/session.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// The ranks of a compute node, and memory that they share: windows of MPI's. A collective
/// construction and destruction: all ranks make one together.
class MpiComputeNode final : public flow::ComputeNode {
 public:
  explicit MpiComputeNode(const Session& session);
  ~MpiComputeNode() override;
  MpiComputeNode(const MpiComputeNode&) = delete;
  MpiComputeNode& operator=(const MpiComputeNode&) = delete;

  std::span<const Rank> ranks() const override { return ranks_; }
  std::span<const Rank> firsts() const override { return firsts_; }
  /// To make or free a window takes all ranks at once, but what lies in one is dropped by each when
  /// it likes. So windows stay, and all agree on one that nobody uses before they make another.
  std::shared_ptr<std::byte> lend(std::size_t n_bytes) override;
  /// Windows there are, lent or not.
  std::size_t n_windows() const { return windows_.size(); }

 private:
  struct Window {
    MPI_Win handle = MPI_WIN_NULL;
    std::shared_ptr<std::byte> memory{};  ///< held by nobody else: this rank does not use it
    std::size_t n_bytes = 0;
  };
  Window make(std::size_t n_bytes);

  Communicator comm_;
  std::vector<Rank> ranks_;
  std::vector<Rank> firsts_;
  std::vector<Window> windows_;
  int n_exceptions_ = std::uncaught_exceptions();  ///< when this was made
};

}  // namespace thalweg::comm

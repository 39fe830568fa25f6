// SPDX-License-Identifier: MIT
#include <thalweg/comm/compute_node_mpi.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <exception>

namespace thalweg::comm {
namespace {

/// The values of all ranks of a communicator, by rank.
std::vector<Rank> gather(std::uint32_t mine, MPI_Comm comm) {
  int n_ranks = 0;
  check(MPI_Comm_size(comm, &n_ranks), "count the ranks of a communicator");
  std::vector<std::uint32_t> all(static_cast<std::size_t>(n_ranks));
  check(MPI_Allgather(&mine, 1, MPI_UINT32_T, all.data(), 1, MPI_UINT32_T, comm),
        "learn who shares a compute node");
  std::vector<Rank> ranks;
  for (const std::uint32_t rank : all) ranks.emplace_back(rank);
  return ranks;
}

MPI_Comm split(MPI_Comm comm, bool is_in) {
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(comm, is_in ? 0 : MPI_UNDEFINED, 0, &part), "divide a communicator");
  return part;
}

}  // namespace

MpiComputeNode::MpiComputeNode(const Session& session)
    : comm_(Communicator::of_compute_node(session.world())),
      ranks_(gather(session.rank()(), comm_.get())) {
  const bool is_first = ranks_.front() == session.rank();
  MPI_Comm firsts = split(session.world(), is_first);
  std::uint32_t n_compute_nodes = 0;
  if (is_first) {
    firsts_ = gather(session.rank()(), firsts);
    n_compute_nodes = static_cast<std::uint32_t>(firsts_.size());
    MPI_Comm_free(&firsts);
  }
  check(MPI_Bcast(&n_compute_nodes, 1, MPI_UINT32_T, 0, comm_.get()),
        "tell how many compute nodes there are");
  firsts_.resize(n_compute_nodes);
  static_assert(sizeof(Rank) == sizeof(std::uint32_t));
  check(MPI_Bcast(firsts_.data(), static_cast<int>(n_compute_nodes), MPI_UINT32_T, 0, comm_.get()),
        "tell the first ranks of compute nodes");
}

MpiComputeNode::~MpiComputeNode() {
  // Freeing one waits for all ranks: where an exception throws this one out, they may not come.
  if (std::uncaught_exceptions() > n_exceptions_) return;
  for (Window& window : windows_) {
    MPI_Win_unlock_all(window.handle);
    MPI_Win_free(&window.handle);
  }
}

std::shared_ptr<std::byte> MpiComputeNode::lend(std::size_t n_bytes) {
  // The windows that are large enough and not in use are so for all ranks, or not taken.
  std::vector<std::uint8_t> is_free;
  for (const Window& window : windows_)
    is_free.push_back(window.n_bytes >= n_bytes && window.memory.use_count() == 1 ? 1 : 0);
  check(MPI_Allreduce(MPI_IN_PLACE, is_free.data(), static_cast<int>(is_free.size()), MPI_UINT8_T,
                      MPI_MIN, comm_.get()),
        "agree on memory to share");
  const auto found = std::ranges::find(is_free, std::uint8_t{1});
  if (found == is_free.end()) {
    windows_.push_back(make(n_bytes));
    return windows_.back().memory;
  }
  return windows_[static_cast<std::size_t>(found - is_free.begin())].memory;
}

MpiComputeNode::Window MpiComputeNode::make(std::size_t n_bytes) {
  // With room to spare, as a mesh that grows asks for a little more each time.
  Window window{.n_bytes = std::bit_ceil(std::max(n_bytes, std::size_t{4096}))};
  int rank = 0;
  check(MPI_Comm_rank(comm_.get(), &rank), "ask for the rank");
  std::byte* base = nullptr;
  check(MPI_Win_allocate_shared(rank == 0 ? static_cast<MPI_Aint>(window.n_bytes) : 0, 1,
                                MPI_INFO_NULL, comm_.get(), static_cast<void*>(&base),
                                &window.handle),
        "get memory that the ranks of a compute node share");
  MPI_Aint size = 0;
  int unit = 0;
  check(MPI_Win_shared_query(window.handle, 0, &size, &unit, static_cast<void*>(&base)),
        "find memory that the ranks of a compute node share");
  // Written and read as it lies in memory, between messages: one epoch for its whole life.
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window.handle), "open shared memory");
  window.memory = std::shared_ptr<std::byte>(base, [](std::byte*) {});  // MPI's to free
  return window;
}

}  // namespace thalweg::comm

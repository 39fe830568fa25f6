// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <thalweg/predict/job.hpp>
#include <thalweg/predict/machine.hpp>

namespace thalweg::predict {

/// The tasks that are running of those that memory bandwidth bounds, by the memory domain of their
/// cores: up to so many run at full speed, more share what there is in equal parts.
///
/// While n of them run, each does min(1, full_speed_cores / n) ns of its work in a ns. All do
/// alike, so one number a domain says how far each has come: `done_ns`, from when the domain was
/// empty.
/// @cost O(log n) for each task that begins or ends
class MemoryDomains {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  MemoryDomains(const Job& job, const Machine& machine)
      : shared_(machine.shared_memory),
        ranks_per_node_(static_cast<std::uint32_t>(
            std::min(static_cast<std::size_t>(machine.ranks_per_node), job.ranks.size()))) {
    if (shared_.domain_cores == 0) return;
    is_bound_ = job.is_memory_bound;
    n_workers_ = job.n_workers;
    const std::uint32_t cores_of_node = ranks_per_node_ * n_workers_;
    domains_of_node_ = (cores_of_node + shared_.domain_cores - 1) / shared_.domain_cores;
    const std::size_t n_nodes = (job.ranks.size() - 1) / ranks_per_node_ + 1;
    domains_.resize(n_nodes * domains_of_node_);
  }

  bool is_bound(std::uint16_t name) const { return !is_bound_.empty() && is_bound_[name] != 0; }
  std::uint32_t domain_of(std::uint32_t rank, std::uint32_t worker) const {
    const std::uint32_t core = rank % ranks_per_node_ * n_workers_ + worker;
    return rank / ranks_per_node_ * domains_of_node_ + core / shared_.domain_cores;
  }

  /// A task of so much work begins. @return when the domain's next task ends
  std::int64_t begin(std::uint32_t domain, std::uint32_t worker, std::int64_t work_ns,
                     std::int64_t now_ns) {
    Domain& d = domains_[domain];
    go_on(d, now_ns);
    d.running.emplace_back(d.done_ns + static_cast<double>(work_ns), worker);
    std::ranges::push_heap(d.running, std::greater());
    return next_end(d);
  }
  /// When the domain's next task ends; never if none runs.
  std::int64_t next_end_ns(std::uint32_t domain) const { return domains_[domain].next_end_ns; }
  /// End the domain's next task. @pre it is now   @return its worker
  std::uint32_t end(std::uint32_t domain, std::int64_t now_ns) {
    Domain& d = domains_[domain];
    go_on(d, now_ns);
    std::ranges::pop_heap(d.running, std::greater());
    const std::uint32_t worker = d.running.back().second;
    d.running.pop_back();
    if (d.running.empty()) d.done_ns = 0;
    next_end(d);
    return worker;
  }

 private:
  struct Domain {
    double done_ns = 0;         ///< of work, by each task since the domain was empty
    std::int64_t since_ns = 0;  ///< when that was so
    std::int64_t next_end_ns = never;
    std::vector<std::pair<double, std::uint32_t>> running{};  ///< heap: done_ns at the end, worker
  };

  double speed(const Domain& d) const {
    return std::min(1.0, shared_.full_speed_cores / static_cast<double>(d.running.size()));
  }
  void go_on(Domain& d, std::int64_t now_ns) const {
    if (!d.running.empty()) d.done_ns += speed(d) * static_cast<double>(now_ns - d.since_ns);
    d.since_ns = now_ns;
  }
  std::int64_t next_end(Domain& d) const {
    if (d.running.empty()) return d.next_end_ns = never;
    const double left_ns = std::max(0.0, d.running.front().first - d.done_ns) / speed(d);
    constexpr double rounding = 1e-6;
    return d.next_end_ns = d.since_ns + static_cast<std::int64_t>(std::ceil(left_ns - rounding));
  }

  SharedMemory shared_;
  std::uint32_t ranks_per_node_;
  std::uint32_t n_workers_ = 1;
  std::uint32_t domains_of_node_ = 1;
  std::vector<std::uint8_t> is_bound_;  ///< by name; empty where nothing is shared
  std::vector<Domain> domains_;
};

}  // namespace thalweg::predict

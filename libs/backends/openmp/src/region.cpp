// SPDX-License-Identifier: MIT
#include "region.hpp"

#include <omp.h>

#include <algorithm>
#include <latch>
#include <string>

#include <thalweg/backends/openmp.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::backends {
namespace {

/// libgomp runs a task inside the submitting thread when more than 64 per thread of the team are
/// not finished (GCC 12, libgomp/task.c, GOMP_task).
constexpr std::size_t n_deferred_per_thread = 64;
constexpr std::size_t n_most_threads = 1024;  // a guess at what any machine can start

}  // namespace

Region::Region(const Config& config, const Program& program, detail::Run& run,
               detail::MessageService& service, std::span<detail::WorkerState> states)
    : n_threads_(run.graph().model() == flow::Model::bulk ? 1 : config.n_threads),
      depth_(run.graph().overlaps() ? config.depth : 1),
      program_(program),
      run_(run),
      service_(service),
      states_(states),
      pieces_(program.n_pieces()) {
  prepare();
  n_extra_ = n_extra_threads();
}

void Region::prepare() {
  const std::size_t n = run_.graph().n_tasks();
  std::size_t n_uses = 0;
  for (std::uint32_t t = 0; t < n; ++t) n_uses += program_.uses(t).size();
  addresses_.reserve(n_uses);  // so that they stay where they are
  for (std::uint32_t t = 0; t < n; ++t) {
    Depends d{};
    for (const bool is_written : {false, true}) {
      char** const first = addresses_.data() + addresses_.size();
      for (const PieceUse& use : program_.uses(t))
        if (use.is_written == is_written) addresses_.push_back(&pieces_[use.piece]);
      const auto count = static_cast<int>(addresses_.data() + addresses_.size() - first);
      (is_written ? d.writes : d.reads) = first;
      (is_written ? d.n_writes : d.n_reads) = count;
    }
    depends_.push_back(d);
  }
}

std::uint32_t Region::n_extra_threads() const {
  // Threads that sleep until the end, only where there are messages.
  // libomp 19 counts the children of a task wrongly where a detached task ends in a team of one.
  // libgomp 12 runs a detached task that it does not defer to the end, message included, in the
  // thread that submits the others, which the message may need: so it has to defer all, and the
  // limit grows with the team.
  if (run_.graph().n_messages() == 0) return 0;
  if (OpenMpExecutor::runtime() == Runtime::libomp) return n_threads_ == 1 ? 1 : 0;
  std::size_t n_most = 0;  // submitted without waiting in between
  for (std::size_t g = 0; g < program_.n_groups(); ++g)
    n_most = std::max(n_most, program_.group(g).size() * depth_);
  const std::size_t n_needed = n_most / n_deferred_per_thread + 1;
  if (n_needed > n_most_threads)
    throw Error("a graph with messages and " + std::to_string(n_most) +
                " tasks without a barrier (libgomp defers 64 a thread, and " +
                std::to_string(n_most_threads) +
                " threads are too many to ask for more); build the back end with clang, or use "
                "less depth");
  return static_cast<std::uint32_t>(n_needed <= n_threads_ ? 0 : n_needed - n_threads_);
}

void Region::replay(std::uint64_t n_replays) noexcept {
  const std::uint32_t n_team = n_threads_ + n_extra_;
  std::latch is_over(1);
#pragma omp parallel num_threads(n_team)
  {
    const auto thread = static_cast<std::uint32_t>(omp_get_thread_num());
    if (thread == 0) {
      const auto n_given = static_cast<std::uint32_t>(omp_get_num_threads());
      if (n_given == n_team)
        submit_all(n_replays);
      else
        run_.fail("OpenMP gave " + std::to_string(n_given) + " threads (the run needs " +
                  std::to_string(n_team) + "); see OMP_THREAD_LIMIT and OMP_DYNAMIC");
      is_over.count_down();
    } else if (thread >= n_threads_) {
      is_over.wait();
    }
  }
}

void Region::submit_all(std::uint64_t n_replays) {
  for (std::uint64_t r = 0; r < n_replays && !run_.has_failed(); ++r) {
    for (std::size_t g = 0; g < program_.n_groups(); ++g) {
      if (g > 0) {
#pragma omp taskwait
      }
      for (const std::uint32_t node : program_.group(g)) submit(node, r);
    }
    if ((r + 1) % depth_ == 0) {
#pragma omp taskwait
    }
    n_complete_ = r + 1;
    if (is_stopped()) break;
  }
#pragma omp taskwait
}

bool Region::is_stopped() {
  if (!program_.decision()) return false;
  if (OpenMpExecutor::runtime() == Runtime::libgomp && run_.graph().n_messages() > 0) {
    // libgomp 12 forgets that a task is detached if it is `taskwait depend` that runs it
    // (gomp_task_maybe_wait_for_dependencies in its task.c).
#pragma omp taskwait
    return run_.is_stopped();
  }
  [[maybe_unused]] char* const decision = &pieces_[*program_.decision()];
#pragma omp taskwait depend(in : decision[0])
  return run_.is_stopped();
}

void Region::submit(std::uint32_t node, std::uint64_t replay) {
  const flow::Node& n = run_.graph().node(flow::TaskId(node));
  if (n.is_message())
    submit_message(node, 2);
  else
    submit_task(node, replay, n.priority > 0 ? 1 : 0);
}

void Region::submit_task(std::uint32_t node, std::uint64_t replay, int priority) {
  const Depends d = depends_[node];
#pragma omp task firstprivate(node, replay) priority(priority)  \
    depend(iterator(int i = 0 : d.n_reads), in : d.reads[i][0]) \
    depend(iterator(int i = 0 : d.n_writes), inout : d.writes[i][0])
  {
    const auto thread = static_cast<std::uint32_t>(omp_get_thread_num());
    run_.execute(node, replay, thread, states_[thread]);
  }
}

void Region::submit_message(std::uint32_t node, int priority) {
  const Depends d = depends_[node];
  omp_event_handle_t event{};
#pragma omp task firstprivate(node) priority(priority) detach(event) \
    depend(iterator(int i = 0 : d.n_reads), in : d.reads[i][0])      \
    depend(iterator(int i = 0 : d.n_writes), inout : d.writes[i][0])
  service_.hand_in(node, static_cast<detail::MessageService::Event>(event));
}

}  // namespace thalweg::backends

// SPDX-License-Identifier: MIT
// The same graphs by hand with MPI alone, as Task Bench's own back end does it: in each timestep
// non-blocking receives and sends, one message for each edge between ranks, a wait for all, the
// tasks. Run by taskbench.py.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <thalweg/comm/session.hpp>
#include <thalweg/taskbench/app.hpp>
#include <thalweg/taskbench/detail/buffers.hpp>
#include <thalweg/taskbench/drive.hpp>

namespace {

using namespace thalweg;
using taskbench::TaskGraph;

class ByHand {
 public:
  ByHand(const TaskGraph& graph, const comm::Session& session)
      : graph_(graph),
        rank_(static_cast<long>(session.rank()())),
        n_ranks_(session.n_ranks()),
        outputs_(2, graph.max_width, graph.output_bytes_per_task) {}

  void run() {
    for (long t = 0; t < graph_.timesteps; ++t) {
      if (t > 0) exchange(t);
      const auto [first, end] = own(t);
      for (long p = first; p < end; ++p) execute(t, p);
    }
  }

 private:
  long owner(long point) const { return point * n_ranks_ / graph_.max_width; }
  std::pair<long, long> own(long t) const {
    const auto first_of = [&](long r) { return (r * graph_.max_width + n_ranks_ - 1) / n_ranks_; };
    const long first = graph_.offset_at_timestep(t), end = first + graph_.width_at_timestep(t);
    return {std::max(first, first_of(rank_)), std::min(end, first_of(rank_ + 1))};
  }
  /// Call f(point) for the points of these intervals that a timestep has.
  template <class F>
  void for_each(const std::vector<taskbench::Interval>& intervals, long t, F f) const {
    const long begin = graph_.offset_at_timestep(t), end = begin + graph_.width_at_timestep(t);
    for (const auto& [first, last] : intervals)
      for (long p = std::max(first, begin); p <= std::min(last, end - 1); ++p) f(p);
  }
  char* output(long t, long point) { return outputs_.at(outputs_.index(t, point)); }

  void exchange(long t) {
    requests_.clear();
    const long dset = graph_.dependence_set_at_timestep(t);
    const int n_bytes = static_cast<int>(graph_.output_bytes_per_task);
    const auto tag = [](long from, long to) { return static_cast<int>(from << 8 | to); };
    const auto [first, end] = own(t);
    for (long p = first; p < end; ++p)
      for_each(graph_.dependencies(dset, p), t - 1, [&](long d) {
        if (owner(d) != rank_)
          MPI_Irecv(output(t - 1, d), n_bytes, MPI_BYTE, static_cast<int>(owner(d)), tag(d, p),
                    MPI_COMM_WORLD, &requests_.emplace_back());
      });
    const auto [sent, sent_end] = own(t - 1);
    for (long p = sent; p < sent_end; ++p)
      for_each(graph_.reverse_dependencies(dset, p), t, [&](long d) {
        if (owner(d) != rank_)
          MPI_Isend(output(t - 1, p), n_bytes, MPI_BYTE, static_cast<int>(owner(d)), tag(p, d),
                    MPI_COMM_WORLD, &requests_.emplace_back());
      });
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  void execute(long t, long point) {
    inputs_.clear();
    if (t > 0)
      for_each(graph_.dependencies(graph_.dependence_set_at_timestep(t), point), t - 1,
               [&](long d) { inputs_.push_back(output(t - 1, d)); });
    sizes_.assign(inputs_.size(), graph_.output_bytes_per_task);
    graph_.execute_point(t, point, output(t, point), graph_.output_bytes_per_task, inputs_.data(),
                         sizes_.data(), inputs_.size(), nullptr, 0);
  }

  TaskGraph graph_;
  long rank_;
  long n_ranks_;
  taskbench::detail::Outputs outputs_;
  std::vector<MPI_Request> requests_;
  std::vector<const char*> inputs_;
  std::vector<std::size_t> sizes_;
};

}  // namespace

int main(int argc, char** argv) {
  const comm::Session session(&argc, &argv);
  std::vector<char*> arguments(argv, argv + argc);
  const auto options = taskbench::take_run_options(arguments);
  const taskbench::App app(static_cast<int>(arguments.size()), arguments.data());
  ByHand program(app.graphs.front(), session);
  program.run();
  double seconds = std::numeric_limits<double>::max();
  for (std::uint32_t i = 0; i < options.n_timed_runs; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    program.run();
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = std::min(seconds, MPI_Wtime() - start);
  }
  if (session.rank() == Rank(0)) app.display(), app.report_timing(seconds);
}

// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/taskbench/detail/buffers.hpp>
#include <thalweg/taskbench/runner.hpp>
#include <thalweg/taskbench/schedule.hpp>

namespace thalweg::taskbench {

/// A graph of Task Bench: ours, or the TaskGraph of its own core library.
///
/// Valid: taskbench::TaskGraph. Invalid: one whose dependencies do not come as inclusive intervals.
template <class G>
concept BenchmarkGraph =
    std::copyable<G> && requires(const G& g, long n, char* bytes, std::size_t size,
                                 const char** inputs, const std::size_t* sizes) {
      { g.timesteps } -> std::convertible_to<long>;
      { g.max_width } -> std::convertible_to<long>;
      { g.nb_fields } -> std::convertible_to<long>;
      { g.output_bytes_per_task } -> std::convertible_to<std::size_t>;
      { g.scratch_bytes_per_task } -> std::convertible_to<std::size_t>;
      { g.offset_at_timestep(n) } -> std::convertible_to<long>;
      { g.width_at_timestep(n) } -> std::convertible_to<long>;
      { g.timestep_period() } -> std::convertible_to<long>;
      { g.dependence_set_at_timestep(n) } -> std::convertible_to<long>;
      { g.dependencies(n, n) } -> std::convertible_to<std::vector<std::pair<long, long>>>;
      { g.reverse_dependencies(n, n) } -> std::convertible_to<std::vector<std::pair<long, long>>>;
      g.execute_point(n, n, bytes, size, inputs, sizes, size, bytes, size);
      G::prepare_scratch(bytes, size);
    };

/// How the timesteps of graphs are cut into windows that are recorded once and replayed.
template <BenchmarkGraph G>
std::vector<Segment> segments_of(const std::vector<G>& graphs, int n_ranks);

/// Runs graphs of Task Bench, several at a time, on the ranks and threads of a program.
///
/// The points of a timestep are spread over ranks and workers in blocks. A window of timesteps is
/// recorded once and replayed; outputs go through a few copies in turn, and that a copy is read
/// before it is overwritten is among what the recorder finds out.
template <BenchmarkGraph G>
class Backend {
 public:
  /// @param transport, clock must outlive it
  /// @errors Error where the executor cannot be made, or a timestep has too many messages
  Backend(std::vector<G> graphs, flow::Model model, const flow::ExecutorConfig& config,
          flow::Transport& transport, const Clock& clock);
  /// The same with another runtime. @param config what the runner was made with
  Backend(std::vector<G> graphs, flow::Model model, const flow::ExecutorConfig& config,
          flow::Transport& transport, std::unique_ptr<Runner> runner);
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// Run all tasks once. Collective.
  ///
  /// A failure names the task that had a wrong input; the caller aborts the transport.
  Result<void> run();

  /// How many tasks a run has on this rank.
  std::uint64_t n_tasks() const { return n_tasks_; }
  const std::vector<Segment>& segments() const { return segments_; }
  /// What is replayed of a segment; it refers to this.
  flow::Graph& graph(std::size_t segment) { return graphs_[segment]; }
  /// Bytes of graphs and outputs on this rank.
  std::size_t n_bytes() const;

 private:
  /// A graph and its memory.
  struct Part {
    G graph;
    detail::Outputs outputs;
    std::vector<detail::Lines> scratch;  ///< of each worker
  };
  /// The body of a task.
  struct PointTask {
    const Part* part;
    long first_step;  ///< in replay 0
    long n_steps;     ///< from one replay to the next
    long point;
    char* output;
    std::vector<const char*> inputs;
    std::vector<std::size_t> input_bytes;

    void operator()(const flow::TaskContext& context) {
      const G& g = part->graph;
      const long timestep = first_step + static_cast<long>(context.replay()) * n_steps;
      // In a window that is replayed, timestep 0 is recorded with the edges of later ones.
      const std::size_t n_inputs = timestep == 0 ? 0 : inputs.size();
      g.execute_point(timestep, point, output, g.output_bytes_per_task, inputs.data(),
                      input_bytes.data(), n_inputs, part->scratch[context.worker()].data(),
                      g.scratch_bytes_per_task);
    }
  };
  /// Names data of one recording.
  struct Names {
    flow::Recorder& recorder;
    std::vector<std::optional<flow::DatumId>> ids;  ///< of each buffer of all parts

    flow::DatumId datum(std::size_t buffer) {
      if (!ids[buffer]) ids[buffer] = recorder.datum("output");
      return *ids[buffer];
    }
  };
  using Points = detail::Points;

  long n_ranks() const { return transport_.n_ranks(); }
  long here() const { return static_cast<long>(transport_.rank()()); }
  long owner(const G& g, long point) const { return point * n_ranks() / g.max_width; }
  Points own_active(const G& g, long timestep) const;
  std::vector<long> others(const std::vector<std::pair<long, long>>& intervals, const G& g,
                           Points within) const;

  flow::Graph record(const Segment& segment);
  void record_points(Names& names, std::size_t p, const Segment& segment, long step);
  void record_messages(Names& names, std::size_t p, long step);
  std::size_t buffer(std::size_t p, long timestep, long point) const {
    return first_buffer_[p] + parts_[p].outputs.index(timestep, point);
  }

  flow::Transport& transport_;
  flow::Model model_;
  std::uint32_t n_workers_;
  std::unique_ptr<Runner> runner_;
  std::deque<Part> parts_;  // a deque: tasks point to them
  std::vector<std::size_t> first_buffer_;
  std::size_t n_buffers_ = 0;
  std::vector<Segment> segments_;
  std::deque<flow::Graph> graphs_;  ///< of each segment
  std::uint64_t n_tasks_ = 0;
};

}  // namespace thalweg::taskbench

#include <thalweg/taskbench/detail/backend_body.hpp>

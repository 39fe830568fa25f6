// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/block_costs.hpp>
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/memory.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/app/shares.hpp>
#include <thalweg/app/statistics.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/mesh/costs.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/step/backup.hpp>
#include <thalweg/step/initial_tags.hpp>
#include <thalweg/step/memory.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/settings.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/trace/sink_list.hpp>

namespace thalweg::app {

/// One problem on an adaptive mesh, advanced step by step, whatever its equations: Simulation makes
/// it, and is compiled with them; this is compiled once. Collective: all ranks do the same calls.
///
/// The graph of a step is captured once a mesh and replayed; a regrid that changes nothing keeps
/// it. After a Failure the caller ends all ranks through the transport.
template <int D>
class MeshSimulation : public AnySimulation {
 public:
  ~MeshSimulation() override;

  const step::TimeState& time_state() const override { return time_state_; }
  std::int64_t last_regrid() const override { return last_regrid_; }
  const step::Mesh<D>& mesh() const { return *mesh_; }
  const step::State<D>& state() const { return *state_; }
  const Context& context() const { return context_; }
  const flow::Executor& executor() const { return executor_; }
  const flow::Graph& step_graph() override;
  std::vector<mesh::LevelImbalance> imbalance() const override;
  Regrids regrids() const override { return regrids_; }
  CostEstimate cost() const override;
  const std::vector<std::string>& component_names() const override {
    return problem_.components.names;
  }
  std::vector<std::string> plot_variables(const PlotRequest& request) const override;
  std::vector<io::Column> series_columns() const override;
  std::vector<double> series_values() const override;
  std::vector<io::Column> point_columns(const PointRequest& request) const override;
  std::vector<double> point_values(const PointRequest& request) override;
  std::vector<std::string> total_names() const override;
  std::vector<double> totals() const override;
  std::vector<double> largest_totals() const override;
  LocalBlocks local_blocks() const override;
  std::uint64_t blocks_revision() const override { return mesh_->forest.revision; }
  [[nodiscard]] Result<void> write_plot(const PlotRequest& request) override;
  [[nodiscard]] Result<Checkpoint> write_checkpoint(const CheckpointTarget& target) const override;
  /// Bytes of cells on this rank, with what is kept of the start of a step.
  std::size_t field_bytes() const {
    return pools_.size_bytes() + (backup_ ? backup_->size_bytes() : 0);
  }
  /// Bytes of cells, of what is known of the mesh, and of a step's graph with its messages, flux
  /// registers and scratch, on this rank; where there is no graph yet, as is expected of it.
  std::size_t held_bytes() const override { return static_cast<std::size_t>(held().total()); }
  /// What this rank was expected to hold at most with the mesh that a regrid last took on, and
  /// while it was taken on. 0 without a limit. For tests, beside held_bytes().
  std::size_t expected_bytes() const { return static_cast<std::size_t>(expected_.total()); }
  bool is_over() const override { return step::is_over(time_state_, settings_.time); }
  [[nodiscard]] Result<void> advance_to(std::int64_t step) override;
  bool is_refused() const override { return is_refused_; }

  /// Move the mesh with the solution: tag, make the new forest, move blocks. Keeps the graph if no
  /// rank's blocks changed.
  /// @errors as advance_to
  [[nodiscard]] Result<void> regrid();

  MeshWork look_at_regrid(const std::function<void(const flow::Graph&)>& look) override;
  std::int64_t make_anew() override;
  [[nodiscard]] Result<void> tag_cells(std::int64_t n_times) override;

  /// Fill the ghost cells for who reads neighbours: derived fields.
  [[nodiscard]] Result<void> fill_ghosts();

 protected:
  MeshSimulation(const Context& context, BlockProblem<D> problem, const Settings<D>& settings,
                 OnStep on_step);
  // One of these makes what the constructor leaves unmade.
  Result<void> build_mesh();
  Result<void> read(const Checkpoint& from);
  void build_without_cells(const WantedBlocks& wanted);

  // Make the mesh around the initial data but for its last level, and say what the tags of this
  // rank asked for in each pass.
  Result<WantedBlocks> find_wanted_blocks();

 private:
  // Make all levels consistent, capture the step, now or later, and find its dt.
  Result<void> prepare();
  // Capture a step of the mesh there is, to know what its graph takes, where that of the next mesh
  // may be large.
  void measure_before(const mesh::Forest<D>& next);
  void capture_first_step();

  std::unexpected<Failure> regrid_failed(const Failure& why) const {
    return std::unexpected(
        Failure{fmt::format("regrid after step {}: {}", time_state_.step, why.message)});
  }

  // Whether there was anything to change.
  Result<bool> change_mesh();

  const field::JoinRule& join_rule() const { return pools_.join_rule; }
  int n_workers() const { return static_cast<int>(executor_.config().n_workers); }
  step::PlanSettings plan_settings() const {
    return {equations().n_ghosts(), settings_.max_comm_tasks, settings_.prolongation.reach(),
            problem_.points};
  }
  step::Saved saved() const { return step::saved_by(equations(), settings_.time); }
  const step::Equations<D>& equations() const { return *problem_.equations; }
  exchange::FillContext<D> boundary() const {
    return equations().boundary({[this] { return time_state_.time; }});
  }

  struct Before {
    std::optional<step::Mesh<D>> mesh;
    step::State<D> state;
  };
  // Take on a forest: plans, and memory for its blocks, with what can be kept of the mesh and the
  // state before. Returns what is left of these.
  enum class Plans : std::uint8_t { kept_where_same, made_anew };
  Before install_mesh(mesh::Forest<D> forest, Plans plans = Plans::kept_where_same);
  // Find the mesh that there is as a regrid would, and make all of its plans again.
  Before install_mesh_anew();
  // Take on level 0 alone. @errors throws Error where there is no memory for it
  void install_roots();
  // Take on the mesh that has these blocks, wanted on any rank; false where it is the one there is.
  // @errors throws Error where there is no memory for it
  bool install_wanted(const std::vector<mesh::Key<D>>& wanted);
  // Throws Error where some rank has no memory for it.
  void install_if_it_fits(mesh::Forest<D> forest);
  bool is_new(const mesh::Forest<D>& forest);
  std::int64_t n_blocks() const;  // of this rank
  // What a level is on all ranks, for who counts: in leaf mode only blocks that are advanced are
  // blocks. Without subcycling those that finer ones cover are not advanced. Collective.
  struct LevelWork {
    std::int64_t n_blocks;
    std::int64_t zone_updates;  // in a step of level 0
  };
  LevelWork work_of(int level) const;
  double scratch_bytes() const {
    return static_cast<double>(executor_.config().n_workers *
                               step::scratch_bytes(equations(), problem_.geometry, join_rule()));
  }
  double list_bytes() const {
    return static_cast<double>(step::n_bytes(*mesh_) + step::n_bytes(*state_) +
                               (backup_ ? backup_->list_bytes() : 0));
  }
  double step_bytes() const {
    return static_cast<double>(graph_->n_bytes() + executor_.n_bytes_to_run(*graph_));
  }
  Need held() const {
    if (!graph_) return expected_;
    return {static_cast<double>(field_bytes()), list_bytes() + step_bytes() + scratch_bytes()};
  }
  Need need_of(const mesh::Forest<D>& forest);
  // Say what is wrong with a forest that would take more memory than is allowed, or refuse to begin
  // with what there is. Collective.
  Result<void> check_memory(const mesh::Forest<D>& forest);
  void check_held();
  std::size_t memory_limit() const {
    return settings_.memory_limit_bytes != 0 ? settings_.memory_limit_bytes : context_.memory_bytes;
  }
  // Set the initial state of all blocks, in parallel. @errors a Failure where a function of the
  // problem has failed; throws Error on all ranks where a cell is inadmissible
  Result<void> set_initial();
  Result<void> set_initial_cells();
  Result<void> set_initial_faces();
  std::vector<DerivedField<D>> series_fields() const;
  std::vector<DerivedField<D>> integrated_fields() const;  // of these
  // Those that names or groups stand for, and what they read beside their own cells.
  std::vector<DerivedField<D>> derived_fields(const std::vector<std::string>& names) const;
  void fill_ghosts_for(const std::vector<DerivedField<D>>& fields);
  // The workers of this rank, for what looks at all cells between two steps.
  Workers workers(const char* task_name) const;

  // Set the cells, and name the blocks that this rank's tags around the initial data ask for.
  Result<std::vector<mesh::Key<D>>> wanted_at_start();
  // The same on one rank without cells, but for levels that are as they were known.
  Result<std::vector<mesh::Key<D>>> wanted_without_cells(std::vector<step::TaggedLevel<D>>& known);
  Result<std::vector<mesh::Key<D>>> tagged_blocks();
  mesh::PartitionedForest<D> next_forest(const std::vector<mesh::Key<D>>& wanted);
  void record_imbalance(const std::vector<mesh::LevelImbalance>& imbalance);
  // Doubles of a block, with ghosts or without.
  std::size_t block_size(bool with_ghosts) const;
  // Record what has to be done to this mesh and state, by f(step recorder).
  template <class Record>
  flow::Recorder recorded(flow::Recorder&& recorder, const Record& f,
                          step::StepBackup<D>* backup = nullptr);
  flow::Recorder recorded_tags(const step::SetTags<D>& tag, step::Tags& tags);
  // What makes the state of the mesh before that of this one.
  flow::Recorder recorded_moves(const Before& before);
  // Make the state what it was before the step that was rejected.
  Result<void> put_back();
  // @param step  that the graph belongs to, if to any
  Result<void> run_once(flow::Recorder&& recorder, std::optional<std::uint64_t> step = {});
  flow::Recorder new_recorder() const {
    return {context_.transport.rank(),
            context_.transport.n_ranks(),
            {.grain = context_.execution.grain,
             .is_for_inspection = settings_.block_source == field::BlockSource::addresses}};
  }
  // A recorder with the memory of the step's graph, which is gone then.
  flow::Recorder replacing_step();
  void capture_step(flow::Recorder&& recorder);

  Context context_;
  mutable exchange::TransportCollectives collectives_{context_.transport};
  BlockProblem<D> problem_;
  Settings<D> settings_;
  step::StepSettings<D> step_settings_;
  step::Pools pools_;
  std::optional<step::StepBackup<D>> backup_;  ///< where steps may be taken again
  std::optional<BlockCosts> costs_;            ///< where partitions ask for them
  trace::SinkList sinks_;
  mutable flow::Executor executor_;  ///< runs what looks at cells as well
  StepObserver observer_;
  std::optional<step::Mesh<D>> mesh_;
  std::optional<step::State<D>> state_;
  std::optional<flow::Graph> graph_;
  step::TimeState time_state_;
  std::int64_t last_regrid_ = 0;
  Regrids regrids_;
  std::vector<std::pair<mesh::LevelImbalance, int>> imbalance_;  ///< sums, and of how many regrids
  double once_bytes_ = 0;  ///< of the last graph that was run once, and of its run
  // Of the largest graph of a step so far, whose memory smaller ones have; and what it was made of.
  double most_step_bytes_ = 0;
  double updates_of_most_ = 0;
  int n_captured_ = 0;  ///< graphs of a step
  Need expected_;
  bool is_refused_ = false;
};

extern template class MeshSimulation<1>;
extern template class MeshSimulation<2>;
extern template class MeshSimulation<3>;

}  // namespace thalweg::app

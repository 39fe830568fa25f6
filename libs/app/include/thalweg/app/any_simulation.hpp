// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <thalweg/app/checkpoint_target.hpp>
#include <thalweg/app/local_blocks.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/io/plotfile.hpp>
#include <thalweg/io/time_series.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// A plane across one of the axes.
struct PlotPlane {
  int axis = 0;
  double at = 0;  ///< its place along the axis, in the domain [length]
};

/// Where a plotfile goes and what is in it.
struct PlotRequest {
  std::string path;                                  ///< of this plotfile
  std::optional<std::vector<std::string>> fields{};  ///< components by their names; none: all
  std::vector<std::string> derived{};                ///< names or groups of fields beside them
  io::NumberType numbers = io::NumberType::float64;
  int ranks_per_file = 16;
  std::string deck{};                ///< the resolved deck, which is written beside it
  std::optional<PlotPlane> plane{};  ///< which cells alone, with a dimension less; none: all
};

/// Points to look at, and what at.
struct PointRequest {
  std::vector<std::array<double, 3>> points;  ///< in the domain; of fewer axes the first ones count
  std::vector<std::string> derived;           ///< names or groups of fields beside the components
};

/// What a level takes on all ranks together.
struct LevelCost {
  std::int64_t n_blocks = 0;
  std::int64_t n_cells = 0;
  double updates = 0;  ///< zone updates in a step of level 0
  double bytes = 0;    ///< of cells with ghost cells
};

/// What a run takes with the mesh there is.
struct CostEstimate {
  std::vector<LevelCost> levels;
  double field_bytes = 0;  ///< of cells, with what is kept of the start of a step, all ranks
  double held_bytes = 0;   ///< the same with plans, graphs and messages
};

/// What the mesh around the initial data takes at least, as far as samples of it say.
struct SampledMesh {
  int finest = 0;       ///< the last level that was looked at
  double n_blocks = 0;  ///< of that level
  double bytes = 0;     ///< of all levels up to it: cells, and the graph of a step
};

/// The name of a block for who does not know the dimension: see mesh::Key.
struct BlockName {
  std::int32_t level = 0;
  std::uint64_t code = 0;

  bool operator==(const BlockName&) const = default;
};

/// The blocks of finer levels that tags asked for around the initial data, pass by pass: what a
/// mesh is made of where its cells are not known.
using WantedBlocks = std::vector<std::vector<BlockName>>;

/// How often a run has looked at its mesh.
struct Regrids {
  int n = 0;
  int n_changes = 0;  ///< of them, those that have made another mesh
  double s = 0;       ///< they took this rank [s]
};

/// What a rank does in a change of the mesh beside graphs.
struct MeshWork {
  std::int64_t n_blocks = 0;  ///< it has before it
  std::int64_t n_collectives = 0;
};

/// A simulation of any equations in any dimension, as a run drives it.
///
/// What advances, sums up or writes is collective, as is what looks at a graph: every rank makes
/// these calls in the same order. What only says how things stand is not.
class AnySimulation {
 public:
  virtual ~AnySimulation() = default;

  virtual const step::TimeState& time_state() const = 0;
  virtual bool is_over() const = 0;
  /// The step after which the mesh was last looked at.
  virtual std::int64_t last_regrid() const = 0;
  /// Advance until a step number is reached or the run is over, regridding on the way.
  /// @errors names the step, and the task and rank that failed; or says, on all ranks alike, that
  /// the next mesh was refused: see is_refused
  [[nodiscard]] virtual Result<void> advance_to(std::int64_t step) = 0;
  /// Whether the last failure was a regrid that needs more memory than some rank may take. Nothing
  /// was changed then, so a checkpoint can be written.
  virtual bool is_refused() const = 0;

  virtual Regrids regrids() const = 0;
  /// How uneven levels were before and after each regrid, mean over those that had the level.
  virtual std::vector<mesh::LevelImbalance> imbalance() const = 0;
  /// The graph of a step of the mesh there is; made if there is none yet.
  virtual const flow::Graph& step_graph() = 0;
  virtual CostEstimate cost() const = 0;
  /// Bytes of cells, plans, graph and messages on this rank. Not collective.
  virtual std::size_t held_bytes() const = 0;

  /// Names of the components, as in plotfiles.
  virtual const std::vector<std::string>& component_names() const = 0;
  /// Names of what a plotfile of a request has: components, then derived fields.
  virtual std::vector<std::string> plot_variables(const PlotRequest& request) const = 0;
  /// The columns of series.csv behind the step: time, dt; of each component q "q total", its
  /// integral, and "q min", "q max"; of each derived field that reads no neighbours the same, with
  /// the total where it has an integral_unit, and the extrema unless is_in_series is false.
  virtual std::vector<io::Column> series_columns() const = 0;
  /// A line of values for these columns.
  virtual std::vector<double> series_values() const = 0;
  /// The columns of points.csv behind the step: time, of each point the components and the derived
  /// fields. Nothing where the equations live on no mesh of blocks.
  virtual std::vector<io::Column> point_columns(const PointRequest& /*request*/) const {
    return {};
  }
  /// A line of values for these columns, of the finest cells that the points lie in.
  virtual std::vector<double> point_values(const PointRequest& /*request*/) { return {}; }
  /// Names of what totals() has: the components, then the derived fields with an integral_unit.
  virtual std::vector<std::string> total_names() const { return component_names(); }
  /// The integral of each of these over the domain: the same bits for any ranks. Collective.
  virtual std::vector<double> totals() const = 0;
  /// The greatest modulus that each of these could have with the extrema of the present state: an
  /// integral far below it has cancelled, and may be rounding. Collective.
  virtual std::vector<double> largest_totals() const { return totals(); }  ///< of one sign

  /// Say where the cells of this rank are. To be read between two steps; a ghost cell holds what
  /// the last step needed there.
  /// @errors throws Error where what lies in memory is not the state after a step
  virtual LocalBlocks local_blocks() const = 0;
  /// A number that is another after each regrid that has changed blocks of any rank, and after each
  /// step where that leaves the state in other memory.
  virtual std::uint64_t blocks_revision() const = 0;

  /// Write the state as a plotfile; succeeds on all ranks or on none, where nothing is left.
  /// @errors RankError where the state cannot be looked at, perhaps on this rank alone
  [[nodiscard]] virtual Result<void> write_plot(const PlotRequest& request) = 0;
  /// Write the state as a checkpoint; succeeds on all ranks or on none.
  [[nodiscard]] virtual Result<Checkpoint> write_checkpoint(
      const CheckpointTarget& target) const = 0;

  /// Do what a regrid does whose tags ask for the mesh there is, but make all plans again. The
  /// graph that tags cells is not run but looked at, and no graph of a step is made. Nothing where
  /// the mesh never changes.
  virtual MeshWork look_at_regrid(const std::function<void(const flow::Graph&)>& /*look*/) {
    return {};
  }
  /// Do the same with all graphs, of which none is run: what a regrid takes beside its tasks.
  /// Returns how many blocks this rank had before.
  virtual std::int64_t make_anew() { return 0; }
  /// Fill ghost cells and tag cells as a regrid does, so many times, and change nothing.
  [[nodiscard]] virtual Result<void> tag_cells(std::int64_t /*n_times*/) { return {}; }
};

}  // namespace thalweg::app

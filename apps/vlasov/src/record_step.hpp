// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include <thalweg/app/statistics.hpp>
#include <thalweg/flow/recorder.hpp>

#include "field_update.hpp"
#include "kernels.hpp"
#include "state.hpp"
#include "step_clock.hpp"
#include "sum_tree.hpp"

namespace thalweg::vlasov {

/// Records what a step is made of. All that it names must outlive the graph.
///
///     ghosts of f -> advance each tile -> sums along v -> sums along x -> field -> next step
///
/// Ghosts of the next step wait for tiles alone, so they are exchanged while the field is found.
class StepRecorder {
 public:
  StepRecorder(flow::Recorder& recorder, State& state, const StepClock& clock,
               const Kernels& kernels, std::uint32_t n_workers);

  /// Fill the ghosts of all tiles.
  void record_ghosts();
  /// Advance f on all tiles, with its sums along v.
  void record_advance();
  /// Only the sums, of f as it is.
  void record_sums();
  /// Find the field, of the sums along v.
  void record_field();
  /// Let an observer know of the end of each step: see app::StepObserver.
  void record_report(app::StepObserver& observer);

 private:
  /// Of messages, and of tasks that they wait for or that wait for them.
  flow::TaskOptions early() const {
    const bool goes_first = state_.settings().priorities == Priorities::messages;
    return {.priority = goes_first ? std::numeric_limits<int>::max() : 0};
  }

  void record_local_ghosts();
  void record_remote_ghosts();
  flow::TaskOptions options_of(const Tile& tile) const;

  struct FieldData;
  void record_moments(const FieldData& data);
  void record_columns(const FieldData& data);
  void record_field_of_slabs(const FieldData& data);
  flow::Data<double> record_sum_along_v(int slab);
  flow::Data<double> record_own_rows(int slab, const SumNode& rows);
  void record_sums_before(const flow::Data<FieldSums>& columns, const flow::Data<ScanSums>& scans);
  std::map<int, flow::Data<double>> record_charge_windows(
      const std::function<flow::DataRef<double>(int)>& charge_of);
  void record_fourier_field(const std::function<flow::DataRef<double>(int)>& charge_of,
                            const std::map<int, flow::Data<double>>& levels);
  // Copy or send what is on one rank to another, either of which may be this one: source() is
  // asked for on the one, target() on the other.
  template <class Source, class Target>
  void record_copy(Rank from, const Source& source, Rank to, const Target& target);
  void record_windows(int below, int above, const std::function<flow::DataRef<double>(int)>& source,
                      const std::function<flow::DataRef<double>(int)>& target, int source_offset);
  void record_broadcast(int slab);

  bool is_root(int slab) const { return slab_at(slab).root == recorder_.rank(); }
  const Slab& slab_at(int slab) const { return state_.slabs()[static_cast<std::size_t>(slab)]; }
  flow::DataRef<double> window(int slab) const {
    return {windows_.at(slab), state_.fields().at(slab).window};
  }

  flow::Recorder& recorder_;
  State& state_;
  const StepClock& clock_;
  const Kernels& kernels_;
  std::uint32_t n_workers_;
  // Of each tile.
  std::vector<flow::DatumId> interiors_, ghosts_, sums_;
  std::vector<int> border_points_;        ///< that other ranks read
  std::map<int, flow::DatumId> windows_;  ///< of each slab
  std::map<int, std::size_t>
      column_index_;  ///< of this rank's slabs: which of its columns is first
};

}  // namespace thalweg::vlasov

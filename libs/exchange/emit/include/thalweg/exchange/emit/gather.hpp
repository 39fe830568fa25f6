// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/numerics/region_copy.hpp>

namespace thalweg::exchange {

/// Copies cells of a block as they are.
template <int D>
struct CopySource {
  View<const double, D> from;
  Box<D> region;
  Index<D> shift;

  void operator()(View<double, D> to) const { numerics::copy_cells<D>(from, to, region, shift); }
  /// The copy that it is, if it is no more than that.
  std::optional<CopySource> plain() const { return *this; }
};

/// Copies cells of a block as they are at a moment within its last step.
template <int D>
struct TimeSource {
  View<const double, D> saved;
  View<const double, D> now;
  double theta;  ///< 0: saved, 1: now
  Box<D> region;
  Index<D> shift;

  void operator()(View<double, D> to) const {
    if (const auto copy = plain())
      (*copy)(to);
    else
      numerics::interpolate_cells<D>(saved, now, theta, to, region, shift);
  }
  /// The copy that it is at the start and at the end of the step.
  std::optional<CopySource<D>> plain() const {
    if (theta != 0.0 && theta != 1.0) return std::nullopt;
    return CopySource<D>{theta == 0.0 ? saved : now, region, shift};
  }
};

/// Gives the valid cells of a level's blocks, as they are when the task runs.
template <int D>
struct FromInterior {
  const LevelData<D>& level;

  CopySource<D> operator()(const Copy<D>& copy, std::vector<flow::Access>& accesses) const {
    const auto& block = level.at(copy.src);
    add_access(accesses, {block.interior, flow::Mode::in});
    return {block.cells, copy.region, copy.shift};
  }
};

/// Gives the valid cells of a level's blocks at a moment between their saved and their present
/// state.
///
/// At theta = 0 only the saved state is read, so that it does not wait for the present one.
template <int D>
struct FromTime {
  const LevelData<D>& level;
  double theta;  ///< 0: saved, 1: now

  TimeSource<D> operator()(const Copy<D>& copy, std::vector<flow::Access>& accesses) const {
    const auto& block = level.at(copy.src);
    THALWEG_EXPECT(theta == 1.0 || block.saved.has_value(), "the block's last state was not saved");
    if (theta < 1.0) add_access(accesses, {block.saved->datum, flow::Mode::in});
    if (theta > 0.0) add_access(accesses, {block.interior, flow::Mode::in});
    const View<const double, D> now = block.cells;
    return {theta < 1.0 ? View<const double, D>(block.saved->cells) : now, now, theta, copy.region,
            copy.shift};
  }
};

/// Brings together what one destination gets, from blocks of this rank and from messages.
///
/// Its lists live as long as the recording that they were made for.
template <int D, class Packer>
struct Gather {
  std::span<const Packer> locals;                   ///< what is more than a copy
  std::span<const numerics::RegionCopy<D>> copies;  ///< also of what has arrived

  bool is_empty() const { return locals.empty() && copies.empty(); }

  /// Fill in the cells; those that no copy covers stay as they are.
  /// @pre to has the shape that this was made for
  void operator()(View<double, D> to) const {
    for (const auto& pack : locals) pack(to);
    numerics::copy_regions<D>(copies, to);
  }
};

/// A block that gets cells, and in which part of the view that they are brought to.
template <int D>
struct Destination {
  mesh::Key<D> block;
  Box<D> part;
};

/// Collects what a plan brings to one block after another.
template <int D, class Source>
class Gatherer {
 public:
  using Packer = std::invoke_result_t<const Source&, const Copy<D>&, std::vector<flow::Access>&>;

  /// @param arrivals  what emit_messages has given for the plan
  /// @param source    as emit_messages takes it; its packers are plain values
  Gatherer(flow::Recorder& recorder, const Transfers<D>& transfers,
           std::vector<Arrival<D>> arrivals, Source source)
      : recorder_(recorder),
        transfers_(transfers),
        arrivals_(std::move(arrivals)),
        source_(std::move(source)) {
    copies_.reserve(mesh::n_offsets<D>);
  }

  /// What goes to one block.
  ///
  /// @param to        has the shape of the view that it will be brought to; may have no memory
  /// @param accesses  what that reads is added here
  Gather<D, Packer> operator()(const mesh::Key<D>& destination, const View<double, D>& to,
                               std::vector<flow::Access>& accesses) {
    const Destination<D> all{destination, to.box()};
    return (*this)(std::span(&all, 1), to, accesses);
  }
  /// What goes to several blocks in one view, as far as it lies in their parts.
  Gather<D, Packer> operator()(std::span<const Destination<D>> destinations,
                               const View<double, D>& to, std::vector<flow::Access>& accesses) {
    locals_.clear();
    copies_.clear();
    for (const auto& destination : destinations) add_all(destination, to, accesses);
    return {copy_to_arena(recorder_, locals_), copy_to_arena(recorder_, copies_)};
  }

 private:
  void add_all(const Destination<D>& destination, const View<double, D>& to,
               std::vector<flow::Access>& accesses) {
    const auto& [block, part] = destination;
    for (Copy<D> copy : with_destination(transfers_.locals, block, &Copy<D>::dst)) {
      copy.region = intersect(copy.region, part);
      if (!copy.region.is_empty()) add(source_(copy, accesses), to);
    }
    const auto arrived = with_destination(
        arrivals_, block, [](const Arrival<D>& arrival) { return arrival.copy.dst; });
    for (const Arrival<D>& arrival : arrived) {
      const Box<D> region = intersect(arrival.copy.region, part);
      if (region.is_empty()) continue;
      add_access(accesses, {arrival.buffer, flow::Mode::in});
      copies_.push_back(numerics::find_region<D>(arrival.packed, to, region));
    }
  }
  void add(const Packer& packer, const View<double, D>& to) {
    if constexpr (requires { packer.plain(); })
      if (const std::optional<CopySource<D>> plain = packer.plain()) {
        copies_.push_back(numerics::find_region<D>(plain->from, to, plain->region, plain->shift));
        return;
      }
    locals_.push_back(packer);
  }

  flow::Recorder& recorder_;
  const Transfers<D>& transfers_;
  std::vector<Arrival<D>> arrivals_;
  Source source_;
  // Of the block at hand; here, because a step has very many such lists.
  std::vector<Packer> locals_;
  std::vector<numerics::RegionCopy<D>> copies_;
};

}  // namespace thalweg::exchange

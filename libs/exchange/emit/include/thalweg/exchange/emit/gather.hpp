// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/numerics/copy.hpp>

namespace thalweg::exchange {

/// Copies cells of a block as they are.
template <int D>
struct CopySource {
  View<const double, D> from;
  Box<D> region;
  Index<D> shift;

  void operator()(View<double, D> to) const { numerics::copy_cells<D>(from, to, region, shift); }
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
    if (theta == 0.0)
      numerics::copy_cells<D>(saved, to, region, shift);
    else if (theta == 1.0)
      numerics::copy_cells<D>(now, to, region, shift);
    else
      numerics::interpolate_cells<D>(saved, now, theta, to, region, shift);
  }
};

/// Gives the valid cells of a level's blocks, as they are when the task runs.
template <int D>
auto from_interior(const LevelData<D>& level) {
  return [&level](const Copy<D>& copy, std::vector<flow::Access>& accesses) {
    const auto& block = level.at(copy.src);
    add_access(accesses, {block.interior, flow::Mode::in});
    return CopySource<D>{block.cells, copy.region, copy.shift};
  };
}

/// Gives the valid cells of a level's blocks at a moment between their saved and their present
/// state.
///
/// At theta = 0 only the saved state is read, so that it does not wait for the present one.
template <int D>
auto from_time(const LevelData<D>& level, double theta) {
  return [&level, theta](const Copy<D>& copy, std::vector<flow::Access>& accesses) {
    const auto& block = level.at(copy.src);
    THALWEG_EXPECT(theta == 1.0 || block.saved.has_value(), "the block's last state was not saved");
    if (theta < 1.0) add_access(accesses, {block.saved->datum, flow::Mode::in});
    if (theta > 0.0) add_access(accesses, {block.interior, flow::Mode::in});
    const View<const double, D> now = block.cells;
    return TimeSource<D>{theta < 1.0 ? block.saved->cells : now, now, theta, copy.region,
                         copy.shift};
  };
}

/// Brings together what one destination gets, from blocks of this rank and from messages.
template <int D, class Packer>
struct Gather {
  std::vector<Packer> locals;
  std::vector<Arrival<D>> arrivals;

  bool is_empty() const { return locals.empty() && arrivals.empty(); }

  /// Fill in the cells; those that no copy covers stay as they are.
  void operator()(View<double, D> to) const {
    for (const auto& pack : locals) pack(to);
    for (const auto& arrival : arrivals)
      numerics::copy_cells<D>(arrival.packed, to, arrival.copy.region, Index<D>{});
  }
};

/// Collect what a plan brings to one block, and add what that reads.
template <int D, class Source>
auto gather(const mesh::Key<D>& destination, const Transfers<D>& transfers,
            const std::vector<Arrival<D>>& arrivals, Source&& source,
            std::vector<flow::Access>& accesses) {
  using Packer = decltype(source(std::declval<const Copy<D>&>(), accesses));
  Gather<D, Packer> result;
  const auto local = with_destination(transfers.locals, destination, &Copy<D>::dst);
  const auto arrived = with_destination(arrivals, destination,
                                        [](const Arrival<D>& arrival) { return arrival.copy.dst; });
  // A step has many such lists: growing them bit by bit is most of what a recording asks the heap
  // for.
  result.locals.reserve(local.size());
  result.arrivals.reserve(arrived.size());
  accesses.reserve(accesses.size() + 2 * local.size() + arrived.size());
  for (const auto& copy : local) result.locals.push_back(source(copy, accesses));
  for (const auto& arrival : arrived) {
    add_access(accesses, {arrival.buffer, flow::Mode::in});
    result.arrivals.push_back(arrival);
  }
  return result;
}

}  // namespace thalweg::exchange

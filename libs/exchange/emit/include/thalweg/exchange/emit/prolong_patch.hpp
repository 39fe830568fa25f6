// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::exchange {

/// Prolongs the cells that a coarser level gives to one block. A plain value.
template <int D, class Gathered>
struct ProlongPatch {
  int level;                        ///< the finer one
  Box<D> patch;                     ///< of the coarser one
  std::span<const Box<D>> regions;  ///< of the block
  Gathered coarse;                  ///< brings the data of the patch

  void operator()(const FillContext<D>& boundary, View<double, D> to,
                  std::span<std::byte> scratch_bytes) const {
    numerics::Scratch scratch(scratch_bytes);
    const View<double, D> cells = scratch.take(patch, boundary.n_components());
    coarse(cells);
    boundary.fill_boundaries(cells, level - 1);
    for (const auto& region : regions) boundary.prolong(cells, to, region, level);
  }
};

/// Make what prolongs the cells of one block of a plan.
/// @param regions   of its cells, those that are prolonged
/// @param gather    a Gatherer of the plan's transfers
/// @param accesses  what that reads is added here
template <int D, class Source>
auto prolong_patch(flow::Recorder& recorder, const CoarsePatch<D>& patch,
                   std::type_identity_t<std::span<const Box<D>>> regions, int n_components,
                   Gatherer<D, Source>& gather, std::vector<flow::Access>& accesses) {
  const View<double, D> shape(nullptr, patch.patch, n_components);
  auto coarse = gather(patch.fine, shape, accesses);
  return ProlongPatch<D, decltype(coarse)>{patch.fine.level, patch.patch,
                                           copy_to_arena(recorder, regions), coarse};
}

}  // namespace thalweg::exchange

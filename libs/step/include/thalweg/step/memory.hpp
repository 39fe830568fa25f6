// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/reflux.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/memory.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>

// Bytes of memory that values hold on the heap, as in mesh/memory.hpp.

namespace thalweg::step {

namespace detail {

template <int D>
std::size_t n_bytes(const exchange::Transfers<D>& transfers) {
  using mesh::n_bytes;
  std::size_t n = n_bytes(transfers.locals) + n_bytes(transfers.sends) + n_bytes(transfers.recvs);
  for (const auto* messages : {&transfers.sends, &transfers.recvs})
    for (const auto& message : *messages) n += n_bytes(message.copies);
  return n;
}
template <int D>
std::size_t n_bytes(const exchange::CoarsePlan<D>& plan) {
  return mesh::n_bytes(plan.patches) + mesh::n_bytes(plan.regions) + n_bytes(plan.transfers);
}
template <int D>
std::size_t n_bytes(const exchange::RefluxPlan<D>& plan) {
  using mesh::n_bytes;
  std::size_t n = n_bytes(plan.produced) + n_bytes(plan.consumed) + n_bytes(plan.locals) +
                  n_bytes(plan.sends) + n_bytes(plan.recvs);
  for (const auto* messages : {&plan.sends, &plan.recvs})
    for (const auto& message : *messages) n += n_bytes(message.patches);
  return n;
}

}  // namespace detail

/// What a rank knows of a mesh: keys, neighbourhoods and plans.
template <int D>
std::size_t n_bytes(const Mesh<D>& mesh) {
  std::size_t n = mesh::n_bytes(mesh.forest) + mesh::n_bytes(mesh.neighbours) +
                  mesh::n_bytes(mesh.plans) + mesh::n_bytes(mesh.points);
  for (const auto& plans : mesh.plans) {
    n += detail::n_bytes(plans.ghost.transfers) + mesh::n_bytes(plans.points);
    for (const auto& of_points : plans.points)
      n += detail::n_bytes(of_points.ghost.transfers) + detail::n_bytes(of_points.coarse) +
           detail::n_bytes(of_points.restrict.transfers);
    if (!plans.interface) continue;
    const auto& [coarse, restrict, reflux] = *plans.interface;
    n += detail::n_bytes(coarse) + detail::n_bytes(restrict.transfers) + detail::n_bytes(reflux);
  }
  return n;
}

/// Where a state's blocks are; the blocks themselves are the pools'.
template <int D>
std::size_t n_bytes(const State<D>& state) {
  std::size_t n =
      mesh::n_bytes(state.cells) + mesh::n_bytes(state.saved) + mesh::n_bytes(state.points);
  for (const auto* levels : {&state.cells, &state.saved})
    for (const auto& level : *levels) n += level.n_bytes();
  for (const auto& levels : state.points) {
    n += mesh::n_bytes(levels);
    for (const auto& level : levels) n += level.n_bytes();
  }
  return n;
}

}  // namespace thalweg::step

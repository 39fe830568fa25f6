// SPDX-License-Identifier: MIT
#include "group_tasks.hpp"

#include <algorithm>
#include <chrono>

#include <thalweg/miniamr/data/octant.hpp>
#include <thalweg/miniamr/data/stages.hpp>

#include "edges.hpp"
#include "persistent_ghosts.hpp"
#include "scratch_faces.hpp"

namespace thalweg::miniamr::data {
namespace {

std::size_t largest_plane(const Shape& shape) {
  return static_cast<std::size_t>(
      std::max({shape.plane(0).size(), shape.plane(1).size(), shape.plane(2).size()}));
}
/// Bytes a sweep needs of scratch, rounded up so that what follows is aligned.
std::size_t sweep_scratch(const Shape& shape) {
  return (scratch_bytes_sweep(shape) + 63) / 64 * 64;
}

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// Call f(), and enter what it took if somebody wants to know.
/// @param n_times  how many calls this one stands for
template <class F>
void timed(FillTimes* times, int axis, Filling filling, int n_times, F f) {
  using Clock = std::chrono::steady_clock;
  if (times == nullptr) return f();
  const auto start = Clock::now();
  f();
  const std::chrono::nanoseconds took = Clock::now() - start;
  times->add(axis, filling, took.count() * n_times * std::int64_t{FillTimes::every});
}

}  // namespace

Swept GroupTasks::swept(BlockMemory memory, int set, int v) const {
  const int variable = group.first + v;
  Swept s{.cells = memory.cells(variable), .ghosts = {}, .faces = memory.faces(1 - set, variable)};
  if (shape.has_corners)
    for (int face = 0; face < 6; ++face) s.ghosts[index(face)] = memory.kept(face, variable);
  return s;
}

void GroupTasks::add_ghosts(Swept& swept, std::size_t block, int set, int v, double* planes,
                            FillTimes* times) const {
  const FaceSet& from = *sets[index(set)];
  for (int face = 0; face < 6; ++face)
    timed(from.makes_ghosts(block, face) ? times : nullptr, face / 2, from.filling(block, face),
          group.n, [&] {
            swept.ghosts[index(face)] = ghost_plane(shape.plane(face / 2), from.parts(block, face),
                                                    v, planes + largest_plane(shape) * index(face));
          });
}

void GroupTasks::take_ghosts(BlockMemory memory, std::size_t block, int set, int axis,
                             FillTimes* times) const {
  const FaceSet& from = *sets[index(set)];
  for (int v = 0; v < group.n; ++v) {
    const PersistentGhosts ghosts(shape, memory, group.first + v);
    for (const int face : {2 * axis, 2 * axis + 1})
      timed(v == 0 ? times : nullptr, axis, from.filling(block, face), group.n,
            [&] { ghosts.take(face, from.filling(block, face), from.parts(block, face), v); });
  }
}

void GroupTasks::give_borders(BlockMemory memory, int set, int axis) const {
  for (int variable = group.first; variable < group.first + group.n; ++variable)
    for (const int face : {2 * axis, 2 * axis + 1})
      PersistentGhosts(shape, memory, variable).give_border(face, memory.face(set, face, variable));
}

void GroupTasks::sum_up(std::size_t block, int v, const double* cells, int check) const {
  sums[index(check)][block * index(group.n) + index(v)] =
      sum_of_cells({cells, index(shape.n_cells())});
}

void GroupTasks::sweep(BlockMemory memory, std::size_t block, int set, std::optional<int> check,
                       std::span<std::byte> scratch, FillTimes* times) const {
  auto* const planes = reinterpret_cast<double*>(scratch.data() + sweep_scratch(shape));
  Swept s = swept(memory, set, 0);
  StreamingStores stores;
  for (int v = 0; v < group.n; ++v, advance(shape, s)) {
    if (stencil == Stencil::seven) {
      add_ghosts(s, block, set, v, planes, v == 0 ? times : nullptr);
      Swept swept_now = s;
      if (streams_faces) swept_now.faces = faces_in(shape, planes + 6 * largest_plane(shape));
      sweep_7(shape, swept_now, scratch);
      if (streams_faces) copy(shape, swept_now.faces, s.faces, stores);
    } else {
      sweep_27(shape, s, scratch);
    }
    if (check) sum_up(block, v, s.cells, *check);
  }
}

Flops GroupTasks::update_mixed(const MixedConstants& constants, BlockMemory memory,
                               std::size_t block, int set, std::int64_t stage,
                               std::optional<int> check, std::span<std::byte> scratch) const {
  const auto size = static_cast<std::ptrdiff_t>(ghosted_size(shape));
  const std::ptrdiff_t pitch = row_pitch(shape.n[0]);
  auto* const ghosted = reinterpret_cast<double*>(scratch.data());
  double* const work = ghosted + size * shape.n_vars;
  const auto is_used = [&](int other) {
    for (int v = 0; v < group.n; ++v)
      if (mixed_update_uses(shape.n_vars, group.first + v, other)) return true;
    return false;
  };
  for (int variable = 0; variable < shape.n_vars; ++variable)
    if (is_used(variable))
      load_ghosted(shape, swept(memory, set, variable - group.first), ghosted + size * variable);
  const std::ptrdiff_t origin = row_lead + pitch + pitch * (shape.n[1] + 2);
  const GhostedBlock all{ghosted + origin, pitch, pitch * (shape.n[1] + 2), size};
  Flops flops;
  for (int v = 0; v < group.n; ++v) {
    const int variable = group.first + v;
    flops += mixed_update(shape, all, variable, stage, constants, work + origin);
    const Swept s = swept(memory, set, v);
    for (int k = 0; k < shape.n[2]; ++k)
      for (int j = 0; j < shape.n[1]; ++j)
        std::copy_n(all.first + variable * size + j * all.y + k * all.z, shape.n[0],
                    s.cells + shape.n[0] * (j + shape.n[1] * k));
    copy_to_faces(shape, s);
    if (check) sum_up(block, v, s.cells, *check);
  }
  return flops;
}

std::size_t scratch_bytes(const Shape& shape) {
  // With corners: the mixed stencil's, all variables with ghost cells and one to work in.
  const std::size_t n_ghosted = shape.has_corners ? static_cast<std::size_t>(shape.n_vars) + 1 : 0;
  const std::size_t of_stage =
      std::max(sweep_scratch(shape), n_ghosted * ghosted_size(shape) * sizeof(double)) +
      (6 * largest_plane(shape) + static_cast<std::size_t>(shape.face_values())) * sizeof(double);
  return std::max(of_stage, scratch_bytes_regrid(shape));
}

}  // namespace thalweg::miniamr::data

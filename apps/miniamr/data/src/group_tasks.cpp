// SPDX-License-Identifier: MIT
#include "group_tasks.hpp"

#include <algorithm>
#include <chrono>

#include <thalweg/miniamr/data/stages.hpp>

#include "edges.hpp"

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

}  // namespace

const double* GroupTasks::ghosts(BlockMemory memory, std::size_t block, int set, int face, int v,
                                 double* buffer) const {
  const FaceSet& from = *sets[index(set)];
  OldGhosts old;
  if (shape.keeps_ghosts) old = {memory.kept(face, group.first + v), from.ends(block, face / 2)};
  return ghost_plane(shape.plane(face / 2), from.parts(block, face), v, buffer, old);
}

Swept GroupTasks::swept(BlockMemory memory, std::size_t block, int set, int v, double* planes,
                        FillTimes* times) const {
  using Clock = std::chrono::steady_clock;
  Swept s{.cells = memory.cells(group.first + v)};
  const FaceSet& from = *sets[index(set)];
  for (int face = 0; face < 6; ++face) {
    const bool is_timed = times != nullptr && from.makes_ghosts(block, face);
    const auto start = is_timed ? Clock::now() : Clock::time_point();
    s.ghosts[index(face)] =
        ghosts(memory, block, set, face, v, planes + largest_plane(shape) * index(face));
    s.faces[index(face)] = memory.face(1 - set, face, group.first + v);
    if (!is_timed) continue;
    const std::chrono::nanoseconds took = Clock::now() - start;
    times->add(face / 2, from.filling(block, face),
               took.count() * group.n * std::int64_t{FillTimes::every});
  }
  return s;
}

Swept GroupTasks::swept_before(BlockMemory memory, int v) const {
  Swept s{.cells = memory.cells(group.first + v)};
  for (int face = 0; face < 6; ++face) s.ghosts[index(face)] = memory.kept(face, group.first + v);
  return s;
}

void GroupTasks::keep_ghosts(BlockMemory memory, int v, const Swept& s) const {
  if (!shape.keeps_ghosts) return;
  for (int face = 0; face < 6; ++face)
    std::copy_n(s.ghosts[index(face)], shape.plane(face / 2).size(),
                memory.kept(face, group.first + v));
}

void GroupTasks::sum_up(std::size_t block, int v, const double* cells, int check) const {
  sums[index(check)][block * index(group.n) + index(v)] =
      sum_of_cells({cells, index(shape.n_cells())});
}

void GroupTasks::sweep(BlockMemory memory, std::size_t block, int set, std::optional<int> check,
                       std::span<std::byte> scratch, FillTimes* times) const {
  auto* const planes = reinterpret_cast<double*>(scratch.data() + sweep_scratch(shape));
  for (int v = 0; v < group.n; ++v) {
    const Swept s = swept(memory, block, set, v, planes, v == 0 ? times : nullptr);
    stencil == Stencil::seven ? sweep_7(shape, s, scratch) : sweep_27(shape, s, scratch);
    keep_ghosts(memory, v, s);
    if (check) sum_up(block, v, s.cells, *check);
  }
}

void GroupTasks::fill_border(BlockMemory memory, std::size_t block, int set, int axis,
                             std::span<std::byte> scratch) const {
  const auto [nx, ny, nz] = shape.n;
  auto* const buffer = reinterpret_cast<double*>(scratch.data());
  const std::size_t plane_size = largest_plane(shape);
  for (int v = 0; v < group.n; ++v) {
    const auto beyond = [&](int face) {
      return ghosts(memory, block, set, face, v, buffer + plane_size * index(face));
    };
    const double* const low = beyond(0);
    const double* const high = beyond(1);
    for (const int side : {0, 1}) {
      double* const to = memory.face(set, 2 * axis + side, group.first + v);
      if (axis == 1) {
        const int j = side == 0 ? 0 : ny - 1;
        for (int k = 0; k < nz; ++k) {
          to[(nx + 2) * k] = low[j + ny * k];
          to[(nx + 2) * k + nx + 1] = high[j + ny * k];
        }
        continue;
      }
      const int k = side == 0 ? 0 : nz - 1;
      for (int j = 0; j < ny; ++j) {
        to[(nx + 2) * (j + 1)] = low[j + ny * k];
        to[(nx + 2) * (j + 1) + nx + 1] = high[j + ny * k];
      }
      std::copy_n(beyond(2) + (nx + 2) * k, nx + 2, to);
      std::copy_n(beyond(3) + (nx + 2) * k, nx + 2, to + (nx + 2) * (ny + 1));
    }
  }
}

Flops update_mixed(const AllGroups& groups, const MixedConstants& constants, BlockMemory memory,
                   std::size_t block, int set, std::int64_t stage, std::optional<int> check,
                   std::span<std::byte> scratch) {
  const Shape& shape = groups[0]->shape;
  const auto size = static_cast<std::ptrdiff_t>(ghosted_size(shape));
  const std::ptrdiff_t pitch = row_pitch(shape.n[0]);
  auto* const ghosted = reinterpret_cast<double*>(scratch.data());
  double* const work = ghosted + size * shape.n_vars;
  double* const planes = work + size;
  const auto load = [&](const GroupTasks& tasks, bool is_exchanged) {
    for (int v = 0; v < tasks.group.n; ++v) {
      const Swept s =
          is_exchanged ? tasks.swept(memory, block, set, v, planes) : tasks.swept_before(memory, v);
      load_ghosted(shape, s, ghosted + size * (tasks.group.first + v));
      if (is_exchanged) tasks.keep_ghosts(memory, v, s);
    }
  };
  for (const auto& tasks : groups) load(*tasks, !shape.keeps_ghosts || tasks == groups[0]);
  const std::ptrdiff_t origin = row_lead + pitch + pitch * (shape.n[1] + 2);
  const GhostedBlock all{ghosted + origin, pitch, pitch * (shape.n[1] + 2), size};
  Flops flops;
  for (const auto& tasks : groups) {
    if (shape.keeps_ghosts && tasks != groups[0]) load(*tasks, true);
    for (int v = 0; v < tasks->group.n; ++v) {
      const int variable = tasks->group.first + v;
      flops += mixed_update(shape, all, variable, stage, constants, work + origin);
      Swept s{.cells = memory.cells(variable)};
      for (int face = 0; face < 6; ++face)
        s.faces[static_cast<std::size_t>(face)] = memory.face(1 - set, face, variable);
      for (int k = 0; k < shape.n[2]; ++k)
        for (int j = 0; j < shape.n[1]; ++j)
          std::copy_n(all.first + variable * size + j * all.y + k * all.z, shape.n[0],
                      s.cells + shape.n[0] * (j + shape.n[1] * k));
      copy_to_faces(shape, s);
      if (check) tasks->sum_up(block, v, s.cells, *check);
    }
  }
  return flops;
}

std::size_t scratch_bytes(const Shape& shape) {
  // With corners: the mixed stencil's, all variables with ghost cells and one to work in.
  const std::size_t n_ghosted = shape.has_corners ? static_cast<std::size_t>(shape.n_vars) + 1 : 0;
  return std::max(sweep_scratch(shape), n_ghosted * ghosted_size(shape) * sizeof(double)) +
         6 * largest_plane(shape) * sizeof(double);
}

}  // namespace thalweg::miniamr::data

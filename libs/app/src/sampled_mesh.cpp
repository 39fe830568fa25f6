// SPDX-License-Identifier: MIT
#include <thalweg/app/sampled_mesh.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <thalweg/app/memory.hpp>
#include <thalweg/core/box.hpp>
#include <thalweg/core/centring.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/mesh/refine.hpp>
#include <thalweg/numerics/constrained_transport.hpp>
#include <thalweg/step/face_equations.hpp>
#include <thalweg/step/initial.hpp>
#include <thalweg/step/substeps.hpp>

namespace thalweg::app {
namespace {

constexpr std::uint64_t n_samples = 4;
constexpr std::size_t n_picked = 16;  // blocks of a level and sample

// Sets the initial state of one block after another and says which children its tags ask for.
template <int D>
class Prober {
 public:
  Prober(const BlockProblem<D>& problem, mesh::Buffers buffers)
      : problem_(problem), buffers_(std::move(buffers)) {}

  // @errors throws std::runtime_error for a state that is none
  std::vector<mesh::Key<D>> own_children(const mesh::Key<D>& block) {
    const auto& geometry = problem_.geometry;
    const Box<D> valid = geometry.cells(block), all = valid.grown(problem_.equations->n_ghosts());
    cells_.resize(View<double, D>::size_of(all, problem_.equations->n_components()));
    tags_.assign(View<std::uint8_t, D>::size_of(valid, 1), 0);
    const View<double, D> cells(cells_.data(), all, problem_.equations->n_components());
    const View<std::uint8_t, D> tags(tags_.data(), valid, 1);
    if (problem_.initial)
      fill(block.level, cells);
    else
      fill_from_faces(block.level, cells);
    if (const auto wrong =
            step::objection_to_initial<D>(*problem_.equations, cells, valid, block.level))
      throw std::runtime_error(*wrong);
    problem_.tag({geometry, block.level, 0}, cells, valid, tags);
    auto children = mesh::wanted_children<D>(geometry, block, tags, buffers_.of(block.level));
    std::erase_if(children, [&](const auto& child) { return geometry.parent(child) != block; });
    return children;
  }

 private:
  // Cells outside the domain are as the nearest inside: the problem need not know states there.
  void fill(int level, const View<double, D>& cells) const {
    Box<D> known = cells.box();
    const Box<D> domain = problem_.geometry.domain_cells(level);
    for (int a = 0; a < D; ++a) {
      if (problem_.geometry.is_periodic(a)) continue;
      known.lo[a] = std::max(known.lo[a], domain.lo[a]);
      known.hi[a] = std::min(known.hi[a], domain.hi[a]);
    }
    problem_.initial({problem_.geometry, level, 0}, cells, known);
    if (known == cells.box()) return;
    for_each(cells.box(), [&](const Index<D>& i) {
      Index<D> nearest = i;
      for (int a = 0; a < D; ++a) nearest[a] = std::clamp(i[a], known.lo[a], known.hi[a] - 1);
      for (int c = 0; c < cells.n_components(); ++c) cells[c, i] = cells[c, nearest];
    });
  }

  // Equations on faces have periodic sides alone, so that all faces are known.
  void fill_from_faces(int level, const View<double, D>& cells) {
    if constexpr (D == 2) {
      numerics::FaceViews<2> faces;
      for (int a = 0; a < 2; ++a) {
        const auto i = static_cast<std::size_t>(a);
        const Box<2> points = Centring<2>::face(a).points(cells.box());
        faces_[i].resize(View<double, 2>::size_of(points, 1));
        faces[i] = {faces_[i].data(), points, 1};
      }
      const auto& geometry = problem_.geometry;
      problem_.initial_faces({geometry, level, 0}, faces, cells.box());
      problem_.equations->faces()->set_cells({faces[0], faces[1]}, cells, cells.box(),
                                             geometry.cell_size(level));
    }
  }

  const BlockProblem<D>& problem_;
  mesh::Buffers buffers_;
  std::vector<double> cells_;
  std::array<std::vector<double>, 2> faces_;  // across each axis
  std::vector<std::uint8_t> tags_;
};

template <int D>
double n_roots(const mesh::Geometry<D>& geometry) {
  double n = 1;
  for (const int of_axis : geometry.config().root_blocks.at) n *= of_axis;
  return n;
}

// Some blocks of level 0, or all if there are few.
template <int D>
std::vector<mesh::Key<D>> some_roots(const mesh::Geometry<D>& geometry, std::uint64_t sample) {
  const Index<D> blocks = geometry.blocks_at(0);
  std::vector<mesh::Key<D>> roots;
  if (n_roots(geometry) <= n_picked) {
    for_each(Box<D>{{}, blocks},
             [&](const Index<D>& place) { roots.push_back(mesh::key_at<D>(0, place)); });
    return roots;
  }
  std::uint64_t random = sample;
  for (std::size_t i = 0; i < n_picked; ++i) {
    Index<D> place;
    for (int a = 0; a < D; ++a) {
      random = hash_number(i, random);
      place[a] = static_cast<int>(random % static_cast<std::uint64_t>(blocks[a]));
    }
    roots.push_back(mesh::key_at<D>(0, place));
  }
  return roots;
}

template <int D>
void pick_some(std::vector<mesh::Key<D>>& keys, std::uint64_t sample) {
  if (keys.size() <= n_picked) return;
  std::ranges::sort(keys, {}, [&](const mesh::Key<D>& key) {
    return std::pair(hash_number(key.code, sample), key.code);
  });
  keys.resize(n_picked);
}

// What a block of each level takes: its cells, and its updates in the graph of a step.
template <int D>
std::vector<double> block_bytes(const BlockProblem<D>& problem, const Settings<D>& settings) {
  const auto& equations = *problem.equations;
  const field::JoinRule rule = settings.widest_join_rule();
  const double n_values = field::LevelField<D>::least_block_size(
      settings.mesh.block_cells, equations.n_ghosts(), equations.n_components(), rule);
  std::vector<double> bytes;
  for (int l = 0; l <= problem.geometry.max_level(); ++l)
    bytes.push_back(n_values * sizeof(double) +
                    least_update_bytes<D>(rule, settings.mesh.block_cells) *
                        static_cast<double>(step::n_substeps(problem.geometry, l, settings.time)));
  return bytes;
}

// Where all blocks are refined.
template <int D>
double most_bytes(const mesh::Geometry<D>& geometry, std::span<const double> block_bytes) {
  double n_blocks = n_roots(geometry), bytes = 0;
  for (int l = 0; l <= geometry.max_level(); ++l) {
    bytes += n_blocks * block_bytes[static_cast<std::size_t>(l)];
    n_blocks *= mesh::n_children<D>(geometry.ratio(l));
  }
  return bytes;
}

// Goes down one sample, level by level.
template <int D>
SampledMesh descend(const BlockProblem<D>& problem, Prober<D>& prober,
                    std::span<const double> block_bytes, double enough_bytes,
                    std::uint64_t sample) {
  SampledMesh mesh{.n_blocks = n_roots(problem.geometry)};
  mesh.bytes = mesh.n_blocks * block_bytes[0];
  auto keys = some_roots(problem.geometry, sample);
  while (mesh.bytes <= enough_bytes && mesh.finest < problem.geometry.max_level()) {
    std::vector<mesh::Key<D>> finer;
    for (const auto& key : keys) {
      const auto children = prober.own_children(key);
      finer.insert(finer.end(), children.begin(), children.end());
    }
    if (finer.empty()) break;
    mesh.n_blocks *= static_cast<double>(finer.size()) / static_cast<double>(keys.size());
    ++mesh.finest;
    mesh.bytes += mesh.n_blocks * block_bytes[static_cast<std::size_t>(mesh.finest)];
    keys = std::move(finer);
    pick_some(keys, sample);
  }
  return mesh;
}

}  // namespace

template <int D>
SampledMesh sample_mesh(const BlockProblem<D>& problem, const Settings<D>& settings,
                        double enough_bytes) {
  const auto bytes = block_bytes(problem, settings);
  const bool has_start = problem.initial || problem.initial_faces;
  if (!problem.tag || !has_start || most_bytes(problem.geometry, bytes) <= enough_bytes) return {};
  Prober<D> prober(problem, settings.regrid_buffer);
  SampledMesh least;
  try {
    for (std::uint64_t sample = 0; sample < n_samples; ++sample) {
      const auto mesh = descend<D>(problem, prober, bytes, enough_bytes, sample);
      if (mesh.bytes <= enough_bytes) return {};
      if (sample == 0 || mesh.bytes < least.bytes) least = mesh;
    }
  } catch (const std::runtime_error&) {
    return {};
  }
  return least;
}

#define THALWEG_INSTANTIATE(D) \
  template SampledMesh sample_mesh(const BlockProblem<D>&, const Settings<D>&, double)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::app

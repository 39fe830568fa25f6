// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/plotfile.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/shared_plotfile.hpp>
#include <thalweg/core/box.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/plotfile.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/miniamr/data/octant.hpp>

namespace thalweg::miniamr {
namespace {

using mesh::Key;

/// Blocks of one level with their values: variable slowest, x fastest.
using LevelBlocks = std::map<Key<3>, std::vector<double>>;

/// Some of the sums that a block gives its parent.
struct Piece {
  Key<3> child;
  std::uint32_t first;
  std::array<double, 64> sums;
};

class Tree {
 public:
  Tree(const data::Store& store, int n_vars, int n_levels)
      : shape_(store.shape()), levels_(static_cast<std::size_t>(n_levels)) {
    shape_.n_vars = n_vars;
    for (std::size_t b = 0; b < store.size(); ++b) {
      const double* const cells = store.memory(b).cells(0);
      level(store.key(b).level).emplace(store.key(b), std::vector(cells, cells + n_values()));
    }
  }

  int n_levels() const { return static_cast<int>(levels_.size()); }
  const LevelBlocks& blocks(int l) const { return levels_[static_cast<std::size_t>(l)]; }

  /// Add up the parents of a level's blocks, which all ranks have together.
  void add_parents(int l, flow::Transport& transport) {
    const auto n_ranks = static_cast<std::uint64_t>(transport.n_ranks());
    mesh::Messages<Piece> out;
    std::vector<double> sums(data::Octant::size(shape_));
    for (auto& [key, values] : level(l)) {
      data::join(shape_, {shape_, values.data()}, data::Octant::packed(shape_, sums.data()));
      const Rank to(mesh::parent(key, 2).code % n_ranks);
      for (std::size_t i = 0; i < sums.size(); i += 64) {
        Piece piece{key, static_cast<std::uint32_t>(i), {}};
        std::copy_n(sums.data() + i, std::min<std::size_t>(64, sums.size() - i), piece.sums.data());
        out.emplace_back(to, piece);
      }
    }
    LevelBlocks octants;
    for (const auto& [from, piece] : flow::exchange_sparse<Piece>(transport, std::span(out))) {
      auto& octant = octants.try_emplace(piece.child, sums.size()).first->second;
      std::copy_n(piece.sums.data(), std::min<std::size_t>(64, sums.size() - piece.first),
                  octant.data() + piece.first);
    }
    for (auto& [child, octant] : octants) {
      auto& parent = level(l - 1).try_emplace(mesh::parent(child, 2), n_values()).first->second;
      data::copy(shape_, data::Octant::packed(shape_, octant.data()),
                 data::Octant::of(shape_, {shape_, parent.data()}, child));
    }
  }

 private:
  LevelBlocks& level(int l) { return levels_[static_cast<std::size_t>(l)]; }
  std::size_t n_values() const {
    return static_cast<std::size_t>(shape_.n_vars) * static_cast<std::size_t>(shape_.n_cells());
  }

  data::Shape shape_;
  std::vector<LevelBlocks> levels_;
};

Tree tree_of(const data::Store& store, int n_vars, flow::Transport& transport) {
  int n_levels = 0;
  for (std::size_t b = 0; b < store.size(); ++b)
    n_levels = std::max(n_levels, store.key(b).level + 1);
  n_levels = flow::all_reduce(transport, n_levels, [](int a, int b) { return std::max(a, b); });
  Tree tree(store, n_vars, n_levels);
  for (int l = n_levels - 1; l > 0; --l) tree.add_parents(l, transport);
  return tree;
}

Box<3> cells_of(const Key<3>& key, const data::Shape& shape) {
  Box<3> box;
  for (int a = 0; a < 3; ++a) {
    const int n = shape.n[static_cast<std::size_t>(a)];
    box.lo[a] = mesh::coordinates(key)[a] * n;
    box.hi[a] = box.lo[a] + n;
  }
  return box;
}

/// What the plotfile holds, of this rank's blocks.
io::PlotDescription<3> describe(const Lattice& lattice, const data::Shape& shape, const Tree& tree,
                                const PlotfileMoment& moment) {
  io::PlotDescription<3> plot{.variables = {},
                              .time = moment.time,
                              .step = moment.step,
                              .lower = {0, 0, 0},
                              .upper = {1, 1, 1},
                              .levels = {}};
  for (int v = 0; v < moment.n_vars; ++v) plot.variables.push_back(fmt::format("v{}", v));
  for (int l = 0; l < tree.n_levels(); ++l) {
    io::PlotLevel<3> level;
    for (int a = 0; a < 3; ++a) {
      const int n = (lattice.root_blocks[a] << l) * shape.n[static_cast<std::size_t>(a)];
      level.domain.hi[a] = n;
      level.cell_size[a] = 1.0 / n;
    }
    for (const auto& [key, amounts] : tree.blocks(l)) level.boxes.push_back(cells_of(key, shape));
    plot.levels.push_back(std::move(level));
  }
  return plot;
}

}  // namespace

Result<void> write_plotfile(const app::Context& context, const Lattice& lattice,
                            const data::Store& store, const PlotfileMoment& moment) {
  const Tree tree = tree_of(store, moment.n_vars, context.transport);
  const data::Shape& shape = store.shape();
  constexpr int ranks_per_file = 16;
  LevelBlocks::const_iterator next;
  return app::write_shared_plotfile(
      context, moment.path, describe(lattice, shape, tree, moment), ranks_per_file,
      [&](int l, std::size_t b, auto&& put) {
        if (b == 0) next = tree.blocks(l).begin();
        auto values = next->second;
        for (double& u : values) u = std::ldexp(u, 3 * l);
        put(View<const double, 3>(values.data(), cells_of(next->first, shape), moment.n_vars));
        ++next;
      });
}

}  // namespace thalweg::miniamr

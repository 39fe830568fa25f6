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
  std::vector<Key<3>> keys(int l) const {
    std::vector<Key<3>> keys;
    for (const auto& [key, values] : blocks(l)) keys.push_back(key);
    return keys;
  }

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

/// What the plotfile holds, and which box of each level is this rank's first.
struct Described {
  io::PlotDescription<3> plot;
  std::vector<std::size_t> first_box;
};

Described describe(const Lattice& lattice, const data::Shape& shape, const Tree& tree,
                   const PlotfileMoment& moment, flow::Transport& transport) {
  Described d{{.variables = {},
               .time = moment.time,
               .step = moment.step,
               .lower = {0, 0, 0},
               .upper = {1, 1, 1},
               .levels = {}},
              {}};
  for (int v = 0; v < moment.n_vars; ++v) d.plot.variables.push_back(fmt::format("v{}", v));
  for (int l = 0; l < tree.n_levels(); ++l) {
    io::PlotLevel<3> level;
    for (int a = 0; a < 3; ++a) {
      const int n = (lattice.root_blocks[a] << l) * shape.n[static_cast<std::size_t>(a)];
      level.domain.hi[a] = n;
      level.cell_size[a] = 1.0 / n;
    }
    const auto all = flow::all_gather_v<Key<3>>(transport, tree.keys(l));
    for (const Key<3>& key : all.values) {
      Box<3> box;
      for (int a = 0; a < 3; ++a) {
        const int n = shape.n[static_cast<std::size_t>(a)];
        box.lo[a] = mesh::coordinates(key)[a] * n;
        box.hi[a] = box.lo[a] + n;
      }
      level.boxes.push_back(box);
    }
    d.plot.levels.push_back(std::move(level));
    d.first_box.push_back(all.begin[transport.rank()()]);
  }
  return d;
}

}  // namespace

Result<void> write_plotfile(const app::Context& context, const Lattice& lattice,
                            const data::Store& store, const PlotfileMoment& moment) {
  auto& transport = context.transport;
  const Tree tree = tree_of(store, moment.n_vars, transport);
  Described d = describe(lattice, store.shape(), tree, moment, transport);
  constexpr int ranks_per_file = 16;
  const io::PlotfileWriter<3> writer(moment.path, std::move(d.plot),
                                     (transport.n_ranks() - 1) / ranks_per_file + 1);
  if (transport.rank() == Rank())
    if (const auto made = writer.prepare(context.files); !made) return made;
  flow::barrier(transport);

  std::vector<std::vector<io::Extremes>> extremes;
  for (int l = 0; l < tree.n_levels(); ++l) {
    std::size_t box = d.first_box[static_cast<std::size_t>(l)];
    std::vector<io::Extremes> own;
    for (const auto& [key, amounts] : tree.blocks(l)) {
      std::vector<double> values = amounts;
      for (double& u : values) u = std::ldexp(u, 3 * l);
      const Box<3>& cells = writer.description().levels[static_cast<std::size_t>(l)].boxes[box];
      const auto written = writer.write_box(
          context.files, l, box++, View<const double, 3>(values.data(), cells, moment.n_vars));
      if (!written) return std::unexpected(written.error());
      own.insert(own.end(), written->begin(), written->end());
    }
    extremes.push_back(flow::all_gather_v<io::Extremes>(transport, own).values);
  }
  if (transport.rank() == Rank())
    if (const auto done = writer.finish(context.files, extremes); !done) return done;
  flow::barrier(transport);
  return {};
}

}  // namespace thalweg::miniamr

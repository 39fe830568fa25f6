// SPDX-License-Identifier: MIT
// How the field is found: sums along v and along x, by messages along trees.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "record_step.hpp"

namespace thalweg::vlasov {

using flow::Access;
using flow::Mode;
using flow::PhaseKind;
using flow::TaskContext;

template <class Source, class Target>
void StepRecorder::record_copy(Rank from, const Source& source, Rank to, const Target& target) {
  const Rank here = recorder_.rank();
  if (from == here && to == here) {
    recorder_.task("copy", flow::uses(in(source()), out(target())),
                   [](std::span<const double> of, std::span<double> copy) {
                     std::ranges::copy(of, copy.begin());
                   });
  } else if (from == here) {
    recorder_.send(in(source()), to, early());
  } else if (to == here) {
    recorder_.recv(out(target()), from, early());
  }
}

/// What is known on the way to the field, of the slabs of which this rank is the root.
struct StepRecorder::FieldData {
  std::map<int, flow::DatumId> charges;
  std::map<int, flow::DatumId> moments;      ///< current, and what was before
  std::map<int, flow::Data<double>> levels;  ///< the field less what is before the slab
  flow::Data<FieldSums> columns;             ///< by column of these slabs
  flow::Data<ScanSums> scans;                ///< what is before each of them
};

void StepRecorder::record_field() {
  const Settings& settings = state_.settings();
  std::size_t n_columns = 0;
  for (const auto& [s, field] : state_.fields())
    if (is_root(s)) {
      column_index_[s] = n_columns;
      n_columns += static_cast<std::size_t>(field.slab.n_columns());
    }
  FieldData data{.charges = {},
                 .moments = {},
                 .levels = {},
                 .columns = recorder_.data<FieldSums>("sums of columns", n_columns),
                 .scans = recorder_.data<ScanSums>("sums before columns", n_columns)};
  for (const auto& [s, at] : column_index_) {
    data.charges[s] = recorder_.datum("charge");
    data.moments[s] = recorder_.datum("current, and what was before");
    data.levels.emplace(s, recorder_.data<double>("level", state_.fields().at(s).size()));
  }

  recorder_.phase("sums along v", PhaseKind::step);
  record_moments(data);
  recorder_.phase("sums along x", PhaseKind::step);
  record_columns(data);
  record_sums_before(data.columns, data.scans);
  recorder_.phase("field", PhaseKind::step);
  record_field_of_slabs(data);
  record_windows(
      settings.halo_x, settings.halo_x, [&](int s) { return window(s); },
      [&](int s) { return window(s); }, settings.halo_x);
  for (const auto& [s, field] : state_.fields()) record_broadcast(s);
  for (const auto& [s, field] : state_.fields())
    recorder_.task("check", std::array{Access{windows_.at(s), Mode::inout}},
                   [&settings, &clock = clock_, &field](TaskContext& context) {
                     check_field(settings, field.bounds(), clock, context.replay());
                   });
}

/// The charge and the current of each slab, of the sums along v.
void StepRecorder::record_moments(const FieldData& data) {
  const Settings& settings = state_.settings();
  for (auto& [s, field] : state_.fields()) {
    const auto sum = record_sum_along_v(s);
    if (!is_root(s)) continue;
    const auto halo_x = static_cast<std::size_t>(settings.halo_x);
    const std::array accesses{
        in(sum).access(), in(window(s).range(halo_x, halo_x + field.size())).access(),
        Access{data.charges.at(s), Mode::out}, Access{data.moments.at(s), Mode::inout}};
    recorder_.task("moments", accesses,
                   [&settings, &clock = clock_, &field, sums = sum.const_view()](TaskContext&) {
                     update_moments(settings, field, sums, clock);
                   });
  }
}

/// The field of each slab but for what is before it, and what each of its columns adds to that.
void StepRecorder::record_columns(const FieldData& data) {
  const Settings& settings = state_.settings();
  const auto charge_of = [&](int s) {
    return flow::DataRef<double>(data.charges.at(s), state_.fields().at(s).charge);
  };
  const bool is_fourier = settings.poisson == Poisson::fft;
  const auto charge_windows =
      is_fourier ? std::map<int, flow::Data<double>>{} : record_charge_windows(charge_of);
  if (is_fourier) record_fourier_field(charge_of, data.levels);
  for (const auto& [s, at] : column_index_) {
    const SlabField& field = state_.fields().at(s);
    const auto n = static_cast<std::size_t>(field.slab.n_columns());
    const auto& level = data.levels.at(s);
    std::vector<Access> accesses{Access{data.moments.at(s), Mode::in},
                                 out(data.columns.range(at, at + n)).access()};
    if (is_fourier) {
      accesses.push_back(in(level).access());
    } else {
      accesses.push_back(in(charge_windows.at(s)).access());
      accesses.push_back(out(level).access());
    }
    const auto charge = is_fourier ? std::span<const double>() : charge_windows.at(s).const_view();
    recorder_.task(
        "sums of columns", accesses,
        [&settings, &cuts = state_.layout().columns(), &clock = clock_, &field, charge,
         level = level.view(), sums = data.columns.view().subspan(at, n)](TaskContext& context) {
          add_up_columns(settings, cuts, field, charge, level, sums, clock, context.replay());
        });
  }
}

/// The field of each slab, of what is before its columns.
void StepRecorder::record_field_of_slabs(const FieldData& data) {
  const Settings& settings = state_.settings();
  const auto halo = static_cast<std::size_t>(settings.halo_x);
  for (const auto& [s, at] : column_index_) {
    SlabField& field = state_.fields().at(s);
    const auto n = static_cast<std::size_t>(field.slab.n_columns());
    const auto middle = window(s).range(halo, halo + field.size());
    const auto next = window(s).range(2 * halo + field.size(), field.window.size());
    const std::array accesses{
        in(data.scans.range(at, at + n)).access(), in(data.levels.at(s)).access(),
        Access{data.moments.at(s), Mode::inout}, inout(middle).access(), inout(next).access()};
    recorder_.task("field", accesses,
                   [&settings, &layout = state_.layout(), &clock = clock_, &field,
                    scans = data.scans.const_view().subspan(at, n),
                    level = data.levels.at(s).const_view()](TaskContext& context) {
                     update_field(settings, layout, field, scans, level, clock, context.replay());
                   });
  }
}

/// The charge of each slab of which this rank is the root, and of some points on both sides.
std::map<int, flow::Data<double>> StepRecorder::record_charge_windows(
    const std::function<flow::DataRef<double>(int)>& charge_of) {
  std::map<int, flow::Data<double>> windows;
  for (const auto& [s, at] : column_index_)
    windows.emplace(
        s, recorder_.data<double>("charge around", state_.fields().at(s).size() + rise_reads_below +
                                                       rise_reads_above));
  record_windows(
      rise_reads_below, rise_reads_above, charge_of, [&](int s) { return windows.at(s).borrow(); },
      0);
  return windows;
}

/// Find the field of all slabs where the first one's root is, and bring each root its part.
void StepRecorder::record_fourier_field(const std::function<flow::DataRef<double>(int)>& charge_of,
                                        const std::map<int, flow::Data<double>>& levels) {
  const Rank solver = state_.slabs().front().root;
  const bool is_solver = solver == recorder_.rank();
  const auto n = is_solver ? static_cast<std::size_t>(state_.settings().grid.nx) : 0;
  const auto charge = recorder_.data<double>("charge of all", n);
  const auto all = recorder_.data<double>("field of all", n);
  const auto part = [&](const flow::Data<double>& of, const Slab& slab) {
    return of.range(static_cast<std::size_t>(slab.begin), static_cast<std::size_t>(slab.end));
  };
  const int n_slabs = static_cast<int>(state_.slabs().size());
  for (int s = 0; s < n_slabs; ++s)
    record_copy(
        slab_at(s).root, [&] { return charge_of(s); }, solver,
        [&] { return part(charge, slab_at(s)); });
  if (is_solver)
    recorder_.task("fourier transforms", flow::uses(in(charge), out(all)),
                   [&fourier = state_.fourier_field()](std::span<const double> charges,
                                                       std::span<double> field) {
                     fourier.solve(charges, field);
                   });
  for (int s = 0; s < n_slabs; ++s)
    record_copy(
        solver, [&] { return part(all, slab_at(s)); }, slab_at(s).root,
        [&] { return levels.at(s).borrow(); });
}

/// The sum along v of a slab, on its root; elsewhere a part of it.
flow::Data<double> StepRecorder::record_sum_along_v(int slab) {
  const Rank here = recorder_.rank();
  const auto size = 2 * static_cast<std::size_t>(slab_at(slab).size());
  const auto tree = sum_tree(state_.layout().rows().n_parts(), [&](int row) {
    return state_.layout().owner({slab_at(slab).first_column, row});
  });
  std::map<std::size_t, flow::Data<double>> sums;  // of nodes of this rank, and their halves
  for (std::size_t n = 0; n < tree.size(); ++n) {
    const SumNode& node = tree[n];
    if (node.is_leaf()) {
      if (node.owner == here) sums.emplace(n, record_own_rows(slab, node));
      continue;
    }
    const Rank above = tree[node.above].owner;
    if (above != node.owner && above == here)
      recorder_.send(in(sums.at(node.above)), node.owner, early());
    if (node.owner != here) continue;
    if (above != here) {
      sums.emplace(node.above, recorder_.data<double>("sums along v", size));
      recorder_.recv(out(sums.at(node.above)), above, early());
    }
    recorder_.task("add along v", flow::uses(inout(sums.at(node.below)), in(sums.at(node.above))),
                   [](std::span<double> sum, std::span<const double> more) {
                     for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
                   });
    sums.emplace(n, sums.at(node.below));
  }
  return sums.rbegin()->second;
}

namespace {

/// Add up the sums of rows [first, last) of a column, in the tree of middle_of().
/// @param tiles  of the column's rows, from `begin` on
/// @param more   room for the sums of a tile, for each level of the tree
void add_rows(std::span<Tile* const> tiles, int begin, int first, int last, std::span<double> sums,
              std::span<double> more) {
  if (last - first == 1) {
    std::ranges::copy(tiles[static_cast<std::size_t>(first - begin)]->sums, sums.begin());
    return;
  }
  const int middle = middle_of(first, last);
  const auto half = more.first(sums.size());
  add_rows(tiles, begin, first, middle, sums, more);
  add_rows(tiles, begin, middle, last, half, more.subspan(sums.size()));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += half[i];
}

}  // namespace

flow::Data<double> StepRecorder::record_own_rows(int slab, const SumNode& rows) {
  const auto [first, last] = std::pair(rows.first, rows.last);
  const Slab& all = slab_at(slab);
  const auto size = static_cast<std::size_t>(all.size());
  const Cuts& columns = state_.layout().columns();
  auto values = recorder_.data<double>("sums along v", 2 * size);
  for (int column = all.first_column; column < all.last_column; ++column) {
    const auto tiles = recorder_.array<Tile*>(static_cast<std::size_t>(last - first));
    const auto at = static_cast<std::size_t>(columns.begin(column) - all.begin);
    const auto n = static_cast<std::size_t>(columns.size(column));
    std::vector<Access> accesses{out(values.range(at, at + n)).access(),
                                 out(values.range(size + at, size + at + n)).access()};
    for (int row = first; row < last; ++row) {
      tiles[static_cast<std::size_t>(row - first)] = &state_.tile({column, row});
      accesses.push_back({sums_[state_.index_of({column, row})], Mode::in});
    }
    recorder_.task("sum along v", accesses,
                   [tiles, first, last, charge = values.view().subspan(at, n),
                    current = values.view().subspan(size + at, n)](TaskContext& context) {
                     const std::span<double> scratch(
                         reinterpret_cast<double*>(context.scratch().data()),
                         context.scratch().size() / sizeof(double));
                     const auto sums = scratch.first(2 * charge.size());
                     add_rows(tiles, first, first, last, sums, scratch.subspan(sums.size()));
                     std::ranges::copy(sums.first(charge.size()), charge.begin());
                     std::ranges::copy(sums.last(charge.size()), current.begin());
                   });
  }
  return values;
}

namespace {

/// The sums of columns, in the tree of middle_of().
FieldSums joined(std::span<const FieldSums> columns) {
  if (columns.size() == 1) return columns[0];
  const auto middle = static_cast<std::size_t>(middle_of(0, static_cast<int>(columns.size())));
  return joined(columns.first(middle)).then(joined(columns.subspan(middle)));
}

/// What is before each column, given what is before all.
void spread(const ScanSums& before, std::span<const FieldSums> columns, std::span<ScanSums> scans) {
  if (columns.size() == 1) {
    scans[0] = before;
    return;
  }
  const auto middle = static_cast<std::size_t>(middle_of(0, static_cast<int>(columns.size())));
  spread(before, columns.first(middle), scans.first(middle));
  spread({before.before.then(joined(columns.first(middle))), before.total}, columns.subspan(middle),
         scans.subspan(middle));
}

}  // namespace

/// Find what is before each column along x: sums up a tree, and prefixes down again.
/// @source Blelloch, "Prefix sums and their applications", CMU-CS-90-190 (1990), 1.2
void StepRecorder::record_sums_before(const flow::Data<FieldSums>& columns,
                                      const flow::Data<ScanSums>& scans) {
  const Rank here = recorder_.rank();
  const auto tree = sum_tree(state_.layout().columns().n_parts(),
                             [&](int column) { return slab_at(state_.slab_of(column)).root; });
  const auto sums = recorder_.data<FieldSums>("sums along x", tree.size());
  const auto before = recorder_.data<ScanSums>("sums before", tree.size());
  const auto at = [](const auto& data, std::size_t n) { return data.range(n, n + 1); };
  const auto own = [&](const auto& data, const SumNode& leaf) {
    const int slab = state_.slab_of(leaf.first);
    const auto first =
        column_index_.at(slab) + static_cast<std::size_t>(leaf.first - slab_at(slab).first_column);
    return data.range(first, first + static_cast<std::size_t>(leaf.last - leaf.first));
  };

  for (std::size_t n = 0; n < tree.size(); ++n) {
    const SumNode& node = tree[n];
    if (node.is_leaf()) {
      if (node.owner == here)
        recorder_.task(
            "join columns", flow::uses(in(own(columns, node)), out(at(sums, n))),
            [](std::span<const FieldSums> of, std::span<FieldSums> sum) { sum[0] = joined(of); });
      continue;
    }
    const Rank above = tree[node.above].owner;
    if (above != node.owner && above == here)
      recorder_.send(in(at(sums, node.above)), node.owner, early());
    if (node.owner != here) continue;
    if (above != here) recorder_.recv(out(at(sums, node.above)), above, early());
    recorder_.task("join sums",
                   flow::uses(in(at(sums, node.below)), in(at(sums, node.above)), out(at(sums, n))),
                   [](std::span<const FieldSums> a, std::span<const FieldSums> b,
                      std::span<FieldSums> sum) { sum[0] = a[0].then(b[0]); });
  }

  const std::size_t whole = tree.size() - 1;
  if (tree[whole].owner == here)
    recorder_.task("total", flow::uses(in(at(sums, whole)), out(at(before, whole))),
                   [](std::span<const FieldSums> total, std::span<ScanSums> scan) {
                     scan[0] = {{}, total[0]};
                   });
  for (std::size_t n = tree.size(); n-- > 0;) {
    const SumNode& node = tree[n];
    if (node.is_leaf()) {
      if (node.owner == here)
        recorder_.task("before columns",
                       flow::uses(in(at(before, n)), in(own(columns, node)), out(own(scans, node))),
                       [](std::span<const ScanSums> first, std::span<const FieldSums> of,
                          std::span<ScanSums> scan) { spread(first[0], of, scan); });
      continue;
    }
    const Rank above = tree[node.above].owner;
    if (node.owner == here)
      recorder_.task("before halves",
                     flow::uses(in(at(before, n)), in(at(sums, node.below)),
                                out(at(before, node.below)), out(at(before, node.above))),
                     [](std::span<const ScanSums> scan, std::span<const FieldSums> first,
                        std::span<ScanSums> below, std::span<ScanSums> above_it) {
                       below[0] = scan[0];
                       above_it[0] = {scan[0].before.then(first[0]), scan[0].total};
                     });
    if (above == node.owner) continue;
    if (node.owner == here) recorder_.send(in(at(before, node.above)), above, early());
    if (above == here) recorder_.recv(out(at(before, node.above)), node.owner, early());
  }
}

void StepRecorder::record_windows(int below, int above,
                                  const std::function<flow::DataRef<double>(int)>& source,
                                  const std::function<flow::DataRef<double>(int)>& target,
                                  int source_offset) {
  const Cuts& columns = state_.layout().columns();
  for (int s = 0; s < static_cast<int>(state_.slabs().size()); ++s) {
    const Slab& to = slab_at(s);
    for (const Piece& piece : pieces(columns, to.begin - below, to.end + above)) {
      const int part = state_.slab_of(piece.part);
      const Slab& from = slab_at(part);
      const auto first = static_cast<std::size_t>(columns.begin(piece.part) - from.begin +
                                                  piece.from + source_offset);
      const auto begin = static_cast<std::size_t>(piece.to);
      const auto n = static_cast<std::size_t>(piece.n);
      if (is_root(s) && part == s && first == begin && source(s).datum() == target(s).datum())
        continue;  // it is there already
      record_copy(
          from.root, [&] { return source(part).range(first, first + n); }, to.root,
          [&] { return target(s).range(begin, begin + n); });
    }
  }
}

void StepRecorder::record_broadcast(int slab) {
  const Slab& of = slab_at(slab);
  std::vector<Rank> ranks;
  for (int row = 0; row < state_.layout().rows().n_parts(); ++row)
    ranks.push_back(state_.layout().owner({of.first_column, row}));
  std::ranges::sort(ranks);
  const auto repeated = std::ranges::unique(ranks);
  ranks.erase(repeated.begin(), repeated.end());
  std::erase(ranks, of.root);
  ranks.insert(ranks.begin(), of.root);
  const auto found = std::ranges::find(ranks, recorder_.rank());
  // A binomial tree: in round k the first 2^k ranks send to the next 2^k.
  const auto mine = static_cast<std::size_t>(found - ranks.begin());
  for (std::size_t n = 1; n < ranks.size(); n *= 2) {
    if (mine < n && mine + n < ranks.size())
      recorder_.send(in(window(slab)), ranks[mine + n], early());
    if (mine >= n && mine < 2 * n) recorder_.recv(out(window(slab)), ranks[mine - n], early());
  }
}

}  // namespace thalweg::vlasov

// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/regrid.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <thalweg/miniamr/data/octant.hpp>
#include <thalweg/miniamr/data/task_names.hpp>

namespace thalweg::miniamr::data {

namespace {

using flow::Access;
using flow::Mode;
using Kind = Origin::Kind;
using Leaf = mesh::OwnedLeaf<3>;

class RegridRecorder {
 public:
  RegridRecorder(flow::Recorder& recorder, Store& store, std::uint32_t n_workers)
      : recorder_(recorder), store_(store), shape_(store.shape()), n_workers_(n_workers) {}

  /// Record how a block that this rank will have is made.
  void record_making(const Origin& origin) {
    const auto sources = origin.sources();
    if (origin.kind == Kind::same && is_here(sources[0])) return;
    const std::size_t b = *store_.find(origin.key);
    const BlockMemory block = store_.memory(b);
    const auto datum = recorder_.datum("cells");
    const flow::TaskOptions options{
        .preferred_worker = static_cast<std::uint32_t>(b * n_workers_ / store_.size()),
        .level = origin.key.level,
        .block = origin.key.code};
    switch (origin.kind) {
      case Kind::same: {
        recorder_.recv(datum, std::as_writable_bytes(cells_of(block)), sources[0].owner, urgent);
        recorder_.task(
            task_names::refresh_faces, std::vector<Access>{{datum, Mode::inout}},
            [shape = shape_, block](flow::TaskContext&) { refresh_faces(shape, block); }, options);
        return;
      }
      case Kind::child: {
        std::vector<Access> accesses{{datum, Mode::out}};
        const Octant from = is_here(sources[0])
                                ? Octant::of(shape_, store_.retired(sources[0].key), origin.key)
                                : receive_octant(sources[0].owner, accesses);
        recorder_.task(
            task_names::split, accesses,
            [shape = shape_, from, block](flow::TaskContext& context) {
              split(shape, from, block, context.scratch());
            },
            options);
        return;
      }
      case Kind::joined:
        record_join(sources, block, datum, options);
        return;
    }
  }

  /// Record sending what blocks of this rank give to one that another rank will have.
  void record_giving(const Origin& origin) {
    for (const Leaf& source : origin.sources()) {
      if (!is_here(source)) continue;
      const BlockMemory block = store_.retired(source.key);
      if (origin.kind == Kind::same) {
        recorder_.send(recorder_.datum("cells"), std::as_bytes(cells_of(block)), origin.owner,
                       urgent);
        continue;
      }
      const std::span<double> buffer = store_.buffer(Octant::size(shape_));
      const auto datum = recorder_.datum("octant");
      const Octant to = Octant::packed(shape_, buffer.data());
      const bool joins = origin.kind == Kind::joined;
      recorder_.task(
          joins ? task_names::join_octant : task_names::pack_octant,
          std::vector<Access>{{datum, Mode::out}},
          [shape = shape_, joins, block, to, child = origin.key](flow::TaskContext&) {
            joins ? join(shape, block, to) : copy(shape, Octant::of(shape, block, child), to);
          },
          urgent);
      recorder_.send(datum, std::as_bytes(buffer), origin.owner, urgent);
    }
  }

 private:
  static constexpr flow::TaskOptions urgent{.priority = 1};

  bool is_here(const Leaf& leaf) const { return leaf.owner == recorder_.rank(); }
  std::span<double> cells_of(BlockMemory block) const {
    return {block.cells(0), BlockMemory::moving_size(shape_)};
  }

  Octant receive_octant(Rank from, std::vector<Access>& accesses) {
    const std::span<double> buffer = store_.buffer(Octant::size(shape_));
    const auto datum = recorder_.datum("octant");
    recorder_.recv(datum, std::as_writable_bytes(buffer), from, urgent);
    accesses.push_back({datum, Mode::in});
    return Octant::packed(shape_, buffer.data());
  }

  void record_join(std::span<const Leaf> sources, BlockMemory block, flow::DatumId datum,
                   const flow::TaskOptions& options) {
    std::vector<Access> accesses{{datum, Mode::out}};
    std::vector<JoinedChild> children;
    for (const Leaf& source : sources) {
      JoinedChild child{.key = source.key, .cells = {}, .sums = {}};
      if (is_here(source))
        child.cells = store_.retired(source.key);
      else
        child.sums = receive_octant(source.owner, accesses);
      children.push_back(child);
    }
    recorder_.task(
        task_names::join, accesses,
        [shape = shape_, block, children = std::move(children)](flow::TaskContext& context) {
          join(shape, children, block, context.scratch());
        },
        options);
  }

  flow::Recorder& recorder_;
  Store& store_;
  const Shape& shape_;
  std::uint32_t n_workers_;
};

}  // namespace

void record_regrid(flow::Recorder& recorder, const Origins& origins, Store& store,
                   std::uint32_t n_workers) {
  recorder.phase("regrid", flow::PhaseKind::level);
  RegridRecorder regrid(recorder, store, n_workers);
  // Both sides of a pair of ranks go through the blocks in the same order: that matches messages.
  for (const Origin& origin : origins)
    if (origin.owner == recorder.rank())
      regrid.record_making(origin);
    else
      regrid.record_giving(origin);
}

}  // namespace thalweg::miniamr::data

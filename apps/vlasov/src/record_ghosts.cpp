// SPDX-License-Identifier: MIT
// Ghosts: copies from tiles of this rank, and messages from those of others.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/cut.hpp>

#include "ghost_copies.hpp"
#include "record_step.hpp"

namespace thalweg::vlasov {

using flow::Access;
using flow::Mode;
using flow::PhaseKind;
using flow::TaskContext;

namespace {

void copy_rectangle(const double* from, std::ptrdiff_t from_stride, double* to,
                    std::ptrdiff_t to_stride, int nx, int nv) {
  for (int i = 0; i < nx; ++i, from += from_stride, to += to_stride) std::copy_n(from, nv, to);
}

}  // namespace

void StepRecorder::record_ghosts() {
  recorder_.phase("ghosts", PhaseKind::level);
  record_remote_ghosts();
  record_local_ghosts();
}

void StepRecorder::record_local_ghosts() {
  const Settings& settings = state_.settings();
  for (Tile& tile : state_.tiles()) {
    const std::size_t t = state_.index_of(tile.place);
    std::vector<GhostCopy> copies =
        ghost_copies(state_.layout(), tile.place, settings.halo_x, settings.halo_v);
    std::erase_if(copies, [&](const GhostCopy& copy) {
      return state_.layout().owner(copy.from) != recorder_.rank();
    });
    if (copies.empty()) continue;
    struct Local {
      const Tile* from;
      GhostCopy copy;
    };
    const auto list = recorder_.array<Local>(copies.size());
    std::set<std::size_t> sources;
    for (std::size_t k = 0; k < copies.size(); ++k) {
      list[k] = {&state_.tile(copies[k].from), copies[k]};
      sources.insert(state_.index_of(copies[k].from));
    }
    std::vector<Access> accesses{{ghosts_[t], Mode::out, {0, 1}}};
    for (const std::size_t source : sources) accesses.push_back({interiors_[source], Mode::in});
    recorder_.task(
        "ghosts", accesses,
        [&clock = clock_, &tile, list](TaskContext& context) {
          const int buffer = clock.buffer(context.replay());
          for (const auto& [from, copy] : list)
            copy_rectangle(from->f(buffer) + copy.from_i * from->stride + copy.from_j, from->stride,
                           tile.f(buffer) + copy.to_i * tile.stride + copy.to_j, tile.stride,
                           copy.nx, copy.nv);
        },
        options_of(tile));
  }
}

namespace {

/// A rectangle of a tile of this rank, and where its points are in a message.
struct Part {
  const Tile* tile;
  int i, j, nx, nv;
};

int size_of(std::span<const Part> parts) {
  int n = 0;
  for (const Part& part : parts) n += part.nx * part.nv;
  return n;
}

}  // namespace

void StepRecorder::record_remote_ghosts() {
  const Settings& settings = state_.settings();
  const Layout& layout = state_.layout();
  const Rank here = recorder_.rank();
  const auto copies_of = [&](TilePlace to) {
    return ghost_copies(layout, to, settings.halo_x, settings.halo_v);
  };
  struct Message {
    std::vector<Part> parts;
    std::vector<Access> accesses;
  };
  std::map<Rank, Message> arriving, leaving;
  std::set<int> remote;  // tiles of others that read some of ours, as ours read some of theirs
  for (const Tile& tile : state_.tiles()) {
    const std::size_t t = state_.index_of(tile.place);
    std::uint32_t n_parts = 1;
    for (const GhostCopy& copy : copies_of(tile.place)) {
      const Rank owner = layout.owner(copy.from);
      if (owner == here) continue;
      arriving[owner].parts.push_back({&tile, copy.to_i, copy.to_j, copy.nx, copy.nv});
      arriving[owner].accesses.push_back({ghosts_[t], Mode::out, {n_parts, n_parts + 1}});
      ++n_parts;
      remote.insert(layout.number(copy.from));
    }
  }
  for (const int number : remote) {
    const TilePlace to = layout.place(number);
    for (const GhostCopy& copy : copies_of(to)) {
      if (layout.owner(copy.from) != here) continue;
      Message& message = leaving[layout.owner(to)];
      message.parts.push_back(
          {&state_.tile(copy.from), copy.from_i, copy.from_j, copy.nx, copy.nv});
      const std::size_t t = state_.index_of(copy.from);
      message.accesses.push_back({interiors_[t], Mode::in});
      border_points_[t] += copy.size();
    }
  }

  // Messages of about equal length: both sides have the same parts in the same order.
  const auto for_each_message = [&](const std::map<Rank, Message>& all, const auto& record) {
    for (const auto& [peer, message] : all) {
      std::vector<std::int64_t> sizes;
      for (const Part& part : message.parts) sizes.push_back(part.nx * part.nv);
      const auto most = static_cast<std::size_t>(settings.max_comm_tasks);
      const auto cuts = cut_evenly(sizes, most == 0 ? sizes.size() : std::min(most, sizes.size()));
      for (std::size_t m = 0; m + 1 < cuts.size(); ++m) {
        const auto n = cuts[m + 1] - cuts[m];
        if (n > 0)
          record(peer, std::span(message.parts).subspan(cuts[m], n),
                 std::span(message.accesses).subspan(cuts[m], n));
      }
    }
  };
  struct Arrival {
    flow::Data<double> values;
    std::span<Part> parts;
    std::vector<Access> accesses;
  };
  std::vector<Arrival> arrivals;
  const auto kept = [&](std::span<const Part> parts) {
    const auto list = recorder_.array<Part>(parts.size());
    std::ranges::copy(parts, list.begin());
    return list;
  };
  for_each_message(arriving,
                   [&](Rank from, std::span<const Part> parts, std::span<const Access> accesses) {
                     auto values = recorder_.data_unset<double>(
                         "ghosts in a message", static_cast<std::size_t>(size_of(parts)));
                     recorder_.recv(out(values), from, early());
                     std::vector<Access> all{in(values).access()};
                     all.insert(all.end(), accesses.begin(), accesses.end());
                     arrivals.push_back({values, kept(parts), std::move(all)});
                   });
  for_each_message(
      leaving, [&](Rank to, std::span<const Part> parts, std::span<const Access> accesses) {
        auto values = recorder_.data_unset<double>("ghosts in a message",
                                                   static_cast<std::size_t>(size_of(parts)));
        std::vector<Access> all{out(values).access()};
        all.insert(all.end(), accesses.begin(), accesses.end());
        recorder_.task(
            "pack ghosts", all,
            [&clock = clock_, list = kept(parts), message = values.view()](TaskContext& context) {
              double* place = message.data();
              for (const Part& part : list) {
                const double* const f = part.tile->f(clock.buffer(context.replay()));
                copy_rectangle(f + part.i * part.tile->stride + part.j, part.tile->stride, place,
                               part.nv, part.nx, part.nv);
                place += part.nx * part.nv;
              }
            },
            early());
        recorder_.send(in(values), to, early());
      });
  for (const Arrival& arrival : arrivals)
    recorder_.task(
        "unpack ghosts", arrival.accesses,
        [&clock = clock_, list = arrival.parts,
         message = arrival.values.const_view()](TaskContext& context) {
          const double* place = message.data();
          for (const Part& part : list) {
            double* const f = part.tile->f(clock.buffer(context.replay()));
            copy_rectangle(place, part.nv, f + part.i * part.tile->stride + part.j,
                           part.tile->stride, part.nx, part.nv);
            place += part.nx * part.nv;
          }
        },
        early());
}

}  // namespace thalweg::vlasov

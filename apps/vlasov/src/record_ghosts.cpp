// SPDX-License-Identifier: MIT
// Ghosts: copies from tiles of this rank, and messages from those of others.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
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

  int size() const { return nx * nv; }
};

/// What goes between this rank and another. Both have the same parts in the same order.
struct Border {
  std::vector<Part> parts;
  std::vector<Access> accesses;

  void add(const Part& part, const Access& access) {
    parts.push_back(part);
    accesses.push_back(access);
  }
};
using Borders = std::map<Rank, Border>;

/// Call record(peer, parts, accesses) for messages of about equal length.
/// @param most  to one peer; 0: one for each part
template <class F>
void for_each_message(const Borders& borders, int most, const F& record) {
  for (const auto& [peer, border] : borders) {
    std::vector<std::int64_t> sizes;
    for (const Part& part : border.parts) sizes.push_back(part.size());
    const auto n_parts = sizes.size();
    const auto cuts =
        cut_evenly(sizes, most == 0 ? n_parts : std::min(static_cast<std::size_t>(most), n_parts));
    for (std::size_t m = 0; m + 1 < cuts.size(); ++m) {
      const auto n = cuts[m + 1] - cuts[m];
      if (n > 0)
        record(peer, std::span(border.parts).subspan(cuts[m], n),
               std::span(border.accesses).subspan(cuts[m], n));
    }
  }
}

flow::Data<double> new_message(flow::Recorder& recorder, std::span<const Part> parts) {
  std::size_t n = 0;
  for (const Part& part : parts) n += static_cast<std::size_t>(part.size());
  return recorder.data_unset<double>("ghosts in a message", n);
}

/// Accesses of a task that reads or writes a message.
std::vector<Access> with_message(const Access& message, std::span<const Access> accesses) {
  std::vector<Access> all{message};
  all.insert(all.end(), accesses.begin(), accesses.end());
  return all;
}

std::span<const Part> kept(flow::Recorder& recorder, std::span<const Part> parts) {
  const auto list = recorder.array<Part>(parts.size());
  std::ranges::copy(parts, list.begin());
  return list;
}

void pack(std::span<const Part> parts, int buffer, double* message) {
  for (const Part& part : parts) {
    const double* const f = part.tile->f(buffer) + part.i * part.tile->stride + part.j;
    copy_rectangle(f, part.tile->stride, message, part.nv, part.nx, part.nv);
    message += part.size();
  }
}

void unpack(const double* message, std::span<const Part> parts, int buffer) {
  for (const Part& part : parts) {
    double* const f = part.tile->f(buffer) + part.i * part.tile->stride + part.j;
    copy_rectangle(message, part.nv, f, part.tile->stride, part.nx, part.nv);
    message += part.size();
  }
}

}  // namespace

void StepRecorder::record_remote_ghosts() {
  const Settings& settings = state_.settings();
  const Layout& layout = state_.layout();
  const Rank here = recorder_.rank();
  const auto copies_of = [&](TilePlace to) {
    return ghost_copies(layout, to, settings.halo_x, settings.halo_v);
  };
  Borders arriving, leaving;
  std::set<int> remote;  // tiles of others that read some of ours, as ours read some of theirs
  for (const Tile& tile : state_.tiles()) {
    const std::size_t t = state_.index_of(tile.place);
    std::uint32_t n_parts = 1;
    for (const GhostCopy& copy : copies_of(tile.place)) {
      const Rank owner = layout.owner(copy.from);
      if (owner == here) continue;
      arriving[owner].add({&tile, copy.to_i, copy.to_j, copy.nx, copy.nv},
                          {ghosts_[t], Mode::out, {n_parts, n_parts + 1}});
      ++n_parts;
      remote.insert(layout.number(copy.from));
    }
  }
  for (const int number : remote) {
    const TilePlace to = layout.place(number);
    for (const GhostCopy& copy : copies_of(to)) {
      if (layout.owner(copy.from) != here) continue;
      const std::size_t t = state_.index_of(copy.from);
      leaving[layout.owner(to)].add(
          {&state_.tile(copy.from), copy.from_i, copy.from_j, copy.nx, copy.nv},
          {interiors_[t], Mode::in});
      border_points_[t] += copy.size();
    }
  }

  const int most = settings.max_comm_tasks;
  std::vector<std::function<void()>> unpacking;  // is recorded behind what others wait for
  for_each_message(arriving, most, [&](Rank from, auto parts, auto accesses) {
    const auto message = new_message(recorder_, parts);
    recorder_.recv(out(message), from, early());
    unpacking.emplace_back([this, message, list = kept(recorder_, parts),
                            all = with_message(in(message).access(), accesses)] {
      recorder_.task(
          "unpack ghosts", all,
          [&clock = clock_, list, values = message.const_view()](TaskContext& context) {
            unpack(values.data(), list, clock.buffer(context.replay()));
          },
          early());
    });
  });
  for_each_message(leaving, most, [&](Rank to, auto parts, auto accesses) {
    const auto message = new_message(recorder_, parts);
    recorder_.task(
        "pack ghosts", with_message(out(message).access(), accesses),
        [&clock = clock_, list = kept(recorder_, parts), values = message.view()](
            TaskContext& context) { pack(list, clock.buffer(context.replay()), values.data()); },
        early());
    recorder_.send(in(message), to, early());
  });
  for (const auto& record : unpacking) record();
}

}  // namespace thalweg::vlasov

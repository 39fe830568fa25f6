// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/core/view.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::exchange {

/// A copy that arrives in a message: its packed cells, and the datum of the message.
template <int D>
struct Arrival {
  Copy<D> copy;
  View<const double, D> packed;  ///< on copy.region
  flow::DatumId buffer;
};

/// Put an access into a list unless the same datum is there already.
inline void add_access(std::vector<flow::Access>& accesses, const flow::Access& access) {
  if (std::ranges::find(accesses, access) == accesses.end()) accesses.push_back(access);
}

/// A list of plain values as bodies keep it: it lives as long as the recording and its graph.
template <std::ranges::contiguous_range Values, class T = std::ranges::range_value_t<Values>>
std::span<const T> copy_to_arena(flow::Recorder& recorder, const Values& values) {
  const std::span<T> copy = recorder.array<T>(values.size());
  std::ranges::copy(values, copy.begin());
  return copy;
}

/// The part of a sorted list of copies or arrivals that goes to one block.
template <class Item, class Key, class Projection>
std::span<const Item> with_destination(const std::vector<Item>& items, const Key& key,
                                       Projection destination) {
  const auto range = std::ranges::equal_range(items, key, {}, destination);
  return {range.begin(), range.end()};
}

/// Record the messages of a plan: for each one to send a task that packs it and the send; for each
/// one to receive the receive. Receives come first, so that all are posted early.
///
/// @param name    of the tasks, for traces
/// @param source  source(copy, accesses) adds what packing the copy reads and returns the packer:
///                packer(View<double, D> on copy.region) fills in the cells; a plain value
/// @return what will have arrived, sorted by destination as the plan's copies are
template <int D, class Source>
std::vector<Arrival<D>> emit_messages(flow::Recorder& recorder, std::string_view name,
                                      const Transfers<D>& transfers, int n_components, int level,
                                      Source&& source) {
  const flow::TaskOptions urgent{.priority = 1, .level = level};
  const auto buffer_of = [&](const Message<D>& message) {
    return recorder.data_unset<double>(std::string(name),
                                       static_cast<std::size_t>(message.n_cells * n_components));
  };
  // Walks the copies of a message with the place of each in the buffer.
  const auto for_each_piece = [&](const Message<D>& message, double* buffer, auto&& f) {
    for (const auto& copy : message.copies) {
      const View<double, D> piece(buffer, copy.region, n_components);
      f(copy, piece);
      buffer += piece.size();
    }
  };

  std::vector<Arrival<D>> arrivals;
  std::size_t n_arrivals = 0;
  for (const auto& message : transfers.recvs) n_arrivals += message.copies.size();
  arrivals.reserve(n_arrivals);
  for (const auto& message : transfers.recvs) {
    const auto buffer = buffer_of(message);
    recorder.recv(flow::out(buffer), message.peer, urgent);
    for_each_piece(message, buffer.view().data(), [&](const Copy<D>& copy, View<double, D> piece) {
      arrivals.push_back({copy, piece, buffer.datum()});
    });
  }
  std::ranges::sort(arrivals, std::less<>{}, &Arrival<D>::copy);

  const std::string pack_name = std::string(name) + " pack";
  std::vector<flow::Access> accesses;
  for (const auto& message : transfers.sends) {
    const auto buffer = buffer_of(message);
    accesses.assign({{buffer.datum(), flow::Mode::out}});
    struct Piece {
      decltype(source(std::declval<const Copy<D>&>(), accesses)) pack;
      View<double, D> to;
    };
    const auto pieces = recorder.array<Piece>(message.copies.size());
    auto next = pieces.begin();
    for_each_piece(message, buffer.view().data(), [&](const Copy<D>& copy, View<double, D> piece) {
      *next++ = {source(copy, accesses), piece};
    });
    recorder.task(
        pack_name, accesses,
        [pieces](flow::TaskContext&) {
          for (const auto& [pack, to] : pieces) pack(to);
        },
        urgent);
    recorder.send(flow::in(buffer), message.peer, urgent);
  }
  return arrivals;
}

}  // namespace thalweg::exchange

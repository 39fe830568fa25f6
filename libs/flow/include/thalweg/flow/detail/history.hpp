// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <thalweg/core/huge_pages.hpp>
#include <thalweg/flow/access.hpp>

namespace thalweg::flow::detail {

/// The last writer of every datum and who has read it since: the state of dependency discovery.
///
/// A datum is one piece until an access to a part of it cuts it. A piece that is written is one
/// again, so there are never more cuts than unfinished business.
class AccessHistory {
 public:
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  /// Forget nothing, know one more datum.
  void add_datum() { data_.emplace_back(); }
  std::size_t n_data() const { return data_.size(); }
  void clear() {
    data_.clear();
    links_.clear();
    splits_.clear();
    free_link_ = nobody;
    free_splits_.clear();
  }
  std::size_t n_bytes() const {
    std::size_t n = data_.capacity() * sizeof(Datum) + links_.capacity() * sizeof(Link) +
                    splits_.capacity() * sizeof(Pieces) +
                    free_splits_.capacity() * sizeof(std::uint32_t);
    for (const Pieces& pieces : splits_) n += pieces.capacity() * sizeof(Piece);
    return n;
  }

  /// Note an access; finds whom the task has to wait for.
  ///
  /// @param depend(on)  a task to wait for; may be called twice with one, and with the task itself
  /// @param open(range) a piece that nobody has written yet
  template <class Depend, class Open>
  void note(std::uint32_t task, const Access& access, Depend&& depend, Open&& open) {
    Datum& datum = data_[access.datum()];
    if (datum.split == nobody && access.range.is_whole()) [[likely]] {
      note_piece(datum.whole, task, access.mode, access.range, depend, open);
      return;
    }
    if (!access.range.is_empty()) note_split(datum, task, access, depend, open);
  }
  /// Whether all of what is accessed was written by this task or a later one.
  bool is_written_since(std::uint32_t first_task, const Access& access) const {
    const auto is_since = [&](const State& s) {
      return s.writer != nobody && s.writer >= first_task;
    };
    const Datum& datum = data_[access.datum()];
    if (datum.split == nobody) return is_since(datum.whole);
    const Pieces& pieces = splits_[datum.split];
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (pieces[i].begin < access.range.end && access.range.begin < end_of(pieces, i) &&
          !is_since(pieces[i].state))
        return false;
    return true;
  }

 private:
  struct State {
    std::uint32_t writer = nobody;
    std::uint32_t readers = nobody;  ///< first link
  };
  struct Datum {
    State whole;                   ///< where it is not split
    std::uint32_t split = nobody;  ///< its pieces
  };
  struct Link {
    std::uint32_t task;
    std::uint32_t next;
  };
  /// Up to where the next one begins; the last one without end.
  struct Piece {
    std::uint32_t begin;
    State state;
  };
  using Pieces = std::vector<Piece>;

  template <class Depend, class Open>
  [[gnu::always_inline]] void note_piece(State& state, std::uint32_t task, Mode mode, Range range,
                                         Depend&& depend, Open&& open) {
    if (state.writer == nobody) open(range);
    if (mode == Mode::in) {
      if (state.writer != nobody) depend(state.writer);
      add_reader(state, task);
      return;
    }
    // The readers come after the last writer, so whoever waits for them waits for it too.
    if (state.readers == nobody) {
      if (state.writer != nobody) depend(state.writer);
    } else {
      std::uint32_t last = nobody;
      for (std::uint32_t link = state.readers; link != nobody; link = links_[link].next) {
        depend(links_[link].task);
        last = link;
      }
      links_[last].next = free_link_;
      free_link_ = state.readers;
    }
    // Everyone after depends on this writer, who depends on the readers: they can be forgotten.
    state = {task, nobody};
  }

  template <class Depend, class Open>
  [[gnu::noinline]] void note_split(Datum& datum, std::uint32_t task, const Access& access,
                                    Depend&& depend, Open&& open) {
    if (datum.split == nobody) split(datum);
    Pieces& pieces = splits_[datum.split];
    const std::size_t first = cut(pieces, access.range.begin);
    const std::size_t last =
        access.range.end == Range::no_end ? pieces.size() : cut(pieces, access.range.end);
    for (std::size_t i = first; i < last; ++i)
      note_piece(pieces[i].state, task, access.mode, {pieces[i].begin, end_of(pieces, i)}, depend,
                 open);
    if (access.mode == Mode::in) return;
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                 pieces.begin() + static_cast<std::ptrdiff_t>(last));
    if (pieces.size() == 1) unite(datum);
  }

  void split(Datum& datum) {
    if (free_splits_.empty()) {
      free_splits_.push_back(static_cast<std::uint32_t>(splits_.size()));
      splits_.emplace_back();
    }
    datum.split = free_splits_.back();
    free_splits_.pop_back();
    splits_[datum.split].assign(1, {0, datum.whole});
  }
  void unite(Datum& datum) {
    datum.whole = splits_[datum.split][0].state;
    free_splits_.push_back(datum.split);
    datum.split = nobody;
  }
  /// Let a piece begin here; gives its place.
  std::size_t cut(Pieces& pieces, std::uint32_t at) {
    const auto next =
        std::ranges::upper_bound(pieces, at, {}, [](const Piece& p) { return p.begin; });
    const auto i = static_cast<std::size_t>(next - pieces.begin()) - 1;
    if (pieces[i].begin == at) return i;
    Piece right{at, {pieces[i].state.writer, nobody}};
    copy_readers(pieces[i].state.readers, right.state);
    pieces.insert(next, right);
    return i + 1;
  }
  static std::uint32_t end_of(const Pieces& pieces, std::size_t i) {
    return i + 1 < pieces.size() ? pieces[i + 1].begin : Range::no_end;
  }

  void add_reader(State& state, std::uint32_t task) {
    if (state.readers != nobody && links_[state.readers].task == task) return;
    std::uint32_t link = free_link_;
    if (link == nobody) {
      link = static_cast<std::uint32_t>(links_.size());
      links_.emplace_back();
    } else {
      free_link_ = links_[link].next;
    }
    links_[link] = {task, state.readers};
    state.readers = link;
  }
  void copy_readers(std::uint32_t from, State& to) {
    for (; from != nobody; from = links_[from].next) add_reader(to, links_[from].task);
  }

  LargeVector<Datum> data_;
  LargeVector<Link> links_;
  std::uint32_t free_link_ = nobody;  ///< first of a list
  std::vector<Pieces> splits_;
  std::vector<std::uint32_t> free_splits_;
};

}  // namespace thalweg::flow::detail

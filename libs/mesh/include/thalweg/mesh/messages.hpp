// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::mesh {

/// One side of a round of messages: to whom each goes, or from whom each came.
///
/// A distributed algorithm of this module is a chain of pure functions: one returns what a rank
/// sends, the next takes what arrived, sorted by source, then in order of sending; a message to
/// oneself arrives too. An *exchange* is any callable that carries out one such round on all ranks
/// together: `Messages<T> exchange(const Messages<T>&)` for every trivially copyable T used here.
template <class T>
using Messages = std::vector<std::pair<Rank, T>>;

/// To whom a message goes: a rank, or the directory rank of a place, whoever that is.
class Destination {
 public:
  explicit Destination(Rank rank) : code_(rank()) {}
  template <int D>
  explicit Destination(const Key<D>& place) : level_(place.level), code_(place.code) {}

  constexpr auto operator<=>(const Destination&) const = default;

  bool is_rank() const { return level_ < 0; }
  Rank rank() const { return Rank(static_cast<std::uint32_t>(code_)); }  ///< @pre is_rank()
  template <int D>
  Key<D> place() const {  ///< @pre not is_rank()
    return {level_, code_};
  }

 private:
  std::int32_t level_ = -1;
  std::uint64_t code_;
};

/// What a rank sends, to ranks or to the directory ranks of places (route.hpp).
template <class T>
using Outgoing = std::vector<std::pair<Destination, T>>;

}  // namespace thalweg::mesh

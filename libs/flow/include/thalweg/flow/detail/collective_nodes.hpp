// SPDX-License-Identifier: MIT
// The collectives of recorder.hpp as messages and tasks.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/detail/recursive_doubling.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

template <Sendable T, std::regular_invocable<T, T> F>
void Recorder::all_reduce(std::string_view name, const Use<Mode::inout, DataRef<T>>& values,
                          F combine, const TaskOptions& options) {
  const std::size_t size = values.view().size();
  const auto rounds = detail::recursive_doubling(rank(), static_cast<std::uint32_t>(n_ranks()));
  auto n_left =
      std::ranges::count(rounds, detail::Incoming::operand, &detail::ReductionRound::incoming);
  DataRef<T> mine = values.handle;
  for (const detail::ReductionRound& round : rounds) {
    if (round.sends) send(in(mine), round.partner, options);
    if (round.incoming == detail::Incoming::none) continue;
    if (round.incoming == detail::Incoming::total) {
      recv(out(values.handle), round.partner, options);
      continue;
    }
    auto theirs = data<T>(std::string(name) + " from", size);
    recv(out(theirs), round.partner, options);
    // A fresh array for each partial result: combining does not wait for the send to complete.
    const DataRef<T> next =
        --n_left == 0 ? values.handle : data<T>(std::string(name) + " partial", size).borrow();
    const bool is_lower = rank() < round.partner;
    const auto combined = [combine, is_lower](const T& own, const T& other) {
      return is_lower ? combine(own, other) : combine(other, own);
    };
    if (mine.datum() == next.datum()) {
      task(
          name, uses(in(theirs), inout(next)),
          [combined](std::span<const T> b, std::span<T> a) {
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = combined(a[i], b[i]);
          },
          options);
    } else {
      task(
          name, uses(in(mine), in(theirs), out(next)),
          [combined](std::span<const T> a, std::span<const T> b, std::span<T> c) {
            for (std::size_t i = 0; i < c.size(); ++i) c[i] = combined(a[i], b[i]);
          },
          options);
    }
    mine = next;
  }
}

template <Sendable T, std::regular_invocable<T, T> F>
void Recorder::all_reduce_ordered(std::string_view name, const Use<Mode::inout, DataRef<T>>& values,
                                  F combine, const TaskOptions& options) {
  reduce_to_root(name, values, combine, options);
  broadcast(values, Rank(0), options);
}

template <Sendable T, std::regular_invocable<T, T> F>
void Recorder::reduce_to_root(std::string_view name, const Use<Mode::inout, DataRef<T>>& values,
                              F combine, const TaskOptions& options) {
  const auto n = static_cast<std::uint32_t>(n_ranks());
  const std::size_t size = values.view().size();
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    if (rank()() % (2 * distance) != 0) {
      send(in(values.handle), Rank(rank()() - distance), options);
      return;
    }
    if (rank()() + distance >= n) continue;
    auto theirs = data<T>(std::string(name) + " from", size);
    recv(out(theirs), Rank(rank()() + distance), options);
    task(
        name, uses(in(theirs), inout(values.handle)),
        [combine](std::span<const T> b, std::span<T> a) {
          for (std::size_t i = 0; i < a.size(); ++i) a[i] = combine(a[i], b[i]);
        },
        options);
  }
}

template <Sendable T>
void Recorder::broadcast(const Use<Mode::inout, DataRef<T>>& values, Rank root,
                         const TaskOptions& options) {
  const auto n = static_cast<std::uint32_t>(n_ranks());
  if (root() >= n)
    throw Error("broadcast from rank " + std::to_string(root()) + " (there are ranks 0 to " +
                std::to_string(n - 1) + "); name one of them");
  const std::uint32_t place = (rank()() + n - root()) % n;  // in the binomial tree below the root
  std::uint32_t distance = 1;
  while (distance < n && (place & distance) == 0) distance *= 2;
  if (place != 0) recv(out(values.handle), Rank((rank()() + n - distance) % n), options);
  while ((distance /= 2) > 0)
    if (place + distance < n) send(in(values.handle), Rank((rank()() + distance) % n), options);
}

}  // namespace thalweg::flow

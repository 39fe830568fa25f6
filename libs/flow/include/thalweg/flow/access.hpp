// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/strong_id.hpp>

namespace thalweg::flow {

/// A piece of data that tasks are ordered by: dense within a recording, not an address.
using DatumId = StrongId<struct DatumOf>;
/// A node of a recording or graph, in recording order.
using TaskId = StrongId<struct TaskOf>;

/// What a task does with a datum.
enum class Mode : std::uint8_t {
  in,     ///< reads it
  out,    ///< overwrites it without looking
  inout,  ///< reads and writes it
};

/// A part of a datum, [begin, end), in whatever unit its tasks agree on: elements, for arrays.
struct Range {
  static constexpr std::uint32_t no_end = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t begin = 0;
  std::uint32_t end = no_end;

  /// Elements [first, last) of an array. @pre first <= last
  /// @errors throws RankError where they lie beyond 2^32 - 2
  static Range of(std::size_t first, std::size_t last) {
    THALWEG_EXPECT(first <= last, "a range begins before it ends");
    if (last >= no_end)
      throw RankError("elements up to " + std::to_string(last) +
                      " of an array (tasks name those below 4294967295); cut it into several");
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
  }
  bool is_whole() const { return begin == 0 && end == no_end; }
  bool is_empty() const { return begin == end; }
  bool overlaps(Range other) const {
    return begin < other.end && other.begin < end && !is_empty() && !other.is_empty();
  }
  bool operator==(const Range&) const = default;
};

/// One datum, or a part of it, and what a task does with it.
struct Access {
  DatumId datum;
  Mode mode = Mode::in;
  Range range{};

  bool operator==(const Access&) const = default;
};

/// A handle of data: names the datum, and gives views of it when the task runs.
///
/// Valid: Data<double>; a block's field with a View<double, 3>. Invalid: std::span (no datum()).
template <class H>
concept Datum = std::copyable<H> && requires(const H& handle) {
  { handle.datum() } -> std::convertible_to<DatumId>;
  handle.view();
  handle.const_view();
};

/// A handle of a part of a datum: says which.
///
/// Valid: what Data::range gives. Invalid: Data itself, which is all of its datum.
template <class H>
concept PartOfDatum = Datum<H> && requires(const H& handle) {
  { handle.extent() } -> std::convertible_to<Range>;
};

/// A handle that owns its data and has a lighter one that does not, which is what bodies keep.
template <class H>
concept Borrowable = requires(const H& handle) {
  { handle.borrow() } -> Datum;
};

/// A handle with a mode: gives the access, and the view that the mode allows.
template <Mode mode, Datum H>
struct Use {
  H handle;

  Access access() const {
    if constexpr (PartOfDatum<H>)
      return {handle.datum(), mode, handle.extent()};
    else
      return {handle.datum(), mode};
  }
  auto view() const {
    if constexpr (mode == Mode::in)
      return handle.const_view();
    else
      return handle.view();
  }
};

namespace detail {
/// What a use keeps of a handle.
template <Datum H>
auto borrowed(const H& handle) {
  if constexpr (Borrowable<H>)
    return handle.borrow();
  else
    return handle;
}
template <Mode mode, Datum H>
auto use(const H& handle) {
  return Use<mode, decltype(borrowed(handle))>{borrowed(handle)};
}
}  // namespace detail

/// The task reads it: the body gets the view for reading.
template <Datum H>
auto in(const H& handle) {
  return detail::use<Mode::in>(handle);
}
/// The task overwrites it without looking.
template <Datum H>
auto out(const H& handle) {
  return detail::use<Mode::out>(handle);
}
/// The task reads and writes it.
template <Datum H>
auto inout(const H& handle) {
  return detail::use<Mode::inout>(handle);
}

/// What a task uses, in the order its body gets the views.
template <class... U>
std::tuple<U...> uses(U... use) {
  return {std::move(use)...};
}

}  // namespace thalweg::flow

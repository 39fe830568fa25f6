// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstdint>
#include <tuple>
#include <utility>

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

/// One datum and what a task does with it.
struct Access {
  DatumId datum;
  Mode mode = Mode::in;

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

/// A handle that owns its data and has a lighter one that does not, which is what bodies keep.
template <class H>
concept Borrowable = requires(const H& handle) {
  { handle.borrow() } -> Datum;
};

/// A handle with a mode: gives the access, and the view that the mode allows.
template <Mode mode, Datum H>
struct Use {
  H handle;

  Access access() const { return {handle.datum(), mode}; }
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

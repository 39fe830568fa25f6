// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/flow/access.hpp>
#include <thalweg/flow/data.hpp>
#include <thalweg/flow/task.hpp>

namespace thalweg::flow {

/// A task's contribution to an array: what its body puts into a view of its own is combined with
/// the array later, in the order the tasks were recorded. Made by reduce().
template <class T, class Op>
struct Reduction {
  DataRef<T> target;
  Op op;
  T identity;                           ///< what the view holds when the body starts
  std::optional<DataRef<T>> partial{};  ///< the recorder's

  /// Of a task that was recorded, the view of its own; else, as a nest declares it, the array.
  Access access() const {
    return partial ? Access{partial->datum(), Mode::out} : Access{target.datum(), Mode::inout};
  }
  std::span<T> view() const {
    std::ranges::fill(partial->view(), identity);
    return partial->view();
  }
};

/// The task contributes to it: the body gets a view of its own, filled with the identity.
///
/// Tasks that contribute to one array run at the same time. As soon as it is used otherwise, and at
/// the end of the recording, a node combines: array = op(op(array, first), second) ... element by
/// element, so the bits depend on the order of recording only. Parts of arrays cannot be reduced.
/// @param op an operation without state, such as std::plus<> or a lambda that captures nothing
/// @cost memory of an array for each such task
template <Datum H, class T, class Op>
auto reduce(const H& handle, Op op, T identity) {
  static_assert(std::is_empty_v<Op>,
                "an operation without state is needed (two of one type would be taken for one); "
                "write a lambda that captures nothing, also around a function");
  static_assert(!PartOfDatum<H>,
                "a part of an array cannot be reduced (a node combines the whole array); name the "
                "array");
  return Reduction<T, Op>{.target = detail::borrowed(handle), .op = op, .identity = identity};
}

namespace detail {

template <class U>
inline constexpr bool is_reduction = false;
template <class T, class Op>
inline constexpr bool is_reduction<Reduction<T, Op>> = true;

/// Combines what tasks have contributed with the array.
template <class T, class Op>
struct Combiner {
  DataRef<T> target;
  Op op;
  std::vector<std::span<const T>> partials;

  static void invoke(void* self, TaskContext&) {
    auto& [target, op, partials] = *static_cast<Combiner*>(self);
    const std::span<T> values = target.view();
    for (const std::span<const T> partial : partials)
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = op(values[i], partial[i]);
  }
};

}  // namespace detail
}  // namespace thalweg::flow

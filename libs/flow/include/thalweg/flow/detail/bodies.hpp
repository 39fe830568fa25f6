// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/task.hpp>

namespace thalweg::flow {

/// What can run as a task on these uses: takes their views, and the context if it likes.
///
/// Valid: [](std::span<const double> u, std::span<double> v) {...} for uses(in(u), out(v)).
/// Invalid: the same with std::span<double> u, because `in` data is read only; or with `auto
/// context` at the end, because the context cannot be copied (TaskContext& or auto& takes it).
template <class F, class... U>
concept BodyOf = std::invocable<F&, decltype(std::declval<const U&>().view())...> ||
                 std::invocable<F&, decltype(std::declval<const U&>().view())..., TaskContext&>;

namespace detail {

/// What a node runs.
struct Body {
  void* object = nullptr;
  void (*invoke)(void* object, TaskContext&) = nullptr;
  bool is_coroutine = false;  ///< it may wait in the middle
};

/// Whether these are the frames of a coroutine.
template <class FramesOfF>
inline constexpr bool is_coroutine = std::is_same_v<FramesOfF, Frames<Coroutine>>;

/// A function and what it uses.
template <class F, class... U>
struct BoundBody {
  using FramesOfF = decltype(frames_of<F, decltype(std::declval<const U&>().view())...>());

  std::tuple<U...> uses;
  F f;
  [[no_unique_address]] FramesOfF frames{};

  Body body() { return {this, &invoke, is_coroutine<FramesOfF>}; }
  static void invoke(void* self, TaskContext& context) {
    auto& [bound_uses, function, own_frames] = *static_cast<BoundBody*>(self);
    std::apply(
        [&](const U&... use) {
          if constexpr (std::invocable<F&, decltype(use.view())..., TaskContext&>)
            own_frames.call(context, [&](TaskContext& c) { return function(use.view()..., c); });
          else
            function(use.view()...);
        },
        bound_uses);
  }
};

/// A function that knows what it uses.
template <class F>
struct PlainBody {
  using FramesOfF = decltype(frames_of<F>());

  F f;
  [[no_unique_address]] FramesOfF frames{};

  Body body() { return {this, &invoke, is_coroutine<FramesOfF>}; }
  static void invoke(void* self, TaskContext& context) {
    auto& [function, own_frames] = *static_cast<PlainBody*>(self);
    own_frames.call(context, [&](TaskContext& c) { return function(c); });
  }
};

/// Several bodies that one node runs in the order they were recorded.
struct FusedBodies {
  struct Part {
    void* object = nullptr;
    void (*invoke)(void* object, TaskContext&) = nullptr;
    std::uint64_t block = 0;   ///< of its task
    bool uses_others = false;  ///< what bodies before it use, one of them writing
  };
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::span<Part> parts;
  std::uint32_t n = 0;           ///< so many are there
  std::uint32_t running = none;  ///< the part that runs, or has failed, for messages

  /// @errors Error where a body binds requests and a later one uses what they are about
  static void invoke(void* self, TaskContext& context) {
    FusedBodies& bodies = *static_cast<FusedBodies*>(self);
    // One that writes nothing may run in two replays at once: then it is a part of one of them.
    const std::atomic_ref running(bodies.running);
    for (std::uint32_t i = 0; i < bodies.n; ++i) {
      const Part& part = bodies.parts[i];
      running.store(i, std::memory_order_relaxed);
      if (part.uses_others && context.has_bound())
        throw Error(
            "requests were bound and a task that uses the same data is part of the same node (it "
            "would run before they are over); let tasks that bind requests have another name, or "
            "record with grain = 1");
      part.invoke(part.object, context);
    }
    running.store(none, std::memory_order_relaxed);
  }
};

template <class... U>
std::array<Access, sizeof...(U)> access_list(const std::tuple<U...>& uses) {
  return std::apply(
      [](const U&... use) { return std::array<Access, sizeof...(U)>{use.access()...}; }, uses);
}

}  // namespace detail
}  // namespace thalweg::flow

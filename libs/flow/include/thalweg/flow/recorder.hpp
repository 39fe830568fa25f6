// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/data.hpp>
#include <thalweg/flow/detail/recording.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/task.hpp>

namespace thalweg::flow {

/// What can run as a task on these uses: takes their views, and the context if it likes.
///
/// Valid: [](std::span<const double> u, std::span<double> v) {...} for uses(in(u), out(v)).
/// Invalid: the same with std::span<double> u, because `in` data is read only.
template <class F, class... U>
concept BodyOf = std::invocable<F&, decltype(std::declval<const U&>().view())...> ||
                 std::invocable<F&, decltype(std::declval<const U&>().view())..., TaskContext&>;

/// Records tasks in program order and finds out what depends on what.
///
/// Two tasks that use one datum, of which at least one writes it, are ordered as recorded.
/// @threads one
class Recorder {
 public:
  Recorder(Rank rank, int n_ranks);

  Rank rank() const { return recording_.rank; }
  int n_ranks() const { return recording_.n_ranks; }
  std::size_t n_tasks() const { return recording_.nodes.size(); }

  /// Name a datum whose storage belongs to someone else.
  DatumId datum(std::string name);
  /// Make an array that lives as long as the recording, its graph or a handle.
  template <class T>
  Data<T> data(std::string name, std::size_t n, T init = {}) {
    std::shared_ptr<T[]> values = std::make_shared<T[]>(n, init);
    recording_.storage.push_back(values);
    return {datum(std::move(name)), std::move(values), n};
  }

  /// Record a task that gets views of what it uses: body(views...) or body(views..., TaskContext&).
  template <class... U, class F>
    requires BodyOf<F, U...>
  TaskId task(std::string_view name, std::tuple<U...> uses, F body,
              const TaskOptions& options = {}) {
    const auto accesses = access_list(uses);
    using Bound = BoundBody<F, U...>;
    Bound* bound = recording_.bodies.make(Bound{std::move(uses), std::move(body), {}});
    return add_task(name, accesses, bound, &Bound::invoke, options);
  }
  /// Record a task whose accesses are decided at run time; the body knows where its data are.
  /// @param accesses anything that converts to std::span<const Access>
  template <std::convertible_to<std::span<const Access>> Accesses, class F>
    requires std::invocable<F&, TaskContext&>
  TaskId task(std::string_view name, const Accesses& accesses, F body,
              const TaskOptions& options = {}) {
    using Plain = PlainBody<F>;
    Plain* stored = recording_.bodies.make(Plain{std::move(body), {}});
    return add_task(name, accesses, stored, &Plain::invoke, options);
  }

  /// Record the sending of bytes; completes when they may be overwritten.
  /// @errors Error where a recording has more than 32,768 messages to one rank
  TaskId send(DatumId datum, std::span<const std::byte> bytes, Rank to,
              const TaskOptions& options = {});
  /// Record the receiving of exactly so many bytes.
  /// @errors Error where a recording has more than 32,768 messages from one rank
  TaskId recv(DatumId datum, std::span<std::byte> bytes, Rank from,
              const TaskOptions& options = {});
  /// Send the values the handle has at the time of recording.
  template <Datum H>
  TaskId send(const Use<Mode::in, H>& use, Rank to, const TaskOptions& options = {}) {
    return send(use.handle.datum(), std::as_bytes(std::span(use.view())), to, options);
  }
  /// Receive into the values the handle has at the time of recording.
  template <Datum H>
  TaskId recv(const Use<Mode::out, H>& use, Rank from, const TaskOptions& options = {}) {
    return recv(use.handle.datum(), std::as_writable_bytes(std::span(use.view())), from, options);
  }

  /// Combine the values of all ranks, component by component; every rank gets the same bits.
  ///
  /// @pre combine(a, b) is idempotent, commutative and exactly associative, as Min and Max are
  /// @source Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", IJPP 17 (1988)
  template <std::regular_invocable<double, double> F>
  void all_reduce(std::string_view name, const Use<Mode::inout, DataRef<double>>& values, F combine,
                  const TaskOptions& options = {});
  /// Combine the values of all ranks on rank 0 by a binomial tree; other ranks' become partial.
  ///
  /// The order of combining is fixed by the number of ranks.
  template <std::regular_invocable<double, double> F>
  void reduce_to_root(std::string_view name, const Use<Mode::inout, DataRef<double>>& values,
                      F combine, const TaskOptions& options = {});

  /// Begin a phase: what the models put barriers between.
  void phase(std::string_view name, PhaseKind kind);

  /// Let one task run only after another, whatever they use.
  /// @pre no cycle comes of it: a run of such a graph fails, naming the tasks
  void after(TaskId first, TaskId then);

 private:
  friend class Graph;

  template <class F, class... Views>
  using FramesOf = decltype(detail::frames_of<F, Views...>());
  template <class F, class... U>
  struct BoundBody {
    std::tuple<U...> uses;
    F body;
    [[no_unique_address]] FramesOf<F, decltype(std::declval<const U&>().view())...> frames{};

    static void invoke(void* self, TaskContext& context) {
      auto& [bound_uses, f, own_frames] = *static_cast<BoundBody*>(self);
      std::apply(
          [&](const U&... use) {
            if constexpr (std::invocable<F&, decltype(use.view())..., TaskContext&>)
              own_frames.call(context, [&](TaskContext& c) { return f(use.view()..., c); });
            else
              f(use.view()...);
          },
          bound_uses);
    }
  };
  template <class F>
  struct PlainBody {
    F body;
    [[no_unique_address]] FramesOf<F> frames{};

    static void invoke(void* self, TaskContext& context) {
      auto& [f, own_frames] = *static_cast<PlainBody*>(self);
      own_frames.call(context, [&](TaskContext& c) { return f(c); });
    }
  };
  template <class... U>
  static std::array<Access, sizeof...(U)> access_list(const std::tuple<U...>& uses) {
    return std::apply(
        [](const U&... use) { return std::array<Access, sizeof...(U)>{use.access()...}; }, uses);
  }

  TaskId add_task(std::string_view name, std::span<const Access> accesses, void* body,
                  void (*invoke)(void*, TaskContext&), const TaskOptions& options);
  TaskId add_message(NodeKind kind, const Message& message, Access access,
                     const TaskOptions& options);
  TaskId add_node(Node node, std::span<const Access> accesses);
  void discover(std::uint32_t task, Access access);
  void depend(std::uint32_t task, std::uint32_t on);
  Tag next_tag(NodeKind kind, Rank peer);

  struct PeerTags {
    std::uint32_t n_sent = 0;
    std::uint32_t n_received = 0;
  };
  detail::Recording recording_;
  std::unordered_map<Rank, PeerTags> tags_;
  std::vector<std::uint32_t> stamp_;  ///< of task t: 1 + the last task found to depend on t
  bool has_decider_ = false;
};

template <std::regular_invocable<double, double> F>
void Recorder::all_reduce(std::string_view name, const Use<Mode::inout, DataRef<double>>& values,
                          F combine, const TaskOptions& options) {
  const auto n = static_cast<std::uint32_t>(n_ranks());
  const std::size_t size = values.view().size();
  DataRef<double> mine = values.handle;
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    auto theirs = data<double>(std::string(name) + " from", size);
    send(in(mine), Rank((rank()() + distance) % n), options);
    recv(out(theirs), Rank((rank()() + n - distance) % n), options);
    // A fresh array for each partial result: combining does not wait for the send to complete.
    const bool is_last = 2 * distance >= n;
    const DataRef<double> next =
        is_last ? values.handle : data<double>(std::string(name) + " partial", size).borrow();
    if (is_last && mine.datum() == next.datum()) {
      task(
          name, uses(in(theirs), inout(next)),
          [combine](std::span<const double> b, std::span<double> a) {
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = combine(a[i], b[i]);
          },
          options);
    } else {
      task(
          name, uses(in(mine), in(theirs), out(next)),
          [combine](std::span<const double> a, std::span<const double> b, std::span<double> c) {
            for (std::size_t i = 0; i < c.size(); ++i) c[i] = combine(a[i], b[i]);
          },
          options);
    }
    mine = next;
  }
}

template <std::regular_invocable<double, double> F>
void Recorder::reduce_to_root(std::string_view name,
                              const Use<Mode::inout, DataRef<double>>& values, F combine,
                              const TaskOptions& options) {
  const auto n = static_cast<std::uint32_t>(n_ranks());
  const std::size_t size = values.view().size();
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    if (rank()() % (2 * distance) != 0) {
      send(in(values.handle), Rank(rank()() - distance), options);
      return;
    }
    if (rank()() + distance >= n) continue;
    auto theirs = data<double>(std::string(name) + " from", size);
    recv(out(theirs), Rank(rank()() + distance), options);
    task(
        name, uses(in(theirs), inout(values.handle)),
        [combine](std::span<const double> b, std::span<double> a) {
          for (std::size_t i = 0; i < a.size(); ++i) a[i] = combine(a[i], b[i]);
        },
        options);
  }
}

}  // namespace thalweg::flow

// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <typeindex>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/data.hpp>
#include <thalweg/flow/detail/bodies.hpp>
#include <thalweg/flow/detail/recording.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/reduction.hpp>
#include <thalweg/flow/sendable.hpp>
#include <thalweg/flow/task.hpp>

namespace thalweg::flow {

class Graph;

/// Records tasks in program order and finds out what depends on what.
///
/// Two tasks that use one datum, of which at least one writes it, are ordered as recorded; where
/// they use parts of it, if the parts overlap.
/// @threads one
/// @errors Error where anything is recorded after it was captured or moved, or a range of an access
///         ends before it begins
class Recorder {
 public:
  /// @errors Error where there is no such rank, or the grain is out of range
  Recorder(Rank rank, int n_ranks, const RecorderConfig& config = {});
  /// Record anew in the memory of a graph that is no longer needed; of the graph nothing is kept.
  /// Handles of its data still show their values, but are data of another recorder now.
  ///
  /// Memory that the system has not seen for a while costs more than all of recording does.
  static Recorder replacing(Graph&& graph);

  Rank rank() const { return recording_.rank; }
  int n_ranks() const { return recording_.n_ranks; }
  const RecorderConfig& config() const { return recording_.config; }
  /// How many nodes there are so far: tasks, or groups of them, and messages.
  std::size_t n_tasks() const { return recording_.access_begin.size(); }

  /// Name a datum whose storage belongs to someone else.
  DatumId datum(std::string name);
  /// Make an array that lives as long as the recording, its graph or a handle.
  /// @errors Error where no memory holds n, as where it was a negative number; so below
  template <class T>
  Data<T> data(std::string name, std::size_t n, T init = {}) {
    require_size<T>(name, n);
    return keep<T>(std::move(name), std::make_shared<T[]>(n, init), n);
  }
  /// The same without values, for what is written as a whole before it is read: a buffer of a
  /// message. A graph that is never run then costs no memory for it.
  template <std::default_initializable T>
  Data<T> data_unset(std::string name, std::size_t n) {
    require_size<T>(name, n);
    auto values = config().is_for_inspection ? recording_.parts.addresses.take<T>(n)
                                             : std::make_shared_for_overwrite<T[]>(n);
    return keep<T>(std::move(name), std::move(values), n);
  }
  /// Make an array of plain values that is no datum and lives as long as the recording and its
  /// graph: lists that bodies keep take no heap call each.
  template <class T>
  std::span<T> array(std::size_t n) {
    require_open();
    require_size<T>("array", n);
    return recording_.parts.bodies.template make_array<T>(n);
  }

  /// Record a task that gets views of what it uses: body(views...) or body(views..., TaskContext&).
  ///
  /// One that writes nothing may run at the same time as itself in the next replay: what its body
  /// changes must be a datum that it declares.
  template <class... U, class F>
    requires BodyOf<F, U...>
  TaskId task(std::string_view name, std::tuple<U...> uses, F body,
              const TaskOptions& options = {}) {
    std::apply([&](const U&... use) { (require_own(use), ...); }, uses);
    if constexpr ((detail::is_reduction<U> || ...))
      contribute(uses);
    else
      close_reductions(uses);
    const auto accesses = detail::access_list(uses);
    using Bound = detail::BoundBody<F, U...>;
    Bound* bound = recording_.parts.bodies.make(Bound{std::move(uses), std::move(body), {}});
    return add_task(name, accesses, bound->body(), options);
  }
  /// Record a task whose accesses are decided at run time; the body knows where its data are.
  /// @param accesses anything that converts to std::span<const Access>
  template <std::convertible_to<std::span<const Access>> Accesses, class F>
    requires std::invocable<F&, TaskContext&>
  TaskId task(std::string_view name, const Accesses& accesses, F body,
              const TaskOptions& options = {}) {
    close_reductions(accesses);
    auto* plain = recording_.parts.bodies.make(detail::PlainBody<F>{std::move(body), {}});
    return add_task(name, accesses, plain->body(), options);
  }
  /// Only says why a body is refused, in place of a list of what it is not.
  template <class... U, class F>
  TaskId task(std::string_view, std::tuple<U...>, F, const TaskOptions& = {}) {
    static_assert(BodyOf<F, U...>,
                  "the body does not fit what the task uses (it is called with the view of each "
                  "use, in that order); take these by value, those of in() as std::span<const T>, "
                  "and then a TaskContext& or nothing");
    return {};
  }
  template <std::convertible_to<std::span<const Access>> Accesses, class F>
  TaskId task(std::string_view, const Accesses&, F, const TaskOptions& = {}) {
    static_assert(std::invocable<F&, TaskContext&>,
                  "the body of a task with a list of accesses takes a TaskContext& alone (it knows "
                  "where its data are)");
    return {};
  }

  // Sends and receives: @errors Error where there is no such rank

  /// Record the sending of bytes; completes when they may be overwritten.
  TaskId send(const Access& access, std::span<const std::byte> bytes, Rank to,
              const TaskOptions& options = {});
  TaskId send(DatumId datum, std::span<const std::byte> bytes, Rank to,
              const TaskOptions& options = {}) {
    return send(Access{datum, Mode::in}, bytes, to, options);
  }
  /// Record the receiving of exactly so many bytes.
  TaskId recv(const Access& access, std::span<std::byte> bytes, Rank from,
              const TaskOptions& options = {});
  TaskId recv(DatumId datum, std::span<std::byte> bytes, Rank from,
              const TaskOptions& options = {}) {
    return recv(Access{datum, Mode::out}, bytes, from, options);
  }
  /// Send the values the handle has at the time of recording.
  template <SendableDatum H>
  TaskId send(const Use<Mode::in, H>& use, Rank to, const TaskOptions& options = {}) {
    require_own(use);
    return send(use.access(), std::as_bytes(std::span(use.view())), to, options);
  }
  /// Receive into the values the handle has at the time of recording.
  template <SendableDatum H>
  TaskId recv(const Use<Mode::out, H>& use, Rank from, const TaskOptions& options = {}) {
    require_own(use);
    return recv(use.access(), std::as_writable_bytes(std::span(use.view())), from, options);
  }

  // Collectives are of whole arrays: copy a part into an array of its own first.

  /// Combine the values of all ranks, component by component; every rank gets the same bits.
  ///
  /// Also for operations that round, but then another number of ranks may give other bits.
  /// @cost floor(log2 P) rounds, and 2 more where P is no power of two
  template <Sendable T, std::regular_invocable<T, T> F>
  void all_reduce(std::string_view name, const Use<Mode::inout, DataRef<T>>& values, F combine,
                  const TaskOptions& options = {});
  /// The same in the order of reduce_to_root(): what rank 0 alone would get has these bits.
  /// @cost 2 log P rounds
  template <Sendable T, std::regular_invocable<T, T> F>
  void all_reduce_ordered(std::string_view name, const Use<Mode::inout, DataRef<T>>& values,
                          F combine, const TaskOptions& options = {});
  /// Add up all terms of all ranks, rounded once: the same bits however the terms are distributed.
  /// @cost all_reduce's rounds, of 576 bytes  @errors Error where `sum` is not one number
  void all_reduce_exact_sum(std::string_view name, const Use<Mode::in, DataRef<double>>& terms,
                            const Use<Mode::out, DataRef<double>>& sum,
                            const TaskOptions& options = {});
  /// Combine the values of all ranks on rank 0 by a binomial tree; other ranks' become partial.
  ///
  /// The order of combining is fixed by the number of ranks.
  template <Sendable T, std::regular_invocable<T, T> F>
  void reduce_to_root(std::string_view name, const Use<Mode::inout, DataRef<T>>& values, F combine,
                      const TaskOptions& options = {});
  /// Give every rank the values of one of them. @cost log P rounds
  template <Sendable T>
  void broadcast(const Use<Mode::inout, DataRef<T>>& values, Rank root,
                 const TaskOptions& options = {});
  /// Let no task recorded later that uses these data start before all ranks have come here with
  /// those recorded earlier. @cost all_reduce's
  void barrier(std::string_view name, std::span<const DatumId> data,
               const TaskOptions& options = {});

  /// Begin a phase: what the models put barriers between.
  void phase(std::string_view name, PhaseKind kind);

  /// Let one task run only after another, whatever they use: within each replay, not from one to
  /// the next.
  ///
  /// Tasks of one node (see RecorderConfig::grain) run in recording order: between two of them this
  /// changes nothing, also where `then` was recorded before `first`.
  /// @pre no cycle comes of it: a run of such a graph fails, naming the tasks
  /// @errors Error where a task is none of those recorded so far
  void after(TaskId first, TaskId then);

  /// Record tasks that belong together: they are called "name/...", and what they use of what was
  /// made before must be declared here. They depend on others one by one; nests may be nested.
  /// @errors Error that names the task and the datum where a task uses what was not declared
  template <class... U, std::invocable<Recorder&> F>
  void nested(std::string_view name, const std::tuple<U...>& uses, F record) {
    nested(name, detail::access_list(uses), std::move(record));
  }
  template <std::convertible_to<std::span<const Access>> Accesses, std::invocable<Recorder&> F>
  void nested(std::string_view name, const Accesses& accesses, F record) {
    open_nest(name, accesses);
    const NestEnd end(nests_);
    record(*this);
  }

 private:
  template <class T>
  static void require_size(std::string_view name, std::size_t n) {
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) [[unlikely]]
      refuse_size(name, n);
  }
  [[noreturn]] static void refuse_size(std::string_view name, std::size_t n);
  template <class T>
  Data<T> keep(std::string name, std::shared_ptr<T[]> values, std::size_t n) {
    recording_.parts.storage.push_back(values);
    recording_.parts.storage_bytes += n * sizeof(T);
    return {datum(std::move(name)), std::move(values), n, recording_.recorder};
  }
  /// Data of another recorder have a number that may name something else here. @pre they are not
  template <class U>
  void require_own(const U& use) const {
    if constexpr (detail::is_reduction<U>)
      require_own(in(use.target));
    else if constexpr (requires { use.handle.recorder(); })
      THALWEG_EXPECT(use.handle.recorder() == recording_.recorder || use.handle.recorder() == 0,
                     "data of another recorder, or of a graph that was replaced (their number "
                     "names other data here); make them by this one, or name the memory anew: "
                     "DataRef<T>(r.datum(name), handle.view())");
  }
  friend class Graph;

  /// A call of nested() that has not returned.
  struct Nest {
    std::string prefix;
    std::vector<Access> declared;
    std::uint32_t first_task;
    std::uint32_t first_datum;
  };
  /// Leaves the innermost nest, also where an exception does.
  class NestEnd {
   public:
    explicit NestEnd(std::vector<Nest>& nests) : nests_(nests) {}
    ~NestEnd() { nests_.pop_back(); }
    NestEnd(const NestEnd&) = delete;
    NestEnd& operator=(const NestEnd&) = delete;

   private:
    std::vector<Nest>& nests_;
  };
  /// What tasks have contributed to a datum, not combined yet.
  struct OpenReduction {
    std::type_index kind;
    detail::Body combiner;
    std::vector<Access> accesses;
  };

  Recorder() = default;
  void begin();
  /// @errors Error where it was captured, or moved
  void require_open() const;
  /// What a graph is made of.
  detail::Recording finish() &&;

  std::uint32_t name_id(std::string_view name);
  TaskId add_task(std::string_view name, std::span<const Access> accesses, detail::Body body,
                  const TaskOptions& options);
  TaskId add_message(NodeKind kind, const Message& message, const Access& access,
                     const TaskOptions& options);
  TaskId add_node(const Node& node, std::span<const Access> accesses);
  /// @errors Error where a range ends before it begins
  void check_ranges(std::span<const Access> accesses) const;
  /// Whether one conflicts with another of the same node.
  bool add_accesses(std::uint32_t task, std::span<const Access> accesses);
  Tag next_tag(NodeKind kind, Rank peer);
  void claim_decision(std::uint32_t name);

  // Grain: recorder_grain.cpp.
  bool can_join_last(const Node& node) const;
  TaskId join_last(const Node& node, std::span<const Access> accesses);

  // Nests: recorder_nest.cpp.
  void open_nest(std::string_view name, std::span<const Access> accesses);
  void check_declared(std::string_view name, std::span<const Access> accesses) const;
  bool is_declared(const Access& access) const;

  // Reductions: recorder_reduce.cpp.
  template <class... U>
  void contribute(std::tuple<U...>& uses);
  template <class T, class Op>
  void contribute(Reduction<T, Op>& reduction);
  OpenReduction& open_reduction(DatumId target, std::type_index kind);
  void close_reduction(DatumId target);
  void close_reductions(std::span<const Access> accesses) {
    if (!reductions_.empty()) [[unlikely]]
      close_reductions_of(accesses);
  }
  template <class... U>
  void close_reductions(const std::tuple<U...>& uses) {
    if (!reductions_.empty()) [[unlikely]]
      close_reductions_of(detail::access_list(uses));
  }
  void close_reductions_of(std::span<const Access> accesses);
  void close_all_reductions();

  detail::Recording recording_;
  std::vector<Nest> nests_;
  std::map<DatumId, OpenReduction> reductions_;
  std::uint32_t n_joined_ = 0;  ///< tasks in the last node; 0: none can join it
};

template <class... U>
void Recorder::contribute(std::tuple<U...>& uses) {
  // A task that also uses the array itself sees it without its own contribution.
  const auto close_used = [&]<class Used>(const Used& use) {
    if constexpr (!detail::is_reduction<Used>) close_reductions(std::array{use.access()});
  };
  const auto contribute_one = [&]<class Used>(Used& use) {
    if constexpr (detail::is_reduction<Used>) contribute(use);
  };
  std::apply([&](U&... use) { (close_used(use), ...), (contribute_one(use), ...); }, uses);
}

template <class T, class Op>
void Recorder::contribute(Reduction<T, Op>& reduction) {
  using Combiner = detail::Combiner<T, Op>;
  const DataRef<T>& target = reduction.target;
  OpenReduction& open = open_reduction(target.datum(), typeid(Combiner));
  if (open.combiner.object == nullptr)
    open.combiner = {recording_.parts.bodies.make(Combiner{target, reduction.op, {}}),
                     &Combiner::invoke};
  reduction.partial = data<T>(recording_.datum_names[target.datum()()] + " partial",
                              target.view().size(), reduction.identity)
                          .borrow();
  static_cast<Combiner*>(open.combiner.object)->partials.push_back(reduction.partial->const_view());
  open.accesses.push_back({reduction.partial->datum(), Mode::in});
}

}  // namespace thalweg::flow

#include <thalweg/flow/detail/collective_nodes.hpp>

// SPDX-License-Identifier: MIT
// The third part of engine.cpp: how a run that does not go on is noticed, and what is said of it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine.hpp"

namespace thalweg::flow {

template <bool shared>
bool Engine<shared>::looks_stuck() const {
  // Only who is busy takes, makes or ends anything. So if all are idle from before the first look
  // to after the last, all was seen as it is, and if there is nothing then nothing will ever
  // happen.
  const auto n_changes_if_all_idle = [&] {
    std::optional<std::uint64_t> sum = serving_.n_changes_if_idle();
    for (const W& w : workers_)
      if (const auto n = w.busy.n_changes_if_idle(); sum && n)
        *sum += *n;
      else
        sum.reset();
    return sum;
  };
  const auto n_before = n_changes_if_all_idle();
  const bool is_anything_there =
      has_messages_to_post() || n_in_flight_.load(std::memory_order_acquire) != 0 ||
      is_done_.load(std::memory_order_acquire) || std::ranges::any_of(workers_, [](const W& w) {
        // Who is called may have something that a proxy has left.
        return has_mail(w) || !w.shared.is_empty() ||
               w.has_resumable.load(std::memory_order_acquire) ||
               (shared && w.is_wanted.load(std::memory_order_acquire));
      });
  return n_before && !is_anything_there && n_changes_if_all_idle() == n_before;
}

template <bool shared>
std::string Engine<shared>::lost_message() const {
  return "rank " + std::to_string(transport_.rank()()) +
         " has nothing to run and no message in flight, but is not finished after " +
         std::to_string(n_complete_.load()) +
         " replays (code that polls the transport beside this run has taken its messages" +
#ifdef THALWEG_CONTRACTS
         "; else it is a fault of the executor); leave the transport to the run";
#else
         ", or a task uses data of another recorder, or of a graph that was replaced; else it is a "
         "fault of the executor); leave the transport to the run, and try a library built with "
         "THALWEG_CONTRACTS=ON, which refuses such a task where it is recorded";
#endif
}

template <bool shared>
void Engine<shared>::watch() {
  if (!watchdog_.is_on()) return;
  // First who is running, then what is done: a task that ends in between is seen to be done.
  const bool is_running = is_any_running();
  const auto quiet_ns = watchdog_.look(clock_.now_ns(), n_done());
  // A task that takes its time is no hang.
  if (is_running) watchdog_.reset();
  if (is_running || !quiet_ns) return;
  // Whoever is inside the transport may just be getting what we wait for.
  if constexpr (shared)
    if (!transport_lock_.try_lock()) return;
  transport_.let_others_speak();
  fail(quiet_message(*quiet_ns));
  if constexpr (shared) transport_lock_.unlock();
}

template <bool shared>
std::uint64_t Engine<shared>::n_done() const {
  std::uint64_t n = n_messages_done_.load(std::memory_order_relaxed);
  for (const W& w : workers_) n += w.state.account.n_tasks();
  return n;
}

template <bool shared>
bool Engine<shared>::is_any_running() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const W& w) {
    return w.running.load(std::memory_order_acquire) != no_item;
  });
}

template <bool shared>
std::string Engine<shared>::quiet_message(std::int64_t quiet_ns) const {
  constexpr std::size_t n_named = 8;
  std::string text = "nothing has happened on rank " + std::to_string(transport_.rank()()) +
                     " for " + seconds_text(1e-9 * static_cast<double>(quiet_ns)) +
                     " s (the watchdog's limit is " + seconds_text(config_.watchdog_s) +
                     " s: ExecutorConfig::watchdog_s, in a deck run.watchdog); it waits for ";
  std::vector<Item> waiting;
  for (Item item = 0; item < is_in_flight_.size(); ++item)
    if (is_in_flight_[item] != 0) waiting.push_back(item);
  std::sort(waiting.begin(), waiting.end(), [&](Item a, Item b) {
    return std::pair(replay_of(a), node_of(a)) < std::pair(replay_of(b), node_of(b));
  });
  for (std::size_t i = 0; i < std::min(waiting.size(), n_named); ++i)
    text += (i == 0 ? "" : "; ") + describe_message(waiting[i]);
  if (waiting.size() > n_named)
    text += "; and " + std::to_string(waiting.size() - n_named) + " more messages";
  const std::string outside = describe_external();
  text += (waiting.empty() || outside.empty() ? "" : "; ") + outside;
  if (waiting.empty() && outside.empty()) text += "no message (a fault of the executor)";
  const std::uint64_t undecided = n_decided_.load(std::memory_order_relaxed);
  for (std::uint32_t t = 0;
       t < graph_->n_tasks() && graph_->has_termination_node() && !is_stopped_.load(); ++t)
    if (graph_->node(TaskId(t)).controls_termination && undecided < n_replays_)
      text += "; " + describe(TaskId(t), undecided) + ", which controls termination, has not run";
  return text;
}

template <bool shared>
std::string Engine<shared>::describe(TaskId node, std::uint64_t replay) const {
  return graph_->describe(node, replay, first_step_);
}

template <bool shared>
std::string Engine<shared>::describe_message(Item item) const {
  const TaskId id = node_of(item);
  const Message& m = graph_->message(graph_->node(id).message);
  const bool is_recv = graph_->node(id).kind == NodeKind::recv;
  std::string text = describe(id, replay_of(item)) + " to " + (is_recv ? "get '" : "send '") +
                     graph_->name(graph_->accesses(id)[0].datum) +
                     (is_recv ? "' from rank " : "' to rank ") + std::to_string(m.peer()) +
                     ", tag " + std::to_string(m.tag()) + ", " + std::to_string(m.n_bytes) +
                     " bytes";
  if (const auto waits = user_after(id)) text += ", for " + describe(*waits, replay_of(item));
  return text;
}

template <bool shared>
std::string Engine<shared>::describe_external() const {
  constexpr std::size_t n_named = 8;
  std::size_t n = 0;
  std::string text;
  external_.for_each([&](const PendingTask& pending) {
    if (++n > n_named) return;
    text += (n == 1 ? "" : "; ") + describe(node_of(pending.item), replay_of(pending.item));
    if (pending.n_bound != 0)
      text += ", which has run, for " + std::to_string(pending.n_bound) +
              (pending.n_bound == 1 ? " request it has bound" : " requests it has bound");
    if (pending.frame == nullptr) return;
    const detail::Awaited& a = pending.frame->awaited();
    if (a.kind == detail::Awaited::Kind::request) {
      text += ", suspended, for a request";
      return;
    }
    const bool is_recv = a.kind == detail::Awaited::Kind::recv;
    text += std::string(", suspended, to ") + (is_recv ? "get " : "send ") +
            std::to_string(is_recv ? a.target.size() : a.source.size()) + " bytes " +
            (is_recv ? "from rank " : "to rank ") + std::to_string(a.peer()) + ", tag " +
            std::to_string(a.tag());
  });
  if (n > n_named) text += "; and " + std::to_string(n - n_named) + " more tasks";
  return text;
}

template <bool shared>
std::optional<TaskId> Engine<shared>::user_after(TaskId message) const {
  // From the accesses, not the edges: in some models these lead to barriers.
  const Access own = graph_->accesses(message)[0];
  for (TaskId t(message() + 1); t() < graph_->n_tasks(); t = TaskId(t() + 1))
    for (const Access& a : graph_->accesses(t))
      if (a.datum == own.datum && (own.mode == Mode::out || a.mode != Mode::in)) return t;
  return std::nullopt;
}

template <bool shared>
Monitor::Subject Engine<shared>::subject() const {
  const auto look = [this](std::uint32_t worker) -> std::optional<Sighting> {
    const W& w = workers_[worker];
    const Item item = w.running.load(std::memory_order_acquire);
    if (item == no_item) return std::nullopt;
    return Sighting{item, w.state.account.n_tasks()};
  };
  const auto name = [this](Item item) { return describe(node_of(item), replay_of(item)); };
  return {.n_workers = static_cast<std::uint32_t>(workers_.size()), .look = look, .describe = name};
}

}  // namespace thalweg::flow

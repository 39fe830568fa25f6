// SPDX-License-Identifier: MIT
#include <thalweg/flow/recorder.hpp>

#include <algorithm>
#include <atomic>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/graph.hpp>

namespace thalweg::flow {
namespace {

constexpr std::uint32_t max_grain = 65536;

}  // namespace

Recorder::Recorder(Rank rank, int n_ranks, const RecorderConfig& config) {
  if (n_ranks < 1 || rank() >= static_cast<std::uint32_t>(n_ranks))
    throw Error("a recorder of rank " + std::to_string(rank()) + " of " + std::to_string(n_ranks) +
                " (there is no such rank); give it those of the transport");
  if (config.grain < 1 || config.grain > max_grain)
    throw Error("grain = " + std::to_string(config.grain) + " (must be 1 to " +
                std::to_string(max_grain) + ")");
  recording_.rank = rank;
  recording_.n_ranks = n_ranks;
  recording_.config = config;
  begin();
}

Recorder Recorder::replacing(Graph&& graph) {
  Recorder recorder;
  recorder.recording_ = std::move(graph.recording_);
  recorder.recording_.clear();
  recorder.begin();
  return recorder;
}

void Recorder::begin() {
  static std::atomic<std::uint32_t> n_recorders = 0;
  recording_.recorder = ++n_recorders;
  recording_.segments.push_back({0, recording_.names.intern("(start)"), PhaseKind::step});
}

void Recorder::require_open() const {
  if (!recording_.segments.empty()) [[likely]]
    return;
  throw Error(
      "a recorder is used that was captured, or moved, before (what it recorded is elsewhere, and "
      "grows no more); record all of it before, or anew");
}

void Recorder::refuse_size(std::string_view name, std::size_t n) {
  throw Error("'" + std::string(name) + "' of " + std::to_string(n) +
              " elements (no memory holds that; a negative number becomes such a size); give it "
              "how many there are");
}

detail::Recording Recorder::finish() && {
  require_open();
  close_all_reductions();
  return std::move(recording_);
}

DatumId Recorder::datum(std::string name) {
  require_open();
  recording_.datum_names.push_back(std::move(name));
  recording_.history.add_datum();
  return DatumId(recording_.datum_names.size() - 1);
}

TaskId Recorder::send(const Access& access, std::span<const std::byte> bytes, Rank to,
                      const TaskOptions& options) {
  Message message{.source = bytes.data(), .n_bytes = bytes.size(), .peer = to};
  return add_message(NodeKind::send, message, access, options);
}

TaskId Recorder::recv(const Access& access, std::span<std::byte> bytes, Rank from,
                      const TaskOptions& options) {
  Message message{.target = bytes.data(), .n_bytes = bytes.size(), .peer = from};
  return add_message(NodeKind::recv, message, access, options);
}

void Recorder::phase(std::string_view name, PhaseKind kind) {
  require_open();
  const auto first = static_cast<std::uint32_t>(n_tasks());
  const std::uint32_t id = recording_.names.intern(name);
  n_joined_ = 0;
  detail::Segment& last = recording_.segments.back();
  // A phase without tasks needs no barrier of its own, but passes on how deep it cut.
  if (last.first_task == first)
    last = {first, id, std::max(last.kind, kind)};
  else
    recording_.segments.push_back({first, id, kind});
}

void Recorder::after(TaskId first, TaskId then) {
  if (const TaskId last = std::max(first, then); last() >= n_tasks())
    throw Error("after() of task " + std::to_string(last()) + " (" + std::to_string(n_tasks()) +
                " are recorded, numbered from 0); give it what task(), send() and recv() return");
  if (first == then && config().grain > 1) return;  // joined: they run as recorded
  // What waits for the last node must not be waited for by a task that joins it later.
  if (then < first) n_joined_ = 0;
  recording_.explicit_edges.push_back({first(), then()});
}

std::uint32_t Recorder::name_id(std::string_view name) {
  if (nests_.empty()) [[likely]]
    return recording_.names.intern(name);
  return recording_.names.intern(nests_.back().prefix + std::string(name));
}

void Recorder::claim_decision(std::uint32_t name) {
  if (recording_.has_termination_node)
    throw Error("task '" + recording_.names[name] +
                "' is the second that decides whether the run goes on (a graph may have one); "
                "let it read what the other one found");
  recording_.has_termination_node = true;
}

TaskId Recorder::add_task(std::string_view name, std::span<const Access> accesses,
                          detail::Body body, const TaskOptions& options) {
  require_open();
  check_ranges(accesses);
  if (!nests_.empty()) check_declared(name, accesses);
  const std::uint32_t id = name_id(name);
  if (options.controls_termination) claim_decision(id);
  const Node node{.invoke = body.invoke,
                  .body = body.object,
                  .block = options.block,
                  .cost = options.cost,
                  .name = id,
                  .preferred_worker = options.preferred_worker,
                  .level = options.level,
                  .priority = options.priority,
                  .kind = NodeKind::task,
                  .controls_termination = options.controls_termination,
                  .is_coroutine = body.is_coroutine};
  if (!body.is_coroutine && can_join_last(node)) return join_last(node, accesses);
  const TaskId task = add_node(node, accesses);
  n_joined_ = body.is_coroutine ? 0 : 1;
  return task;
}

TaskId Recorder::add_message(NodeKind kind, const Message& message, const Access& access,
                             const TaskOptions& options) {
  require_open();
  const char* name = kind == NodeKind::send ? "send" : "recv";
  if (message.peer() >= static_cast<std::uint32_t>(n_ranks()))
    throw Error(std::string(name) + " of '" + recording_.datum_names[access.datum()] +
                (kind == NodeKind::send ? "' to rank " : "' from rank ") +
                std::to_string(message.peer()) + " (there are ranks 0 to " +
                std::to_string(n_ranks() - 1) + "); name one of them");
  check_ranges({&access, 1});
  if (!nests_.empty()) check_declared(name, {&access, 1});
  close_reductions({&access, 1});
  const auto index = static_cast<std::uint32_t>(recording_.messages.size());
  recording_.messages.push_back(message);
  recording_.messages.back().tag = next_tag(kind, message.peer);
  const TaskId id = add_node({.block = options.block,
                              .cost = options.cost,
                              .name = name_id(name),
                              .message = index,
                              .level = options.level,
                              .priority = options.priority,
                              .kind = kind},
                             {&access, 1});
  recording_.messages.back().node = id;
  return id;
}

TaskId Recorder::add_node(const Node& node, std::span<const Access> accesses) {
  const auto task = static_cast<std::uint32_t>(n_tasks());
  n_joined_ = 0;
  recording_.nodes.push_back(node);
  recording_.predecessors.open();
  recording_.access_begin.push_back(static_cast<std::uint32_t>(recording_.accesses.size()));
  add_accesses(task, accesses);
  return TaskId(task);
}

void Recorder::check_ranges(std::span<const Access> accesses) const {
  for (const Access& access : accesses) {
    const auto [begin, end] = access.range;
    if (begin <= end) [[likely]]
      continue;
    THALWEG_EXPECT(access.datum() < recording_.history.n_data(), "no such datum in this recording");
    throw Error("the use of '" + recording_.datum_names[access.datum()] + "' [" +
                std::to_string(begin) + ", " + std::to_string(end) +
                ") ends before it begins (a range goes from its first element to the one behind "
                "its last); swap the two numbers, or leave out a use of nothing");
  }
}

bool Recorder::add_accesses(std::uint32_t task, std::span<const Access> accesses) {
  bool uses_others = false;
  recording_.accesses.append(accesses);
  for (const Access& access : accesses) {
    THALWEG_EXPECT(access.datum() < recording_.history.n_data(), "no such datum in this recording");
    recording_.history.note(
        task, access,
        [&](std::uint32_t on) {
          if (on != task)
            recording_.predecessors.add(on);
          else
            uses_others = true;
        },
        [&](Range range) {
          recording_.boundary.push_back({task, {access.datum, access.mode, range}});
        });
  }
  return uses_others;
}

Tag Recorder::next_tag(NodeKind kind, Rank peer) {
  detail::PeerTags& tags = recording_.tags[peer];
  return Tag(kind == NodeKind::send ? tags.n_sent++ : tags.n_received++);
}

}  // namespace thalweg::flow

// SPDX-License-Identifier: MIT
#include <thalweg/flow/recorder.hpp>

#include <algorithm>

#include <thalweg/core/error.hpp>

namespace thalweg::flow {
namespace {

/// MPI promises that tags up to 32,767 exist (MPI 4.1, sec. 9.1.2, MPI_TAG_UB).
constexpr std::uint32_t n_tags = 32768;

}  // namespace

Recorder::Recorder(Rank rank, int n_ranks) {
  THALWEG_EXPECT(n_ranks > 0 && rank() < static_cast<std::uint32_t>(n_ranks), "no such rank");
  recording_.rank = rank;
  recording_.n_ranks = n_ranks;
  recording_.segments.push_back({0, recording_.names.intern("(start)"), PhaseKind::step});
}

DatumId Recorder::datum(std::string name) {
  recording_.datum_names.push_back(std::move(name));
  recording_.history.add_datum();
  return DatumId(recording_.datum_names.size() - 1);
}

TaskId Recorder::send(DatumId datum, std::span<const std::byte> bytes, Rank to,
                      const TaskOptions& options) {
  Message message{.source = bytes.data(), .n_bytes = bytes.size(), .peer = to};
  message.tag = next_tag(NodeKind::send, to);
  return add_message(NodeKind::send, message, {datum, Mode::in}, options);
}

TaskId Recorder::recv(DatumId datum, std::span<std::byte> bytes, Rank from,
                      const TaskOptions& options) {
  Message message{.target = bytes.data(), .n_bytes = bytes.size(), .peer = from};
  message.tag = next_tag(NodeKind::recv, from);
  return add_message(NodeKind::recv, message, {datum, Mode::out}, options);
}

void Recorder::phase(std::string_view name, PhaseKind kind) {
  const auto first = static_cast<std::uint32_t>(n_tasks());
  detail::Segment& last = recording_.segments.back();
  const std::uint32_t id = recording_.names.intern(name);
  // A phase without tasks needs no barrier of its own, but passes on how deep it cut.
  if (last.first_task == first)
    last = {first, id, std::max(last.kind, kind)};
  else
    recording_.segments.push_back({first, id, kind});
}

void Recorder::after(TaskId first, TaskId then) {
  THALWEG_EXPECT(first() < n_tasks() && then() < n_tasks(), "no such task");
  THALWEG_EXPECT(first != then, "a task cannot wait for itself");
  recording_.edges.push_back({first(), then()});
  if (then < first) recording_.has_edge_back = true;
}

TaskId Recorder::add_task(std::string_view name, std::span<const Access> accesses, void* body,
                          void (*invoke)(void*, TaskContext&), const TaskOptions& options) {
  if (options.decides && has_decider_)
    throw Error("task '" + std::string(name) +
                "' is the second that decides whether the run goes on (a graph may have one); "
                "let it read what the other one found");
  has_decider_ = has_decider_ || options.decides;
  return add_node({.invoke = invoke,
                   .body = body,
                   .block = options.block,
                   .cost = options.cost,
                   .name = recording_.names.intern(name),
                   .home_worker = options.home_worker,
                   .level = options.level,
                   .priority = options.priority,
                   .kind = NodeKind::task,
                   .decides = options.decides},
                  accesses);
}

TaskId Recorder::add_message(NodeKind kind, const Message& message, Access access,
                             const TaskOptions& options) {
  const auto index = static_cast<std::uint32_t>(recording_.messages.size());
  recording_.messages.push_back(message);
  const TaskId id =
      add_node({.block = options.block,
                .cost = options.cost,
                .name = recording_.names.intern(kind == NodeKind::send ? "send" : "recv"),
                .message = index,
                .level = options.level,
                .priority = options.priority,
                .kind = kind},
               {&access, 1});
  recording_.messages.back().node = id;
  return id;
}

TaskId Recorder::add_node(Node node, std::span<const Access> accesses) {
  const auto task = static_cast<std::uint32_t>(n_tasks());
  recording_.nodes.push_back(node);
  stamp_.push_back(0);
  for (const Access& access : accesses) discover(task, access);
  recording_.accesses.insert(recording_.accesses.end(), accesses.begin(), accesses.end());
  recording_.access_begin.push_back(static_cast<std::uint32_t>(recording_.accesses.size()));
  return TaskId(task);
}

void Recorder::discover(std::uint32_t task, Access access) {
  detail::AccessHistory& history = recording_.history;
  const DatumId d = access.datum;
  THALWEG_EXPECT(d() < history.n_data(), "no such datum in this recording");
  if (!history.is_written(d)) recording_.boundary.push_back({task, access});
  const auto writer = history.writer(d);
  if (access.mode == Mode::in) {
    if (writer) depend(task, *writer);
    history.add_reader(d, task);
    return;
  }
  // The readers come after the last writer, so whoever waits for them waits for it too.
  if (history.has_readers(d))
    history.for_each_reader(d, [&](std::uint32_t reader) { depend(task, reader); });
  else if (writer)
    depend(task, *writer);
  history.set_writer(d, task);
}

void Recorder::depend(std::uint32_t task, std::uint32_t on) {
  if (on == task || stamp_[on] == task + 1) return;
  stamp_[on] = task + 1;
  recording_.edges.push_back({on, task});
}

Tag Recorder::next_tag(NodeKind kind, Rank peer) {
  THALWEG_EXPECT(peer() < static_cast<std::uint32_t>(n_ranks()), "no such rank");
  PeerTags& tags = tags_[peer];
  std::uint32_t& n = kind == NodeKind::send ? tags.n_sent : tags.n_received;
  if (n == n_tags)
    throw Error("message " + std::to_string(n + 1) + " between ranks " + std::to_string(rank()()) +
                " and " + std::to_string(peer()) +
                " in one recording (MPI has tags for 32768); aggregate messages");
  return Tag(n++);
}

}  // namespace thalweg::flow

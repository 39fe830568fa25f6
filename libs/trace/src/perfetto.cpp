// SPDX-License-Identifier: MIT
#include <map>

#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

#include <thalweg/trace/file.hpp>
#include <thalweg/trace/messages.hpp>

#include "lanes.hpp"
#include "private_field.hpp"
#include "wire.hpp"

namespace thalweg::trace {
namespace {

using Writer = protozero::pbf_writer;

// Field numbers of Perfetto's messages, by their names there.
namespace trace_packet {
enum : std::uint32_t {
  timestamp = 8,
  trusted_packet_sequence_id = 10,
  track_event = 11,
  interned_data = 12,
  sequence_flags = 13,
  track_descriptor = 60,
};
enum : std::uint32_t { incremental_state_cleared = 1, needs_incremental_state = 2 };
}  // namespace trace_packet
namespace track_descriptor {
enum : std::uint32_t {
  uuid = 1,
  name = 2,
  process = 3,
  parent_uuid = 5,
  child_ordering = 11,
  sibling_order_rank = 12,
};
enum : std::uint32_t { explicit_order = 3 };
}  // namespace track_descriptor
namespace process_descriptor {
enum : std::uint32_t { pid = 1, process_name = 6 };
}
namespace track_event {
enum : std::uint32_t {
  category_iids = 3,
  debug_annotations = 4,
  type = 9,
  name_iid = 10,
  track_uuid = 11,
  flow_ids = 47,
  terminating_flow_ids = 48,
};
enum : std::uint32_t { slice_begin = 1, slice_end = 2 };
}  // namespace track_event
namespace interned_data {
enum : std::uint32_t { event_categories = 1, event_names = 2, debug_annotation_names = 3 };
enum : std::uint32_t { iid = 1, name = 2 };
}  // namespace interned_data
namespace debug_annotation {
enum : std::uint32_t { name_iid = 1, uint_value = 3, int_value = 4 };
}

// What events say besides their name.
enum Annotation : std::uint64_t { step = 1, block, level, node, peer, tag, bytes, replay };
constexpr const char* annotation_names[] = {"step", "block", "level", "node",
                                            "peer", "tag",   "bytes", "replay"};
enum Category : std::uint64_t { task = 1, send, recv, idle };
constexpr const char* category_names[] = {"task", "send", "recv", "idle"};

/// Writes the packets of one rank.
class Part {
 public:
  explicit Part(const RankTrace& trace) : trace_(trace), to_(bytes_) {
    add_names();
    add_tracks();
    for (std::uint32_t w = 0; w < trace.n_workers(); ++w)
      for (const Event& e : trace.events[w])
        if (e.kind == EventKind::task || e.kind == EventKind::idle) add_slice(e, worker_track(w));
    for (const InLane& m : messages_) add_slice(*m.event, lane_track(m.lane));
    Writer packet = begin_packet(0);
    wire::write(Writer(packet, record_field), trace);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::uint64_t process_track() const { return (std::uint64_t{trace_.rank()} + 1) << 32; }
  std::uint64_t worker_track(std::uint32_t worker) const { return process_track() + 1 + worker; }
  std::uint64_t lane_track(std::uint32_t lane) const {
    return process_track() + 1 + trace_.n_workers() + lane;
  }

  Writer begin_packet(std::uint32_t flags) {
    Writer packet(to_, 1);
    packet.add_uint32(trace_packet::trusted_packet_sequence_id, trace_.rank() + 1);
    if (flags != 0) packet.add_uint32(trace_packet::sequence_flags, flags);
    return packet;
  }

  static void add_name(Writer& to, std::uint32_t list, std::uint64_t iid, const std::string& name) {
    Writer entry(to, list);
    entry.add_uint64(interned_data::iid, iid);
    entry.add_string(interned_data::name, name);
  }

  /// Say once what the numbers of names stand for.
  void add_names() {
    for (const GraphInfo& graph : trace_.graphs)
      for (const std::string& name : graph.names) ids_.try_emplace(name, ids_.size() + 1);
    ids_.try_emplace("idle", ids_.size() + 1);
    Writer packet = begin_packet(trace_packet::incremental_state_cleared);
    Writer data(packet, trace_packet::interned_data);
    for (const auto& [name, id] : ids_) add_name(data, interned_data::event_names, id, name);
    std::uint64_t id = 0;
    for (const char* name : category_names)
      add_name(data, interned_data::event_categories, ++id, name);
    id = 0;
    for (const char* name : annotation_names)
      add_name(data, interned_data::debug_annotation_names, ++id, name);
  }

  void add_tracks() {
    {
      Writer packet = begin_packet(0);
      Writer track(packet, trace_packet::track_descriptor);
      track.add_uint64(track_descriptor::uuid, process_track());
      track.add_uint32(track_descriptor::child_ordering, track_descriptor::explicit_order);
      Writer process(track, track_descriptor::process);
      process.add_int32(process_descriptor::pid, static_cast<std::int32_t>(trace_.rank() + 1));
      process.add_string(process_descriptor::process_name, fmt::format("rank {}", trace_.rank()));
    }
    for (std::uint32_t w = 0; w < trace_.n_workers(); ++w)
      add_track(worker_track(w), fmt::format("worker {}", w));
    std::uint32_t n_lanes = 0;
    for (const InLane& m : messages_) n_lanes = std::max(n_lanes, m.lane + 1);
    for (std::uint32_t l = 0; l < n_lanes; ++l)
      add_track(lane_track(l), fmt::format("messages {}", l));
  }

  void add_track(std::uint64_t uuid, const std::string& name) {
    Writer packet = begin_packet(0);
    Writer track(packet, trace_packet::track_descriptor);
    track.add_uint64(track_descriptor::uuid, uuid);
    track.add_uint64(track_descriptor::parent_uuid, process_track());
    track.add_string(track_descriptor::name, name);
    track.add_int32(track_descriptor::sibling_order_rank,
                    static_cast<std::int32_t>(uuid - process_track()));
  }

  void add_slice(const Event& e, std::uint64_t track) {
    {
      Writer packet = begin_packet(trace_packet::needs_incremental_state);
      packet.add_uint64(trace_packet::timestamp, static_cast<std::uint64_t>(e.start_ns));
      Writer event(packet, trace_packet::track_event);
      event.add_uint32(track_event::type, track_event::slice_begin);
      event.add_uint64(track_event::track_uuid, track);
      const bool is_idle = e.kind == EventKind::idle;
      event.add_uint64(track_event::name_iid, ids_.at(is_idle ? "idle" : trace_.name_of(e)));
      event.add_uint64(track_event::category_iids,
                       static_cast<std::uint64_t>(e.kind) + Category::task);
      if (!is_idle) annotate(event, e);
      if (e.kind == EventKind::send)
        event.add_fixed64(track_event::flow_ids, message_id(message_key(trace_, e)));
    }
    Writer packet = begin_packet(trace_packet::needs_incremental_state);
    packet.add_uint64(trace_packet::timestamp, static_cast<std::uint64_t>(e.end_ns));
    Writer event(packet, trace_packet::track_event);
    event.add_uint32(track_event::type, track_event::slice_end);
    event.add_uint64(track_event::track_uuid, track);
    // At its end: a receive is posted before its message is sent, and an arrow does not go back.
    if (e.kind == EventKind::recv)
      event.add_fixed64(track_event::terminating_flow_ids, message_id(message_key(trace_, e)));
  }

  static Writer begin_annotation(Writer& event, Annotation name) {
    Writer annotation(event, track_event::debug_annotations);
    annotation.add_uint64(debug_annotation::name_iid, name);
    return annotation;
  }
  static void annotate(Writer& event, Annotation name, std::uint64_t value) {
    begin_annotation(event, name).add_uint64(debug_annotation::uint_value, value);
  }
  void annotate(Writer& event, const Event& e) {
    const NodeInfo& info = trace_.node_of(e);
    annotate(event, trace_.has_step(e) ? Annotation::step : Annotation::replay, trace_.step_of(e));
    annotate(event, Annotation::block, info.block);
    begin_annotation(event, Annotation::level).add_int64(debug_annotation::int_value, info.level);
    annotate(event, Annotation::node, e.node);
    if (e.kind == EventKind::task) return;
    annotate(event, Annotation::peer, info.peer);
    annotate(event, Annotation::tag, info.tag);
    annotate(event, Annotation::bytes, info.bytes);
  }

  const RankTrace& trace_;
  std::vector<InLane> messages_ = spread_messages(trace_);
  std::map<std::string, std::uint64_t> ids_;
  std::string bytes_;
  Writer to_;
};

}  // namespace

std::string perfetto_part(const RankTrace& trace) {
  return Part(trace).take();
}

}  // namespace thalweg::trace

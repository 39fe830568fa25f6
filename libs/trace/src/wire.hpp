// SPDX-License-Identifier: MIT
#pragma once
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include <thalweg/trace/rank_trace.hpp>

// The record of one rank, as a protobuf message. Lists of equal length are columns of a table;
// "delta" is what is to be added to the value before it.
//
// message Record {
//   uint32 version = 1;          // 1; others are refused
//   uint32 rank = 2;
//   uint32 n_ranks = 3;
//   string host = 4;
//   uint64 first_step = 5;       // of the window, with last_step; both missing: everything
//   uint64 last_step = 6;        // the first step after it
//   uint64 n_dropped = 7;
//   repeated Graph graph = 8;
//   repeated Run run = 9;
//   repeated Worker worker = 10;
// }
// message Graph {
//   string model = 1;
//   uint32 depth = 2;
//   repeated string name = 3;
//   packed uint32 node_name = 4;
//   packed uint32 node_kind = 5;     // 0 task, 1 send, 2 recv, 3 barrier; + 4: decides
//   packed sint32 node_level = 6;
//   packed uint64 node_block = 7;
//   packed uint32 node_peer = 8;
//   packed uint32 node_tag = 9;
//   packed uint64 node_bytes = 10;
//   packed sint64 edge_from_delta = 11;
//   packed uint32 edge_to = 12;
//   packed sint64 wrap_from_delta = 13;
//   packed uint32 wrap_to = 14;
// }
// message Run {
//   uint64 ordinal = 1;
//   uint32 graph = 2;
//   sint64 start_ns = 3;
//   sint64 end_ns = 4;
//   uint64 first_step = 5;       // missing: none
// }
// message Worker {
//   packed uint32 kind = 1;      // 0 task, 1 send, 2 recv, 3 idle
//   packed uint32 run = 2;
//   packed uint32 node = 3;
//   packed sint64 replay_delta = 4;
//   packed sint64 start_ns_delta = 5;
//   packed uint64 duration_ns = 6;
//   uint64 n_events = 7;         // also where it is 0: an empty message would not be written
// }

namespace thalweg::trace::wire {

inline constexpr std::uint32_t version = 1;

void write(protozero::pbf_writer record, const RankTrace& trace);

/// @errors throws protozero::exception where the bytes are no message, Error where it says what
/// cannot be
RankTrace read(protozero::pbf_reader record);

}  // namespace thalweg::trace::wire

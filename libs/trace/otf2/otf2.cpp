// SPDX-License-Identifier: MIT
#include <thalweg/trace/otf2.hpp>

#include <otf2/otf2.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include <fmt/format.h>

namespace thalweg::trace {
namespace {

constexpr std::uint64_t event_chunk_bytes = 1 << 20;
constexpr std::uint64_t definition_chunk_bytes = 1 << 22;
constexpr OTF2_CommRef communicator = 0;
constexpr std::uint32_t most_ranks_with_files = 1 << 18;

void require(OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS) throw Error(OTF2_Error_GetDescription(code));
}

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}
// OTF2 wants a time for its own flushes; it writes no event for them if it gets the trace's end.
constexpr OTF2_FlushCallbacks flush_callbacks{flush_always, nullptr};

// Workers of a rank beside each other, worker 0 first.
OTF2_LocationRef location_of(std::uint64_t rank, std::uint64_t worker) {
  return rank << 16 | worker;
}

/// One record of a location.
struct TimeState {
  std::int64_t at_ns;
  const Event* event;
  std::uint64_t request;  ///< the number of a message of its rank
  bool is_end;
};

/// What happens on a location, in order. Messages are on worker 0.
std::vector<TimeState> moments_of(const RankTrace& trace, std::uint32_t worker) {
  std::vector<TimeState> moments;
  std::uint64_t n_messages = 0;
  const auto add = [&](const Event& e, std::uint64_t request) {
    moments.push_back({e.start_ns, &e, request, false});
    moments.push_back({e.end_ns, &e, request, true});
  };
  for (const Event& e : trace.events[worker])
    if (e.kind == EventKind::task || e.kind == EventKind::idle) add(e, 0);
  for (std::uint32_t w = 0; w < trace.n_workers() && worker == 0; ++w)
    for (const Event& e : trace.events[w])
      if (e.kind == EventKind::send || e.kind == EventKind::recv) add(e, n_messages++);
  // Stable: a task that takes no time is entered before it is left, and left before the next.
  std::ranges::stable_sort(moments, {}, &TimeState::at_ns);
  return moments;
}

/// The trace of each rank; null: it was not traced.
std::vector<const RankTrace*> by_rank(std::span<const RankTrace> traces) {
  std::vector<const RankTrace*> all(traces.front().n_ranks, nullptr);
  for (const RankTrace& trace : traces) all[trace.rank()] = &trace;
  return all;
}

class Archive {
 public:
  explicit Archive(const std::string& folder)
      : archive_(
            OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, event_chunk_bytes,
                              definition_chunk_bytes, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
            OTF2_Archive_Close) {
    if (archive_ == nullptr) throw Error("the folder cannot be written");
    require(OTF2_Archive_SetFlushCallbacks(archive_.get(), &flush_callbacks, nullptr));
    require(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()));
  }

  void write(std::span<const RankTrace> traces) {
    number_regions(traces);
    require(OTF2_Archive_OpenEvtFiles(archive_.get()));
    for (const RankTrace& trace : traces)
      for (std::uint32_t w = 0; w < trace.n_workers(); ++w) write_events(trace, w);
    write_no_events(traces);
    require(OTF2_Archive_CloseEvtFiles(archive_.get()));
    write_local_definitions();
    definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_.get());
    write_clock();
    write_regions();
    write_locations(traces);
    write_communicator(traces.front().n_ranks);
    require(OTF2_Archive_CloseGlobalDefWriter(archive_.get(), definitions_));
    require(OTF2_Archive_Close(archive_.release()));  // this writes the anchor
  }

 private:
  void number_regions(std::span<const RankTrace> traces) {
    for (const RankTrace& trace : traces)
      for (const GraphInfo& graph : trace.graphs)
        for (const NodeInfo& node : graph.nodes)
          if (node.kind == NodeKind::task) regions_.try_emplace(graph.names[node.name], 0);
    regions_.try_emplace("idle", 0);
    OTF2_RegionRef next = 0;
    for (auto& [name, id] : regions_) id = next++;
  }

  void write_events(const RankTrace& trace, std::uint32_t worker) {
    OTF2_EvtWriter* const to =
        OTF2_Archive_GetEvtWriter(archive_.get(), location_of(trace.rank(), worker));
    for (const TimeState& moment : moments_of(trace, worker)) {
      first_ns_ = std::min(first_ns_, moment.at_ns);
      last_ns_ = std::max(last_ns_, moment.at_ns);
      write(to, trace, moment);
    }
    std::uint64_t n = 0;
    require(OTF2_EvtWriter_GetNumberOfEvents(to, &n));
    n_events_[location_of(trace.rank(), worker)] = n;
    require(OTF2_Archive_CloseEvtWriter(archive_.get(), to));
  }

  /// Readers open a file of events for every location, so ranks that were not traced have an empty
  /// one of worker 0.
  void write_no_events(std::span<const RankTrace> traces) {
    const auto of_ranks = by_rank(traces);
    for (std::uint32_t rank = 0; rank < of_ranks.size(); ++rank) {
      if (of_ranks[rank] != nullptr) continue;
      n_events_[location_of(rank, 0)] = 0;
      require(OTF2_Archive_CloseEvtWriter(
          archive_.get(), OTF2_Archive_GetEvtWriter(archive_.get(), location_of(rank, 0))));
    }
  }

  void write(OTF2_EvtWriter* to, const RankTrace& trace, const TimeState& moment) const {
    const Event& e = *moment.event;
    const auto at = static_cast<OTF2_TimeStamp>(moment.at_ns);
    if (e.kind == EventKind::task || e.kind == EventKind::idle) {
      const OTF2_RegionRef region =
          regions_.at(e.kind == EventKind::idle ? "idle" : trace.name_of(e));
      require(moment.is_end ? OTF2_EvtWriter_Leave(to, nullptr, at, region)
                            : OTF2_EvtWriter_Enter(to, nullptr, at, region));
      return;
    }
    const NodeInfo& node = trace.node_of(e);
    if (e.kind == EventKind::send)
      require(moment.is_end ? OTF2_EvtWriter_MpiIsendComplete(to, nullptr, at, moment.request)
                            : OTF2_EvtWriter_MpiIsend(to, nullptr, at, node.peer, communicator,
                                                      node.tag, node.bytes, moment.request));
    else
      require(moment.is_end ? OTF2_EvtWriter_MpiIrecv(to, nullptr, at, node.peer, communicator,
                                                      node.tag, node.bytes, moment.request)
                            : OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, at, moment.request));
  }

  /// Readers open a file of definitions for every location, though all of ours are global.
  void write_local_definitions() {
    require(OTF2_Archive_OpenDefFiles(archive_.get()));
    for (const auto& [location, n] : n_events_)
      require(OTF2_Archive_CloseDefWriter(archive_.get(),
                                          OTF2_Archive_GetDefWriter(archive_.get(), location)));
    require(OTF2_Archive_CloseDefFiles(archive_.get()));
  }

  /// The number of a text, which is written when it is first asked for.
  OTF2_StringRef text(const std::string& value) {
    const auto [it, is_new] = texts_.try_emplace(value, static_cast<OTF2_StringRef>(texts_.size()));
    if (is_new) require(OTF2_GlobalDefWriter_WriteString(definitions_, it->second, value.c_str()));
    return it->second;
  }

  void write_clock() {
    const bool has_any = first_ns_ <= last_ns_;
    require(OTF2_GlobalDefWriter_WriteClockProperties(
        definitions_, 1'000'000'000, has_any ? static_cast<std::uint64_t>(first_ns_) : 0,
        has_any ? static_cast<std::uint64_t>(last_ns_ - first_ns_) : 0, OTF2_UNDEFINED_TIMESTAMP));
  }

  void write_regions() {
    for (const auto& [name, id] : regions_)
      require(OTF2_GlobalDefWriter_WriteRegion(
          definitions_, id, text(name), text(name), text(""),
          name == "idle" ? OTF2_REGION_ROLE_TASK_WAIT : OTF2_REGION_ROLE_TASK, OTF2_PARADIGM_USER,
          OTF2_REGION_FLAG_NONE, text(""), 0, 0));
  }

  void write_locations(std::span<const RankTrace> traces) {
    // Hosts are the nodes below the machine; ranks that were not traced have one location each, so
    // that the communicator has all of them.
    std::map<std::string, OTF2_SystemTreeNodeRef> hosts;
    require(OTF2_GlobalDefWriter_WriteSystemTreeNode(
        definitions_, 0, text("machine"), text("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    const auto of_ranks = by_rank(traces);
    for (std::uint32_t rank = 0; rank < of_ranks.size(); ++rank) {
      const RankTrace* const trace = of_ranks[rank];
      const bool is_traced = trace != nullptr;
      const auto [host, is_new] = hosts.try_emplace(is_traced ? trace->host : "not traced",
                                                    static_cast<std::uint32_t>(hosts.size() + 1));
      if (is_new)
        require(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, host->second,
                                                         text(host->first), text("node"), 0));
      require(OTF2_GlobalDefWriter_WriteLocationGroup(
          definitions_, rank, text(fmt::format("rank {}", rank)), OTF2_LOCATION_GROUP_TYPE_PROCESS,
          host->second, OTF2_UNDEFINED_LOCATION_GROUP));
      for (std::uint32_t w = 0; w < (is_traced ? trace->n_workers() : 1); ++w)
        require(OTF2_GlobalDefWriter_WriteLocation(
            definitions_, location_of(rank, w), text(fmt::format("worker {}", w)),
            OTF2_LOCATION_TYPE_CPU_THREAD, n_events_[location_of(rank, w)], rank));
    }
  }

  void write_communicator(std::uint32_t n_ranks) {
    std::vector<std::uint64_t> locations, ranks;
    for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
      locations.push_back(location_of(rank, 0));
      ranks.push_back(rank);
    }
    require(OTF2_GlobalDefWriter_WriteGroup(definitions_, 0, text("ranks"),
                                            OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                            OTF2_GROUP_FLAG_NONE, n_ranks, locations.data()));
    require(OTF2_GlobalDefWriter_WriteGroup(definitions_, 1, text("all ranks"),
                                            OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                            OTF2_GROUP_FLAG_NONE, n_ranks, ranks.data()));
    require(OTF2_GlobalDefWriter_WriteComm(definitions_, communicator, text("all ranks"), 1,
                                           OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
  }

  std::unique_ptr<OTF2_Archive, OTF2_ErrorCode (*)(OTF2_Archive*)> archive_;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::map<std::string, OTF2_RegionRef> regions_;
  std::map<std::string, OTF2_StringRef> texts_;
  std::map<OTF2_LocationRef, std::uint64_t> n_events_;
  std::int64_t first_ns_ = INT64_MAX;
  std::int64_t last_ns_ = INT64_MIN;
};

}  // namespace

Result<void> write_otf2(const std::string& folder, std::span<const RankTrace> traces) {
  const auto failure = [&](const std::string& why) {
    return std::unexpected(Failure{fmt::format("cannot write OTF2 archive '{}': {}", folder, why)});
  };
  std::error_code error;
  if (std::filesystem::exists(folder, error))
    return failure("it exists already; remove it or choose another with -o");
  if (const auto n = traces.front().n_ranks; n > most_ranks_with_files)
    return failure(fmt::format(
        "the trace is of {} ranks (each has files of its own, and {} at most have); export it with "
        "--format chrome",
        n, most_ranks_with_files));
  try {
    Archive(folder).write(traces);
  } catch (const Error& e) {
    return failure(e.what());
  }
  // OTF2 3.0 reports success where it could not write the anchor.
  const auto n_bytes = std::filesystem::file_size(folder + "/traces.otf2", error);
  if (error || n_bytes == 0) return failure("traces.otf2 in it is empty; is the disk full?");
  return {};
}

}  // namespace thalweg::trace

// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <protozero/pbf_reader.hpp>

#include <thalweg/trace/file.hpp>

#include "private_field.hpp"
#include "wire.hpp"

namespace thalweg::trace {
namespace {

std::vector<RankTrace> read_records(std::string_view bytes) {
  std::vector<RankTrace> traces;
  protozero::pbf_reader file(bytes.data(), bytes.size());
  while (file.next()) {
    // Anything but packets: some other file that happens to look like fields.
    if (file.tag() != 1 || file.wire_type() != protozero::pbf_wire_type::length_delimited)
      return {};
    protozero::pbf_reader packet = file.get_message();
    while (packet.next(record_field)) traces.push_back(wire::read(packet.get_message()));
  }
  return traces;
}

}  // namespace

Result<std::vector<RankTrace>> read_traces(std::string_view bytes, std::string_view name) {
  const auto failure = [&](const std::string& why) {
    return std::unexpected(Failure{fmt::format("cannot read trace '{}': {}", name, why)});
  };
  constexpr auto no_trace =
      "it is no trace of Thalweg (or was cut short); give it the trace.pftrace that a run with "
      "trace.steps wrote";
  try {
    auto traces = read_records(bytes);
    if (traces.empty()) return failure(no_trace);
    std::ranges::sort(traces, {}, &RankTrace::rank);
    for (std::size_t i = 1; i < traces.size(); ++i) {
      if (traces[i].rank == traces[i - 1].rank)
        return failure(fmt::format(
            "it holds rank {} twice (files of two runs were put together); take one of them",
            traces[i].rank()));
      if (traces[i].n_ranks != traces[0].n_ranks)
        return failure(fmt::format(
            "rank {} was one of {} and rank {} one of {} (files of two runs were put together); "
            "take one of them",
            traces[0].rank(), traces[0].n_ranks, traces[i].rank(), traces[i].n_ranks));
    }
    return traces;
  } catch (const protozero::exception&) {
    return failure(no_trace);
  } catch (const Error& error) {
    return failure(error.what());
  }
}

}  // namespace thalweg::trace

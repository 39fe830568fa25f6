// SPDX-License-Identifier: MIT
#include <thalweg/app/run_description.hpp>

#include <chrono>
#include <fstream>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/comm/library.hpp>
#include <thalweg/core/host_name.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/json.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::app {

namespace {

std::vector<std::string> hosts_of(flow::Transport& transport) {
  const auto all = gather_texts(transport, host_name());
  const std::set<std::string> names(all.begin(), all.end());
  return {names.begin(), names.end()};
}

// Linux on x86 says it; on other processors there may be no such line.
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return {};
}

}  // namespace

RunDescription describe_run(const Context& context) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  auto& transport = context.transport;
  const auto n_allowed = static_cast<std::uint32_t>(allowed_processors().size());
  return {.version = THALWEG_VERSION,
          .compiler = THALWEG_COMPILER,
          .mpi = comm::library_version(),
          .started = broadcast(transport, fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))),
          .processor = broadcast(transport, processor_model()),
          .hosts = hosts_of(transport),
          .n_cores = flow::broadcast(transport, n_allowed),
          .n_ranks = transport.n_ranks(),
          .n_workers = context.execution.executor.n_workers};
}

std::string json_of(const RunDescription& d) {
  std::vector<std::string> hosts;
  for (const auto& host : d.hosts) hosts.push_back(json_string(host));
  return fmt::format(
      R"("version":{},"compiler":{},"mpi":{},"started":{},"processor":{},"hosts":[{}],"cores":{},)"
      R"("ranks":{},"workers":{})",
      json_string(d.version), json_string(d.compiler), json_string(d.mpi), json_string(d.started),
      json_string(d.processor), joined_text(hosts, ","), d.n_cores, d.n_ranks, d.n_workers);
}

}  // namespace thalweg::app

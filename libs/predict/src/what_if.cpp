// SPDX-License-Identifier: MIT
#include <thalweg/predict/what_if.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>

namespace thalweg::predict {
namespace {

using What = Change::What;

/// The number of "0.5x", if it is one from 0 to 1000.
std::optional<double> factor_of(std::string_view text) {
  if (!text.ends_with('x')) return std::nullopt;
  double factor = 0;
  const char* end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data(), end, factor);
  if (error != std::errc() || stop != end || !(factor >= 0 && factor <= 1000)) return std::nullopt;
  return factor;
}

/// Whether a change of a kernel is one of tasks of a name: of joined blocks, too, as the kernel is
/// the same.
bool is_meant(const Change& change, std::string_view name) {
  return name == change.kernel || name.starts_with(change.kernel + " joined");
}

void balance(const Job& job, const Noise& noise, Scenario& scenario) {
  std::vector<double> work;
  for (std::uint32_t r = 0; r < job.ranks.size(); ++r) {
    const RankGraph& rank = job.graph_of(r);
    double sum = 0;
    for (std::size_t t = 0; t < rank.n_nodes(); ++t)
      if (const JobNode& node = rank.nodes[t]; node.kind == flow::NodeKind::task)
        sum += node.value * (scenario.name_factors.empty() ? 1 : scenario.name_factors[node.name]);
    work.push_back(sum * noise.rank_factor(uniform_of(scenario.seed, r, no_replay, 0)));
  }
  double all = 0;
  for (const double w : work) all += w;
  const auto n_working =
      static_cast<double>(std::ranges::count_if(work, [](double w) { return w > 0; }));
  for (double& w : work) w = w > 0 ? all / (n_working * w) : 1;
  scenario.rank_factors = std::move(work);
}

/// The change of "latency=0.5x", if there is such a one.
std::optional<Change> change_of(std::string_view text) {
  const auto equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = equals == text.npos ? "" : text.substr(equals + 1);
  constexpr std::string_view kernels = "kernels.";
  if (text == "noise=0") return Change{What::noise};
  if (text == "balance=perfect") return Change{What::balance};
  if (text == "eager=always") return Change{What::eager};
  const auto factor = factor_of(value);
  if (!factor) return std::nullopt;
  if (name == "latency") return Change{What::latency, *factor};
  if (name == "bandwidth" && *factor >= 0.001) return Change{What::bandwidth, *factor};
  if (name == "overhead") return Change{What::overhead, *factor};
  if (name.starts_with(kernels) && name.size() > kernels.size())
    return Change{What::kernel, *factor, std::string(name.substr(kernels.size()))};
  return std::nullopt;
}

bool removes_cost_alone(const Change& change) {
  switch (change.what) {
    case What::latency:
    case What::overhead:
    case What::kernel:
      return change.factor < 1;
    case What::bandwidth:
      return change.factor > 1;
    case What::eager:
      return true;
    case What::noise:
    case What::balance:
      return false;  // some tasks take longer
  }
  std::unreachable();
}

void change_machine(const Change& change, Machine& machine) {
  const double factor = change.factor;
  switch (change.what) {
    case What::latency:
      for (Link* link : {&machine.network, &machine.memory}) link->latency_ns *= factor;
      break;
    case What::bandwidth:
      for (Link* link : {&machine.network, &machine.memory}) link->ns_per_byte /= factor;
      machine.memory.overhead_ns_per_byte /= factor;  // workers copy them
      machine.group_ns_per_byte /= factor;
      machine.shared_memory.full_speed_cores *= factor;
      break;
    case What::overhead:
      for (Link* link : {&machine.network, &machine.memory}) {
        link->overhead_ns *= factor;
        link->overhead_ns_per_byte *= factor;
      }
      machine.task_overhead_ns *= factor;
      machine.steal_ns *= factor;
      break;
    case What::eager:
      machine.eager_bytes = Machine{}.eager_bytes;
      break;
    case What::noise:
      machine.noise = {};
      break;
    case What::kernel:
    case What::balance:
      break;
  }
}

}  // namespace

WhatIf parse_what_if(std::string_view text) {
  WhatIf result{std::string(text), {}};
  for (std::size_t at = 0, end = 0; at <= text.size(); at = end + 1) {
    end = std::min(text.find(',', at), text.size());
    const auto change = change_of(text.substr(at, end - at));
    if (!change)
      throw Error(fmt::format(
          "--what-if {} (there are latency=0.5x, bandwidth=2x, overhead=0x, eager=always, noise=0, "
          "kernels.NAME=0.5x and balance=perfect, with factors up to 1000; bandwidth's from 0.001 "
          "on); give one of these, or several with commas between, which are made together",
          text));
    result.changes.push_back(*change);
  }
  return result;
}

bool removes_cost(const WhatIf& what_if) {
  return std::ranges::all_of(what_if.changes, removes_cost_alone);
}

bool concerns(const Change& change, std::span<const std::string> task_names) {
  return change.what != What::kernel ||
         std::ranges::any_of(task_names,
                             [&](const std::string& name) { return is_meant(change, name); });
}

void apply(const WhatIf& what_if, Machine& machine) {
  for (const Change& change : what_if.changes) change_machine(change, machine);
}

void apply(const WhatIf& what_if, const Job& job, Machine& machine, Scenario& scenario) {
  apply(what_if, machine);
  bool is_balanced = false;
  for (const Change& change : what_if.changes) {
    if (change.what == What::noise) scenario.has_spread = false;
    if (change.what == What::balance) is_balanced = true;
    if (change.what != What::kernel) continue;
    scenario.name_factors.resize(job.names.size(), 1);
    for (std::size_t i = 0; i < job.names.size(); ++i)
      if (is_meant(change, job.names[i])) scenario.name_factors[i] *= change.factor;
  }
  if (is_balanced) balance(job, machine.noise, scenario);
}

}  // namespace thalweg::predict

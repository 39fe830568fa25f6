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

using What = WhatIf::What;

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
bool is_meant(const WhatIf& what_if, std::string_view name) {
  return name == what_if.kernel || name.starts_with(what_if.kernel + " joined");
}

void balance(const Job& job, const Noise& noise, Scenario& scenario) {
  std::vector<double> work;
  for (std::uint32_t r = 0; r < job.ranks.size(); ++r) {
    const RankGraph& rank = job.graph_of(r);
    double sum = 0;
    for (std::size_t t = 0; t < rank.n_nodes(); ++t)
      if (rank.nodes[t].kind == flow::NodeKind::task) sum += rank.nodes[t].value;
    work.push_back(sum * noise.rank_factor(uniform_of(scenario.seed, r, no_replay, 0)));
  }
  double all = 0;
  for (const double w : work) all += w;
  const auto n_working =
      static_cast<double>(std::ranges::count_if(work, [](double w) { return w > 0; }));
  for (double& w : work) w = w > 0 ? all / (n_working * w) : 1;
  scenario.rank_factors = std::move(work);
}

}  // namespace

WhatIf parse_what_if(std::string_view text) {
  WhatIf result{.text = std::string(text)};
  const auto equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = equals == text.npos ? "" : text.substr(equals + 1);
  constexpr std::string_view kernels = "kernels.";
  if (text == "noise=0") {
    result.what = What::noise;
    return result;
  }
  if (text == "balance=perfect") {
    result.what = What::balance;
    return result;
  }
  if (text == "eager=always") {
    result.what = What::eager;
    return result;
  }
  const auto factor = factor_of(value);
  const bool is_kernel = name.starts_with(kernels) && name.size() > kernels.size();
  const bool is_known = is_kernel || name == "latency" || name == "bandwidth" || name == "overhead";
  if (!is_known || !factor || (name == "bandwidth" && *factor < 0.001))
    throw Error(fmt::format(
        "--what-if {} (there are latency=0.5x, bandwidth=2x, overhead=0x, eager=always, noise=0, "
        "kernels.NAME=0.5x and balance=perfect, with factors up to 1000; bandwidth's from 0.001 "
        "on); give one of these, and of several each its own --what-if: each is looked at alone",
        text));
  result.factor = *factor;
  result.what = is_kernel             ? What::kernel
                : name == "latency"   ? What::latency
                : name == "bandwidth" ? What::bandwidth
                                      : What::overhead;
  if (is_kernel) result.kernel = name.substr(kernels.size());
  return result;
}

bool removes_cost(const WhatIf& what_if) {
  switch (what_if.what) {
    case What::latency:
    case What::overhead:
    case What::kernel:
      return what_if.factor < 1;
    case What::bandwidth:
      return what_if.factor > 1;
    case What::eager:
      return true;
    case What::noise:
    case What::balance:
      return false;  // some tasks take longer
  }
  std::unreachable();
}

bool concerns(const WhatIf& what_if, std::span<const std::string> task_names) {
  return what_if.what != What::kernel ||
         std::ranges::any_of(task_names,
                             [&](const std::string& name) { return is_meant(what_if, name); });
}

void apply(const WhatIf& what_if, Machine& machine) {
  const double factor = what_if.factor;
  switch (what_if.what) {
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

void apply(const WhatIf& what_if, const Job& job, Machine& machine, Scenario& scenario) {
  apply(what_if, machine);
  if (what_if.what == What::noise) scenario.has_spread = false;
  if (what_if.what == What::balance) balance(job, machine.noise, scenario);
  if (what_if.what != What::kernel) return;
  scenario.name_factors.resize(job.names.size(), 1);
  for (std::size_t i = 0; i < job.names.size(); ++i)
    if (is_meant(what_if, job.names[i])) scenario.name_factors[i] *= what_if.factor;
}

}  // namespace thalweg::predict

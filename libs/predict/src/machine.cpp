// SPDX-License-Identifier: MIT
#include <thalweg/predict/machine.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/complaints.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/predict/job.hpp>

namespace thalweg::predict {
namespace {

using io::Parameter;
using io::Range;

const auto always_eager = static_cast<std::int64_t>(Machine{}.eager_bytes);

void add_link(std::vector<Parameter>& all, const std::string& section) {
  const Range time = Range::between(0, 1e6);
  all.push_back(io::real(section + ".latency_us", 0, "us",
                         "From when a message has left until it is there (L).", time));
  all.push_back(io::real(section + ".overhead_us", 0, "us",
                         "What a worker pays for a message, at either end (o).", time));
  all.push_back(io::real(section + ".overhead_ns_per_byte", 0, "ns",
                         "The same for each byte: copies into buffers (O).", time));
  all.push_back(io::real(section + ".gap_us", 0, "us",
                         "From the start of one message of a node to the next (g).", time));
  all.push_back(io::real(section + ".bandwidth_gb_s", 0, "GB/s",
                         "Of one direction (1/G); 0: without limit.", Range::between(0, 1e6)));
}

std::vector<Parameter> machine_parameters() {
  std::vector<Parameter> all{
      {.name = "machine.name",
       .default_value = std::string(),
       .doc = "What it is called in tables; \"\": as its file, without the ending."},
      io::integer("machine.ranks_per_node", 1, "", "Ranks that share a node and its network.",
                  Range::between(1, 1 << 20)),
      io::integer("machine.cores_per_node", 0, "",
                  "Cores of a node: then as many ranks are on it as their threads leave room for, "
                  "whatever ranks_per_node says; 0: not known.",
                  Range::between(0, 1 << 20)),
      io::integer("machine.nodes_per_group", 0, "nodes",
                  "Nodes that share the way to all others; 0: all are in one group.",
                  Range::between(0, 1 << 20)),
      io::real("machine.group_bandwidth_gb_s", 0, "GB/s",
               "Of that way, in one direction; 0: without limit.", Range::between(0, 1e9)),
      io::integer("machine.eager_bytes", always_eager, "bytes",
                  "Longer messages wait until their receive is posted (S).", Range::at_least(0)),
      io::real("tasks.overhead_ns", 0, "ns", "What a task costs beside its work.",
               Range::between(0, 1e9)),
      io::real("tasks.steal_ns", 0, "ns", "The same, more, where another worker takes it.",
               Range::between(0, 1e9)),
      io::real("tasks.time_factor", 1, "",
               "Times of tasks here over those where they were measured.",
               Range::between(1e-6, 1e6)),
      io::choice("noise.kind", "none", {"none", "quantiles", "pareto"},
                 "How task times vary around their mean."),
      {.name = "noise.quantiles",
       .default_value = std::vector<double>{},
       .range = Range::above_up_to(0, 1e6),
       .doc = "Of time over the time that is given, ascending and equally spaced, from the least "
              "to the most; steps take longer by their mean."},
      io::real("noise.scale", 0, "", "Of pareto: 1 + scale ((1 - u)^(-1/shape) - 1).",
               Range::between(0, 1e6)),
      io::real("noise.shape", 3, "", "Of pareto; the smaller, the heavier the tail.",
               Range::above_up_to(1, 1e3)),
      {.name = "noise.rank_quantiles",
       .default_value = std::vector<double>{},
       .range = Range::above_up_to(0, 1e6),
       .doc = "Of a rank's time for all its tasks over that of the others, as noise.quantiles; "
              "else all ranks are alike."},
  };
  add_link(all, "network");
  add_link(all, "memory");
  all.push_back(io::integer("memory.domain_cores", 0, "cores",
                            "That share the bandwidth to memory; 0: it slows no task down.",
                            Range::between(0, 1 << 20)));
  all.push_back(io::real("memory.full_speed_cores", 1, "cores",
                         "That use all of it: with more, tasks bound by it take longer.",
                         Range::between(1, 1 << 20)));
  return all;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

double ns_per_byte(double gb_s) {
  return gb_s == 0 ? 0 : 1 / gb_s;
}

Link link_of(const io::Deck& deck, const std::string& section) {
  const auto value = [&](const char* key) { return deck.real(section + "." + key); };
  return {.latency_ns = 1e3 * value("latency_us"),
          .overhead_ns = 1e3 * value("overhead_us"),
          .overhead_ns_per_byte = value("overhead_ns_per_byte"),
          .gap_ns = 1e3 * value("gap_us"),
          .ns_per_byte = ns_per_byte(value("bandwidth_gb_s"))};
}

Noise noise_of(const io::Deck& deck, Complaints& complaints) {
  const std::string& kind = deck.string("noise.kind");
  Noise noise{.kind = kind == "none"        ? Noise::Kind::none
                      : kind == "quantiles" ? Noise::Kind::quantiles
                                            : Noise::Kind::pareto,
              .quantiles = deck.reals("noise.quantiles"),
              .scale = deck.real("noise.scale"),
              .shape = deck.real("noise.shape"),
              .rank_quantiles = deck.reals("noise.rank_quantiles")};
  const auto check = [&](std::string_view name, const std::vector<double>& quantiles) {
    if (quantiles.size() >= 2 && std::ranges::is_sorted(quantiles)) {
      if (quantiles.front() > 1 || quantiles.back() < 1)
        complaints.add(
            fmt::format("{} = [{}] (1, the time that is given, is not among them, so that all "
                        "tasks take {} than it); divide them by their mean, and multiply "
                        "tasks.time_factor by that",
                        name, joined_text(quantiles), quantiles.front() > 1 ? "longer" : "less"));
      return;
    }
    complaints.add(
        fmt::format("{} = [{}] (it needs two numbers or more, ascending); give the least "
                    "and the greatest time over the one that is given at least",
                    name, joined_text(quantiles)));
  };
  // What another kind has would be left out, and task times would not vary as the file says.
  const auto refuse = [&](std::string_view keys, std::string_view of) {
    complaints.add(
        fmt::format("{0} with noise.kind = \"{1}\" (it has no effect on task times then); set "
                    "kind = \"{2}\" in [noise], or leave it out",
                    keys, kind, of));
  };
  if (noise.kind == Noise::Kind::quantiles)
    check("noise.quantiles", noise.quantiles);
  else if (!noise.quantiles.empty())
    refuse(fmt::format("noise.quantiles = [{}]", joined_text(noise.quantiles)), "quantiles");
  const bool is_pareto = noise.kind == Noise::Kind::pareto;
  if (!is_pareto && noise.scale != Noise{}.scale)
    refuse(fmt::format("noise.scale = {}", noise.scale), "pareto");
  if (!is_pareto && noise.shape != Noise{}.shape)
    refuse(fmt::format("noise.shape = {}", noise.shape), "pareto");
  if (is_pareto && noise.scale == 0)
    complaints.add(
        "noise.scale = 0 with noise.kind = \"pareto\" (task times do not vary then); give how wide "
        "the tail is, such as 0.02, or leave kind out");
  if (!noise.rank_quantiles.empty()) check("noise.rank_quantiles", noise.rank_quantiles);
  return noise;
}

SharedMemory shared_memory_of(const io::Deck& deck, Complaints& complaints) {
  const SharedMemory shared{
      .domain_cores = static_cast<std::uint32_t>(deck.integer("memory.domain_cores")),
      .full_speed_cores = deck.real("memory.full_speed_cores")};
  const auto complain = [&](std::string_view why) {
    complaints.add(fmt::format("memory.full_speed_cores = {} {}", shared.full_speed_cores, why));
  };
  if (shared.domain_cores == 0 && shared.full_speed_cores != SharedMemory{}.full_speed_cores)
    complain(
        "without memory.domain_cores (no core shares its memory then); give the cores that share "
        "the bandwidth, or leave it out");
  else if (shared.domain_cores > 0 && shared.full_speed_cores > shared.domain_cores)
    complain(fmt::format(
        "with memory.domain_cores = {} (so few cores never use all of the bandwidth); give at most "
        "as many, or leave both out",
        shared.domain_cores));
  return shared;
}

}  // namespace

Machine read_machine(std::string_view text, std::string_view file_name) {
  const auto deck = io::Deck::load(text, file_name, machine_parameters());
  Complaints complaints;
  const SharedMemory shared = shared_memory_of(deck, complaints);
  if (const double gap_us = deck.real("memory.gap_us"); gap_us != 0)
    complaints.add(fmt::format(
        "memory.gap_us = {} (it has no effect: workers copy messages within a node, each its own, "
        "and pay overhead_us for every one; an earlier `thalweg calibrate` wrote it); leave it out",
        gap_us));
  const double group_gb_s = deck.real("machine.group_bandwidth_gb_s");
  const std::int64_t nodes_per_group = deck.integer("machine.nodes_per_group");
  if (group_gb_s != 0 && nodes_per_group == 0)
    complaints.add(fmt::format(
        "machine.group_bandwidth_gb_s = {} without machine.nodes_per_group (all nodes are in one "
        "group then, so no message takes the way out); give the nodes of a group, or leave it out",
        group_gb_s));
  if (nodes_per_group != 0 && group_gb_s == 0)
    complaints.add(fmt::format(
        "machine.nodes_per_group = {} without machine.group_bandwidth_gb_s (the way out of a group "
        "has no limit then, so groups have no effect); give that bandwidth, or leave it out",
        nodes_per_group));
  const std::string& name = deck.string("machine.name");
  if (std::ranges::any_of(name, is_control))
    complaints.add(
        "machine.name with a control character, such as the end of a line (it would break the "
        "tables that it is a heading of); leave it out");
  Machine machine{.name = name.empty() ? std::filesystem::path(file_name).stem().string() : name,
                  .ranks_per_node = static_cast<int>(deck.integer("machine.ranks_per_node")),
                  .cores_per_node = static_cast<int>(deck.integer("machine.cores_per_node")),
                  .network = link_of(deck, "network"),
                  .memory = link_of(deck, "memory"),
                  .eager_bytes = static_cast<std::uint64_t>(deck.integer("machine.eager_bytes")),
                  .nodes_per_group = static_cast<int>(nodes_per_group),
                  .group_ns_per_byte = ns_per_byte(group_gb_s),
                  .shared_memory = shared,
                  .task_overhead_ns = deck.real("tasks.overhead_ns"),
                  .steal_ns = deck.real("tasks.steal_ns"),
                  .time_factor = deck.real("tasks.time_factor"),
                  .noise = noise_of(deck, complaints)};
  complaints.throw_if_any();
  return machine;
}

Machine with_threads(Machine machine, std::uint32_t n_threads) {
  THALWEG_EXPECT(n_threads > 0 && can_have(machine, n_threads), "cores for a rank");
  if (machine.cores_per_node > 0)
    machine.ranks_per_node = machine.cores_per_node / static_cast<int>(n_threads);
  return machine;
}

std::string to_toml(const Machine& machine) {
  const auto gb_s = [](double ns_per_byte) { return ns_per_byte == 0 ? 0 : 1 / ns_per_byte; };
  const auto link = [&](const Link& l) -> std::string {
    if (l == Link{}) return "";
    const std::string gap = l.gap_ns == 0 ? "" : fmt::format("gap_us = {}\n", 1e-3 * l.gap_ns);
    return fmt::format(
        "latency_us = {}\noverhead_us = {}\noverhead_ns_per_byte = {}\n{}bandwidth_gb_s = {}\n",
        1e-3 * l.latency_ns, 1e-3 * l.overhead_ns, l.overhead_ns_per_byte, gap,
        gb_s(l.ns_per_byte));
  };
  const auto shared = [](const SharedMemory& memory) -> std::string {
    if (memory == SharedMemory{}) return "";
    return fmt::format("domain_cores = {}\nfull_speed_cores = {}\n", memory.domain_cores,
                       memory.full_speed_cores);
  };
  const auto section = [](std::string_view name, const std::string& keys) {
    return keys.empty() ? "" : fmt::format("\n[{}]\n{}", name, keys);
  };
  const std::string eager = machine.eager_bytes == Machine{}.eager_bytes
                                ? ""
                                : fmt::format("eager_bytes = {}\n", machine.eager_bytes);
  const std::string name = machine.name.empty() ? "" : fmt::format("name = \"{}\"\n", machine.name);
  // With cores_per_node the other key has no effect: it is there only where somebody gave it.
  std::string on_node;
  if (machine.cores_per_node > 0)
    on_node += fmt::format("cores_per_node = {}\n", machine.cores_per_node);
  if (machine.cores_per_node == 0 || machine.ranks_per_node != Machine{}.ranks_per_node)
    on_node += fmt::format("ranks_per_node = {}\n", machine.ranks_per_node);
  constexpr std::string_view kinds[] = {"none", "quantiles", "pareto"};
  return fmt::format("[machine]\n{}{}nodes_per_group = {}\ngroup_bandwidth_gb_s = {}\n{}", name,
                     on_node, machine.nodes_per_group, gb_s(machine.group_ns_per_byte), eager) +
         section("network", link(machine.network)) +
         section("memory", link(machine.memory) + shared(machine.shared_memory)) +
         fmt::format(
             "\n[tasks]\noverhead_ns = {}\nsteal_ns = {}\ntime_factor = {}\n"
             "\n[noise]\nkind = \"{}\"\nquantiles = [{}]\nscale = {}\nshape = {}\n"
             "rank_quantiles = [{}]\n",
             machine.task_overhead_ns, machine.steal_ns, machine.time_factor,
             kinds[static_cast<std::size_t>(machine.noise.kind)],
             joined_text(machine.noise.quantiles), machine.noise.scale, machine.noise.shape,
             joined_text(machine.noise.rank_quantiles));
}

std::string what_is_assumed(const Machine& machine, std::span<const RankLayout> layouts) {
  bool uses_network = false, uses_memory = false;
  RankLayout most{1, 1};  // on a node
  for (const auto [n_ranks, n_threads] : layouts) {
    const int n_on_node = with_threads(machine, n_threads).ranks_per_node;
    uses_network |= n_ranks > n_on_node;
    const int n_together = std::min(n_ranks, n_on_node);
    uses_memory |= n_together > 1;
    if (n_together > 1 && n_threads > 1 &&
        n_together * std::int64_t{n_threads} > most.n_ranks * std::int64_t{most.n_threads})
      most = {n_together, n_threads};
  }
  std::string text;
  if (uses_network && machine.network == Link{})
    text += "Messages between nodes take no time: [network] of the machine gives none.\n";
  if (uses_memory && machine.memory == Link{})
    text += "Messages between ranks of a node take no time: [memory] of the machine gives none.\n";
  if (machine.cores_per_node == 0 && most.n_ranks > 1)
    text += fmt::format(
        "{} ranks of {} threads are taken to have cores on one node (ranks_per_node = {} of the "
        "machine counts whatever their threads); set cores_per_node in its place, and ranks are "
        "placed by their threads.\n",
        most.n_ranks, most.n_threads, machine.ranks_per_node);
  return text;
}

std::string warning_of_ranks_per_node(const Machine& machine) {
  if (machine.cores_per_node == 0 || machine.ranks_per_node == Machine{}.ranks_per_node) return {};
  return fmt::format(
      "machine.ranks_per_node = {} of machine \"{}\" has no effect (cores_per_node = {} is given, "
      "and as many ranks are on a node as their threads leave room for); leave one of them out",
      machine.ranks_per_node, machine.name, machine.cores_per_node);
}

std::string warning_of_shared_memory(const Machine& machine, const Job& job) {
  const auto is_bound = [](std::uint8_t bound) { return bound != 0; };
  if (machine.shared_memory.domain_cores == 0 || std::ranges::any_of(job.is_memory_bound, is_bound))
    return {};
  return fmt::format(
      "memory.domain_cores of machine \"{}\" has no effect (none of the tasks is known to be bound "
      "by bandwidth to memory); name those that are in memory_bound of a file of task times, for "
      "predict with --times",
      machine.name);
}

}  // namespace thalweg::predict

// SPDX-License-Identifier: MIT
#include <thalweg/predict/machine.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

namespace thalweg::predict {
namespace {

std::string complaint_about(std::string_view text) {
  try {
    read_machine(text, "m.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MachineFile, IsIdealWhereItSaysNothing) {
  EXPECT_EQ(read_machine("", "m.toml"), Machine{.name = "m"});
}

TEST(MachineFile, GivesItsNameToAMachineWithoutOne) {
  EXPECT_EQ(read_machine("", "machines/fat tree.toml").name, "fat tree");
  EXPECT_EQ(read_machine("[machine]\nname = \"ideal\"", "m.toml").name, "ideal");
}

TEST(MachineFile, GivesAllItsValuesInNanoseconds) {
  const Machine machine = read_machine(R"(
[machine]
name = "two switches"
ranks_per_node = 4
nodes_per_group = 18
group_bandwidth_gb_s = 200
eager_bytes = 8192
[network]
latency_us = 1.5
overhead_us = 0.5
overhead_ns_per_byte = 0.01
gap_us = 0.25
bandwidth_gb_s = 12.5
[memory]
latency_us = 0.25
bandwidth_gb_s = 4
domain_cores = 24
full_speed_cores = 7.5
[tasks]
overhead_ns = 20
steal_ns = 100
time_factor = 1.5
[noise]
kind = "pareto"
scale = 0.1
shape = 2.5
)",
                                       "m.toml");
  EXPECT_EQ(machine, (Machine{.name = "two switches",
                              .ranks_per_node = 4,
                              .network = {1500, 500, 0.01, 250, 0.08},
                              .memory = {250, 0, 0, 0, 0.25},
                              .eager_bytes = 8192,
                              .nodes_per_group = 18,
                              .group_ns_per_byte = 0.005,
                              .shared_memory = {24, 7.5},
                              .task_overhead_ns = 20,
                              .steal_ns = 100,
                              .time_factor = 1.5,
                              .noise = {Noise::Kind::pareto, {}, 0.1, 2.5}}));
}

TEST(MachineFile, IsToldWhatIsWrongWithIt) {
  EXPECT_NE(complaint_about("[network]\nlatency = 1").find("latency_us"), std::string::npos);
  for (const char* text : {"[[network]]\nlatency_us = 1", "network = 3"})
    EXPECT_NE(complaint_about(text).find("write it as [network]"), std::string::npos) << text;
  EXPECT_NE(complaint_about("[network]\nlatency_us = -1").find("network.latency_us"),
            std::string::npos);
  EXPECT_NE(complaint_about("[noise]\nkind = \"quantiles\"\nquantiles = [2, 1]")
                .find("noise.quantiles = [2, 1]"),
            std::string::npos);
  EXPECT_NE(complaint_about("[memory]\nfull_speed_cores = 0.5").find("memory.full_speed_cores"),
            std::string::npos);
  EXPECT_NE(complaint_about("[memory]\ndomain_cores = 4\nfull_speed_cores = 5")
                .find("memory.full_speed_cores = 5 with memory.domain_cores = 4"),
            std::string::npos);
  EXPECT_NE(complaint_about("[memory]\nfull_speed_cores = 5")
                .find("memory.full_speed_cores = 5 without memory.domain_cores"),
            std::string::npos);
  EXPECT_NE(complaint_about("[noise]\nrank_quantiles = [1]").find("noise.rank_quantiles = [1]"),
            std::string::npos);
  EXPECT_NE(complaint_about("[memory]\ngap_us = 0.5").find("memory.gap_us = 0.5 (it has no effect"),
            std::string::npos);
  EXPECT_EQ(complaint_about("[memory]\ngap_us = 0"), "");
  EXPECT_NE(complaint_about("[machine]\ngroup_bandwidth_gb_s = 200")
                .find("machine.group_bandwidth_gb_s = 200 without machine.nodes_per_group"),
            std::string::npos);
  EXPECT_NE(complaint_about("[machine]\nnodes_per_group = 18")
                .find("machine.nodes_per_group = 18 without machine.group_bandwidth_gb_s"),
            std::string::npos);
  EXPECT_NE(complaint_about("[noise]\nkind = \"pareto\"\nshape = 1").find("noise.shape"),
            std::string::npos);
  EXPECT_NE(complaint_about("[machine]\nname = \"a\\nb\"").find("machine.name with a control"),
            std::string::npos);
}

TEST(MachineFile, HasNoNoiseOfAnotherKind) {
  const auto refuses = [](std::string_view keys, std::string_view part) {
    return complaint_about("[noise]\n" + std::string(keys)).find(part) != std::string::npos;
  };
  EXPECT_TRUE(
      refuses("quantiles = [0.9, 1.1]", "noise.quantiles = [0.9, 1.1] with noise.kind = \"none\""));
  EXPECT_TRUE(refuses("kind = \"pareto\"\nscale = 1\nquantiles = [0.9, 1.1]",
                      "set kind = \"quantiles\" in [noise]"));
  EXPECT_TRUE(refuses("scale = 0.1", "noise.scale = 0.1 with noise.kind = \"none\""));
  EXPECT_TRUE(refuses("kind = \"quantiles\"\nquantiles = [1, 2]\nshape = 2",
                      "set kind = \"pareto\" in [noise]"));
  EXPECT_TRUE(refuses("kind = \"pareto\"", "noise.scale = 0 with noise.kind"));
  EXPECT_EQ(complaint_about("[noise]\nkind = \"none\"\nrank_quantiles = [1, 2]"), "");
}

TEST(MachineFile, HasNoiseAroundTheTimesThatAreGiven) {
  const auto with = [](std::string_view quantiles) {
    return complaint_about("[noise]\nkind = \"quantiles\"\nquantiles = " + std::string(quantiles));
  };
  for (const char* fine : {"[1, 2]", "[0.5, 1]", "[0.98, 1.0, 1.1]"}) EXPECT_EQ(with(fine), "");
  for (const char* none : {"[0, 0]", "[0, 2]", "[-1, 2]"})
    EXPECT_NE(with(none).find("noise.quantiles"), std::string::npos) << none;
  EXPECT_NE(with("[5, 6]").find("noise.quantiles = [5, 6] (1, the time that is given, is not among "
                                "them, so that all tasks take longer"),
            std::string::npos)
      << with("[5, 6]");
  EXPECT_NE(with("[0.5, 0.6]").find("take less than it"), std::string::npos);
  EXPECT_NE(complaint_about("[noise]\nrank_quantiles = [5, 6]").find("multiply tasks.time_factor"),
            std::string::npos);
}

TEST(MachineFile, LetsAllCoresOfADomainTogetherUseItsBandwidth) {
  EXPECT_EQ(complaint_about("[memory]\ndomain_cores = 4\nfull_speed_cores = 4"), "");
}

TEST(MachineFile, ReadsBackAsItWasWritten) {
  // Powers of two: nothing is rounded.
  const Machine machine{.name = "two",
                        .ranks_per_node = 4,
                        .cores_per_node = 48,
                        .network = {1000, 2000, 0.5, 4000, 0.25},
                        .memory = {3000, 5000, 0, 0, 0},
                        .eager_bytes = 8192,
                        .nodes_per_group = 18,
                        .group_ns_per_byte = 0.125,
                        .shared_memory = {24, 7.5},
                        .task_overhead_ns = 20,
                        .steal_ns = 100,
                        .time_factor = 1.5,
                        .noise = {Noise::Kind::quantiles, {0.5, 1, 2}, 0, 3, {1, 1.5}}};
  EXPECT_EQ(read_machine(to_toml(machine), "m.toml"), machine);
  EXPECT_EQ(read_machine(to_toml(Machine{}), "m.toml"), Machine{});
}

TEST(MachineFile, HasAsManyRanksOnANodeAsItsCoresAreFor) {
  const Machine unknown{.ranks_per_node = 4};
  EXPECT_EQ(with_threads(unknown, 7), unknown);
  const Machine known =
      read_machine("[machine]\nranks_per_node = 4\ncores_per_node = 12", "m.toml");
  for (const auto& [n_threads, n_ranks] : {std::pair{1U, 12}, {5U, 2}, {12U, 1}})
    EXPECT_EQ(with_threads(known, n_threads).ranks_per_node, n_ranks);
  EXPECT_TRUE(can_have(known, 12));
  EXPECT_FALSE(can_have(known, 13));
  EXPECT_EQ(warning_of_ranks_per_node(unknown), "");
  EXPECT_EQ(warning_of_ranks_per_node({.cores_per_node = 12}), "");
  EXPECT_NE(warning_of_ranks_per_node(known).find("machine.ranks_per_node = 4 of machine \"m\""),
            std::string::npos);
}

TEST(MachineFile, LeavesTheNameToItsFileWhereThereIsNone) {
  EXPECT_EQ(read_machine(to_toml({.name = ""}), "here.toml").name, "here");
}

TEST(MachineFile, HasNoSectionForWhatIsIdeal) {
  const std::string text = to_toml({.memory = {.latency_ns = 1024}});
  EXPECT_EQ(text.find("[network]"), std::string::npos);
  EXPECT_NE(text.find("[memory]\nlatency_us = 1.024\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("domain_cores"), std::string::npos);
  EXPECT_EQ(text.find("gap_us"), std::string::npos) << text;
  EXPECT_EQ(to_toml({.cores_per_node = 8}).find("ranks_per_node"), std::string::npos);
  const std::string shared = to_toml({.shared_memory = {24, 7.5}});
  EXPECT_NE(shared.find("[memory]\ndomain_cores = 24\n"), std::string::npos) << shared;
}

TEST(WhatIsAssumed, IsSaidOfLinksThatRanksUse) {
  const Link slow{.latency_ns = 1000};
  const auto says = [](const Machine& machine, int n_ranks, std::string_view word) {
    return what_is_assumed(machine, std::vector<RankLayout>{{n_ranks, 1}}).find(word) !=
           std::string::npos;
  };
  const std::vector<RankLayout> one{{1, 1}}, eight{{8, 1}};
  EXPECT_EQ(what_is_assumed({}, one), "");
  EXPECT_TRUE(says({}, 2, "[network]"));
  EXPECT_FALSE(says({}, 2, "[memory]"));
  EXPECT_FALSE(says({.ranks_per_node = 2}, 2, "[network]"));
  EXPECT_TRUE(says({.ranks_per_node = 2}, 2, "[memory]"));
  EXPECT_EQ(what_is_assumed({.ranks_per_node = 2, .network = slow, .memory = slow}, eight), "");
}

TEST(WhatIsAssumed, IsSaidOfThreadsThatShareANodeOfUnknownCores) {
  const Link slow{.latency_ns = 1000};
  const auto said = [&](Machine machine, const std::vector<RankLayout>& layouts) {
    machine.network = machine.memory = slow;
    return what_is_assumed(machine, layouts);
  };
  const std::string text = said({.ranks_per_node = 16}, {{2, 16}, {4, 16}, {64, 1}});
  EXPECT_EQ(text.find("4 ranks of 16 threads are taken to have cores on one node"), 0U) << text;
  EXPECT_NE(text.find("(ranks_per_node = 16 of"), std::string::npos) << text;
  EXPECT_NE(text.find("set cores_per_node"), std::string::npos) << text;
  EXPECT_NE(said({.ranks_per_node = 4}, {{8, 2}}).find("4 ranks of 2 threads"), std::string::npos);
  EXPECT_EQ(said({.ranks_per_node = 16}, {{64, 1}, {1, 16}}), "");
  EXPECT_EQ(said({}, {{4, 16}}), "");  // each has a node
  EXPECT_EQ(said({.cores_per_node = 16}, {{4, 16}, {8, 2}}), "");
}

TEST(WhatIsAssumed, CountsRanksOfANodeByTheirThreads) {
  const Machine machine{.cores_per_node = 4};
  const std::string between_nodes =
      "Messages between nodes take no time: [network] of the machine gives none.\n";
  const std::string within =
      "Messages between ranks of a node take no time: [memory] of the machine gives none.\n";
  const auto said = [&](const std::vector<RankLayout>& layouts) {
    return what_is_assumed(machine, layouts);
  };
  EXPECT_EQ(said({{4, 1}}), within);
  EXPECT_EQ(said({{2, 4}}), between_nodes);
  EXPECT_EQ(said({{1, 4}}), "");
  EXPECT_EQ(said({{2, 2}, {1, 4}}), within);
  EXPECT_EQ(said({{2, 2}, {2, 4}}), between_nodes + within);
}

}  // namespace
}  // namespace thalweg::predict

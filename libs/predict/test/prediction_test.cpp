// SPDX-License-Identifier: MIT
#include <thalweg/predict/prediction.hpp>

#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <thalweg/core/error.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

Machine with_latency() {
  Machine machine;
  machine.name = "slow \"network\"";
  machine.network.latency_ns = 45;
  return machine;
}

TEST(Predictions, HaveTheEfficienciesOfTheirTimes) {
  const Prediction p = predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase");
  EXPECT_DOUBLE_EQ(p.step_ns, 200);  // 100 + 45 + 10 + 45
  EXPECT_DOUBLE_EQ(p.efficiencies.parallel, 110.0 / 2 / 200);
  EXPECT_DOUBLE_EQ(p.efficiencies.load_balance, 0.55);
  EXPECT_DOUBLE_EQ(p.efficiencies.communication, 0.5);
  EXPECT_DOUBLE_EQ(p.efficiencies.serialisation, 100.0 / 110);
  EXPECT_DOUBLE_EQ(p.efficiencies.transfer, 110.0 / 200);
  EXPECT_DOUBLE_EQ(p.work + p.overhead + std::accumulate(p.idle.begin(), p.idle.end(), 0.0), 1);
  EXPECT_DOUBLE_EQ(p.work, 110.0 / 400);
  EXPECT_DOUBLE_EQ(p.messages, 2);
  EXPECT_DOUBLE_EQ(p.bytes, 16);
  EXPECT_EQ(p.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(p.work_ns, (std::vector<double>{100, 10}));
  EXPECT_DOUBLE_EQ(p.path_ns, 200);
  ASSERT_EQ(p.path.size(), 3u);
  EXPECT_EQ(p.path[0].name, "a");
  EXPECT_DOUBLE_EQ(p.path[1].ns, 90);  // messages
}

TEST(Predictions, SayWhatAChangeWouldGain) {
  const std::vector<WhatIf> what_ifs{parse_what_if("latency=0x"), parse_what_if("kernels.a=0.5x")};
  const Prediction p = predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase", what_ifs);
  ASSERT_EQ(p.gains.size(), 2u);
  EXPECT_EQ(p.gains[0].what_if, "latency=0x");
  EXPECT_DOUBLE_EQ(p.gains[0].step_ns, 110);
  EXPECT_DOUBLE_EQ(p.gains[1].step_ns, 150);
}

TEST(Predictions, AreTheSameHoweverManySimulationsThereAreAtOnce) {
  const std::vector<WhatIf> what_ifs{parse_what_if("latency=0x"), parse_what_if("kernels.a=0.5x")};
  const auto json_with = [&](std::size_t n_at_once) {
    const Prediction p =
        predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase", what_ifs, n_at_once);
    return json_of(std::span(&p, 1));
  };
  for (const std::size_t n_at_once : {2, 3, 100}) EXPECT_EQ(json_with(n_at_once), json_with(1));
}

TEST(Predictions, FailWhereOneOfTheSimulationsDoes) {
  const std::vector<WhatIf> what_ifs{parse_what_if("kernels.unknown=0.5x")};
  for (const std::size_t n_at_once : {1, 2, 4})
    EXPECT_THROW(
        predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase", what_ifs, n_at_once),
        Error);
}

TEST(Predictions, CompareWithTheFirstOfTheirModel) {
  std::vector<Prediction> all(3, Prediction{.idle = std::vector<double>(7, 0)});
  all[0].model = all[2].model = "bulk";
  all[1].model = "dataflow";
  all[0].step_ns = all[1].step_ns = 8e6;
  all[2].n_ranks = 4;
  all[2].step_ns = 4e6;
  const std::string table = table_of(all);
  EXPECT_NE(table.find("bulk           8        1  1.000"), std::string::npos) << table;
  EXPECT_NE(table.find("dataflow           8        1  1.000"), std::string::npos) << table;
  EXPECT_NE(table.find("bulk           4        2  0.500"), std::string::npos) << table;
}

TEST(Predictions, SayWhatARefinementTakes) {
  Prediction p = predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase");
  EXPECT_EQ(table_of(std::span(&p, 1)).find("refinement"), std::string::npos);
  EXPECT_FALSE(
      nlohmann::json::parse(json_of(std::span(&p, 1)))["predictions"][0].contains("refinement"));
  p.refinement = Refinement{.ns = 200, .mesh_ns = 50, .n_steps = 4};  // a step takes 200 ns
  const std::string table = table_of(std::span(&p, 1));
  EXPECT_NE(table.find("2 ranks, 1 thread, phase: a refinement 0.0002 ms, of which 5e-05 ms "
                       "beside tasks; one every 4 steps is 20.0 % of the time\n"),
            std::string::npos)
      << table;
  const auto json = nlohmann::json::parse(json_of(std::span(&p, 1)))["predictions"][0];
  EXPECT_EQ(json["refinement"]["ns"], 200);
  EXPECT_EQ(json["refinement"]["mesh_ns"], 50);
  EXPECT_EQ(json["refinement"]["every_steps"], 4);
}

TEST(Predictions, NameWhatTakesMostOfTheCriticalPath) {
  Prediction p = predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase");
  p.rank_bytes = 3 << 20;
  const std::string table = table_of(std::vector<Prediction>{p});
  EXPECT_NE(table.find("critical path 0.0002 ms a step: a 50.0 %, messages 45.0 %, b 5.0 %"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("1.6e-05        3\n"), std::string::npos) << table;
}

TEST(Predictions, CompareTimesForTheSameSize) {
  std::vector<Prediction> all(2, Prediction{.idle = std::vector<double>(7, 0)});
  all[0].step_ns = 8e6;
  all[1].n_ranks = 4;
  all[1].size = 4;
  all[1].step_ns = 10e6;
  const std::string table = table_of(all);
  EXPECT_NE(table.find("          10      3.2  0.800"), std::string::npos) << table;
}

TEST(Predictions, AreJsonForTools) {
  const std::vector<WhatIf> what_ifs{parse_what_if("latency=0x")};
  const std::vector<Prediction> all(
      2, predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase", what_ifs));
  const auto json = nlohmann::json::parse(json_of(all));
  EXPECT_EQ(json["schema"], "thalweg-predict-1");
  ASSERT_EQ(json["predictions"].size(), 2u);
  const auto& one = json["predictions"][1];
  EXPECT_EQ(one["machine"], "slow \"network\"");
  EXPECT_EQ(one["step_ns"], 200);
  EXPECT_EQ(one["ranks"], 2);
  EXPECT_EQ(one["tasks"][0]["name"], "a");
  EXPECT_EQ(one["what_if"][0]["step_ns"], 110);
  EXPECT_EQ(one["path_ns"], 200);
  EXPECT_EQ(one["path"][1]["name"], "messages");
  EXPECT_EQ(one["path"][1]["ns"], 90);
  EXPECT_EQ(one["idle"]["message in flight"], all[1].idle[0]);
  EXPECT_GT(all[1].idle[0], 0);
}

}  // namespace
}  // namespace thalweg::predict

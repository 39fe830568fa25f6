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
#include <thalweg/predict/critical_path.hpp>

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
  EXPECT_DOUBLE_EQ(p.path_ns.value(), 200);
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

TEST(Predictions, SayWhatAChangeWouldGainWithRegrids) {
  Prediction p{.step_ns = 8e6, .idle = std::vector<double>(trace::n_idle_causes, 0)};
  p.refinement = Refinement{.ns = 4e6, .n_steps = 2, .name = "regrid"};
  p.gains = {{"latency=0x", 6e6, 7e6, true}};
  const std::string table = table_of(std::span(&p, 1));
  EXPECT_NE(table.find("with latency=0x 7 ms per step with regrids, 0.700 of it; without them 6 ms "
                       "per step, 0.750 of it\n"),
            std::string::npos)
      << table;
  EXPECT_EQ(table.find("Graham"), std::string::npos) << table;
  const auto json = nlohmann::json::parse(json_of(std::span(&p, 1), {}))["predictions"][0];
  EXPECT_EQ(json["what_if"][0]["step_ns"], 6e6);
  EXPECT_EQ(json["what_if"][0]["step_with_regrids_ns"], 7e6);
}

TEST(Predictions, SayWhyAStepTakesLongerThoughSomethingCostsLess) {
  Prediction p{.step_ns = 8e6, .idle = std::vector<double>(trace::n_idle_causes, 0)};
  const auto has_remark = [&] {
    return table_of(std::span(&p, 1)).find("(Graham's anomaly)") != std::string::npos;
  };
  p.gains = {{"latency=2x", 9e6, 9e6, false}};
  EXPECT_FALSE(has_remark());
  p.gains = {{"latency=0x", 9e6, 9e6, true}};
  EXPECT_TRUE(has_remark());
}

TEST(Predictions, CountTheNodes) {
  Machine machine = with_latency();
  EXPECT_EQ(predict(to_and_fro(), machine, {.n_steps = 2}, 1, "phase").n_nodes, 2);
  machine.ranks_per_node = 4;
  const Prediction p = predict(to_and_fro(), machine, {.n_steps = 2}, 1, "phase");
  EXPECT_EQ(p.n_nodes, 1);
  EXPECT_NE(table_of(std::span(&p, 1)).find("        -      1\n"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(json_of(std::span(&p, 1), {}))["predictions"][0]["n_nodes"], 1);
}

TEST(Predictions, CountWaitingForAReceiveAsTransfer) {
  // Rank 0 works on behind its send, so that it sees only then that rank 1 is ready.
  const Job job = job_of(2, 1, flow::Model::dataflow, [](flow::Recorder& r, int rank) {
    const auto x = r.data<double>("x", 1);
    if (rank == 0) {
      r.task("a", flow::uses(flow::out(x)), nothing);
      r.send(flow::in(x), Rank{1});
      for (int i = 0; i < 3; ++i) r.task("a", flow::uses(flow::in(x)), nothing);
    } else {
      r.recv(flow::out(x), Rank{0});
      r.task("b", flow::uses(flow::in(x)), nothing);
    }
  });
  Machine machine;
  machine.eager_bytes = 0;
  const std::vector<WhatIf> what_ifs{parse_what_if("eager=always")};
  const Prediction p = predict(job, machine, {.n_steps = 1}, 1, "dataflow", what_ifs);
  EXPECT_DOUBLE_EQ(p.step_ns, 410);
  EXPECT_DOUBLE_EQ(p.efficiencies.serialisation, 1);
  EXPECT_DOUBLE_EQ(p.efficiencies.transfer, 400.0 / 410);
  EXPECT_DOUBLE_EQ(p.gains[0].step_ns, 400);
}

TEST(Predictions, AreTheSameHoweverManySimulationsThereAreAtOnce) {
  const std::vector<WhatIf> what_ifs{parse_what_if("latency=0x"), parse_what_if("kernels.a=0.5x")};
  const auto json_with = [&](std::size_t n_at_once) {
    const Prediction p = predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase", what_ifs,
                                 {.n_at_once = n_at_once});
    return json_of(std::span(&p, 1), {});
  };
  for (const std::size_t n_at_once : {2, 3, 100}) EXPECT_EQ(json_with(n_at_once), json_with(1));
}

TEST(Predictions, LeaveOutACriticalPathForWhichThereIsNoRoom) {
  const Job job = to_and_fro();
  const Scenario scenario{.n_steps = 1000};
  const auto of_path = static_cast<double>(bytes_of_path(job, scenario));
  const double of_run = 1.25 * static_cast<double>(bytes_to_simulate(job, scenario));
  ASSERT_GT(of_path, of_run);
  EXPECT_EQ(room_in(of_path + 1, 8, job, scenario), (Room{1, true}));
  EXPECT_EQ(room_in(of_path + 2.5 * of_run, 8, job, scenario), (Room{3, true}));
  EXPECT_FALSE(room_in(of_path - 1, 8, job, scenario).has_path);
  EXPECT_EQ(room_in(1e15, 8, job, scenario), (Room{8, true}));
  EXPECT_EQ(room_in(1, 8, job, scenario), (Room{1, false}));
  EXPECT_EQ(room_in(0, 8, job, scenario), Room{}) << "nobody knows";

  const Prediction p =
      predict(job, with_latency(), {.n_steps = 2}, 1, "phase", {}, {.has_path = false});
  EXPECT_DOUBLE_EQ(p.step_ns, 200);
  EXPECT_FALSE(p.path_ns);
  EXPECT_EQ(table_of(std::span(&p, 1)).find("critical path"), std::string::npos);
  const auto json = nlohmann::json::parse(json_of(std::span(&p, 1), {}));
  EXPECT_TRUE(json["predictions"][0]["path_ns"].is_null());
  EXPECT_TRUE(json["predictions"][0]["path"].empty());
}

TEST(Predictions, FailWhereSimulationsDo) {
  const Job job = job_of(2, 1, flow::Model::dataflow, [](flow::Recorder& r, int rank) {
    const auto x = r.data<double>("x", 1);
    r.recv(flow::out(x), Rank(1 - rank));  // which sends only then
    r.send(flow::in(x), Rank(1 - rank));
  });
  for (const std::size_t n_at_once : {1, 2, 4})
    EXPECT_THROW(
        predict(job, with_latency(), {.n_steps = 2}, 1, "dataflow", {}, {.n_at_once = n_at_once}),
        Error);
}

TEST(Predictions, GainNothingFromChangesOfTasksThatAStepDoesNotHave) {
  const std::vector<WhatIf> what_ifs{parse_what_if("kernels.unknown=0.5x")};
  const Prediction p = predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase", what_ifs);
  EXPECT_EQ(p.gains[0].step_ns, p.step_ns);
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
  EXPECT_FALSE(nlohmann::json::parse(json_of(std::span(&p, 1), {}))["predictions"][0].contains(
      "refinement"));
  p.refinement = Refinement{.ns = 200, .mesh_ns = 50, .n_steps = 4};  // a step takes 200 ns
  const std::string table = table_of(std::span(&p, 1));
  EXPECT_NE(table.find("2 ranks, 1 thread, phase: a refinement 0.0002 ms, of which 5e-05 ms "
                       "beside tasks; one every 4 steps is 20.0 % of the time\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("its share of refinements of the mesh"), std::string::npos) << table;
  p.refinement->name = "regrid";
  const std::string of_deck = table_of(std::span(&p, 1));
  EXPECT_NE(of_deck.find("phase: a regrid 0.0002 ms"), std::string::npos) << of_deck;
  EXPECT_EQ(of_deck.find("refinement"), std::string::npos) << of_deck;
  const auto json = nlohmann::json::parse(json_of(std::span(&p, 1), {}))["predictions"][0];
  EXPECT_EQ(json["refinement"]["ns"], 200);
  EXPECT_EQ(json["refinement"]["mesh_ns"], 50);
  EXPECT_EQ(json["refinement"]["every_steps"], 4);
}

/// On 64 ranks steps are faster than on 4 with 16 threads each, but for their regrids.
std::vector<Prediction> with_costly_regrids() {
  std::vector<Prediction> all(2, Prediction{.idle = std::vector<double>(trace::n_idle_causes, 0)});
  all[0].n_ranks = 4;
  all[0].n_threads = 16;
  all[0].step_ns = 8e6;
  all[0].refinement = Refinement{.ns = 4e6, .n_steps = 2};
  all[1].n_ranks = 64;
  all[1].step_ns = 5e6;
  all[1].refinement = Refinement{.ns = 30e6, .n_steps = 2};
  return all;
}

TEST(Predictions, AreComparedWithTheirRegrids) {
  const auto all = with_costly_regrids();
  EXPECT_EQ(all[0].step_with_regrids_ns(), 10e6);
  EXPECT_EQ(all[1].step_with_regrids_ns(), 20e6);
  const auto compared = compare(all);
  EXPECT_EQ(compared[0].speed_up, 1);
  EXPECT_EQ(compared[1].speed_up, 0.5);
  EXPECT_EQ(compared[1].efficiency, 0.5);
  const std::string table = table_of(all);
  EXPECT_NE(table.find(" model ms per step with regrids speed-up"), std::string::npos) << table;
  EXPECT_NE(table.find("          5           20      0.5  0.500"), std::string::npos) << table;
  EXPECT_NE(table.find("with regrids: ms per step with its share"), std::string::npos) << table;
  const auto json = nlohmann::json::parse(json_of(all, {}))["predictions"][1];
  EXPECT_EQ(json["step_ns"], 5e6);
  EXPECT_EQ(json["step_with_regrids_ns"], 20e6);
  EXPECT_EQ(json["speed_up"], 0.5);
  EXPECT_EQ(json["efficiency"], 0.5);
}

TEST(Predictions, WithoutRegridsHaveNoColumnForThem) {
  const Prediction p{.step_ns = 1, .idle = std::vector<double>(trace::n_idle_causes, 0)};
  EXPECT_EQ(table_of(std::span(&p, 1)).find("regrid"), std::string::npos);
}

TEST(Predictions, OfSeveralMachinesAreComparedOnEach) {
  auto all = with_costly_regrids();
  all[1].machine = "other";
  EXPECT_EQ(compare(all)[1].speed_up, 1);
  // Two files that give the same name are two machines, and the file for tools says so.
  all[1].machine = all[0].machine;
  all[0].machine_file = "a/here.toml";
  all[1].machine_file = "b/here.toml";
  EXPECT_EQ(compare(all)[1].speed_up, 1);
  const auto json = nlohmann::json::parse(json_of(all, {}))["predictions"];
  EXPECT_EQ(json[0]["machine_file"], "a/here.toml");
  EXPECT_EQ(json[1]["machine_file"], "b/here.toml");
}

TEST(Predictions, NameWhatTakesMostOfTheCriticalPath) {
  Prediction p = predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase");
  p.rank_bytes = 3 << 20;
  const std::string table = table_of(std::vector<Prediction>{p});
  EXPECT_NE(table.find("critical path 0.0002 ms per step: a 50.0 %, messages 45.0 %, b 5.0 %"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("1.6e-05        3      2\n"), std::string::npos) << table;
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
  const auto json = nlohmann::json::parse(json_of(all, {}));
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
  EXPECT_EQ(one["idle"]["message_in_flight"], all[1].idle[0]);
  EXPECT_TRUE(one["idle"].contains("message_not_yet_sent"));
  EXPECT_GT(all[1].idle[0], 0);
  EXPECT_EQ(one["step_with_regrids_ns"], 200);
  EXPECT_EQ(one["speed_up"], 1);
  EXPECT_EQ(one["efficiency"], 1);
}

TEST(Predictions, SayInTheirFileOfWhatTheyAre) {
  const Prediction p = predict(to_and_fro(), with_latency(), {.n_steps = 2}, 1, "phase");
  const auto json = nlohmann::json::parse(json_of(std::span(&p, 1), {.program = "thalweg",
                                                                     .version = "1.2",
                                                                     .deck = "a \"deck\".toml",
                                                                     .restart = "out/chk00040",
                                                                     .words = {"x.y=1", "z=2"},
                                                                     .task_times = "--times t.toml",
                                                                     .seed = 7,
                                                                     .n_steps = 10}));
  EXPECT_EQ(json["program"], "thalweg");
  EXPECT_EQ(json["version"], "1.2");
  EXPECT_EQ(json["deck"], "a \"deck\".toml");
  EXPECT_FALSE(json.contains("command"));
  EXPECT_EQ(json["restart"], "out/chk00040");
  EXPECT_EQ(json["words"], (std::vector<std::string>{"x.y=1", "z=2"}));
  EXPECT_EQ(json["task_times"], "--times t.toml");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["steps"], 10);
}

TEST(Predictions, OfStepsWithoutTimeAreJsonToo) {
  const Prediction p{.idle = std::vector<double>(trace::n_idle_causes, 0)};
  const auto json = nlohmann::json::parse(json_of(std::span(&p, 1), {}))["predictions"][0];
  EXPECT_TRUE(json["speed_up"].is_null());
}

TEST(Predictions, OfStepsWithoutTimeHaveNoRatios) {
  Prediction p{.idle = std::vector<double>(trace::n_idle_causes, 0)};
  p.gains = {{"latency=0x", 0, 0, true}};
  for (const bool has_refinement : {false, true}) {
    if (has_refinement) p.refinement = Refinement{};
    const std::string table = table_of(std::span(&p, 1));
    EXPECT_EQ(table.find("nan"), std::string::npos) << table;
    EXPECT_NE(table.find("       -      - "), std::string::npos) << table;  // speed-up, eff.
    EXPECT_NE(table.find("0 ms per step, - of it"), std::string::npos) << table;
  }
}

}  // namespace
}  // namespace thalweg::predict

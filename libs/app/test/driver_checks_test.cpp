// SPDX-License-Identifier: MIT
// What the driver finds out and says of a deck without running it.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/trace/event.hpp>

#include "../../../tests/support/text.hpp"
#include "carried.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using testing::applications;

TEST(CheckSize, says_what_level_0_would_take_before_any_memory_is_taken) {
  const auto complaint = [](const std::vector<std::string>& overrides) -> std::string {
    try {
      check_size(applications()[0], testing::spot_deck(overrides), 2, std::size_t{1} << 30);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint({}), "");
  EXPECT_NE(complaint({"mesh.root_blocks=[65536, 65536]"}).find("[65536, 65536]"),
            std::string::npos);
  EXPECT_NE(complaint({"run.memory_limit_mib=0.001"}).find("0.001 MiB"), std::string::npos);
  EXPECT_NE(complaint({"trace.steps=[1, 2]", "trace.max_events=1000000000"}).find("max_events"),
            std::string::npos);
}

TEST(CheckSize, counts_the_events_of_all_threads) {
  // 2^20 of them on each thread: as many MiB as an event has bytes.
  const auto limit = std::to_string(1.5 * sizeof(trace::Event));
  const auto complaint = [&](const std::string& threads) {
    const auto deck = testing::spot_deck({"trace.steps=[1, 2]", "trace.max_events=1048576",
                                          "run.memory_limit_mib=" + limit, threads});
    return thalweg::testing::error_of([&] { check_size(applications()[0], deck, 1, 0); });
  };
  EXPECT_EQ(complaint("run.threads=1"), "");
  EXPECT_NE(complaint("run.threads=2").find("the room for them"), std::string::npos);
}

/// What is said of the spot's set-up with a scheme, a component and derived fields of these names.
std::string complaint_of_names(const std::string& scheme, const std::string& component,
                               const std::vector<std::string>& derived = {}) {
  auto application = applications()[0];
  application.set_up = set_up_in<2>([&](DeckReader<2>&) {
    auto problem = testing::carried_spot();
    problem.fields[0].name = component;
    for (const std::string& name : derived)
      problem.derived.push_back(
          {.name = name,
           .group = "square",
           .compute = [](const auto&, const auto&, const auto&, const auto&) {}});
    return ProblemSetup<testing::Carried>{.problem = std::move(problem), .scheme_name = scheme};
  });
  return thalweg::testing::error_of([&] { check(application, testing::spot_deck()); });
}

TEST(Check, refuses_a_set_up_whose_checkpoints_or_plotfiles_could_not_be_read) {
  EXPECT_EQ(complaint_of_names("van Leer", "q", {"q_2", "Q"}), "");
  for (const char* scheme : {"", "van\nLeer"})
    EXPECT_NE(complaint_of_names(scheme, "q").find("ProblemSetup::scheme_name"), std::string::npos);
  for (const char* name : {"", "a density", "a,b", "a/b", "a\"b", "\u03c1"}) {
    const auto wanted = std::string(" has the name '") + name + "' (";
    EXPECT_NE(complaint_of_names("van Leer", name).find("Problem::fields" + wanted),
              std::string::npos);
    EXPECT_NE(complaint_of_names("van Leer", "q", {name}).find("Problem::derived" + wanted),
              std::string::npos);
  }
}

TEST(Check, refuses_one_name_for_two_components_or_derived_fields) {
  using Names = std::vector<std::string>;
  for (const Names& derived : {Names{"q"}, Names{"a", "b", "a"}})
    EXPECT_NE(complaint_of_names("van Leer", "q", derived).find("which is taken"),
              std::string::npos);
}

TEST(Check, refuses_a_set_up_that_is_not_there) {
  auto application = applications()[0];
  application.set_up = [](const io::Deck&) { return std::unique_ptr<AnySetup>(); };
  EXPECT_THROW(check(application, testing::spot_deck()), Error);
}

TEST(FirstEstimate, speaks_of_a_large_mesh_alone) {
  const auto said = [](const std::vector<std::string>& overrides) {
    return first_estimate(applications()[0], testing::spot_deck(overrides));
  };
  EXPECT_EQ(said({"mesh.max_level=4"}), "");
  EXPECT_EQ(said({"mesh.max_level=14", "problem.height=0.1"}), "");  // nothing is tagged
  const auto of_deep = said({"mesh.max_level=14"});
  for (const char* part : {"by samples", "blocks", "MiB"})
    EXPECT_NE(of_deep.find(part), std::string::npos) << of_deep;
}

TEST(CheckStart, refuses_a_deep_mesh_before_it_is_made) {
  const auto complaint = [](const std::vector<std::string>& overrides) -> std::string {
    try {
      check_start(applications()[0], testing::spot_deck(overrides), 2, std::size_t{1} << 30);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint({"mesh.max_level=4"}), "");
  EXPECT_EQ(complaint({"mesh.max_level=14", "problem.height=0.1"}), "");  // nothing is tagged
  const auto said = complaint({"mesh.max_level=14"});
  for (const char* part : {"mesh.max_level = 14", "blocks", "on each of 2 ranks", "1024 MiB"})
    EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_NE(complaint({"mesh.max_level=4", "run.memory_limit_mib=0.3"}), "");
}

TEST(Check, throws_what_does_not_go_together) {
  EXPECT_NO_THROW(check(applications()[0], testing::spot_deck()));
  EXPECT_THROW(check(applications()[0], testing::spot_deck({"boundary.lower=[periodic, outflow]"})),
               Error);
  try {
    check(applications()[0], testing::spot_deck({"time.cfl=0.6"}));
    ADD_FAILURE() << "a Courant number of 0.6 was taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "time.cfl = 0.6 (the scheme is stable up to 0.5); lower it");
  }
}

TEST(Estimate, tells_of_each_level_and_counts_steps_as_they_become) {
  io::MemoryFileSystem files;
  std::vector<std::string> texts(2);
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto done_there = estimate(
        applications()[0], testing::spot_deck(), context, {},
        [&](const std::string& text) { texts[context.transport.rank()()] += text + "\n"; });
    ASSERT_TRUE(done_there) << done_there.error().message;
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_NE(texts[0].find("12"), std::string::npos) << texts[0];  // blocks of level 0
  EXPECT_NE(texts[0].find("the run has 9 steps (all were tried)"), std::string::npos) << texts[0];
}

TEST(LookAtStep, shows_the_graph_of_each_rank) {
  io::MemoryFileSystem files;
  std::vector<std::size_t> n_nodes(3);
  std::vector<double> bytes_of_rank(3);
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    const WantedBlocks wanted{{{.level = 1, .code = 0}}};  // a corner
    const auto looked = look_at_step(applications()[0], testing::spot_deck(), context, wanted,
                                     [&](const auto& graph, double bytes) {
                                       bytes_of_rank[context.transport.rank()()] = bytes;
                                       n_nodes[context.transport.rank()()] = graph.n_nodes();
                                     });
    ASSERT_TRUE(looked) << looked.error().message;
  });
  EXPECT_TRUE(done) << done.error().message;
  for (const auto n : n_nodes) EXPECT_GT(n, 10u);
  for (const double bytes : bytes_of_rank)
    EXPECT_GT(bytes, 4 * 8 * 8 * 8.0) << "a third of 12 blocks of 8^2 cells, and more";
}

TEST(ExecutionOf, is_what_the_section_run_says) {
  const auto execution =
      execution_of(testing::spot_deck({"run.model=phase", "run.threads=3", "run.depth=4",
                                       "run.grain=5", "run.posting=persistent"}));
  EXPECT_EQ(execution.model, flow::Model::phase);
  EXPECT_EQ(execution.executor.n_workers, 3u);
  EXPECT_EQ(execution.executor.depth, 4u);
  EXPECT_EQ(execution.grain, 5u);
  EXPECT_EQ(execution.executor.posting, flow::Posting::persistent);
  const auto of_bulk = execution_of(testing::spot_deck({"run.model=bulk", "run.threads=3"}));
  EXPECT_EQ(of_bulk.executor.n_workers, 1u);
}

}  // namespace
}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <thalweg/app/job.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/app/testing/runtime_main.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>

#include "../../../tests/support/text.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using testing::applications;
using testing::runtime;
using thalweg::testing::error_of;

/// A deck on the disk, written by rank 0, while it lives.
class DeckFile {
 public:
  DeckFile() {
    if (runtime->rank() == Rank{0})
      std::ofstream(path) << "[problem]\nname = \"spot\"\n[mesh]\ndim = 2\n"
                             "[boundary]\nlower = [\"periodic\", \"periodic\"]\n"
                             "upper = [\"periodic\", \"periodic\"]\n[time]\nend = 1.0\n";
    flow::barrier(runtime->transport());
  }
  ~DeckFile() {
    flow::barrier(runtime->transport());
    if (runtime->rank() == Rank{0}) std::filesystem::remove(path);
  }
  std::string path =
      "job_test_" + std::to_string(runtime->transport().n_ranks()) + "_ranks_deck.toml";
};

TEST(Job, has_the_deck_with_what_the_request_says) {
  const DeckFile file;
  const auto job = load_job(
      applications(), {.deck = file.path, .overrides = {"time.end=0.5"}, .threads = 3}, *runtime);
  EXPECT_EQ(job.deck.real("time.end"), 0.5);
  EXPECT_EQ(job.deck.integer("run.threads"), 3);
  EXPECT_FALSE(job.from);
  EXPECT_FALSE(job.deck.string(identity_key).empty());
  EXPECT_NO_THROW(check_job(applications(), job, "", *runtime));
}

TEST(Job, may_have_the_text_of_a_deck_in_place_of_a_file) {
  const auto job = load_job(applications(),
                            {.deck = "the deck",
                             .overrides = {"time.end=0.5"},
                             .deck_text = "problem.name = 'spot'\n\"mesh\".\"dim\" = 2\n"},
                            *runtime);
  EXPECT_EQ(job.deck.real("time.end"), 0.5);
  EXPECT_EQ(job.deck.integer("mesh.dim"), 2);
  const auto text = error_of([] {
    load_job(applications(), {.deck = "the deck", .deck_text = "mesh.dmi = 2"}, *runtime);
  });
  EXPECT_NE(text.find("the deck:1: unknown key 'mesh.dmi'"), std::string::npos) << text;
}

TEST(Job, complains_of_all_that_is_wrong_on_all_ranks) {
  EXPECT_NE(
      error_of([] { load_job(applications(), {.deck = "none.toml"}, *runtime); }).find("none.toml"),
      std::string::npos);
  const DeckFile file;
  const auto job = load_job(
      applications(), {.deck = file.path, .overrides = {"boundary.lower=['periodic', 'outflow']"}},
      *runtime);
  const auto text = error_of([&] { check_job(applications(), job, file.path, *runtime); });
  EXPECT_NE(text.find("not both periodic"), std::string::npos) << text;
  EXPECT_NE(text.find("is a file"), std::string::npos) << text;
  EXPECT_EQ(text.find("\n\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace thalweg::app

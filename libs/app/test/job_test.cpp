// SPDX-License-Identifier: MIT
#include <thalweg/app/job.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/testing/runtime_main.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/checkpoint.hpp>

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

/// A folder with the checkpoint chk00001 of a run that was stopped after its first step.
class FolderOfRun {
 public:
  FolderOfRun() {
    const DeckFile file;
    const auto job = load_job(applications(),
                              {.deck = file.path,
                               .overrides = {"time.max_steps=1", "checkpoint.interval=1"},
                               .folder = path,
                               .quiet = true},
                              *runtime);
    const auto lock = take_folder(job, path, *runtime);
    const auto& application = application_of(applications(), job.deck);
    EXPECT_TRUE(run(application, job.deck, runtime->context(execution_of(job.deck)), path));
  }
  ~FolderOfRun() {
    flow::barrier(runtime->transport());
    if (runtime->rank() == Rank{0}) std::filesystem::remove_all(path);
  }
  /// Add the manifest of a newer one, as if its run had gone on; it has no cells.
  void add_newer(std::uint64_t n) const {
    if (runtime->rank() != Rank{0}) return;
    auto& files = runtime->files();
    auto manifest = io::read_manifest(files, path + "/chk00001").value();
    manifest.sequence += n;
    const std::string added = path + "/chk0001" + std::to_string(n);
    EXPECT_TRUE(files.make_directory(added));
    EXPECT_TRUE(io::write_text(files, added + "/manifest", io::to_text(manifest)));
  }
  Job job(const std::string& restart) const {
    return load_job(applications(),
                    {.deck = "",
                     .overrides = {"time.max_steps=2"},
                     .folder = path,
                     .restart = restart,
                     .quiet = true},
                    *runtime);
  }
  std::string path = "job_test_" + std::to_string(runtime->transport().n_ranks()) + "_ranks_out";
};

TEST(Job, does_not_go_on_where_another_run_has_gone_on_since_it_was_loaded) {
  const FolderOfRun folder;
  std::uint64_t n = 0;
  for (const std::string& which : {std::string("latest"), folder.path + "/chk00001"}) {
    const Job job = folder.job(which);
    EXPECT_EQ(job.from->path, folder.path + "/chk00001");
    folder.add_newer(++n);
    const auto names = [&] { return runtime->files().list(folder.path).value(); };
    flow::barrier(runtime->transport());
    const auto before = names();

    const auto text = error_of([&] { take_folder(job, folder.path, *runtime); });

    EXPECT_NE(text.find("another run has gone on in '" + folder.path + "'"), std::string::npos)
        << text;
    flow::barrier(runtime->transport());
    EXPECT_EQ(names(), before);
  }
}

TEST(Job, goes_on_beside_a_newer_checkpoint_that_was_damaged_before_it_was_loaded) {
  const FolderOfRun folder;
  folder.add_newer(1);
  for (const std::string& which : {std::string("latest"), folder.path + "/chk00001"}) {
    const Job job = folder.job(which);
    EXPECT_EQ(job.from->path, folder.path + "/chk00001");
    EXPECT_EQ(error_of([&] { take_folder(job, folder.path, *runtime); }), "");
  }
}

TEST(Job, goes_on_in_another_folder_whatever_its_checkpoint_has_beside_it) {
  const FolderOfRun folder;
  const std::string other = folder.path + "_other";
  const Job job =
      load_job(applications(), {.deck = "", .folder = other, .restart = folder.path + "/chk00001"},
               *runtime);
  folder.add_newer(1);
  EXPECT_EQ(error_of([&] { take_folder(job, other, *runtime); }), "");
}

}  // namespace
}  // namespace thalweg::app

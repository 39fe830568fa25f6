// SPDX-License-Identifier: MIT
// What holds for every application of the program: its decks, its size, and the same bits on any
// layout, in all models, and after a restart.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "applications.hpp"

namespace thalweg::testing {
namespace {

/// Lines of code of an application, its deck declarations with them: no comments, includes, tests.
int n_lines_of(const std::string& application) {
  int n_lines = 0;
  const auto root = std::filesystem::path(THALWEG_APPS) / application;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const auto& path = entry.path();
    const bool is_test = path.string().find("/test/") != std::string::npos;
    if (is_test || (path.extension() != ".hpp" && path.extension() != ".cpp")) continue;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      const auto first = line.find_first_not_of(' ');
      n_lines += first != std::string::npos && line.compare(first, 2, "//") != 0 &&
                 line.compare(first, 1, "#") != 0 && line.find("namespace") == std::string::npos;
    }
  }
  return n_lines;
}

// What they refuse and the keys of their decks are a part of it.
TEST(Applications, are_short) {
  EXPECT_LE(n_lines_of("advection"), 73);
  EXPECT_LE(n_lines_of("shallow_water"), 171);
  EXPECT_LE(n_lines_of("induction"), 250);
}

TEST(Applications, have_decks_that_pass_every_check) {
  for (const auto& application : all_applications()) {
    const auto folder = std::filesystem::path(THALWEG_APPS) / application.name / "decks";
    int n_decks = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      SCOPED_TRACE(entry.path());
      const auto deck =
          application_deck(application.name + "/decks/" + entry.path().filename().string());
      EXPECT_EQ(deck.string("application.name"), application.name);
      EXPECT_NO_THROW(app::check(application, deck));
      ++n_decks;
    }
    EXPECT_GT(n_decks, 1);
  }
}

TEST(Applications, let_a_run_go_on_that_refines_elsewhere) {
  for (const auto& application : all_applications())
    for (const auto& p : app::parameters_of(all_applications(), application, ""))
      EXPECT_TRUE(!p.name.starts_with("regrid.") || p.at_restart == io::AtRestart::may_change)
          << application.name << ": " << p.name;
}

TEST(Applications, describe_every_key_in_a_sentence) {
  for (const auto& application : all_applications())
    for (const auto& p : app::parameters_of(all_applications(), application, "")) {
      EXPECT_FALSE(p.doc.empty()) << p.name;
      EXPECT_EQ(p.doc.back(), '.') << p.name << ": " << p.doc;
    }
}

/// The hash of the last plotfile of a run on virtual ranks.
std::uint64_t hash_of(const io::Deck& deck, const SimulatedRun& run) {
  io::MemoryFileSystem files;
  EXPECT_TRUE(files.make_directory("out"));
  const auto& application = app::application_of(all_applications(), deck);
  const auto done = on_virtual_ranks(run, files, [&](const app::Context& context) {
    const auto end = app::run(application, deck, context, "out");
    ASSERT_TRUE(end) << end.error().message;
  });
  EXPECT_TRUE(done) << done.error().message;
  const auto hash = io::hash_plotfile(files, io::last_plotfile(files, "out"));
  EXPECT_TRUE(hash) << hash.error().message;
  return hash.value_or(0);
}

TEST(Applications, run_with_their_defaults) {
  for (const auto& application : all_applications()) {
    SCOPED_TRACE(application.name);
    std::vector<std::string> names{"application.name=" + application.name, "time.max_steps=10"};
    if (!application.problems.empty())
      names.push_back("problem.name=" + application.problems.front().name);
    hash_of(app::load_deck(all_applications(), "", "deck.toml", names), {});
  }
}

struct Case {
  std::string deck;
  std::vector<std::string> overrides;
};

std::vector<Case> cases() {
  return {
      {"advection/decks/pulse.toml", {"advection.diffusivity=0.001"}},
      {"shallow_water/decks/dam_break.toml", {}},
      {"shallow_water/decks/thacker.toml", {"mesh.max_level=1"}},
      {"advection/decks/pulse.toml", {"mesh.mode='leaf'"}},
      {"induction/decks/loop.toml", {}},
      {"induction/decks/loop.toml", {"mesh.mode='leaf'"}},
      {"vlasov/decks/landau_nonlinear.toml", {"vlasov.cells=[48, 40]", "vlasov.tile=[16, 16]"}}};
}

TEST(Applications, have_the_same_bits_on_any_layout_and_in_all_models) {
  for (auto [path, overrides] : cases()) {
    SCOPED_TRACE(path);
    overrides.push_back("time.max_steps=10");
    if (application_deck(path, overrides).is_declared("partition.method"))
      overrides.push_back("partition.method=hilbert");
    const auto deck = application_deck(path, overrides);
    const auto expected = hash_of(deck, {});
    EXPECT_EQ(hash_of(deck, {.n_ranks = 3, .seed = 1}), expected);
    EXPECT_EQ(hash_of(deck, {.n_ranks = 40, .seed = 2}), expected);  // some have no block
    for (const auto model :
         {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
      for (const std::uint32_t n_workers : {1, 2})
        EXPECT_EQ(hash_of(deck, {.n_ranks = 2, .seed = 3, .model = model, .n_workers = n_workers}),
                  expected);
  }
}

TEST(Applications, go_on_from_a_checkpoint_to_the_same_bits) {
  for (auto [path, overrides] : cases()) {
    SCOPED_TRACE(path);
    overrides.insert(overrides.end(), {"time.max_steps=10"});
    const auto expected = hash_of(application_deck(path, overrides), {});
    overrides.insert(overrides.end(), {"time.max_steps=5", "checkpoint.interval=5"});
    const auto first = application_deck(path, overrides);
    overrides.insert(overrides.end(), {"time.max_steps=10"});
    const auto second = application_deck(path, overrides);
    const auto& application = app::application_of(all_applications(), first);

    io::MemoryFileSystem files;
    ASSERT_TRUE(files.make_directory("out"));
    ASSERT_TRUE(on_virtual_ranks({.n_ranks = 3}, files, [&](const app::Context& context) {
      ASSERT_TRUE(app::run(application, first, context, "out"));
    }));
    ASSERT_TRUE(on_virtual_ranks({.n_ranks = 2}, files, [&](const app::Context& context) {
      const auto from = app::newest_checkpoint(context, "out");
      ASSERT_TRUE(from) << from.error().message;
      app::check_restart(all_applications(), second, *from);
      ASSERT_TRUE(app::run(application, second, context, "out", *from));
    }));
    EXPECT_EQ(io::hash_plotfile(files, "out/plt00010").value_or(0), expected);
  }
}

}  // namespace
}  // namespace thalweg::testing

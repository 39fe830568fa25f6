// SPDX-License-Identifier: MIT
#include <thalweg/app/output_folder.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/io/testing/passing_files.hpp>

#include "../../../tests/support/text.hpp"
#include "carried.hpp"

namespace thalweg::app {
namespace {

using Names = std::vector<std::string>;

void make_files(io::FileSystem& files, const Names& paths) {
  for (const auto& path : paths) {
    const auto slash = path.rfind('/');
    if (slash != std::string::npos) {
      EXPECT_TRUE(files.make_directory(path.substr(0, slash)));
    }
    EXPECT_TRUE(io::write_text(files, path, "text"));
  }
}

// What one of the functions complains about on three ranks, which must all hear the same.
template <class F>
std::string complaint(io::FileSystem& files, F&& program) {
  std::vector<std::string> errors(3);
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    try {
      program(context.transport);
    } catch (const Error& error) {
      errors[context.transport.rank()()] = error.what();
    }
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(errors[1], errors[0]);
  EXPECT_EQ(errors[2], errors[0]);
  return errors[0];
}

std::string remove_old(io::FileSystem& files, const std::string& folder,
                       Existing existing = Existing::refuse, const std::string& identity = "") {
  return complaint(files, [&](flow::Transport& transport) {
    remove_old_results(transport, files, folder, existing, identity);
  });
}

using thalweg::testing::expect_parts;

TEST(OutputFolder, is_made_with_its_parents_and_what_is_there_stays_until_it_must_go) {
  const auto top = std::filesystem::temp_directory_path() /
                   ("thalweg_output_folder_" + std::to_string(::getpid()));
  const auto out = top / "a" / "out";
  io::PosixFileSystem files;
  io::MemoryFileSystem none;
  const auto take = [&](Existing existing, auto&& look) {
    return complaint(none, [&](flow::Transport& transport) {
      const auto lock = take_output_folder(transport, files, out, existing);
      EXPECT_EQ(lock.has_value(), transport.rank() == Rank{0});
      if (lock) look();
    });
  };
  EXPECT_EQ(take(Existing::refuse,
                 [&] { EXPECT_EQ(files.list(out).value(), Names{io::FolderLock::file_name}); }),
            "");
  EXPECT_FALSE(std::filesystem::exists(top)) << "it is empty";

  make_files(files, {out / "plt00000" / "Header"});
  EXPECT_EQ(take(Existing::replace, [] {}), "");
  EXPECT_EQ(files.list(out).value(), Names{"plt00000"});
  EXPECT_EQ(remove_old(files, out, Existing::replace), "");
  EXPECT_EQ(files.list(out).value(), Names{});

  make_files(files, {out / "file"});
  expect_parts(complaint(none,
                         [&](flow::Transport& transport) {
                           take_output_folder(transport, files, out / "file" / "results",
                                              Existing::refuse);
                         }),
               {"file/results'", "--out"});
  std::filesystem::remove_all(top);
}

TEST(OutputFolder, one_in_use_is_refused_and_not_touched) {
  io::MemoryFileSystem files;
  make_files(files, {"out/plt00000/Header", "out/notes.txt"});

  expect_parts(remove_old(files, "out"), {"'out'", "--force"});

  EXPECT_EQ(files.list("out").value(), (Names{"notes.txt", "plt00000"}));
}

TEST(OutputFolder, replacing_removes_what_a_run_writes_and_nothing_else) {
  const Names others{"deck.toml",        "notes.txt",   "plt",
                     "plt00001.png",     "plt123",      "pltABCDE",
                     "series.csv.trash", "slice_00010", "slice_w1_00010",
                     "slice_z1_010",     "trace.json",  "trace.pftrace.gz"};
  Names paths{"out/plt00000/Header", "out/plt1234567/Header",      "out/series.csv",
              "out/points.csv",      "out/slice_z12_00010/Header", "out/trace.pftrace"};
  for (const auto& name : others) paths.push_back("out/" + name);
  io::MemoryFileSystem files;
  make_files(files, paths);

  EXPECT_EQ(remove_old(files, "out", Existing::replace), "");

  EXPECT_EQ(files.list("out").value(), others);
}

TEST(OutputFolder, replacing_removes_what_was_begun) {
  io::MemoryFileSystem files;
  make_files(files, {"out/plt00010.tmp/Header", "out/plt00010.tmp2"});

  EXPECT_EQ(remove_old(files, "out", Existing::replace), "");

  EXPECT_EQ(files.list("out").value(), Names{"plt00010.tmp2"});
}

TEST(OutputFolder, what_a_killed_run_was_writing_is_removed_by_the_next_one) {
  for (const auto existing : {Existing::replace, Existing::keep}) {
    io::MemoryFileSystem files;
    make_files(files, {"out/trace.pftrace.tmp", "out/series.csv.1.tmp", "out/series.csv.tmp2",
                       "out/log.tmp", "out/series.csv.tmp/thesis"});

    EXPECT_EQ(remove_old(files, "out", existing), "");

    EXPECT_EQ(files.list("out").value(), (Names{"log.tmp", "series.csv.tmp", "series.csv.tmp2"}));
  }
}

TEST(OutputFolder, beside_other_files_results_are_refused) {
  io::MemoryFileSystem files;
  make_files(files, {"out/notes.txt", "out/.thalweg-lock"});
  EXPECT_EQ(remove_old(files, "out", Existing::beside), "");

  make_files(files, {"out/plt00000/Header"});
  expect_parts(remove_old(files, "out", Existing::beside), {"'out/plt00000'", "--force"});
}

TEST(OutputFolder, locked_and_else_empty_is_taken) {
  io::MemoryFileSystem files;
  make_files(files, {"out/.thalweg-lock"});
  EXPECT_EQ(remove_old(files, "out"), "");
}

TEST(OutputFolder, of_a_run_that_goes_on_has_no_results_of_others) {
  io::MemoryFileSystem files;
  make_files(files, {"out/plt00000/Header", "out/plt00004.tmp/Header", "out/notes.txt"});
  ASSERT_TRUE(io::write_text(files, "out/plt00000/deck.toml", "run.identity = \"ours\"\n"));
  EXPECT_EQ(remove_old(files, "out", Existing::keep, "ours"), "");

  ASSERT_TRUE(files.remove("out/plt00004.tmp"));
  make_files(files, {"out/plt00004/Header"});
  ASSERT_TRUE(io::write_text(files, "out/plt00004/deck.toml", "run.identity = \"theirs\"\n"));
  expect_parts(remove_old(files, "out", Existing::keep, "ours"),
               {"'out/plt00004' belongs to another run", "--force"});
  EXPECT_TRUE(files.status("out/plt00004")->has_value());

  EXPECT_EQ(remove_old(files, "out", Existing::keep_own, "ours"), "");
  EXPECT_EQ(files.list("out").value(), (Names{"notes.txt", "plt00000"}));
}

// Counts how often decks of plotfiles are read.
class DeckCounter final : public io::testing::PassingFiles {
 public:
  using PassingFiles::PassingFiles;
  Result<void> read(const std::string& path, std::uint64_t offset,
                    std::span<std::byte> bytes) const override {
    if (path.ends_with("/deck.toml")) ++n_reads;
    return PassingFiles::read(path, offset, bytes);
  }
  mutable int n_reads = 0;
};

TEST(OutputFolder, of_a_run_that_goes_on_has_decks_that_are_read_once_and_not_parsed) {
  io::MemoryFileSystem memory;
  DeckCounter files(memory);
  constexpr int n_plotfiles = 20;
  for (int step = 0; step < n_plotfiles; ++step) {
    const auto path = "out/plt000" + std::to_string(10 + step);
    make_files(files, {path + "/Header"});
    // What follows is no TOML, and would make it a deck of nobody.
    ASSERT_TRUE(io::write_text(files, path + "/deck.toml",
                               "[run]\nidentity = \"ours\"  # of the run\n= ="));
  }

  EXPECT_EQ(remove_old(files, "out", Existing::keep, "ours"), "");
  EXPECT_EQ(files.n_reads, n_plotfiles);

  expect_parts(remove_old(files, "out", Existing::keep, "our"),
               {"'out/plt00010' belongs to another run"});
}

TEST(OutputFolder, of_a_run_that_goes_on_has_no_plotfiles_of_other_programs) {
  io::MemoryFileSystem files;
  make_files(files, {"out/plt00004/Header"});  // ours have a deck
  expect_parts(remove_old(files, "out", Existing::keep, "ours"),
               {"'out/plt00004' belongs to another run", "--force"});
  EXPECT_TRUE(files.status("out/plt00004")->has_value());

  EXPECT_EQ(remove_old(files, "out", Existing::keep_own, "ours"), "");
  EXPECT_EQ(files.list("out").value(), Names{});
}

TEST(OutputFolder, what_only_has_the_name_of_a_result_is_kept) {
  for (const char* mine :
       {"out/plt00099", "out/plt00077/notes", "out/plt00077/Header/notes",
        "out/plt00077.trash/notes", "out/plt00077.tmp/notes", "out/plt00077.superseded/notes",
        "out/chk00099", "out/chk00077/notes", "out/chk00066.superseded/notes",
        "out/chk00055.trash/notes", "out/chk00055.superseded.trash/notes"})
    for (const auto existing :
         {Existing::beside, Existing::replace, Existing::keep, Existing::keep_own}) {
      io::MemoryFileSystem files;
      make_files(files, {mine});
      expect_parts(remove_old(files, "out", existing),
                   {std::string(mine).substr(0, 12), "is no ", "move it"});
      EXPECT_EQ(io::read_text(files, mine).value(), "text");
    }
}

TEST(OutputFolder, what_a_killed_run_left_of_results_goes) {
  for (const char* left :
       {"out/plt00010.tmp/Level_0/Cell_D_00000", "out/plt00010.trash/deck.toml",
        "out/plt00010.superseded/Level_1/Cell_H", "out/chk00010.trash/cells_00001"}) {
    io::MemoryFileSystem files;
    make_files(files, {left});
    ASSERT_TRUE(files.make_directory("out/chk00010.superseded.trash"));
    ASSERT_TRUE(files.make_directory("out/plt00020.trash"));
    EXPECT_EQ(remove_old(files, "out", Existing::replace), "");
    EXPECT_EQ(files.list("out").value(), Names{});
  }
}

TEST(SupersedeResults, gives_those_of_later_steps_another_name_in_place_of_what_has_it) {
  io::MemoryFileSystem files;
  make_files(files, {"out/plt00004/Header", "out/plt00005/Header", "out/plt00006/Header",
                     "out/plt1000000/Header", "out/plt00006.superseded/Header",
                     "out/plt00006.superseded/more", "out/plt00007.tmp/Header",
                     "out/chk00006/manifest", "out/plt.png"});
  ASSERT_TRUE(io::write_text(files, "out/plt00006/Header", "later"));
  const io::Manifest from{.step = 5};
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    EXPECT_EQ(supersede_results(context.transport, context.files, "out", from).value(),
              "out/plt00006 to out/plt1000000");
    EXPECT_EQ(supersede_results(context.transport, context.files, "out", from).value(), "");
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(files.list("out").value(),
            (Names{"chk00006", "plt.png", "plt00004", "plt00005", "plt00006.superseded",
                   "plt00007.tmp", "plt1000000.superseded"}));
  EXPECT_EQ(files.list("out/plt00006.superseded").value(), Names{"Header"});
  EXPECT_EQ(io::read_text(files, "out/plt00006.superseded/Header").value(), "later");

  ASSERT_TRUE(files.remove("out/chk00006"));
  EXPECT_EQ(remove_old(files, "out", Existing::replace), "");
  EXPECT_EQ(files.list("out").value(), Names{"plt.png"});
}

TEST(SupersedeResults, names_the_first_and_the_last_step_however_many_digits_they_have) {
  io::MemoryFileSystem files;
  make_files(files, {"out/plt100000/Header", "out/plt99995/Header", "out/plt100005/Header",
                     "out/slice_z1_100000/Header", "out/slice_x12_99995/Header",
                     "out/slice_x12_100000/Header"});
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    EXPECT_EQ(supersede_results(context.transport, context.files, "out", {.step = 5}).value(),
              "out/plt99995 to out/plt100005, out/slice_x12_99995 to out/slice_z1_100000");
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(SupersedeResults, says_on_all_ranks_that_it_cannot) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    EXPECT_FALSE(supersede_results(context.transport, context.files, "none", {.step = 5}));
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(ObjectionToPlotfile, keeps_what_is_there) {
  io::MemoryFileSystem files;
  make_files(files, {"plt/Header", "work/thesis.tex", "file"});
  EXPECT_EQ(objection_to_plotfile(files, "new", false), "");
  EXPECT_EQ(objection_to_plotfile(files, "plt", true), "");
  expect_parts(objection_to_plotfile(files, "plt", false), {"'plt' exists", "--force"});
  for (const char* mine : {"work", "file"})
    for (const bool force : {false, true})
      expect_parts(objection_to_plotfile(files, mine, force), {mine, "is no plotfile"});
  EXPECT_NE(objection_to_plotfile(files, "", true), "");
  for (const char* path : {"file/plt", "file/a/plt"})
    expect_parts(objection_to_plotfile(files, path, true), {"'file' is a file", path});
  for (const char* path : {"new/plt", "work/plt", "/new/plt"})
    EXPECT_EQ(objection_to_plotfile(files, path, false), "");
}

TEST(OutputFolder, of_a_run_older_than_identities_goes_on) {
  io::MemoryFileSystem files;
  make_files(files, {"out/plt00000/Header"});
  ASSERT_TRUE(io::write_text(files, "out/plt00000/deck.toml", "time.end = 1.0\n"));
  EXPECT_EQ(remove_old(files, "out", Existing::keep, ""), "");
  EXPECT_NE(remove_old(files, "out", Existing::keep, "ours"), "");
}

TEST(OutputFolder, file_is_refused_whatever_is_asked_for) {
  io::MemoryFileSystem files;
  make_files(files, {"out"});

  expect_parts(remove_old(files, "out", Existing::replace), {"'out'", "file"});
  EXPECT_EQ(io::read_text(files, "out").value(), "text");
}

TEST(OutputFolder, one_without_name_is_refused) {
  io::MemoryFileSystem files;

  expect_parts(remove_old(files, ""), {"--out"});
}

TEST(OutputFolder, checking_touches_nothing) {
  io::MemoryFileSystem files;
  make_files(files, {"used/plt00000/Header"});

  const auto check = [&](const std::string& folder, Existing existing) {
    return complaint(files, [&](flow::Transport& transport) {
      check_output_folder(transport, files, folder, existing);
    });
  };

  EXPECT_EQ(check("new", Existing::refuse), "");
  EXPECT_FALSE(files.status("new")->has_value());
  EXPECT_EQ(check("used", Existing::replace), "");
  EXPECT_EQ(files.list("used").value(), Names{"plt00000"});
  EXPECT_NE(check("used", Existing::refuse), "");
}

TEST(ReadTextEverywhere, gives_rank_0s_file_to_all) {
  io::MemoryFileSystem files;
  make_files(files, {"deck.toml"});
  std::vector<std::string> texts(3);

  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    texts[context.transport.rank()()] =
        read_text_everywhere(context.transport, files, "deck.toml", "it is tried");
  });

  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(texts, Names(3, "text"));
}

TEST(ReadTextEverywhere, says_on_all_ranks_what_is_missing) {
  io::MemoryFileSystem files;
  make_files(files, {"folder/deck.toml"});
  const auto read = [&](const std::string& path) {
    return complaint(files, [&](flow::Transport& transport) {
      read_text_everywhere(transport, files, path, "it is tried");
    });
  };

  expect_parts(read("none.toml"), {"'none.toml'", "no such file"});
  expect_parts(read("folder"), {"'folder'", "is a folder"});
}

}  // namespace
}  // namespace thalweg::app

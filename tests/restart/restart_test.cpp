// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/requests.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "../support/dimensions.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

/// A blast on three levels whose mesh changes between the checkpoints and the end.
io::Deck blast(int dim, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> all{
      "problem.name=blast",
      "problem.radius=0.1",
      "problem.pressure=0.1",
      "problem.centre=" + repeated(dim, "0.4"),
      "problem.velocity=" + repeated(dim, "0.5"),
      "mesh.dim=" + std::to_string(dim),
      "mesh.lower=" + repeated(dim, "0"),
      "mesh.upper=" + repeated(dim, "1"),
      "mesh.root_blocks=" + repeated(dim, dim == 3 ? "1" : "2"),
      std::string("mesh.block_cells=") + (dim == 1   ? "8"
                                          : dim == 2 ? "[8,12]"
                                                     : "[8,12,8]"),
      std::string("mesh.max_level=") + (dim == 3 ? "1" : "2"),
      "boundary.lower=" + repeated(dim, "'reflecting'"),
      "boundary.upper=" + repeated(dim, "'outflow'"),
      "time.end=10",
      "time.max_steps=12",
      "regrid.interval=3",
      "checkpoint.interval=5",
  };
  all.insert(all.end(), overrides.begin(), overrides.end());
  return deck("", all);
}

/// What a run leaves: how it ended, and the hash of its last plotfile if there is one.
struct Outcome {
  app::RunEnd end = app::RunEnd::finished;
  std::uint64_t hash = 0;
  std::int64_t n_blocks = 0;
};

Outcome run(const io::Deck& deck, const SimulatedRun& how, io::FileSystem& files,
            const std::string& from = {}) {
  Outcome outcome;
  const auto done = on_virtual_ranks(how, files, [&](const app::Context& context) {
    std::optional<app::Checkpoint> checkpoint;
    if (!from.empty()) {
      auto found = from == "latest" ? app::newest_checkpoint(context, "out")
                                    : app::whole_checkpoint(context, from);
      if (!found) throw std::runtime_error(found.error().message);
      app::check_restart(applications(), deck, *found);
      checkpoint = *std::move(found);
    }
    const auto end = app::run(application(), deck, context, "out", checkpoint);
    if (!end) throw std::runtime_error(end.error().message);
    outcome.end = *end;
  });
  EXPECT_TRUE(done) << done.error().message;
  outcome.hash = io::hash_plotfile(files, "out/plt00012").value_or(0);
  return outcome;
}

template <class Dimension>
class Restart : public ::testing::Test {};
TYPED_TEST_SUITE(Restart, Dimensions);

TYPED_TEST(Restart, gives_the_same_bits_on_any_layout) {
  constexpr int dim = TypeParam::value;
  io::MemoryFileSystem straight_files;
  ASSERT_TRUE(straight_files.make_directory("out"));
  const auto straight = run(blast(dim), {.n_ranks = 2}, straight_files);
  ASSERT_NE(straight.hash, 0u);

  constexpr std::array ranks{1, 2, 3, 5};
  int n = 0;
  for (const int before : ranks)
    for (const int after : ranks) {
      io::MemoryFileSystem files;
      ASSERT_TRUE(files.make_directory("out"));
      const auto seed = static_cast<std::uint64_t>(n);
      const auto model = [&](int k) { return static_cast<flow::Model>(k % 4); };
      run(blast(dim, {"time.max_steps=6"}), {.n_ranks = before, .seed = seed, .model = model(n)},
          files);
      const auto rest = run(blast(dim), {.n_ranks = after, .seed = seed + 1, .model = model(n + 1)},
                            files, n % 2 == 0 ? "latest" : "out/chk00005");
      EXPECT_EQ(rest.hash, straight.hash) << "from " << before << " to " << after << " ranks";
      ++n;
    }
}

TYPED_TEST(Restart, gives_the_same_bits_however_blocks_are_divided) {
  constexpr int dim = TypeParam::value;
  const auto with = [](const char* method, std::vector<std::string> more = {}) {
    more.push_back(std::string("partition.method=") + method);
    return blast(dim, more);
  };
  io::MemoryFileSystem straight_files;
  ASSERT_TRUE(straight_files.make_directory("out"));
  const auto straight = run(blast(dim), {.n_ranks = 1}, straight_files);
  ASSERT_NE(straight.hash, 0u);

  constexpr std::array methods{"morton", "hilbert", "round_robin", "knapsack"};
  for (int n = 0; n < 6; ++n) {
    const char* before = methods.at(static_cast<std::size_t>(n + 1) % 4);
    const char* after = methods.at(static_cast<std::size_t>(2 * n + 2) % 4);
    io::MemoryFileSystem files;
    ASSERT_TRUE(files.make_directory("out"));
    run(with(before, {"time.max_steps=6"}), {.n_ranks = 1 + n % 5}, files);
    const auto rest =
        run(with(after), {.n_ranks = 5 - n % 4, .seed = static_cast<std::uint64_t>(n)}, files,
            "latest");
    EXPECT_EQ(rest.hash, straight.hash) << before << ", then " << after;
  }
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  run(with("round_robin", {"time.max_steps=6"}), {.n_ranks = 2}, files);
  const auto rest =
      run(with("morton", {"partition.directory=routed"}), {.n_ranks = 5}, files, "latest");
  EXPECT_EQ(rest.hash, straight.hash) << "then without a table of ranks";
}

/// Asks when asked for the nth time.
class Later final : public app::Requests {
 public:
  Later(int n, const app::Request& request) : n_(n), request_(request) {}
  app::Request take() override { return --n_ == 0 ? request_ : app::Request{}; }

 private:
  int n_;
  app::Request request_;
};

/// Run on three virtual ranks, of which one is asked something at some time.
app::RunEnd run_asked(const io::Deck& deck, io::FileSystem& files, int when,
                      const app::Request& request) {
  auto end = app::RunEnd::finished;
  const auto done = on_virtual_ranks({.n_ranks = 3}, files, [&](app::Context context) {
    Later later(when, request);
    Later never(0, {});
    context.requests = context.transport.rank() == Rank{2} ? &later : &never;
    const auto result = app::run(application(), deck, context, "out");
    if (!result) throw std::runtime_error(result.error().message);
    end = *result;
  });
  EXPECT_TRUE(done) << done.error().message;
  return end;
}

TEST(Asked, to_stop_leaves_a_checkpoint_that_goes_on_to_the_same_bits) {
  io::MemoryFileSystem straight_files;
  ASSERT_TRUE(straight_files.make_directory("out"));
  const auto straight = run(blast(2), {.n_ranks = 2}, straight_files);

  for (const int when : {1, 2, 3, 4}) {
    io::MemoryFileSystem files;
    ASSERT_TRUE(files.make_directory("out"));
    const auto deck = blast(2, {"checkpoint.interval=0"});
    EXPECT_EQ(run_asked(deck, files, when, {.stop = true}), app::RunEnd::stopped);
    EXPECT_FALSE(files.status("out/plt00012").value());
    EXPECT_EQ(run(deck, {.n_ranks = 1}, files, "latest").hash, straight.hash);
  }
}

TEST(Asked, for_a_checkpoint_writes_it_and_goes_on) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  const auto deck = blast(2, {"checkpoint.interval=0"});
  EXPECT_EQ(run_asked(deck, files, 2, {.checkpoint = true}), app::RunEnd::finished);
  EXPECT_TRUE(files.status("out/plt00012").value());
  EXPECT_EQ(io::find_checkpoints(files, "out").value().size(), 1u);
}

/// Stop after a checkpoint and go on, on other layouts: expect the bits of a run that did not stop.
void expect_the_same_bits(const std::vector<std::string>& overrides) {
  const auto with = [&](std::vector<std::string> more = {}) {
    more.insert(more.end(), overrides.begin(), overrides.end());
    return blast(2, more);
  };
  io::MemoryFileSystem straight_files, files;
  ASSERT_TRUE(straight_files.make_directory("out") && files.make_directory("out"));
  const auto straight = run(with(), {.n_ranks = 1}, straight_files);
  ASSERT_NE(straight.hash, 0u);
  run(with({"time.max_steps=6"}), {.n_ranks = 2, .seed = 3}, files);
  const auto rest =
      run(with(), {.n_ranks = 3, .seed = 4, .model = flow::Model::phase}, files, "latest");
  EXPECT_EQ(rest.hash, straight.hash);
}

TEST(Restart, of_whatever_a_deck_may_name_gives_the_same_bits_on_another_layout) {
  const std::string ppm = "hydro.reconstruction=ppm", classic = "hydro.reconstruction=ppm_classic";
  const std::string ctu = "hydro.scheme=ctu", rk3 = "hydro.scheme=rk3";
  const std::string gravity = "source.gravity=[0.5,-2.0]", scalars = "hydro.scalars=2";
  for (const std::vector<std::string>& what :
       std::vector<std::vector<std::string>>{{"hydro.eos=stiffened", "hydro.p_infinity=5"},
                                             {ppm},
                                             {"hydro.scheme=rk2"},
                                             {rk3, ppm},
                                             {ctu, classic, "hydro.riemann=two_shock"},
                                             {ctu, ppm, "mesh.ratio=4", "mesh.max_level=1"},
                                             {scalars},
                                             {scalars, rk3},
                                             {gravity},
                                             {gravity, scalars, rk3, ppm},
                                             {gravity, ctu, ppm}}) {
    SCOPED_TRACE(joined_text(what, " "));
    expect_the_same_bits(what);
  }
}

TEST(Restart, after_one_that_went_back_and_left_no_checkpoint_goes_on_where_that_began) {
  const auto with = [](const std::string& checkpoints, const std::string& n_steps,
                       const std::string& cfl = "0.4") {
    return blast(
        2, {"output.series_interval=1", "output.plot_interval=3", "checkpoint.keep=9",
            "checkpoint.interval=" + checkpoints, "time.max_steps=" + n_steps, "time.cfl=" + cfl});
  };
  io::MemoryFileSystem straight_files, files;
  ASSERT_TRUE(straight_files.make_directory("out") && files.make_directory("out"));
  const auto straight = run(with("4", "12"), {.n_ranks = 2}, straight_files);
  ASSERT_NE(straight.hash, 0u);
  run(with("4", "12"), {.n_ranks = 1}, files);
  run(with("0", "7", "0.2"), {.n_ranks = 3, .seed = 1}, files, "out/chk00004");
  EXPECT_EQ(io::find_checkpoints(files, "out").value().size(), 1u);
  const auto rest = run(with("4", "12"), {.n_ranks = 3, .seed = 2}, files, "latest");
  EXPECT_EQ(rest.hash, straight.hash);
  const std::string series = "out/series.csv";
  EXPECT_EQ(io::read_text(files, series).value(), io::read_text(straight_files, series).value());
}

TEST(RestartCheck, names_each_key_that_must_stay) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  run(blast(2), {.n_ranks = 1}, files);
  const app::Checkpoint from{"out/chk00012", io::read_manifest(files, "out/chk00012").value()};

  EXPECT_NO_THROW(app::check_restart(
      applications(),
      blast(2, {"time.end=20", "run.model=bulk", "output.plot_interval=3", "time.cfl=0.2",
                "checkpoint.keep=1", "exchange.max_comm_tasks=0"}),
      from));
  try {
    app::check_restart(applications(), blast(2, {"mesh.block_cells=24", "problem.gamma=1.3"}),
                       from);
    FAIL();
  } catch (const Error& error) {
    const std::string what = error.what();
    for (const char* part : {"mesh.block_cells", "written with", "problem.gamma = 1.3", "1.4"})
      EXPECT_NE(what.find(part), std::string::npos) << what;
  }
  try {
    app::check_restart(applications(), blast(2, {"hydro.eos=stiffened", "hydro.p_infinity=1"}),
                       from);
    FAIL();
  } catch (const Error& error) {
    const std::string what = error.what();
    for (const char* part : {"hydro.eos = ", "hydro.p_infinity = 1"})
      EXPECT_NE(what.find(part), std::string::npos) << what;
  }
  auto other = from;
  other.manifest.scheme = "lax_wendroff";
  EXPECT_THROW(app::check_restart(applications(), blast(2), other), Error);
}

TEST(RestartCheck, takes_a_deck_that_mends_what_that_of_the_checkpoint_may_not_have_any_more) {
  const auto with_cfl = [](const char* cfl) {
    return blast(2, {"hydro.scheme=rk2", "hydro.reconstruction=ppm", std::string("time.cfl=") + cfl,
                     "time.max_steps=1"});
  };
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  run(with_cfl("0.4"), {.n_ranks = 1}, files);
  app::Checkpoint from{"out/chk00001", io::read_manifest(files, "out/chk00001").value()};
  from.manifest.deck = with_cfl("0.45").to_toml();  // as it could be once
  EXPECT_THROW(app::check(application(), with_cfl("0.45")), Error);
  EXPECT_NO_THROW(app::check_restart(applications(), with_cfl("0.4"), from));
}

TEST(RestartCheck, resolved_deck_of_a_checkpoint_sets_up_the_same_run) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  run(blast(1), {.n_ranks = 1}, files);
  const auto manifest = io::read_manifest(files, "out/chk00012").value();

  const auto again = deck(manifest.deck);

  EXPECT_NO_THROW(
      app::check(application(), again));  // its lists that were not given have three entries
  EXPECT_EQ(again.to_toml(), manifest.deck);
}

}  // namespace
}  // namespace thalweg::testing

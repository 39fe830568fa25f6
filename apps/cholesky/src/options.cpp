// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/options.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/cholesky/cost.hpp>
#include <thalweg/core/complaints.hpp>

namespace thalweg::cholesky {
namespace {

constexpr std::int64_t most_rows = std::int64_t{1} << 40;
constexpr std::int64_t most_tiles = 1 << 20;
constexpr std::int64_t most_tile = 8192;  // of 16-byte elements a message of 1 GiB

const app::Choices<Uplo> uplos{{"L", Uplo::lower}, {"U", Uplo::upper}};
const app::Choices<Precision> precisions{
    {"s", Precision::s}, {"d", Precision::d}, {"c", Precision::c}, {"z", Precision::z}};
const app::Choices<Broadcast> broadcasts{{"p2p", Broadcast::p2p}, {"tree", Broadcast::tree}};

/// Words as they were given, and what reads them.
struct CommandLine {
  CommandLine() {
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.add_option("--n", options.n, "Rows of the matrix")->required();
    app.add_option("--tile", tile, "Rows of a tile, the grain of tasks (256)");
    app.add_option("--grid", grid, "Grid of ranks PxQ (as square as can be, P <= Q)");
    app.add_option("--uplo", uplo, "Triangle that is stored: L, A = L L^H, or U, A = U^H U (L)");
    app.add_option("--precision", precision, "s, d (real), c or z (complex Hermitian) (d)");
    app.add_option("--seed", options.seed, "Seed of the random matrix (1)")
        ->check([](const std::string& word) {
          return word.starts_with('-') ? word + " (must be at least 0)" : std::string();
        });
    app.add_option("--bump", bump,
                   "Added to the diagonal; with n the matrix is positive definite (n)");
    app.add_option("--look-ahead", look_ahead,
                   "Panels that may come from other ranks while one is still read (2)");
    app.add_option("--broadcast", broadcast,
                   "How a tile is sent: p2p (the owner sends it to each), tree (binomial) (p2p)");
    app.add_flag("--check", options.check,
                 "Compare L L^H with the matrix and solve a system; limits as in LAPACK's tests");
    app.add_option("--repeat", options.repeat, "Factorise so many times, replaying one graph (1)");
    execution.add_to(app);
    app.add_flag("--hash,--fingerprint", options.fingerprint, "Print a hash of the factor");
    app.add_option("--trace", options.trace, "Write a trace to this file (thalweg trace reads it)");
    app.add_flag("--force", options.force, "Replace an older trace");
  }

  CLI::App app{"Factorise a random Hermitian positive definite matrix by Cholesky's method",
               "thalweg cholesky"};
  Options options;
  app::ExecutionOptions execution;
  std::int64_t tile = 256, look_ahead = 2;
  std::optional<double> bump;
  std::string grid, uplo = "L", precision = "d", broadcast = "p2p";
};

/// The grid of a number of ranks that is as square as can be.
Index<2> square_grid(int n_ranks) {
  int rows = static_cast<int>(std::sqrt(n_ranks));
  while (n_ranks % rows != 0) --rows;
  return {{rows, n_ranks / rows}};
}

void settle_grid(const std::string& text, int n_ranks, Options& o, Complaints& complaints) {
  o.grid = square_grid(n_ranks);
  if (text.empty()) return;
  const auto grid = app::read_grid<2>(text);
  if (!grid)
    complaints.add(fmt::format("--grid {} (must be two numbers > 0); write {}x{}", text, o.grid[0],
                               o.grid[1]));
  else if (std::int64_t{(*grid)[0]} * (*grid)[1] != n_ranks)
    complaints.add(
        fmt::format("--grid {} on {} ranks (the product must be their number); start as many, or "
                    "change the grid",
                    text, n_ranks));
  else
    o.grid = *grid;
}

void settle_numbers(const CommandLine& line, Options& o, Complaints& complaints) {
  // Whether a number is in its range; if not, that is said.
  const auto check = [&](const char* option, std::int64_t value, std::int64_t least,
                         std::int64_t most) {
    if (value >= least && value <= most) return true;
    complaints.add(fmt::format("{} {} (must be in {}..{}); change it", option, value, least, most));
    return false;
  };
  if (check("--tile", line.tile, 1, most_tile)) o.tile = static_cast<int>(line.tile);
  if (check("--look-ahead", line.look_ahead, 0, 1'000'000))
    o.look_ahead = static_cast<int>(line.look_ahead);
  if (check("--n", o.n, 0, most_rows) && o.n > most_tiles * o.tile)
    complaints.add(fmt::format("--n {} with --tile {} (more than {} tile rows); take larger tiles",
                               o.n, o.tile, most_tiles));
  check("--repeat", o.repeat, 1, 1'000'000);
  o.bump = line.bump.value_or(static_cast<double>(o.n));
  // Norms of the check have the squares of numbers that are added up.
  const bool is_single = o.precision == Precision::s || o.precision == Precision::c;
  const double most_bump = is_single ? 1e15 : 1e150;
  if (!(std::abs(o.bump) <= most_bump))
    complaints.add(
        fmt::format("--bump {} (must be in -{:g}..{:g} with --precision {}: what is computed of "
                    "larger ones is no number); change it",
                    o.bump, most_bump, most_bump, to_string(o.precision)));
}

void check_memory(const Options& o, std::size_t memory_bytes, Complaints& complaints) {
  const double needed = bytes_of_rank(o);
  if (memory_bytes > 0 && needed > static_cast<double>(memory_bytes))
    complaints.add(
        fmt::format("--n {} with --tile {} (a rank needs {:.1f} GiB, and there are {:.1f}); take "
                    "fewer rows, more ranks{}",
                    o.n, o.tile, needed / 0x1p30, static_cast<double>(memory_bytes) / 0x1p30,
                    o.check ? ", larger tiles, or leave out --check" : " or larger tiles"));
}

}  // namespace

const char* to_string(Precision precision) {
  return app::word_of(precisions, precision);
}

Options parse_options(std::span<const std::string> words, int n_ranks, std::size_t memory_bytes) {
  CommandLine line;
  app::parse_words(line.app, words);
  Options& o = line.options;
  Complaints complaints;
  app::choose(uplos, "--uplo", line.uplo, o.uplo, complaints);
  app::choose(precisions, "--precision", line.precision, o.precision, complaints);
  app::choose(broadcasts, "--broadcast", line.broadcast, o.broadcast, complaints);
  o.execution = line.execution.execution(complaints);
  settle_grid(line.grid, n_ranks, o, complaints);
  settle_numbers(line, o, complaints);
  complaints.throw_if_any();
  check_memory(o, memory_bytes, complaints);
  complaints.throw_if_any();
  return o;
}

std::string option_help() {
  return CommandLine().app.help();
}

}  // namespace thalweg::cholesky

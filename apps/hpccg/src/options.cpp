// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/options.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/hpccg/cost.hpp>

namespace thalweg::hpccg {
namespace {

constexpr std::int64_t blocks_a_worker = 8;

const app::Choices<Format> formats{
    {"csr", Format::csr}, {"sell", Format::sell}, {"free", Format::free}};
const app::Choices<Method> methods{{"plain", Method::plain}, {"pipelined", Method::pipelined}};
const app::Choices<SumOrder> orders{
    {"pieces", SumOrder::pieces}, {"exact", SumOrder::exact}, {"rows", SumOrder::rows}};

/// Words as they were given, and what reads them.
struct CommandLine {
  CommandLine() {
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.add_option("nx", n[0], "Points of a rank in x")->required();
    app.add_option("ny", n[1], "Points of a rank in y")->required();
    app.add_option("nz", n[2], "Points of a rank in z")->required();
    app.add_option("--max_iter", options.max_iter, "One more than the iterations at most (150)");
    app.add_option("--tolerance", options.tolerance,
                   "End where the residual's 2-norm is not larger (0)");
    app.add_option(
        "--format", format,
        "Format of the matrix: csr, sell (slices of 32 rows), free (none is stored) (sell)");
    app.add_option("--method", method,
                   "plain, or pipelined: one reduction, overlapped with the product (plain)");
    app.add_option(
        "--sums", order,
        "Sums of dot products: pieces (lines of the grid, added exactly), exact, or rows "
        "(row by row, as the reference does on one rank) (pieces)");
    app.add_option("--ranks", ranks, "Grid of ranks PxQxR (1x1xR)");
    app.add_option("--blocks", options.blocks,
                   "Blocks of rows per rank, the grain of tasks (8 per thread)");
    execution.add_to(app);
    app.add_option("--digits", options.digits, "Digits of residuals in lines, 1 to 17 (6)");
    app.add_flag("--hash,--fingerprint", options.fingerprint,
                 "Print hashes of all residuals and of the solution");
    app.add_option("--out", options.out, "Folder of the YAML file (.)");
    app.add_option("--trace", options.trace, "Write a trace to this file (thalweg trace reads it)");
    app.add_flag("--force", options.force, "Replace an older trace");
  }

  CLI::App app{
      "The proxy application HPCCG: conjugate gradients for a 27-point stencil, with the reference "
      "program's arguments",
      "thalweg hpccg"};
  Options options;
  app::ExecutionOptions execution;
  std::array<std::int64_t, 3> n{};
  std::string format = "sell", method = "plain", order = "pieces", ranks;
};

void settle_ranks(const std::string& text, int n_ranks, Options& o, Complaints& complaints) {
  o.ranks = {{1, 1, n_ranks}};
  if (text.empty()) return;
  const auto grid = app::read_grid<3>(text);
  if (!grid)
    complaints.add(
        fmt::format("--ranks {} (must be three numbers > 0); write 1x1x{}", text, n_ranks));
  else if (double{1} * (*grid)[0] * (*grid)[1] * (*grid)[2] != n_ranks)
    complaints.add(
        fmt::format("--ranks {} on {} ranks (the product must be their number); start as "
                    "many, or change the grid",
                    text, n_ranks));
  else
    o.ranks = *grid;
}

void settle_size(const std::array<std::int64_t, 3>& n, Options& o, Complaints& complaints) {
  constexpr std::array names{"nx", "ny", "nz"};
  constexpr std::int64_t most = 1 << 30;
  bool is_in_range = true;
  for (std::size_t a = 0; a < 3; ++a) {
    if (n[a] < 1 || n[a] > most) {
      complaints.add(
          fmt::format("{} {} (must be in 1..{} points); change it", names[a], n[a], most));
      is_in_range = false;
    }
    o.n.at[a] = static_cast<int>(std::clamp<std::int64_t>(n[a], 1, most));
  }
  if (!is_in_range) return;
  double columns = 1;
  double rows = 1;
  for (int a = 0; a < 3; ++a) {
    columns *= o.n[a] + (o.ranks[a] > 1 ? 2.0 : 0.0);
    rows *= static_cast<double>(o.n[a]) * o.ranks[a];
  }
  if (o.format != Format::free && columns > std::numeric_limits<std::uint32_t>::max())
    complaints.add(fmt::format(
        "{} x {} x {} points per rank (a stored matrix counts its columns, with those of "
        "other ranks, in 32 bits); take more ranks, or --format free",
        n[0], n[1], n[2]));
  constexpr int most_bytes = std::numeric_limits<int>::max();
  for (int a = 0; a < 3; ++a) {
    const double face = sizeof(double) * static_cast<double>(o.n[(a + 1) % 3]) * o.n[(a + 2) % 3];
    if (o.ranks[a] > 1 && face > most_bytes)
      complaints.add(
          fmt::format("{} x {} x {} points per rank (a face across {} is a message of {:g} bytes, "
                      "and MPI counts to {}); take fewer points per rank, or one rank along {}",
                      n[0], n[1], n[2], "xyz"[a], face, most_bytes, "xyz"[a]));
  }
  if (rows > 0x1p62)
    complaints.add(fmt::format("{:g} rows in all (they are counted in 64 bits); take fewer", rows));
}

void check_numbers(const Options& o, Complaints& complaints) {
  if (o.max_iter < 1)
    complaints.add(fmt::format("--max_iter {} (must be 1 or more); raise it", o.max_iter));
  if (!(o.tolerance >= 0) || !std::isfinite(o.tolerance))
    complaints.add(
        fmt::format("--tolerance {} (must be a number, 0 or more); change it", o.tolerance));
  if (o.method == Method::pipelined && o.tolerance == 0)
    complaints.add(
        "--method pipelined without --tolerance (its rounding errors stay, so the residual does "
        "not go to 0); give one, 1e-6 of the initial residual say");
  if (o.blocks < 0)
    complaints.add(
        fmt::format("--blocks {} (must be 1 or more, or 0 for 8 per thread); raise it", o.blocks));
  if (o.digits < 1 || o.digits > 17)
    complaints.add(fmt::format("--digits {} (must be in 1..17); change it", o.digits));
}

void check_memory(const Options& o, std::size_t memory_bytes, Complaints& complaints) {
  const double needed = bytes_of_rank(o);
  if (memory_bytes > 0 && needed > static_cast<double>(memory_bytes))
    complaints.add(
        fmt::format("{} x {} x {} points per rank with --format {} (need {:.1f} GiB, and there are "
                    "{:.1f}); take fewer points per rank and more ranks{}",
                    o.n[0], o.n[1], o.n[2], to_string(o.format), needed / 0x1p30,
                    static_cast<double>(memory_bytes) / 0x1p30,
                    o.format == Format::free ? "" : ", or --format free"));
}

}  // namespace

const char* to_string(Format format) {
  return app::word_of(formats, format);
}
const char* to_string(Method method) {
  return app::word_of(methods, method);
}
const char* to_string(SumOrder order) {
  return app::word_of(orders, order);
}

CgSettings Options::settings() const {
  return {.method = method,
          .sum_order = sum_order,
          .n_blocks = blocks > 0 ? blocks : blocks_a_worker * execution.executor.n_workers,
          .max_iterations = max_iter - 1,
          .tolerance = tolerance,
          .model = execution.model,
          .n_workers = execution.executor.n_workers};
}

Options parse_options(std::span<const std::string> words, int n_ranks, std::size_t memory_bytes) {
  CommandLine line;
  app::parse_words(line.app, words);
  Options& o = line.options;
  Complaints complaints;
  app::choose(formats, "--format", line.format, o.format, complaints);
  app::choose(methods, "--method", line.method, o.method, complaints);
  app::choose(orders, "--sums", line.order, o.sum_order, complaints);
  o.execution = line.execution.execution(complaints);
  settle_ranks(line.ranks, n_ranks, o, complaints);
  settle_size(line.n, o, complaints);
  check_numbers(o, complaints);
  complaints.throw_if_any();
  check_memory(o, memory_bytes, complaints);
  complaints.throw_if_any();
  return o;
}

std::string option_help() {
  return CommandLine().app.help();
}

}  // namespace thalweg::hpccg

// SPDX-License-Identifier: MIT
// bench: time and bytes a rank takes to regrid blocks around a moving sphere, on virtual ranks:
// [leaf|nested] [table|routed] [copies=N] [machine=N] [LEVEL:RANKS[:REGRIDS] ...] [fit]
//
// `routed` is without a table of directory ranks, as on more than 100,000 ranks
// (docs/adr/0012-ownership-and-partitioning.md). `machine` ranks (64) share memory: a table or a
// gathering that lies there once counts as that part of its bytes on each. All ranks do all their
// work (virtual_ranks.hpp), but for the last phase: that has no messages, and above 64 ranks it is
// timed on 64 of them, and not at all on ranks with more than 2^20 blocks. 5 levels make 10^4
// leaves, 10 make 10^7, four times as many each; `fit` adds lines of what the times are made of.
// One rank does what each rank of a replicated design would, had it our functions: it knows all
// blocks and works on all. What no replicated design can do without, a list of all blocks with
// their owners that is cut and sorted, is timed beside it.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <regridding_rank.hpp>
#include <report.hpp>
#include <sphere.hpp>
#include <thalweg/mesh/assign.hpp>
#include <virtual_ranks.hpp>

namespace {

using namespace thalweg;
using Of = std::vector<double>;  // repetitions
using bench::LeafRank;
using bench::n_regrid_phases;
using bench::NestedRank;

double median(Of values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// What a run took of a rank, in the mean over all.
struct Measured {
  double n_local = 0;
  int n_ranks = 1;
  double time_us = 0;  ///< of all phases but the last
  double bytes = 0;    ///< of the rank that has most
};

template <class Mode>
Measured measure(bench::Report& report, std::string_view mode, const bench::Sphere& sphere,
                 int n_ranks, mesh::Directory directory, int n_per_machine, int n_regrids) {
  bench::VirtualRanks virtual_ranks(n_ranks, n_regrid_phases, n_per_machine);
  std::vector<Mode> ranks(static_cast<std::size_t>(n_ranks));
  virtual_ranks.run([&](bench::VirtualRank self) {
    ranks[self.rank()()] = Mode::start(sphere, n_ranks, self, directory);
  });
  for (int i = 0; i < Mode::n_starts(sphere); ++i)
    virtual_ranks.run(
        [&](bench::VirtualRank self) { ranks[self.rank()()].adapt(sphere, 0, self); });

  // What is not followed by messages is only looked at on some ranks, in long runs.
  const int stride = std::max(1, n_ranks / 64);
  const int n_sampled = (n_ranks + stride - 1) / stride;
  const auto n_blocks = static_cast<double>(ranks[0].n_blocks());
  const bool looks = n_blocks / n_ranks < 1 << 20;
  std::array<Of, n_regrid_phases> mean, most;
  Of total, sent, gathered;
  double n_rounds = 0;
  for (int time = 1; time <= n_regrids; ++time) {
    virtual_ranks.reset_costs();
    virtual_ranks.run([&](bench::VirtualRank self) {
      Mode& mine = ranks[self.rank()()];
      mine.adapt(sphere, time, self);
      mine.exchange_halo(self, looks && static_cast<int>(self.rank()()) % stride == 0);
    });
    double n_sent = 0, n_gathered = 0, all = 0;
    n_rounds = 0;
    for (std::size_t p = 1; p < n_regrid_phases; ++p) {
      double sum = 0, longest = 0;
      for (int r = 0; r < n_ranks; ++r) {
        const bench::PhaseCost& cost = virtual_ranks.costs(r)[p];
        sum += cost.time_us;
        longest = std::max(longest, cost.time_us);
        n_sent += static_cast<double>(cost.sent);
        n_gathered += static_cast<double>(cost.gathered);
      }
      mean[p].push_back(p + 1 < n_regrid_phases ? sum / n_ranks : sum / n_sampled);
      most[p].push_back(longest);
      if (p + 1 < n_regrid_phases) all += sum / n_ranks;
      n_rounds += virtual_ranks.costs(0)[p].n_rounds;
    }
    total.push_back(all);
    sent.push_back(n_sent / n_ranks / 1024);
    gathered.push_back(n_gathered / n_ranks / 1024);
  }
  std::size_t most_bytes = 0;
  for (const Mode& rank : ranks) most_bytes = std::max(most_bytes, rank.n_bytes);

  const std::string name =
      fmt::format("{}{}, {:.0f} blocks, {} ranks: ", mode,
                  directory == mesh::Directory::routed ? " routed" : "", n_blocks, n_ranks);
  for (std::size_t p = 1; p < (looks ? n_regrid_phases : n_regrid_phases - 1); ++p) {
    report.add(name + Mode::phases[p], "us/rank", mean[p]);
    report.add(name + Mode::phases[p] + ", slowest rank", "us", most[p]);
  }
  report.add(name + "all but the last", "us/rank", total);
  report.add(name + "sent", "KiB/rank", sent);
  report.add(name + "gathered", "KiB/rank", gathered);
  report.add(name + "rounds", "", {n_rounds});
  report.add(name + "metadata, most", "KiB/rank", {static_cast<double>(most_bytes) / 1024});
  return {n_blocks / n_ranks, n_ranks, median(total), static_cast<double>(most_bytes)};
}

/// The least that a rank does where all know all blocks: take the list, sort it, and cut it.
void measure_list(bench::Report& report, double n_blocks) {
  std::vector<std::pair<mesh::Key<3>, Rank>> list(static_cast<std::size_t>(n_blocks));
  const std::vector<std::int64_t> weights(list.size(), 1);
  Of times;
  for (int i = 0; i < 3; ++i) {
    for (std::size_t b = 0; b < list.size(); ++b)  // each rank's part is sorted as it comes
      list[b].first = mesh::Key<3>{9, (b % 64) * (list.size() / 64) + b / 64};
    const auto start = std::chrono::steady_clock::now();
    std::ranges::sort(list, {}, [](const auto& entry) { return entry.first; });
    const auto owners = mesh::assign_in_order(weights, 0, std::ssize(weights), 4096);
    for (std::size_t b = 0; b < list.size(); ++b) list[b].second = owners[b];
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  const std::string name = fmt::format("a list of all {:.0f} blocks: ", n_blocks);
  report.add(name + "sort and cut", "us/rank", times);
  report.add(name + "bytes", "KiB/rank",
             {static_cast<double>(list.size() * (sizeof(mesh::Key<3>) + sizeof(Rank))) / 1024});
}

/// Least squares of time = a n_local + b log2(n_ranks) + c n_ranks, each relative to the time, over
/// the runs on several ranks: one has no neighbours.
std::array<double, 3> fit(std::span<const Measured> runs) {
  std::array<std::array<double, 4>, 3> m{};
  for (const Measured& run : runs) {
    if (run.n_ranks == 1) continue;
    const std::array<double, 3> x = {
        run.n_local / run.time_us, std::log2(run.n_ranks) / run.time_us, run.n_ranks / run.time_us};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) m[i][j] += x[i] * x[j];
      m[i][3] += x[i];
    }
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      if (k == i) continue;
      const double factor = m[k][i] / m[i][i];
      for (std::size_t j = 0; j < 4; ++j) m[k][j] -= factor * m[i][j];
    }
  return {m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2]};
}

int number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("'{}' is no number", text));
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.empty())
    arguments = {"leaf", "5:1", "5:4",  "6:16", "7:64",  "8:256",  "8:4096", "8:1", "nested",
                 "5:1",  "5:4", "6:16", "7:64", "8:256", "8:4096", "8:1",    "fit"};
  bench::Report report;
  std::string_view mode = "leaf";
  auto directory = mesh::Directory::table;
  int n_copies = 1;
  int n_per_machine = 64;
  std::vector<Measured> runs;
  for (const std::string_view argument : arguments) {
    if (argument == "leaf" || argument == "nested") {
      mode = argument;
      runs.clear();
    } else if (argument == "table" || argument == "routed") {
      directory = argument == "table" ? mesh::Directory::table : mesh::Directory::routed;
      runs.clear();
    } else if (argument.starts_with("copies=")) {
      n_copies = number(argument.substr(argument.find('=') + 1));
    } else if (argument.starts_with("machine=")) {
      n_per_machine = number(argument.substr(argument.find('=') + 1));
    } else if (argument == "fit") {
      if (std::ranges::count_if(runs, [](const Measured& run) { return run.n_ranks > 1; }) < 3)
        throw std::invalid_argument("a fit takes three runs of one mode on several ranks");
      const auto [local, log, all] = fit(runs);
      const std::string name = fmt::format("{}: time a rank grows by ", mode);
      report.add(name + "each block of its own", "us", {local});
      report.add(name + "twice the ranks", "us", {log});
      report.add(name + "each rank", "us", {all});
    } else {
      std::vector<int> numbers;
      for (const auto part : std::views::split(argument, ':'))
        numbers.push_back(number(std::string_view(part)));
      if (numbers.size() < 2) throw std::invalid_argument("a run is LEVEL:RANKS");
      const int n_regrids = numbers.size() > 2 ? numbers[2] : 3;
      const auto run_of = [&]<class Mode>() {
        return measure<Mode>(report, mode, bench::Sphere(numbers[0], Index<3>::filled(n_copies)),
                             numbers[1], directory, n_per_machine, n_regrids);
      };
      runs.push_back(mode == "leaf" ? run_of.operator()<LeafRank>()
                                    : run_of.operator()<NestedRank>());
      const Measured& run = runs.back();
      if (numbers[1] == 1) measure_list(report, run.n_local);
    }
  }
  report.print();
}

// SPDX-License-Identifier: MIT
// Twenty thousand schedules of programs whose graphs change while they run, on simulated ranks.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/executor.hpp>

#include "distributed_program.hpp"

namespace thalweg::comm {
namespace {

constexpr std::uint32_t n_data = 10;

/// A stretch of a run between two regrids: what is done, who owns what, and how often.
struct Epoch {
  DistributedProgram program;
  std::uint64_t n_replays;
};

/// Everything that a seed decides.
struct Case {
  explicit Case(std::uint64_t seed) {
    SplitMix64 random(seed);
    n_ranks = static_cast<std::uint32_t>(1 + random.below(6));
    model = static_cast<flow::Model>(random.below(4));
    depth = static_cast<std::uint32_t>(1 + random.below(3));
    picks = static_cast<Picks>(seed % 3);
    max_delay = random.below(4) == 0 ? 0 : 1u << random.below(8);
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
      epochs.push_back(
          {DistributedProgram({.seed = random(),
                               .n_ranks = n_ranks,
                               .n_steps = 20,
                               .n_data = n_data,
                               .n_busy = static_cast<std::uint32_t>(1 + random.below(n_ranks)),
                               .layout = random()}),
           1 + random.below(4)});
  }

  enum class Picks { uniform, pct, executor };  ///< the last: one worker, as in production
  std::uint32_t n_ranks;
  flow::Model model;
  std::uint32_t depth;
  Picks picks;
  std::uint32_t max_delay;
  std::vector<Epoch> epochs;
};

/// Give what a rank has of one program's data to those who own them in the next, all together.
void move_data(flow::Transport& t, const DistributedProgram& from, const DistributedProgram& to,
               std::vector<std::uint64_t>& values) {
  struct Cell {
    std::uint32_t datum;
    std::uint64_t value;
  };
  std::vector<std::pair<Rank, Cell>> out;
  for (std::uint32_t d = 0; d < n_data; ++d)
    if (from.owner(d) == t.rank()) out.push_back({to.owner(d), {d, std::exchange(values[d], 0)}});
  for (const auto& [source, cell] :
       flow::exchange_sparse(t, std::span<const std::pair<Rank, Cell>>(out)))
    values[cell.datum] = cell.value;
}

void run(const Case& c, std::uint64_t seed, flow::Transport& t, const Clock& clock,
         std::vector<std::uint64_t>& result) {
  flow::UniformPicker uniform(seed + t.rank()());
  flow::PctPicker pct({.seed = seed + t.rank()(), .n_changes = 3, .n_steps = 100});
  flow::Picker* const pickers[] = {&uniform, &pct, nullptr};
  flow::Executor executor({.depth = c.depth, .picker = pickers[static_cast<std::size_t>(c.picks)]},
                          t, clock);
  std::vector<std::uint64_t> values = c.epochs.front().program.initial();
  const Epoch* last = nullptr;
  for (const Epoch& epoch : c.epochs) {
    if (last != nullptr) move_data(t, last->program, epoch.program, values);
    last = &epoch;
    flow::Recorder recorder(t.rank(), t.n_ranks());
    epoch.program.record(recorder, values);
    flow::Graph graph = flow::capture(std::move(recorder), c.model);

    const auto report = executor.run(graph, epoch.n_replays);

    if (!report) t.abort(report.error().message);
  }
  for (std::uint32_t d = 0; d < n_data; ++d)
    if (last->program.owner(d) == t.rank()) result[d] = values[d];
}

class Schedules : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Schedules, give_the_serial_result) {
  constexpr std::uint64_t n_each = 2500;
  for (std::uint64_t seed = GetParam() * n_each; seed < (GetParam() + 1) * n_each; ++seed) {
    const Case c(seed);
    std::vector<std::uint64_t> expected = c.epochs.front().program.initial();
    for (const Epoch& epoch : c.epochs) epoch.program.advance(expected, epoch.n_replays);
    std::vector<std::uint64_t> result(n_data, 0);
    SimNetwork network({.n_ranks = static_cast<int>(c.n_ranks),
                        .seed = seed,
                        .max_delay = c.max_delay,
                        .stack_bytes = 256 * 1024});

    const auto ended =
        network.run([&](flow::Transport& t) { run(c, seed, t, network.clock(), result); });

    ASSERT_TRUE(ended) << "seed " << seed << ": " << ended.error().message;
    ASSERT_EQ(result, expected) << "seed " << seed;
  }
}

// Eight cases that run side by side: 20,000 schedules.
INSTANTIATE_TEST_SUITE_P(Sim, Schedules, testing::Range<std::uint64_t>(0, 8));

}  // namespace
}  // namespace thalweg::comm

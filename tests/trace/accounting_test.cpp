// SPDX-License-Identifier: MIT
// What a trace of a whole program says, whatever the model, on virtual ranks.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/hydro/application.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/trace/file.hpp>
#include <thalweg/trace/summary.hpp>

namespace thalweg {
namespace {

/// Time that goes on by itself whenever somebody looks, the same for all virtual ranks: so a task
/// takes a while, and everything that has an order has one in time too.
class TickingClock final : public Clock {
 public:
  explicit TickingClock(std::int64_t& now_ns) : now_ns_(now_ns) {}
  std::int64_t now_ns() const override { return now_ns_ += 10; }

 private:
  std::int64_t& now_ns_;
};

constexpr auto deck_text = R"(
[problem]
name = "blast"
centre = [0.4, 0.5]
radius = 0.1
[mesh]
dim = 2
lower = [0.0, 0.0]
upper = [1.0, 1.0]
root_blocks = [2, 2]
block_cells = 8
max_level = 1
join_blocks = false
[boundary]
lower = ["periodic", "periodic"]
upper = ["periodic", "periodic"]
[time]
max_steps = 9
[regrid]
criteria = ["density", "pressure"]
interval = 3
[trace]
steps = [3, 8]
)";

struct Traced {
  flow::Model model;
  int n_ranks;
  std::uint32_t n_workers;
};

std::vector<trace::RankTrace> traces_of(const Traced& run, std::uint64_t seed) {
  const std::vector<app::Application> applications{hydro::application()};
  const auto deck = app::load_deck(applications, deck_text, "test.toml");
  io::MemoryFileSystem files;
  EXPECT_TRUE(files.make_directory("out"));
  std::int64_t now_ns = 1'000'000;
  const TickingClock clock(now_ns);
  comm::SimNetwork network({.n_ranks = run.n_ranks, .seed = seed});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(seed * 1024 + transport.rank()());
    Logger log(nullptr, transport.rank());
    const app::Context context{
        transport,
        clock,
        files,
        log,
        {.model = run.model,
         .executor = {.n_workers = run.n_workers, .depth = 3, .picker = &picker}}};
    const auto advanced = app::run(applications[0], deck, context, "out");
    if (!advanced) throw std::runtime_error(advanced.error().message);
  });
  EXPECT_TRUE(done) << done.error().message;
  const auto bytes = io::read_text(files, std::string("out/") + app::trace_file_name);
  EXPECT_TRUE(bytes);
  auto traces = trace::read_traces(*bytes, "trace");
  EXPECT_TRUE(traces) << traces.error().message;
  return *traces;
}

/// How many tasks of a name the steps of the window have.
std::size_t n_tasks(const std::vector<trace::RankTrace>& traces, const std::string& name) {
  std::size_t n = 0;
  for (const auto& rank : traces)
    for (const auto& events : rank.events)
      for (const auto& e : events) {
        const std::uint64_t step = rank.step_of(e);
        n += e.kind == trace::EventKind::task && rank.name_of(e) == name && step >= 3 && step < 8;
      }
  return n;
}

class Accounting : public testing::TestWithParam<std::tuple<flow::Model, int>> {
 protected:
  // With 9 ranks, more than root blocks, some have little or nothing to do.
  Traced run() const { return {std::get<0>(GetParam()), std::get<1>(GetParam()), 2}; }
};

TEST_P(Accounting, tiles_every_workers_time_exactly) {
  const auto summary = trace::summarise(traces_of(run(), 1));
  ASSERT_TRUE(summary) << summary.error().message;

  EXPECT_EQ(summary->n_dropped, 0u);
  EXPECT_EQ(summary->workers.size(), 2u * static_cast<std::size_t>(run().n_ranks));
  for (const trace::WorkerTiling& worker : summary->workers) {
    EXPECT_EQ(worker.total_ns(), summary->wall_ns);
    EXPECT_GE(worker.overhead_ns, 0);
    EXPECT_GT(worker.outside_ns, 0);  // two regrids
    EXPECT_EQ(worker.idle(trace::IdleCause::unknown), 0);
    // Worker 0 does everything where a picker chooses; worker 1 waits all the time in runs.
    if (worker.worker == 1) {
      EXPECT_EQ(worker.work_ns + worker.overhead_ns, 0);
      EXPECT_EQ(worker.idle(trace::IdleCause::no_task), worker.all_idle_ns());
    }
  }
}

TEST_P(Accounting, nothing_starts_before_what_it_waits_for) {
  const auto history = trace::History::of(traces_of(run(), 2));
  ASSERT_TRUE(history) << history.error().message;

  std::size_t n_data = 0, n_messages = 0;
  for (std::uint32_t i = 0; i < history->instances().size(); ++i)
    for (const trace::Cause& cause : history->causes(i)) {
      const trace::Span& before = history->instances()[cause.instance].span;
      const trace::Span& after = history->instances()[i].span;
      if (cause.why == trace::Cause::Why::message) {
        EXPECT_LE(before.start_ns, after.end_ns);
        ++n_messages;
      } else {
        EXPECT_LE(before.end_ns, after.start_ns) << history->name(history->instances()[i]);
        ++n_data;
      }
    }
  EXPECT_GT(n_data, 100u);
  EXPECT_EQ(n_messages > 0, run().n_ranks > 1);
}

TEST_P(Accounting, figures_keep_their_bounds) {
  const auto s = trace::summarise(traces_of(run(), 3));
  ASSERT_TRUE(s);

  const trace::Efficiencies& e = s->efficiencies;
  EXPECT_GT(s->critical_path.length_ns, 0);
  EXPECT_LE(s->critical_path.length_ns, s->wall_ns);
  EXPECT_LE(s->ideal_network_ns, s->wall_ns);
  for (const double part :
       {e.parallel, e.load_balance, e.communication, e.serialisation, e.transfer}) {
    EXPECT_GT(part, 0);
    EXPECT_LE(part, 1);
  }
  EXPECT_NEAR(e.parallel, e.load_balance * e.serialisation * e.transfer, 1e-12);
  EXPECT_GE(s->overlap_ratio, 0);
  EXPECT_LE(s->overlap_ratio, 1);
  std::int64_t shares_ns = 0;
  for (const auto& share : s->critical_path.shares) shares_ns += share.time_ns;
  EXPECT_EQ(shares_ns, s->critical_path.length_ns);
}

INSTANTIATE_TEST_SUITE_P(Models, Accounting,
                         testing::Combine(testing::Values(flow::Model::bulk, flow::Model::forkjoin,
                                                          flow::Model::phase,
                                                          flow::Model::dataflow),
                                          testing::Values(1, 3, 9)),
                         [](const auto& param) {
                           return std::string(to_string(std::get<0>(param.param))) + "_r" +
                                  std::to_string(std::get<1>(param.param));
                         });

TEST(Accounting, counts_the_same_tasks_in_all_models) {
  std::set<std::size_t> counts;
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (const int n_ranks : {1, 3})
      counts.insert(n_tasks(traces_of({model, n_ranks, 1}, 4), "advance"));

  EXPECT_EQ(counts.size(), 1u);
  EXPECT_GT(*counts.begin(), 0u);
}

}  // namespace
}  // namespace thalweg

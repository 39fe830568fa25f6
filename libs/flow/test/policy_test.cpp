// SPDX-License-Identifier: MIT
// What an executor's switches change: order, who communicates, how messages are begun.
#include <thalweg/flow/policy.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "random_program.hpp"
#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

TEST(Policies, have_the_names_of_decks) {
  EXPECT_EQ(progress_from_string("idle"), Progress::idle);
  EXPECT_EQ(progress_from_string("task_boundary"), Progress::task_boundary);
  EXPECT_EQ(progress_from_string("thread"), Progress::thread);
  EXPECT_EQ(progress_from_string("fresh"), std::nullopt);
  EXPECT_EQ(posting_from_string("fresh"), Posting::fresh);
  EXPECT_EQ(posting_from_string("persistent"), Posting::persistent);
  EXPECT_EQ(posting_from_string(""), std::nullopt);
}

/// The order in which one worker runs tasks that are ready at once, of such priorities.
std::string order_of(const ExecutorConfig& config, const std::vector<int>& priorities) {
  SingleRank machine(config);
  Recorder recorder(Rank(0), 1);
  std::string order;
  char name = 'a';
  for (const int priority : priorities) {
    recorder.task("t", uses(), [&order, name] { order += name; }, {.priority = priority});
    ++name;
  }
  Graph graph = capture(std::move(recorder), Model::dataflow);
  EXPECT_TRUE(machine.executor.run(graph, 1));
  return order;
}

TEST(Priorities, higher_runs_first_whatever_the_numbers) {
  EXPECT_EQ(order_of({}, {-5, 3, 0, 1'000'000, -5, 3}), "dbfcae");
  EXPECT_EQ(order_of({}, {-2, -1, -2, -1}), "bdac");
  EXPECT_EQ(order_of({.honours_priorities = false}, {-5, 3, 0, 1'000'000, -5, 3}), "abcdef");
  std::vector<int> descending(26);
  for (int i = 0; i < 26; ++i) descending[static_cast<std::size_t>(i)] = i % 13 * 7;
  EXPECT_EQ(order_of({}, descending), "mzlykxjwivhugtfserdqcpboan");
}

/// Run many tasks on two workers; the sums of the places at which urgent ones and others ran.
std::array<int, 2> places_of_urgent_and_others() {
  constexpr int n_tasks = 200;
  SingleRank machine({.n_workers = 2});
  Recorder recorder(Rank(0), 1);
  std::atomic<int> n_run{0};
  std::array<int, 2> sum{};
  std::mutex mutex;
  for (int i = 0; i < n_tasks; ++i)
    recorder.task("t", uses(),
                  [&, other = static_cast<std::size_t>(i % 2)] {
                    std::this_thread::sleep_for(std::chrono::microseconds(20));
                    const int at = n_run++;
                    const std::lock_guard lock(mutex);
                    sum[other] += at;
                  },
                  {.priority = 1 - i % 2});
  Graph graph = capture(std::move(recorder), Model::dataflow);
  EXPECT_TRUE(machine.executor.run(graph, 1));
  return sum;
}

TEST(Priorities, go_first_on_average_with_several_workers) {
  // Each worker does its urgent half first. Where tasks were run in any other order that does not
  // look at priorities, the sums would differ by a few per cent. One run of ten is enough: on a
  // busy machine one of the workers may come when the other has done its half.
  for (int n = 0; n < 10; ++n)
    if (const auto [urgent, others] = places_of_urgent_and_others(); 2 * urgent < others) return;
  FAIL() << "urgent tasks did not go first";
}

TEST(Successors, run_next_or_in_the_order_they_became_ready) {
  for (const bool next : {true, false}) {
    SingleRank machine({.runs_successor_next = next});
    Recorder recorder(Rank(0), 1);
    std::string order;
    const DatumId x = recorder.datum("x"), y = recorder.datum("y");
    for (const auto& [datum, name] : {std::pair(x, 'a'), std::pair(y, 'A'), std::pair(x, 'b'),
                                      std::pair(y, 'B'), std::pair(x, 'c'), std::pair(y, 'C')})
      recorder.task("t", std::array{Access{datum, Mode::inout}},
                    [&order, name](TaskContext&) { order += name; });
    Graph graph = capture(std::move(recorder), Model::dataflow);

    ASSERT_TRUE(machine.executor.run(graph, 1));

    EXPECT_EQ(order, next ? "abcABC" : "AaBbCc");
  }
}

class Ways : public testing::TestWithParam<std::tuple<Model, Progress, Posting, bool>> {};

TEST_P(Ways, give_the_serial_result) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr std::uint64_t n_seeds = 5;  // each takes ten times as long
#else
  constexpr std::uint64_t n_seeds = 15;
#endif
  const auto [model, progress, posting, next] = GetParam();
  for (const std::uint32_t n_workers : {1u, 2u}) {
    SingleRank machine({.n_workers = n_workers,
                        .depth = 3,
                        .runs_successor_next = next,
                        .progress = progress,
                        .posting = posting},
                       2);
    for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
      const RandomProgram program({.seed = seed, .percent_messages = 25});
      std::vector<std::uint64_t> values = program.initial();
      Recorder recorder(Rank(0), 1);
      program.record(recorder, values.data());
      Graph graph = capture(std::move(recorder), model);

      std::vector<std::uint64_t> expected = values;
      for (const std::uint64_t n_replays : {3, 4}) {  // messages of the second run are begun anew
        const auto report = machine.executor.run(graph, n_replays);
        ASSERT_TRUE(report) << report.error().message;
        expected = program.after(n_replays, std::move(expected));
        EXPECT_EQ(values, expected) << "seed " << seed << ", " << n_replays << " replays";
      }
    }
  }
}

std::string name_of_way(const testing::TestParamInfo<Ways::ParamType>& info) {
  constexpr std::array progress_names{"idle", "task_boundary", "thread"};
  constexpr std::array posting_names{"fresh", "persistent"};
  const auto [model, progress, posting, next] = info.param;
  return std::string(to_string(model)) + "_" + progress_names[static_cast<std::size_t>(progress)] +
         "_" + posting_names[static_cast<std::size_t>(posting)] + (next ? "_next" : "_in_order");
}

INSTANTIATE_TEST_SUITE_P(
    Executor, Ways,
    testing::Combine(testing::ValuesIn(all_models),
                     testing::Values(Progress::idle, Progress::task_boundary, Progress::thread),
                     testing::Values(Posting::fresh, Posting::persistent), testing::Bool()),
    name_of_way);

/// Notes which threads come in, and how messages are begun.
class Watched final : public Loopback {
 public:
  void post_send(std::span<const std::byte> b, Rank to, Channel c, Tag tag, Ticket t) override {
    note();
    Loopback::post_send(b, to, c, tag, t);
  }
  void post_recv(std::span<std::byte> b, Rank from, Channel c, Tag tag, Ticket t) override {
    note();
    Loopback::post_recv(b, from, c, tag, t);
  }
  PreparedId prepare_send(std::span<const std::byte> b, Rank to, Channel c, Tag tag) override {
    ++n_made;
    return Loopback::prepare_send(b, to, c, tag);
  }
  void poll(std::vector<Ticket>& completed) override {
    note();
    Loopback::poll(completed);
  }

  std::set<std::thread::id> threads;
  int n_made = 0;

 private:
  void note() { threads.insert(std::this_thread::get_id()); }
};

Graph loop(int& received, Model model = Model::dataflow) {
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  auto y = recorder.data<int>("y", 1);
  recorder.task("make", uses(inout(x)), [](auto v) { ++v[0]; });
  recorder.send(in(x), Rank(0));
  recorder.recv(out(y), Rank(0));
  recorder.task("take", uses(in(y)), [&received](auto v) { received = v[0]; });
  return capture(std::move(recorder), model);
}

TEST(ProgressThread, alone_communicates) {
  for (const Model model : all_models)
    for (const std::uint32_t n_workers : {1u, 3u}) {
      Watched transport;
      SteadyClock clock;
      Executor executor({.n_workers = n_workers, .progress = Progress::thread, .watchdog_s = 5},
                        transport, clock);
      int received = 0;
      Graph graph = loop(received, model);

      ASSERT_TRUE(executor.run(graph, 20));

      EXPECT_EQ(received, 20);
      EXPECT_EQ(transport.threads.size(), 1u);
      EXPECT_FALSE(transport.threads.contains(std::this_thread::get_id()));
    }
}

TEST(Posting, persistent_operations_are_made_once_a_graph_and_forgotten) {
  Watched transport;
  SteadyClock clock;
  int received = 0;
  {
    Executor executor({.depth = 1, .posting = Posting::persistent, .watchdog_s = 5}, transport,
                      clock);
    Graph graph = loop(received), other = loop(received);

    ASSERT_TRUE(executor.run(graph, 10));
    ASSERT_TRUE(executor.run(graph, 10));
    EXPECT_EQ(received, 20);
    EXPECT_EQ(transport.n_made, 2);  // one a slot: replays of one graph may overlap in it
    EXPECT_EQ(transport.n_prepared(), 4u);

    ASSERT_TRUE(executor.run(other, 1));
    EXPECT_EQ(transport.n_prepared(), 2u);
  }
  EXPECT_EQ(transport.n_prepared(), 0u);
}

TEST(Posting, persistent_messages_are_not_forgotten_beside_a_run) {
  Watched transport;
  SteadyClock clock;
  int received = 0;
  Executor inner({.posting = Posting::persistent, .watchdog_s = 5}, transport, clock);
  Executor outer({.watchdog_s = 5}, transport, clock);
  Graph graph = loop(received), again = loop(received);
  Recorder recorder(Rank(0), 1);
  recorder.task("nothing to do with messages", uses(), [] {});
  Graph without_messages = capture(std::move(recorder), Model::dataflow);
  ASSERT_TRUE(inner.run(graph, 3));
  const std::size_t n_prepared = transport.n_prepared();
  ASSERT_GT(n_prepared, 0u);

  Recorder around(Rank(0), 1);
  auto x = around.data<int>("x", 1), y = around.data<int>("y", 1);
  around.send(in(x), Rank(0));
  around.recv(out(y), Rank(0));
  around.task("runs a graph", uses(inout(y)), [&](auto) {
    EXPECT_TRUE(inner.run(without_messages, 1));
    EXPECT_EQ(transport.n_prepared(), n_prepared);
  });
  Graph outside = capture(std::move(around), Model::dataflow);
  ASSERT_TRUE(outer.run(outside, 1));

  ASSERT_TRUE(inner.run(again, 1));
  EXPECT_EQ(transport.n_prepared(), 2u);  // those of the graph before are forgotten
  EXPECT_EQ(received, 1);
}

}  // namespace
}  // namespace thalweg::flow

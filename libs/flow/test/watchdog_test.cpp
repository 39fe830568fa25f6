// SPDX-License-Identifier: MIT
// Hangs on one rank, by the machine's clock. Those of several ranks: libs/comm/test.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/node_shared.hpp>

#include "../src/watchdog.hpp"
#include "loopback.hpp"

namespace thalweg::flow {
namespace {

/// Loses what is sent with tag 1, telling nobody.
class Lossy final : public Loopback {
 public:
  void post_send(std::span<const std::byte> b, Rank to, Channel c, Tag tag, Ticket t) override {
    if (tag != Tag(1)) Loopback::post_send(b, to, c, tag, t);
  }
};

/// What a logger wrote, which may be read while it writes.
class Log {
 public:
  Log() : file_(std::tmpfile()), logger_(file_.get(), Rank(0)) {}
  Logger* logger() { return &logger_; }
  std::string text() {
    std::fflush(file_.get());
    std::string all(4096, '\0');
    const auto n = pread(fileno(file_.get()), all.data(), all.size(), 0);
    all.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return all;
  }

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  Logger logger_;
};

TEST(Watchdog, says_seconds_without_an_exponent) {
  EXPECT_EQ(seconds_text(3600), "3600");
  EXPECT_EQ(seconds_text(86400.4), "86400");
  EXPECT_EQ(seconds_text(100), "100");
  EXPECT_EQ(seconds_text(99.97), "100");
  EXPECT_EQ(seconds_text(1.0004), "1");
  EXPECT_EQ(seconds_text(0.25), "0.25");
  EXPECT_EQ(seconds_text(1e-6), "0.000001");
}

TEST(Watchdog, counts_from_the_last_progress) {
  Watchdog dog(1e-6);
  const auto barks_at = [&](std::int64_t from_ns, std::uint64_t progress) {
    for (std::int64_t now = from_ns;; now += 100)
      if (const auto quiet = dog.look(now, progress)) return std::pair(now - from_ns, *quiet);
  };

  EXPECT_EQ(barks_at(5'000, 1), std::pair(1'000l, 1'000l));
  EXPECT_FALSE(dog.look(6'100, 2));
  EXPECT_EQ(barks_at(6'200, 2), std::pair(900l, 1'000l));
  dog.reset();
  EXPECT_FALSE(dog.look(9'000, 2));
  EXPECT_FALSE(Watchdog(0).is_on());
}

TEST(Watchdog, does_not_bark_because_it_was_asleep_itself) {
  Watchdog dog(1e-6);

  EXPECT_FALSE(dog.look(5'000, 1));
  EXPECT_FALSE(dog.look(500'000, 1));
  EXPECT_FALSE(dog.look(500'100, 2));
}

TEST(Watchdog, names_both_ends_of_a_lost_message_in_every_model) {
  for (const Model model : all_models)
    for (const std::uint32_t n_workers : {1u, 3u}) {
      Lossy transport;
      const SteadyClock clock;
      Executor executor({.n_workers = n_workers, .watchdog_s = 0.05}, transport, clock);
      Recorder recorder(Rank(0), 1);
      auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1),
           z = recorder.data<int>("z", 1);
      recorder.send(in(x), Rank(0));
      recorder.recv(out(y), Rank(0));
      recorder.send(in(x), Rank(0), {.level = 1});  // of many blocks
      recorder.recv(out(z), Rank(0), {.level = 1, .block = 7});
      recorder.task("unpack", uses(in(z)), [](auto) {}, {.level = 1, .block = 8});
      recorder.task("decide", uses(in(z)), [](auto) {}, {.controls_termination = true});
      recorder.task("read x", uses(in(x)), [](auto) {});
      recorder.task("write x", uses(inout(x)), [](auto) {});
      Graph graph = capture(std::move(recorder), model);

      const auto report = executor.run(graph, 3, 20);

      ASSERT_FALSE(report);
      for (const char* part :
           {"rank 0", "limit is 0.05 s", "ExecutorConfig::watchdog_s", "run.watchdog",
            "(level 1, step 20) to send 'x' to rank 0, tag 1, 4 bytes",
            "get 'z' from rank 0, tag 1, 4 bytes", "level 1, step 20", "block 7, level 1",
            "for task 'unpack'", "'decide'", "has not run", "for task 'write x'"})
        EXPECT_NE(report.error().message.find(part), std::string::npos)
            << part << " in " << report.error().message;
    }
}

/// One of several ranks of which no other says anything.
class Alone : public Transport {
 public:
  explicit Alone(Rank rank = Rank(0), int n_ranks = 2) : Transport(rank, n_ranks) {}
  void post_send(std::span<const std::byte>, Rank, Channel, Tag, Ticket ticket) override {
    sent_.push_back(ticket);
  }
  void post_recv(std::span<std::byte>, Rank, Channel, Tag, Ticket) override {}
  void let_others_speak() override { lets_others_speak = true; }
  void poll(std::vector<Ticket>& completed) override {
    completed.insert(completed.end(), sent_.begin(), sent_.end());
    sent_.clear();
  }
  [[noreturn]] void abort(std::string_view message) override {
    throw std::runtime_error(std::string(message));
  }

  bool lets_others_speak = false;

 private:
  std::vector<Ticket> sent_;
};

/// Whether others are to speak before a rank ends all because a run of its graph has failed.
bool lets_others_speak(void (*record)(Recorder&)) {
  Alone transport;
  const SteadyClock clock;
  Executor executor({.watchdog_s = 0.05}, transport, clock);
  Recorder recorder(Rank(0), 2);
  record(recorder);
  Graph graph = capture(std::move(recorder), Model::dataflow);
  EXPECT_FALSE(executor.run(graph, 1));
  return transport.lets_others_speak;
}

TEST(Watchdog, lets_other_ranks_speak_that_are_stuck_too) {
  EXPECT_TRUE(lets_others_speak([](Recorder& recorder) {
    auto x = recorder.data<int>("x", 1);
    recorder.recv(out(x), Rank(1));
  }));
  EXPECT_FALSE(lets_others_speak([](Recorder& recorder) {
    recorder.task("throws", uses(), [] { throw std::runtime_error("negative density"); });
  }));
}

TEST(Watchdog, ends_a_collective_between_graphs_that_waits_for_a_rank) {
  Alone transport;
  transport.set_watchdog(0.05);
  try {
    barrier(transport);
    FAIL() << "nobody has come";
  } catch (const std::runtime_error& error) {
    for (const char* part : {"0.05 s", "raise run.watchdog", "still busy", "from rank 1"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  EXPECT_TRUE(transport.lets_others_speak);
}

TEST(Watchdog, long_task_is_named_in_the_log_and_goes_on) {
  for (const Model model : all_models)
    for (const std::uint32_t n_workers : {1u, 2u}) {
      Log log;
      Loopback transport;
      const SteadyClock clock;
      Executor executor({.n_workers = n_workers, .watchdog_s = 0.02, .log = log.logger()},
                        transport, clock);
      Recorder recorder(Rank(0), 1);
      auto x = recorder.data<int>("x", 1);
      auto y = recorder.data<int>("y", 1);
      // With one more message on its way, so that an idle worker has something to wait for.
      recorder.task("endless", uses(inout(x)),
                    [&log](auto) {
                      for (int i = 0; i < 2000 && log.text().empty(); ++i)
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    },
                    {.level = 4, .block = 9});
      recorder.recv(out(y), Rank(0));
      recorder.task("after", uses(inout(x)), [](auto v) { ++v[0]; });
      recorder.send(in(x), Rank(0));
      Graph graph = capture(std::move(recorder), model);

      const auto report = executor.run(graph, 1, 33);

      ASSERT_TRUE(report) << report.error().message;
      EXPECT_EQ(y.view()[0], 1);
      for (const char* part :
           {"task 'endless' on rank 0", "block 9, level 4", "step 33", "has been running for"})
        EXPECT_NE(log.text().find(part), std::string::npos) << log.text();
    }
}

/// What a watchdog with a limit of 50 ms says of a run in which something happens every 5 ms.
std::string said_of_a_busy_run() {
  Log log;
  Loopback transport(3);
  const SteadyClock clock;
  Executor executor({.n_workers = 2, .watchdog_s = 0.05, .log = log.logger()}, transport, clock);
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  auto y = recorder.data<int>("y", 1);
  recorder.task("short", uses(inout(x)),
                [](auto) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
  recorder.send(in(x), Rank(0));
  recorder.recv(out(y), Rank(0));
  Graph graph = capture(std::move(recorder), Model::dataflow);

  EXPECT_TRUE(executor.run(graph, 40));  // four limits
  return log.text();
}

TEST(Watchdog, is_quiet_where_something_happens_now_and_then) {
  // A machine that stands still for a limit has a task that runs for so long: now and then.
  int n_quiet = 0;
  for (int n = 0; n < 10 && n_quiet < 5; ++n) n_quiet += said_of_a_busy_run().empty() ? 1 : 0;
  EXPECT_EQ(n_quiet, 5);
}

TEST(Watchdog, limit_that_makes_no_sense_is_an_error) {
  Loopback transport;
  const SteadyClock clock;
  for (const double bad : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(Executor({.watchdog_s = bad}, transport, clock), Error);
}

/// Rank 3 of a compute node that it shares with rank 5, of which nothing comes.
class Deserted final : public Alone, public ComputeNode {
 public:
  Deserted() : Alone(Rank(3), 8) {}
  ComputeNode* compute_node() override { return this; }
  std::span<const Rank> ranks() const override { return ranks_; }
  std::span<const Rank> firsts() const override { return std::span(ranks_).first(1); }
  std::shared_ptr<std::byte> lend(std::size_t) override {
    throw std::logic_error("nobody is there to agree on memory");
  }

 private:
  std::vector<Rank> ranks_{Rank(3), Rank(5)};
};

TEST(Watchdog, names_who_is_missing_where_a_compute_node_shares_memory) {
  Deserted transport;
  transport.set_watchdog(0.05);
  std::string said;
  try {
    all_gather_node_shared(transport, std::span<const double>());
  } catch (const std::runtime_error& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("from rank 5"), std::string::npos) << said;
}

}  // namespace
}  // namespace thalweg::flow

// SPDX-License-Identifier: MIT
// Accesses that are not declared are found in a single run, also where that run is right.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/executor.hpp>

namespace thalweg::testing {
namespace {

using flow::in;
using flow::inout;
using flow::out;
using flow::uses;

struct Checked {
  int n_ranks = 1;
  std::uint64_t n_replays = 1;
  flow::Model model = flow::Model::dataflow;
};

/// Run once what every rank records. @return what was found
std::vector<std::string> findings(const Checked& how,
                                  const std::function<void(flow::Recorder&)>& record) {
  flow::AccessChecker checker;
  comm::SimNetwork network({.n_ranks = how.n_ranks});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::Recorder recorder(transport.rank(), transport.n_ranks());
    record(recorder);
    flow::Graph graph = flow::capture(std::move(recorder), how.model);
    flow::Executor executor({.checker = &checker}, transport, network.clock());
    const auto report = executor.run(graph, how.n_replays);
    if (!report) transport.abort(report.error().message);
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(checker.n_merged(), 0u);
  EXPECT_GT(checker.n_checked(), 0u);
  return checker.findings();
}

void expect_one(const std::vector<std::string>& found, const std::vector<std::string>& parts) {
  ASSERT_EQ(found.size(), 1u);
  for (const std::string& part : parts)
    EXPECT_NE(found[0].find(part), std::string::npos) << part << " is not in\n" << found[0];
}

enum class Bug { absent, planted };

/// A task fills an array; another should say that it reads one element of it.
void read_one_element(flow::Recorder& recorder, Bug bug) {
  auto field = recorder.data<double>("field", 1000);
  auto sum = recorder.data<double>("sum", 1);
  recorder.task("fill", uses(out(field)),
                [](std::span<double> f) { std::fill(f.begin(), f.end(), 1.0); },
                {.level = 2, .block = 41});
  const auto peek = [p = field.view().data()](std::span<double> s) { s[0] = p[777]; };
  if (bug == Bug::planted)
    recorder.task("peek", uses(out(sum)), peek, {.level = 2, .block = 42});
  else
    recorder.task("peek", uses(out(sum), in(field)),
                  [peek](std::span<double> s, std::span<const double>) { peek(s); });
}

TEST(Undeclared, read_of_one_element_is_found_and_both_tasks_are_named) {
  expect_one(findings({}, [](auto& recorder) { read_one_element(recorder, Bug::planted); }),
             {"task 'peek' on rank 0 (block 42, level 2, replay 0) reads",
              "task 'fill' on rank 0 (block 41, level 2, replay 0) writes", "declare"});
  EXPECT_EQ(findings({}, [](auto& recorder) { read_one_element(recorder, Bug::absent); }),
            std::vector<std::string>{});
}

TEST(Undeclared, write_is_found_in_every_model_that_has_no_barrier_between) {
  const auto record = [](flow::Recorder& recorder) {
    auto a = recorder.data<int>("a", 64);
    auto b = recorder.data<int>("b", 64);
    recorder.task("right", uses(out(a)), [](std::span<int> v) { v[63] = 1; });
    recorder.phase("next", flow::PhaseKind::step);
    recorder.task("wrong", uses(out(b)), [p = a.view().data()](std::span<int>) { p[63] = 2; });
  };
  for (const auto model : {flow::Model::phase, flow::Model::dataflow})
    expect_one(findings({.model = model}, record), {"'wrong'", "'right'", "writes what"});
  // A barrier is declared too.
  EXPECT_EQ(findings({.model = flow::Model::bulk}, record).size(), 0u);
  EXPECT_EQ(findings({.n_replays = 3, .model = flow::Model::forkjoin}, record).size(), 0u);
}

TEST(Undeclared, access_that_only_the_next_replay_runs_into_is_found) {
  // Within a replay the two are in order; the next replay's first task may overtake the last.
  const auto record = [](flow::Recorder& recorder, Bug bug) {
    auto state = recorder.data<int>("state", 8);
    auto copy = recorder.data<int>("copy", 8);
    const auto first =
        recorder.task("advance", uses(inout(state)), [](std::span<int> s) { ++s[3]; });
    const auto body = [p = state.view().data()](std::span<int> c) { c[0] = p[3]; };
    const auto then = bug == Bug::planted
                          ? recorder.task("look", uses(out(copy)), body)
                          : recorder.task("look", uses(out(copy), in(state)),
                                          [body](std::span<int> c, auto) { body(c); });
    recorder.after(first, then);
  };
  const auto planted = [&](auto& recorder) { record(recorder, Bug::planted); };
  EXPECT_EQ(findings({.n_replays = 1}, planted).size(), 0u);
  expect_one(findings({.n_replays = 6}, planted),
             {"task 'advance' on rank 0", "writes", "task 'look' on rank 0", "reads"});
  EXPECT_EQ(findings({.n_replays = 5}, [&](auto& r) { record(r, Bug::absent); }).size(), 0u);
}

TEST(Undeclared, use_of_a_message_before_it_has_come_or_gone_is_found) {
  const auto record = [](flow::Recorder& recorder, Bug bug) {
    auto own = recorder.data<int>("own", 4, 1);
    auto theirs = recorder.data<int>("theirs", 4);
    auto result = recorder.data<int>("result", 1);
    const Rank other(1 - recorder.rank()());
    recorder.send(in(own), other);
    recorder.recv(out(theirs), other);
    if (bug == Bug::absent) {
      recorder.task("use", uses(in(theirs), inout(own), out(result)),
                    [](auto t, std::span<int> o, std::span<int> r) { r[0] = o[2] += t[1]; });
      return;
    }
    recorder.task("use", uses(out(result)),
                  [o = own.view().data(), t = theirs.view().data()](std::span<int> r) {
                    if (r[0] == 0) r[0] = o[2] += t[1];
                  });
  };
  const auto found =
      findings({.n_ranks = 2}, [&](auto& recorder) { record(recorder, Bug::planted); });
  ASSERT_EQ(found.size(), 4u);  // on each rank: the send that reads, the receive that writes
  std::string all;
  for (const std::string& text : found) all += text + "\n";
  for (const char* part : {"'send' of 'own' on rank 0", "'send' of 'own' on rank 1",
                           "'recv' of 'theirs' on rank 0", "'recv' of 'theirs' on rank 1"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " is not in\n" << all;
  EXPECT_EQ(findings({.n_ranks = 2, .n_replays = 4},
                     [&](auto& recorder) { record(recorder, Bug::absent); }),
            std::vector<std::string>{});
}

TEST(Undeclared, atomics_and_mutexes_do_not_hide_it) {
  static std::atomic<int> shared{0};
  const auto found = findings({}, [](flow::Recorder& recorder) {
    auto a = recorder.data<int>("a", 1);
    auto b = recorder.data<int>("b", 1);
    recorder.task("write", uses(out(a)), [](std::span<int> v) {
      v[0] = 1;
      shared.store(1, std::memory_order_release);
    });
    recorder.task("read", uses(out(b)), [p = a.view().data()](std::span<int> v) {
      if (shared.load(std::memory_order_acquire) == 1) v[0] = p[0];
    });
  });
  expect_one(found, {"'read'", "'write'"});
}

TEST(Undeclared, what_a_send_carries_to_another_rank_is_in_order) {
  // Virtual ranks in one process could share memory: what comes after a message comes after it.
  std::vector<int> shared(2, 0);
  const auto record = [&](flow::Recorder& recorder, Bug bug) {
    auto token = recorder.data<int>("token", 1, 0);
    if (recorder.rank() == Rank(0)) {
      recorder.task("write", uses(inout(token)), [&](auto) { shared[1] = 5; });
      recorder.send(in(token), Rank(1));
      return;
    }
    recorder.recv(out(token), Rank(0));
    if (bug == Bug::absent)
      recorder.task("read", uses(in(token)), [&](auto) { EXPECT_EQ(shared[1], 5); });
    else
      recorder.task("read", uses(inout(recorder.data<int>("other", 1))),
                    [&](std::span<int> v) { v[0] = shared[1]; });
  };
  EXPECT_EQ(findings({.n_ranks = 2}, [&](auto& r) { record(r, Bug::absent); }),
            std::vector<std::string>{});
  expect_one(findings({.n_ranks = 2}, [&](auto& r) { record(r, Bug::planted); }),
             {"'read' on rank 1", "'write' on rank 0"});
}

TEST(Undeclared, read_before_a_coroutine_waits_or_a_task_binds_requests_is_found) {
  const auto record = [](flow::Recorder& recorder, Bug bug) {
    const flow::Request twice{.test = [](std::uint64_t& n) { return n++ == 1; }};
    auto field = recorder.data<int>("field", 8);
    auto first = recorder.data<int>("first", 1);
    auto second = recorder.data<int>("second", 1);
    const auto p = field.view().data();
    recorder.task("fill", uses(out(field)), [](std::span<int> f) { f[5] = 1; });
    recorder.task(
        "waits", uses(in(field), out(first)),
        [p, twice](auto, std::span<int> s, flow::TaskContext& context) -> flow::Coroutine {
          s[0] = p[5];
          co_await context.wait(twice);
          ++s[0];
        });
    const auto binds = [p, twice](std::span<int> s, flow::TaskContext& context) {
      s[0] = p[5];
      context.bind(twice);
    };
    if (bug == Bug::planted)
      recorder.task("binds", uses(out(second)), binds);
    else
      recorder.task("binds", uses(out(second), in(field)),
                    [binds](auto s, auto, flow::TaskContext& context) { binds(s, context); });
    recorder.task("check", uses(in(first), in(second)),
                  [](std::span<const int> f, auto s) { EXPECT_EQ(f[0], s[0] + 1); });
  };
  EXPECT_EQ(findings({.n_replays = 20}, [&](auto& r) { record(r, Bug::absent); }),
            std::vector<std::string>{});
  expect_one(findings({.n_replays = 20}, [&](auto& r) { record(r, Bug::planted); }),
             {"'binds' on rank 0", "'fill' on rank 0"});
}

TEST(Undeclared, use_of_the_transport_by_two_tasks_is_none) {
  EXPECT_EQ(findings({.n_replays = 20},
                     [](flow::Recorder& recorder) {
                       for (int i = 0; i < 2; ++i)
                         recorder.task("begins requests", {}, [](flow::TaskContext& context) {
                           context.with_transport([] {});
                         });
                     }),
            std::vector<std::string>{});
}

TEST(Undeclared, an_exception_leaves_the_task_as_ever) {
  flow::AccessChecker checker;
  comm::SimNetwork network({.n_ranks = 1});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::Recorder recorder(transport.rank(), 1);
    recorder.task("fails", {}, [](flow::TaskContext&) { throw std::runtime_error("on purpose"); });
    flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    flow::Executor executor({.checker = &checker}, transport, network.clock());
    const auto report = executor.run(graph, 1);
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("'fails'"), std::string::npos);
    EXPECT_NE(report.error().message.find("on purpose"), std::string::npos);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::testing

/// As in options.cpp, but bugs are planted here: that some were reported is no failure.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
  return "exitcode=0:history_size=7:suppress_equal_addresses=0";
}

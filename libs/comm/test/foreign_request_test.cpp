// SPDX-License-Identifier: MIT
#include <thalweg/comm/communicator.hpp>
#include <thalweg/comm/foreign_request.hpp>

#include <gtest/gtest.h>

#include <vector>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/executor.hpp>

namespace thalweg::comm {
namespace {

/// MPI for the tests of this program, with a communicator that the transport knows nothing of.
class ForeignRequest : public testing::Test {
 protected:
  ForeignRequest() { transport.set_watchdog(test_watchdog_s); }
  /// Call f(executor, graph model) for several workers, ways of progress and models.
  template <class F>
  void for_each_way(F f) {
    for (const flow::Progress progress :
         {flow::Progress::idle, flow::Progress::task_boundary, flow::Progress::thread})
      for (const std::uint32_t n_workers : {1u, 2u})
        for (const flow::Model model : {flow::Model::bulk, flow::Model::forkjoin,
                                        flow::Model::phase, flow::Model::dataflow}) {
          flow::Executor executor(
              {.n_workers = n_workers, .progress = progress, .watchdog_s = test_watchdog_s},
              transport, clock);
          SCOPED_TRACE(testing::Message() << "progress " << static_cast<int>(progress) << ", "
                                          << n_workers << " workers, " << to_string(model));
          f(executor, model);
        }
  }
  int sum_of_ranks() const { return transport.n_ranks() * (transport.n_ranks() - 1) / 2; }

  MpiTransport transport{*test_session};
  Communicator foreign{test_session->world()};
  SteadyClock clock;
};

TEST_F(ForeignRequest, bound_to_a_task_holds_back_what_depends_on_it) {
  constexpr std::uint64_t n_replays = 10;
  for_each_way([&](flow::Executor& executor, flow::Model model) {
    flow::Recorder recorder(transport.rank(), transport.n_ranks());
    auto mine = recorder.data<int>("mine", 1, static_cast<int>(transport.rank()()));
    auto sum = recorder.data<int>("sum", 1);
    int n_right = 0;
    recorder.task("sum", flow::uses(flow::in(mine), flow::out(sum)),
                  [&](auto from, auto to, flow::TaskContext& context) {
                    MPI_Request request = MPI_REQUEST_NULL;
                    context.with_transport([&] {
                      check(MPI_Iallreduce(from.data(), to.data(), 1, MPI_INT, MPI_SUM,
                                           foreign.get(), &request),
                            "begin a sum");
                    });
                    context.bind(foreign_request(request));
                  });
    recorder.task("use", flow::uses(flow::inout(sum)), [&](auto s) {
      n_right += s[0] == sum_of_ranks() ? 1 : 0;
      s[0] = -1;
    });
    flow::Graph graph = flow::capture(std::move(recorder), model);

    const auto report = executor.run(graph, n_replays);

    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(n_right, static_cast<int>(n_replays));
  });
}

TEST_F(ForeignRequest, awaited_by_a_coroutine_suspends_it) {
  constexpr std::uint64_t n_replays = 10;
  for_each_way([&](flow::Executor& executor, flow::Model model) {
    flow::Recorder recorder(transport.rank(), transport.n_ranks());
    auto sum = recorder.data<int>("sum", 1);
    recorder.task("sum", flow::uses(flow::inout(sum)),
                  [&](auto s, flow::TaskContext& context) -> flow::Coroutine {
                    const int from = static_cast<int>(transport.rank()());
                    int to = 0;
                    MPI_Request request = MPI_REQUEST_NULL;
                    context.with_transport([&] {
                      check(
                          MPI_Iallreduce(&from, &to, 1, MPI_INT, MPI_SUM, foreign.get(), &request),
                          "begin a sum");
                    });
                    co_await context.wait(foreign_request(request));
                    s[0] += to;
                  });
    flow::Graph graph = flow::capture(std::move(recorder), model);

    const auto report = executor.run(graph, n_replays);

    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(sum.view()[0], static_cast<int>(n_replays) * sum_of_ranks());
  });
}

TEST_F(ForeignRequest, that_fails_ends_the_run_with_the_text_of_mpi) {
  flow::Executor executor({.watchdog_s = test_watchdog_s}, transport, clock);
  std::vector<char> sent(8), got(4);
  flow::Recorder recorder(transport.rank(), transport.n_ranks());
  recorder.task("receives", flow::uses(), [&](flow::TaskContext& context) {
    const auto n = static_cast<std::uint32_t>(transport.n_ranks());
    const int right = static_cast<int>((transport.rank()() + 1) % n);
    MPI_Request requests[2];
    // Four bytes are too few for eight.
    check(MPI_Irecv(got.data(), 4, MPI_CHAR, MPI_ANY_SOURCE, 0, foreign.get(), &requests[0]),
          "receive");
    check(MPI_Isend(sent.data(), 8, MPI_CHAR, right, 0, foreign.get(), &requests[1]), "send");
    context.bind(foreign_request(requests[0]));
    context.bind(foreign_request(requests[1]));
  });
  flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
  if (transport.n_ranks() == 1) GTEST_SKIP() << "Open MPI 4.1 cuts messages to oneself in silence";

  const auto report = executor.run(graph, 1);

  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("cannot test a request"), std::string::npos)
      << report.error().message;
  MPI_Barrier(foreign.get());
}

}  // namespace
}  // namespace thalweg::comm

// SPDX-License-Identifier: MIT
#include <thalweg/backends/openmp.hpp>

#include "backend_suite.hpp"

namespace thalweg::backends {

INSTANTIATE_TYPED_TEST_SUITE_P(OpenMpExecutor, Backend, OpenMpExecutor);

struct OneThread : flow::Loopback {
  bool serves_one_thread() const override { return true; }
};

TEST(OpenMpExecutor, of_llvm_refuses_messages_on_a_transport_that_serves_one_thread) {
  OneThread transport;
  OpenMpExecutor executor({}, transport);
  flow::Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
  recorder.send(flow::in(x), Rank(0));
  recorder.recv(flow::out(y), Rank(0));
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  if (OpenMpExecutor::runtime() == Runtime::libomp)
    EXPECT_THROW((void)executor.run(graph, 1), Error);
  else
    EXPECT_TRUE(executor.run(graph, 1));
}

}  // namespace thalweg::backends

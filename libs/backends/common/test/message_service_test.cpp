// SPDX-License-Identifier: MIT
#include <thalweg/backends/detail/message_service.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/flow/combine.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::backends::detail {
namespace {

/// Never completes a message, and calls something at each poll.
class SilentTransport final : public flow::Transport {
 public:
  explicit SilentTransport(std::function<void()> at_poll)
      : Transport(Rank{0}, 2), at_poll_(std::move(at_poll)) {}

  void post_send(std::span<const std::byte>, Rank, flow::Channel, flow::Tag,
                 flow::Ticket) override {}
  void post_recv(std::span<std::byte>, Rank, flow::Channel, flow::Tag, flow::Ticket) override {}
  void poll(std::vector<flow::Ticket>&) override { at_poll_(); }
  [[noreturn]] void abort(std::string_view) override { std::abort(); }

 private:
  std::function<void()> at_poll_;
};

TEST(MessageService, ends_all_messages_of_a_run_that_has_failed) {
  flow::Recorder recorder(Rank{0}, 2);
  const auto x = recorder.data<double>("x", 1);
  recorder.recv(flow::out(x), Rank{1});
  recorder.send(flow::in(x), Rank{1});
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
  detail::Run run(graph, {});  // a test has a Run of its own
  std::set<MessageService::Event> ended;
  MessageService* to = nullptr;
  // The receive is under way when the run fails, the send not yet posted.
  SilentTransport transport([&] {
    to->hand_in(1, 20);
    run.fail("elsewhere");
  });
  MessageService service(run, transport, [&](MessageService::Event e) { ended.insert(e); });
  to = &service;
  service.hand_in(0, 10);

  int n_looks = 0;  // one before it posts, one before it ends them
  service.communicate([&] { return ++n_looks > 2; });

  EXPECT_EQ(ended, (std::set<MessageService::Event>{10, 20}));
}

}  // namespace
}  // namespace thalweg::backends::detail

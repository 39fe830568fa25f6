// SPDX-License-Identifier: MIT
#include <thalweg/app/requests.hpp>

#include <signal.h>

#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

TEST(SignalRequests, are_what_was_signalled_since_the_last_time) {
  SignalRequests requests;
  EXPECT_FALSE(requests.take().checkpoint);

  raise(SIGUSR2);
  raise(SIGUSR2);
  const Request first = requests.take();
  EXPECT_TRUE(first.checkpoint);
  EXPECT_FALSE(first.stop);
  EXPECT_FALSE(requests.take().checkpoint);

  raise(SIGTERM);
  const Request second = requests.take();
  EXPECT_FALSE(second.checkpoint);
  EXPECT_TRUE(second.stop);
}

TEST(SignalRequests, one_for_a_checkpoint_may_come_before_they_are_there) {
  const auto before = ::signal(SIGUSR2, SIG_DFL);
  take_early_requests();
  raise(SIGUSR2);
  {
    SignalRequests requests;
    EXPECT_TRUE(requests.take().checkpoint);
  }
  raise(SIGUSR2);
  EXPECT_TRUE(SignalRequests().take().checkpoint);
  ::signal(SIGUSR2, SIG_IGN);
  take_early_requests();
  EXPECT_EQ(::signal(SIGUSR2, before), SIG_IGN);
}

TEST(SignalRequests, all_that_asks_a_program_to_end_is_a_request_to_stop) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGXCPU}) {
    SignalRequests requests;
    raise(signal);
    EXPECT_TRUE(requests.take().stop) << signal;
    EXPECT_FALSE(requests.take().stop) << signal;
  }
}

TEST(SignalRequests, a_second_interrupt_ends_the_process) {
  SignalRequests requests;
  raise(SIGINT);
  EXPECT_TRUE(requests.take().stop);
  EXPECT_EXIT(raise(SIGINT), ::testing::KilledBySignal(SIGINT), "");
}

TEST(SignalRequests, what_was_ignored_before_stays_so) {
  const auto before = ::signal(SIGHUP, SIG_IGN);
  SignalRequests requests;
  raise(SIGHUP);
  EXPECT_FALSE(requests.take().stop);
  ::signal(SIGHUP, before);
}

TEST(SignalRequests, a_pipe_without_reader_is_no_end) {
  SignalRequests requests;
  raise(SIGPIPE);
  EXPECT_FALSE(requests.take().stop);
}

TEST(SignalRequests, a_signal_does_what_it_did_before_once_they_are_gone) {
  {
    const SignalRequests requests;
  }
  EXPECT_EXIT(raise(SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace thalweg::app

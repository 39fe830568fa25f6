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

TEST(SignalRequests, a_signal_does_what_it_did_before_once_they_are_gone) {
  {
    const SignalRequests requests;
  }
  EXPECT_EXIT(raise(SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace thalweg::app

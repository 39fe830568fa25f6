// SPDX-License-Identifier: MIT
// The executor's lock-free structures do what they promise under all that C++ allows a machine to
// do, and every memory order in them is needed for it.
#include "busy_count_model.hpp"
#include "deque_model.hpp"
#include "expect_orders.hpp"
#include "mailbox_model.hpp"
#include "parker_model.hpp"

namespace thalweg::testing {
namespace {

using deque_model::Taker;
using deque_model::TakerIsNotOverlooked;

TEST(DequeMailboxAndParker, are_right_and_every_weaker_order_is_wrong) {
  expect_orders_are_needed({
      explore<deque_model::RaceForTheLast>("deque, race for the last", 300'000),
      explore<deque_model::GoesRound>("deque, goes round", 300'000),
      explore<TakerIsNotOverlooked<Taker::thief>>("deque, thief is not overlooked", 100'000),
      explore<TakerIsNotOverlooked<Taker::owner>>("deque, owner is not overlooked", 100'000),
      explore<busy_count_model::SomethingIsSeen>("busy count and mailbox", 20'000),
      explore<mailbox_model::ManySendersAndTakers>("mailbox", 100'000),
      explore<parker_model::SleeperGetsItsMail>("parker and mailbox", 100'000),
  });
}

}  // namespace
}  // namespace thalweg::testing

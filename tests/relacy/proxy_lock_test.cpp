// SPDX-License-Identifier: MIT
#include "proxy_lock_model.hpp"

#include "expect_orders.hpp"

namespace thalweg::testing {
namespace {

TEST(ProxyLock, is_right_and_every_weaker_order_is_wrong) {
  expect_orders_are_needed({
      explore<proxy_lock_model::OneAtATime<true>>("proxy lock with fences of its own", 300'000),
      explore<proxy_lock_model::OneAtATime<false>>("proxy lock with fences that are lent", 300'000),
      explore<proxy_lock_model::TakesTurns>("proxy lock in turns", 50'000),
  });
}

}  // namespace
}  // namespace thalweg::testing

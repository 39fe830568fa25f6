// SPDX-License-Identifier: MIT
#include "transport_lock_model.hpp"

#include "expect_orders.hpp"

namespace thalweg::testing {
namespace {

TEST(TransportLock, is_right_and_every_weaker_order_is_wrong) {
  expect_orders_are_needed({explore<transport_lock_model::OneIsInside>("transport lock", 100'000)});
}

}  // namespace
}  // namespace thalweg::testing

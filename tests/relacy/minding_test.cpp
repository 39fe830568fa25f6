// SPDX-License-Identifier: MIT
#include "minding_model.hpp"

#include "expect_orders.hpp"

namespace thalweg::testing {
namespace {

TEST(Minding, is_right_and_every_weaker_order_is_wrong) {
  expect_orders_are_needed({
      explore<minding_model::OneAtATime<true>>("minding with fences of its own", 300'000),
      explore<minding_model::OneAtATime<false>>("minding with fences that are lent", 300'000),
      explore<minding_model::TakesTurns>("minding in turns", 50'000),
  });
}

}  // namespace
}  // namespace thalweg::testing

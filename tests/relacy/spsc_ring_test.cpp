// SPDX-License-Identifier: MIT
#include "spsc_ring_model.hpp"

#include "expect_orders.hpp"

namespace thalweg::testing {
namespace {

TEST(SpscRing, is_right_and_every_weaker_order_is_wrong) {
  expect_orders_are_needed({
      explore<spsc_ring_model::CarriesWhatWasWritten>("ring", 100'000),
      explore<spsc_ring_model::NothingIsOverlooked>("two rings and one who looks", 100'000),
  });
}

}  // namespace
}  // namespace thalweg::testing

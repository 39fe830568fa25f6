// SPDX-License-Identifier: MIT
#include "pipe_model.hpp"

#include "expect_orders.hpp"

namespace thalweg::testing {
namespace {

TEST(Pipe, is_right_and_every_weaker_order_is_wrong) {
  expect_orders_are_needed({
      explore<pipe_model::CarriesWhatWasWritten>("pipe", 100'000),
      explore<pipe_model::NothingIsOverlooked>("two pipes and one who looks", 100'000),
  });
}

}  // namespace
}  // namespace thalweg::testing

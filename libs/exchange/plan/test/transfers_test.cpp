// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/transfers.hpp>

#include <gtest/gtest.h>

namespace thalweg::exchange {
namespace {

TEST(Copy, is_ordered_by_destination_then_source_then_place) {
  const Copy<1> copy{{0, 1}, {0, 1}, {{8}, {10}}, {}};
  Copy<1> next = copy;
  next.region = {{9}, {10}};
  EXPECT_LT(copy, next);
  next = copy;
  next.src.code = 2;
  next.region = {{0}, {2}};
  EXPECT_LT(copy, next);
  next.dst.code = 0;
  EXPECT_LT(next, copy);
}

}  // namespace
}  // namespace thalweg::exchange

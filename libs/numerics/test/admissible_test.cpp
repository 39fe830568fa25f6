// SPDX-License-Identifier: MIT
#include <thalweg/numerics/admissible.hpp>

#include <limits>

#include <gtest/gtest.h>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

TEST(FindInadmissible, finds_each_bad_cell_among_valid_ones_and_looks_at_no_others) {
  const Box<2> valid{{{1, 1}}, {{9, 6}}};
  for_each(valid, [&](const Index<2>& bad) {
    test::Owned<2> u(valid.grown(1), 1);
    u.fill([&](int, const Index<2>& i) {
      return !valid.contains(i) ? -1.0 : i == bad ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    });

    EXPECT_EQ((find_inadmissible<test::Advection<2>>({}, u(), valid)), bad);
  });
}

TEST(FindInadmissible, names_the_first_of_several_and_none_where_all_are_good) {
  const Box<2> valid = Box<2>::cube(4);
  test::Owned<2> u(valid, 1);
  u.fill([](int, const Index<2>&) { return 1.0; });
  EXPECT_FALSE((find_inadmissible<test::Advection<2>>({}, u(), valid)).has_value());

  u.fill([](int, const Index<2>& i) { return i[1] >= 1 && i[0] >= 2 ? -1.0 : 1.0; });
  EXPECT_EQ((find_inadmissible<test::Advection<2>>({}, u(), valid)), (Index<2>{{2, 1}}));
}

}  // namespace
}  // namespace thalweg::numerics

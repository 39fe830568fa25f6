// SPDX-License-Identifier: MIT
#include <thalweg/numerics/any_scheme.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

using Known = Vl2<test::Advection<2>, PlmVanLeer, RiemannHlle>;
using Unknown = AnyScheme<test::Advection<2>>;
static_assert(BlockScheme<Known> && BlockScheme<Unknown>);

TEST(AnyScheme, does_what_the_scheme_does) {
  const Known known{{.velocity = {{0.5, -2.0}}}};
  const Unknown unknown = Unknown(known);  // a copy of one whose scheme is gone
  const Box<2> valid = Box<2>::cube(6);
  EXPECT_EQ(unknown.n_ghosts, Known::n_ghosts);
  EXPECT_EQ(unknown.system.velocity, known.system.velocity);
  ASSERT_EQ(unknown.scratch_bytes(valid), known.scratch_bytes(valid));

  const auto field = [](int, const Index<2>& i) { return 2.0 + std::sin(i[0] + 2.0 * i[1]); };
  test::Owned<2> u(valid.grown(unknown.n_ghosts), 1), v(valid.grown(unknown.n_ghosts), 1);
  u.fill(field);
  v.fill(field);
  std::vector<std::byte> scratch(unknown.scratch_bytes(valid));
  ASSERT_EQ(unknown.stages().size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    unknown.update_stage(k, u(), u(), valid, {0.1, {{1.0, 1.0}}}, scratch);
    known.update_stage(k, v(), v(), valid, {0.1, {{1.0, 1.0}}}, scratch);
  }

  for_each(valid, [&](const Index<2>& i) { EXPECT_EQ((u[0, i]), (v[0, i])); });
  EXPECT_NE((u[0, {{2, 2}}]), field(0, {{2, 2}}));
}

}  // namespace
}  // namespace thalweg::numerics

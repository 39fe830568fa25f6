// SPDX-License-Identifier: MIT
// What goes through the faces of a row is what goes through each of them.
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/hydro/riemann_lhllc.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/hydro/scalar_gas.hpp>
#include <thalweg/numerics/correction_kernels.hpp>
#include <thalweg/numerics/riemann_hllc.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/row_kernels.hpp>

#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

using Gas = Euler<3>;
using Dyed = ScalarGas<3, 2>;
using CrossingOfTwoShock = numerics::detail::CrossingOf<RiemannTwoShock>;

static_assert(numerics::SolverInTwoParts<numerics::RiemannHllc, Gas>);
static_assert(numerics::SolverInTwoParts<RiemannTwoShock, Gas>);
static_assert(numerics::SolverInTwoParts<CrossingOfTwoShock, Gas>);
static_assert(numerics::SolverInTwoParts<RiemannWithScalars<RiemannTwoShock>, Dyed>);
static_assert(numerics::SolverInTwoParts<RiemannLhllc, Gas>);
static_assert(!numerics::SolverInTwoParts<numerics::RiemannRoe, Gas>);
static_assert(!numerics::SolverInTwoParts<RiemannWithScalars<numerics::RiemannRoe>, Dyed>);

Gas::Primitive random_state(const Gas&, SplitMix64& random) {
  return test::random_primitive<3>(random);
}
Dyed::Primitive random_state(const Dyed&, SplitMix64& random) {
  return {test::random_primitive<3>(random), {{random.uniform(), random.uniform()}}};
}

/// Rows of one face, of no whole vector, of whole ones, and of more than are solved at once.
template <class Riemann, class System>
void expect_fluxes_of_single_faces(const System& system) {
  using Flux = decltype(Riemann::flux(system, {}, {}, 0));
  constexpr std::ptrdiff_t n_most = 1100;
  constexpr std::size_t n_components = System::n_components;
  constexpr std::size_t n_numbers = numerics::n_components_of<Flux>;
  SplitMix64 random(17);
  std::vector<double> l(n_components * n_most), r(n_components * n_most);
  for (std::ptrdiff_t i = 0; i < n_most; ++i) {
    const auto below = random_state(system, random);
    numerics::store(below, &l[static_cast<std::size_t>(i)], n_most);
    // A tenth of the faces are between equal states.
    numerics::store(i % 10 == 0 ? below : random_state(system, random),
                    &r[static_cast<std::size_t>(i)], n_most);
  }
  for (const int n : {1, 7, 8, 17, 24, 130, 504, 505, 1100}) {
    SCOPED_TRACE(n);
    std::vector<double> f(n_numbers * n_most, -1.0);
    numerics::face_kernels<System, Riemann>[1](system, n, l.data(), n_most, r.data(), n_most,
                                               f.data(), n_most);
    for (int i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto flux = numerics::face_flux<Riemann>(
          system, numerics::load<typename System::Primitive>(&l[at], n_most),
          numerics::load<typename System::Primitive>(&r[at], n_most), 1);
      for (std::size_t c = 0; c < n_numbers; ++c)
        ASSERT_EQ(f[c * n_most + at], numerics::component(flux, c)) << i << ' ' << c;
    }
    for (std::size_t at = static_cast<std::size_t>(n); at < n_most; ++at) ASSERT_EQ(f[at], -1.0);
  }
}

TEST(RiemannRows, of_solvers_in_two_parts_have_the_fluxes_of_single_faces) {
  expect_fluxes_of_single_faces<numerics::RiemannHllc>(Gas{});
  expect_fluxes_of_single_faces<RiemannTwoShock>(Gas{});
  expect_fluxes_of_single_faces<RiemannLhllc>(Gas{});
  expect_fluxes_of_single_faces<CrossingOfTwoShock>(Gas{});
  expect_fluxes_of_single_faces<RiemannWithScalars<numerics::RiemannHllc>>(Dyed{});
  expect_fluxes_of_single_faces<RiemannWithScalars<RiemannTwoShock>>(Dyed{});
}

TEST(RiemannRows, of_solvers_in_one_part_have_them_too) {
  expect_fluxes_of_single_faces<numerics::RiemannRoe>(Gas{});
}

}  // namespace
}  // namespace thalweg::hydro

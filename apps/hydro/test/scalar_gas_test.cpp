// SPDX-License-Identifier: MIT
#include <thalweg/hydro/scalar_gas.hpp>

#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>
#include <thalweg/hydro/riemann_exact.hpp>
#include <thalweg/hydro/riemann_lhllc.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/carrying_system.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/prolongation.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "one_block.hpp"

namespace thalweg::hydro::scalars {
namespace {

// Each scheme for a system and for the same gas without scalars.
struct Vl2Plm {
  static constexpr double beyond_bounds = 1e-6;
  static constexpr double least_order = 1.8;
  template <class System, template <class> class Riemann>
  using Of = numerics::Vl2<System, numerics::PlmVanLeer, Riemann<numerics::RiemannHllc>>;
};
struct Vl2Ppm {
  static constexpr double beyond_bounds = 1e-6;
  static constexpr double least_order = 1.9;
  template <class System, template <class> class Riemann>
  using Of = numerics::Vl2<System, numerics::PpmExtrema, Riemann<numerics::RiemannHllc>>;
};
struct CtuTwoShock {
  static constexpr double beyond_bounds = 1e-13;
  static constexpr double least_order = 1.7;  // it clips extrema
  template <class System, template <class> class Riemann>
  using Of = numerics::Ctu<System, numerics::PpmClassic, Riemann<RiemannTwoShock>>;
};
struct CtuPpm {
  static constexpr double beyond_bounds = 1e-6;
  static constexpr double least_order = 1.9;
  template <class System, template <class> class Riemann>
  using Of = numerics::Ctu<System, numerics::PpmExtrema, Riemann<numerics::RiemannHllc>>;
};
struct Vl2Roe {
  static constexpr double beyond_bounds = 1e-6;
  static constexpr double least_order = 1.9;
  template <class System, template <class> class Riemann>
  using Of = numerics::Vl2<System, numerics::PpmExtrema, Riemann<numerics::RiemannRoe>>;
};
struct Vl2Lhllc {
  static constexpr double beyond_bounds = 1e-6;
  static constexpr double least_order = 1.9;
  template <class System, template <class> class Riemann>
  using Of = numerics::Vl2<System, numerics::PpmExtrema, Riemann<RiemannLhllc>>;
};
struct CtuExact {
  static constexpr double beyond_bounds = 1e-13;
  static constexpr double least_order = 1.7;  // it clips extrema
  template <class System, template <class> class Riemann>
  using Of = numerics::Ctu<System, numerics::PpmClassic, Riemann<RiemannExact>>;
};
template <class Solver>
using Plain = Solver;

/// A gas in two dimensions with two scalars.
using Dyed = ScalarGas<2, 2>;

const Blast<2> blast{.centre = {{0.4, 0.55}}, .velocity = {{0.7, -0.4}}, .p_inside = 100.0};

/// A gas and what it carries, given cell by cell.
template <class GasAt, class XAt>
struct Initial {
  GasAt gas_at;
  XAt x_at;
  Dyed gas{blast.gas};
  Dyed::State operator()(const numerics::CellContext<2>& cell) const {
    const auto u = gas_at(cell);
    return {u, u.rho * x_at(cell)};
  }
};

template <class Scheme>
class Scalars : public ::testing::Test {
 protected:
  using Block = test::OneBlock<2, typename Scheme::template Of<Dyed, RiemannWithScalars>>;
  using GasBlock = test::OneBlock<2, typename Scheme::template Of<Euler<2>, Plain>>;
};
using Schemes = ::testing::Types<Vl2Plm, Vl2Ppm, Vl2Roe, Vl2Lhllc, CtuTwoShock, CtuPpm, CtuExact>;
TYPED_TEST_SUITE(Scalars, Schemes);

/// 1 in a part of the box, and its complement.
Vec<2> in_a_part(const numerics::CellContext<2>& cell) {
  const auto& x = cell.centre;
  const double share = x[0] > 0.3 && x[0] < 0.6 && x[1] > 0.5 ? 1.0 : 0.0;
  return {{share, 1.0 - share}};
}

TYPED_TEST(Scalars, that_are_constant_stay_so_to_rounding_and_the_gas_keeps_its_bits) {
  const auto constant = [](const auto&) { return Vec<2>{{0.3, 1.0}}; };
  typename TestFixture::Block block(Initial(blast, constant), {.n_cells = Index<2>::filled(32)});
  typename TestFixture::GasBlock alone(blast, {.n_cells = Index<2>::filled(32)});

  for (int n = 0; n < 60; ++n) {
    block.step(4e-4);
    alone.step(4e-4);
  }

  int n_differ = 0;
  double off = 0;
  for_each(block.valid(), [&](const Index<2>& i) {
    const auto u = block.at(i);
    n_differ += u.gas == alone.at(i) ? 0 : 1;
    off = std::max(off, std::abs(u.rho_x[0] / u.gas.rho - 0.3));
    off = std::max(off, std::abs(u.rho_x[1] / u.gas.rho - 1.0));
  });
  EXPECT_EQ(n_differ, 0);
  EXPECT_LT(off, 1e-13);  // some ten roundings a step
}

TYPED_TEST(Scalars, are_conserved_and_hardly_leave_their_bounds_in_a_blast) {
  typename TestFixture::Block block(Initial(blast, in_a_part), {.n_cells = Index<2>::filled(32)});
  const double before = block.mean(4);
  for (int n = 0; n < 60; ++n) block.step(4e-4);

  EXPECT_NEAR(block.mean(4), before, 1e-13 * before);
  EXPECT_NEAR(block.mean(4) + block.mean(5), block.mean(0), 1e-13);
  double least = 1, most = 0;
  for_each(block.valid(), [&](const Index<2>& i) {
    const auto u = block.at(i);
    least = std::min(least, u.rho_x[0] / u.gas.rho);
    most = std::max(most, u.rho_x[0] / u.gas.rho);
  });
  fmt::print("from {:.3e} to 1 + {:.3e}\n", least, most - 1.0);
  EXPECT_GT(least, -TypeParam::beyond_bounds);
  EXPECT_LT(most, 1.0 + TypeParam::beyond_bounds);
  EXPECT_GT(most, 0.9);
}

TYPED_TEST(Scalars, that_are_bounded_stay_so_to_rounding_and_the_gas_keeps_its_bits) {
  Initial initial(blast, in_a_part);
  typename TestFixture::Block free(initial, {.n_cells = Index<2>::filled(32)});
  initial.gas.keeps_bounds = true;
  typename TestFixture::Block block(initial, {.n_cells = Index<2>::filled(32)});
  const double before = block.mean(4);
  for (int n = 0; n < 120; ++n) {
    free.step(4e-4);
    block.step(4e-4);
  }

  EXPECT_NEAR(block.mean(4), before, 1e-13 * before);
  const auto range_of = [&](const auto& of) {
    double least = 1, most = 0;
    for_each(of.valid(), [&](const Index<2>& i) {
      const auto u = of.at(i);
      for (const double mass : u.rho_x.at) {
        least = std::min(least, mass / u.gas.rho);
        most = std::max(most, mass / u.gas.rho);
      }
    });
    fmt::print("from {:.3e} to 1 + {:.3e}\n", least, most - 1.0);
    return std::pair(least, most - 1.0);
  };
  const auto [least, above] = range_of(block);
  EXPECT_GT(least, -1e-15);
  EXPECT_LT(above, 1e-15);
  const auto [free_least, free_above] = range_of(free);
  if (TypeParam::beyond_bounds > 1e-13) {
    EXPECT_GT(std::max(free_above, -free_least), 1e-9);
  }
  for_each(block.valid(), [&](const Index<2>& i) { ASSERT_EQ(block.at(i).gas, free.at(i).gas); });
}

TYPED_TEST(Scalars, at_rest_stay_where_they_are_to_the_bit) {
  const auto at_rest = [](const auto&) {
    return blast.gas.to_conserved({.rho = 4.0, .vel = {}, .p = 1.0});
  };
  typename TestFixture::Block block(Initial(at_rest, in_a_part), {});
  const auto before = [&](const Index<2>& i) { return Initial(at_rest, in_a_part)(block.cell(i)); };
  for (int n = 0; n < 10; ++n) block.step(1e-3);
  int n_changed = 0;
  for_each(block.valid(), [&](const Index<2>& i) { n_changed += !(block.at(i) == before(i)); });
  EXPECT_EQ(n_changed, 0);
}

TYPED_TEST(Scalars, in_a_stream_are_advected_with_second_order) {
  const auto error = [](int n) {
    const auto stream = [](const auto&) {
      return blast.gas.to_conserved({.rho = 2.0, .vel = {{1.0, 2.0}}, .p = 1.0});
    };
    const auto waves = [](const auto& cell) {
      const auto& x = cell.centre;
      const double k = 2.0 * std::numbers::pi;
      const auto damped = [=](double h) { return std::sin(0.5 * k * h) / (0.5 * k * h); };
      const double wave = damped(cell.dx[0]) * damped(cell.dx[1]) * std::sin(k * (x[0] + x[1]));
      return Vec<2>{{0.5 + 0.4 * wave, 0.5}};
    };
    const Initial initial(stream, waves);
    typename TestFixture::Block block(initial, {.n_cells = Index<2>::filled(n)});
    EXPECT_TRUE(block.run_until(1.0));
    return block.errors(initial)[4];
  };
  const double coarse = error(32), fine = error(64);
  EXPECT_GT(std::log2(coarse / fine), TypeParam::least_order) << coarse << " " << fine;
}

TEST(ScalarGas, plus_flux_is_the_state_its_flux_and_a_change) {
  const Dyed gas{};
  const Dyed::Primitive w{{0.7, {{-1.2, 0.4}}, 2.1}, {{0.3, 0.8}}};
  const Dyed::State u = gas.to_conserved(w);
  const Dyed::State change{{0.1, {{0.2, -0.3}}, 0.4}, {{0.5, -0.6}}};
  for (int axis = 0; axis < 2; ++axis) {
    const Dyed::State sum = gas.plus_flux(u, w, 0.3, change, axis), flux = gas.flux(w, axis);
    for (std::size_t c = 0; c < std::size_t{Dyed::n_components}; ++c) {
      using numerics::component;
      EXPECT_NEAR(component(sum, c),
                  component(u, c) + 0.3 * component(flux, c) - component(change, c), 1e-14);
    }
  }
}

TEST(ScalarGas, that_is_bounded_has_bounded_shares_on_finer_levels) {
  const auto shares_beyond = [](bool keeps_bounds, numerics::ProlongOrder order, int ratio) {
    Dyed gas{blast.gas, keeps_bounds};
    const Box<2> coarse_box{{{-2, -2}}, {{8, 8}}};
    std::vector<double> coarse_memory(View<double, 2>::size_of(coarse_box, Dyed::n_components));
    const View<double, 2> coarse(coarse_memory.data(), coarse_box, Dyed::n_components);
    for_each(coarse_box, [&](const Index<2>& i) {
      const double rho = 1.0 + std::abs(3.0 * i[0] - i[1]);  // shares of it jump elsewhere
      const double share = i[0] > 2 ? 1.0 : i[1] > 1 ? 0.9 : 0.0;
      const auto flow = gas.gas.to_conserved({.rho = rho, .vel = {{0.1, 0.2}}, .p = 10.0});
      numerics::store(Dyed::State{flow, {{rho * share, rho * (1.0 - share)}}}, coarse.at(0, i),
                      coarse.component_stride());
    });
    const Box<2> cells{{{0, 0}}, {{6, 6}}};
    std::vector<double> memory(View<double, 2>::size_of(cells.refined(ratio), Dyed::n_components));
    const View<double, 2> fine(memory.data(), cells.refined(ratio), Dyed::n_components);
    numerics::prolong(gas, {.order = order}, coarse, fine, fine.box(), ratio);
    double beyond = 0;
    for_each(fine.box(), [&](const Index<2>& i) {
      for (int c = 4; c < 6; ++c)
        beyond = std::max({beyond, -fine[c, i] / fine[0, i], fine[c, i] / fine[0, i] - 1.0});
      if (order == numerics::ProlongOrder::linear) {  // what one share lacks is the other one's
        EXPECT_NEAR((fine[4, i] + fine[5, i]) / (fine[0, i]), 1.0, 1e-14);
      }
    });
    for_each(cells, [&](const Index<2>& i) {  // what is carried is conserved
      for (int c = 4; c < 6; ++c) {
        double sum = 0;
        for_each(Box<2>{i, i + Index<2>::filled(1)}.refined(ratio),
                 [&](const Index<2>& child) { sum += fine[c, child]; });
        const double expected = ratio * ratio * coarse[c, i];
        EXPECT_NEAR(sum, expected, 1e-12 * (1.0 + sum));
      }
    });
    return beyond;
  };
  for (const auto order : {numerics::ProlongOrder::linear, numerics::ProlongOrder::parabolic})
    for (const int ratio : {2, 4}) {
      EXPECT_LT(shares_beyond(true, order, ratio), 1e-15) << ratio;
      if (order == numerics::ProlongOrder::parabolic) {
        EXPECT_GT(shares_beyond(false, order, ratio), 1e-3) << ratio;
      }
    }
}

/// What finer cells hold of the first of N bounded scalars, whose share stays within its bounds
/// where that of the second one would leave them, and the other way round.
template <int N>
std::vector<double> first_on_finer_levels(numerics::ProlongOrder order, int ratio) {
  using System = ScalarGas<2, N>;
  const System gas{blast.gas, true};
  const Box<2> coarse_box{{{-2, -2}}, {{8, 8}}};
  std::vector<double> coarse_memory(View<double, 2>::size_of(coarse_box, System::n_components));
  const View<double, 2> coarse(coarse_memory.data(), coarse_box, System::n_components);
  for_each(coarse_box, [&](const Index<2>& i) {
    const double rho = 1.0 + std::abs(3.0 * i[0] - i[1]);
    typename System::State u{gas.gas.to_conserved({.rho = rho, .vel = {{0.1, 0.2}}, .p = 10.0}),
                             {}};
    u.rho_x[0] = rho * (i[1] > 2 ? 1.0 : 0.2 + 0.05 * (i[0] + i[1]) / 3.0);
    for (int k = 1; k < N; ++k) u.rho_x[k] = i[0] > 2 ? rho : 0.0;
    numerics::store(u, coarse.at(0, i), coarse.component_stride());
  });
  const Box<2> fine_box = Box<2>{{{0, 0}}, {{6, 6}}}.refined(ratio);
  std::vector<double> memory(View<double, 2>::size_of(fine_box, System::n_components));
  const View<double, 2> fine(memory.data(), fine_box, System::n_components);
  numerics::prolong(gas, {.order = order}, coarse, fine, fine_box, ratio);
  std::vector<double> first;
  for_each(fine_box, [&](const Index<2>& i) { first.push_back(fine[4, i]); });
  return first;
}

TEST(ScalarGas, that_is_bounded_has_the_same_bits_on_finer_levels_whatever_else_is_carried) {
  for (const auto order : {numerics::ProlongOrder::linear, numerics::ProlongOrder::parabolic})
    for (const int ratio : {2, 4})
      EXPECT_EQ(first_on_finer_levels<1>(order, ratio), first_on_finer_levels<2>(order, ratio));
}

TEST(ScalarGas, that_is_bounded_leaves_its_bounds_beyond_0_and_1) {
  const Euler<2>::State flow{2.0, {{0.5, 0.0}}, 3.0};
  for (const bool keeps_bounds : {false, true}) {
    const Dyed gas{blast.gas, keeps_bounds};
    EXPECT_FALSE(numerics::leaves_bounds(gas, {flow, {{0.0, 2.0}}}));
    EXPECT_EQ(numerics::leaves_bounds(gas, {flow, {{-1e-300, 2.0}}}), keeps_bounds);
    EXPECT_EQ(numerics::leaves_bounds(gas, {flow, {{0.0, 2.0 + 1e-15}}}), keeps_bounds);
    EXPECT_EQ(numerics::leaves_bounds(gas, {flow, {{0.0, std::nan("")}}}), keeps_bounds);
    EXPECT_EQ(numerics::leaves_bounds(gas, {flow, {{-1.0, 2.0}}}, 4), keeps_bounds);
    EXPECT_FALSE(numerics::leaves_bounds(gas, {flow, {{-1.0, 2.0}}}, 5));
    const Dyed::State other{{4.0, {{1.0, 1.0}}, 9.0}, {{1.0, 3.0}}};
    const Dyed::State beyond{flow, {{-1.0, 7.0}}};
    EXPECT_EQ(
        numerics::with_shares_of(gas, other, beyond, {false, false, false, false, true, true}),
        (Dyed::State{flow, {{0.5, 1.5}}}));
    EXPECT_EQ(
        numerics::with_shares_of(gas, other, beyond, {false, false, false, false, false, true}),
        (Dyed::State{flow, {{-1.0, 1.5}}}));
  }
  EXPECT_FALSE(numerics::leaves_bounds(blast.gas, flow));
}

TEST(ScalarGas, a_scalar_that_is_no_number_makes_a_state_inadmissible) {
  const Dyed gas;
  const Euler<2>::State some{1.0, {{0.5, 0.0}}, 3.0};
  EXPECT_TRUE(gas.admissible(Dyed::State{some, {{0.0, -0.5}}}));
  EXPECT_FALSE(gas.admissible(Dyed::State{some, {{0.0, std::nan("")}}}));
  EXPECT_FALSE(gas.admissible(Dyed::State{some, {{std::nan(""), 0.0}}}));
}

TEST(RiemannWithScalars, takes_the_side_that_the_mass_comes_from) {
  const Dyed gas;
  for (const double v : {0.3, -0.3, 0.0}) {
    const Dyed::Primitive l{{.rho = 1.0, .vel = {{v, 1.0}}, .p = 1.0}, {{0.25, 1.0}}};
    const Dyed::Primitive r{{.rho = 3.0, .vel = {{v, 0.0}}, .p = 1.0}, {{0.75, 0.0}}};
    const auto f = RiemannWithScalars<numerics::RiemannHllc>::flux(gas, l, r, 0);
    EXPECT_EQ(f.gas, numerics::RiemannHllc::flux(gas.gas, l.gas, r.gas, 0));
    EXPECT_EQ(f.rho_x, f.gas.rho * (v > 0 ? l.x : r.x));
  }
}

}  // namespace
}  // namespace thalweg::hydro::scalars

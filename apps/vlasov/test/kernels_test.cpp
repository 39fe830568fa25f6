// SPDX-License-Identifier: MIT
#include "../src/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/vlasov/lagrange.hpp>

namespace thalweg::vlasov {
namespace {

constexpr int halo_x = 12;

/// A tile with ghosts and everything around it, filled at random.
struct Work {
  int nx, nv;
  std::ptrdiff_t stride = 2 * 16 + 80;
  std::vector<double> from, to, v, field, next, sums, scratch;

  Work(int nx_, int nv_) : nx(nx_), nv(nv_) {
    SplitMix64 random(7);
    const auto fill = [&](std::vector<double>& values, int n, double scale) {
      for (int i = 0; i < n; ++i)
        values.push_back(scale * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5));
    };
    fill(from, static_cast<int>(stride) * (nx + 2 * halo_x + 1), 1);
    to.resize(from.size(), -1);
    v.resize(static_cast<std::size_t>((nv + 7) / 8 * 8));
    for (int j = 0; j < nv; ++j) v[static_cast<std::size_t>(j)] = -1.3 + 2.6 * j / nv;
    fill(field, nx + 2 * halo_x, 1);
    fill(next, nx, 1);
    sums.resize(2 * static_cast<std::size_t>(nx));
    scratch.resize(scratch_size(nx, nv, halo_x));
  }
  TileStep step(double dt) {
    return {.from = from.data() + halo_x * stride + 16,
            .to = to.data() + halo_x * stride + 16,
            .stride = stride,
            .nx = nx,
            .nv = nv,
            .v = v.data(),
            .field = field.data(),
            .field_next = next.data(),
            .charge = sums.data(),
            .current = sums.data() + nx,
            .dt = dt,
            .dt_before = 0.7 * dt,
            .dx = 0.3,
            .dv = 0.1,
            .halo_x = halo_x,
            .scratch = scratch.data()};
  }
};

/// f so many points from point 0, weights as products. @param at  at(point)
template <int degree, class At>
double interpolate(double shift, const At& at) {
  constexpr int below = points_below(degree);
  const int cells = static_cast<int>(std::floor(shift));
  double sum = 0;
  for (int p = -below; p <= below + 1; ++p) {
    double weight = 1;
    for (int q = -below; q <= below + 1; ++q)
      if (q != p) weight *= (shift - cells - q) / (p - q);
    sum += weight * at(cells + p);
  }
  return sum;
}

/// f at a foot, as the equations say it: points one by one.
template <int degree>
double plain_f(const TileStep& t, int i, int j) {
  const double v_half = t.v[j] - 0.5 * t.dt * t.field_next[i];
  const double shift_x = -t.dt * v_half / t.dx;
  const double e = interpolate<degree>(shift_x, [&](int p) { return t.field[t.halo_x + i + p]; });
  const double v_foot = v_half - 0.5 * t.dt * e;
  return interpolate<degree>(shift_x, [&](int p) {
    return interpolate<degree>((v_foot - t.v[j]) / t.dv,
                               [&](int q) { return t.from[(i + p) * t.stride + j + q]; });
  });
}

/// The same of split steps: along v for half of the step before and half of this one, then along x.
template <int degree>
double plain_split_f(const TileStep& t, int i, int j) {
  return interpolate<degree>(-t.dt * t.v[j] / t.dx, [&](int p) {
    const double shift_v = -0.5 * (t.dt_before + t.dt) * t.field[t.halo_x + i + p] / t.dv;
    return interpolate<degree>(shift_v, [&](int q) { return t.from[(i + p) * t.stride + j + q]; });
  });
}

template <int degree>
void expect_plain(int nx, int nv, double dt) {
  Work work(nx, nv);
  const TileStep step = work.step(dt);
  portable_kernels(degree).advance(step);
  for (int i = 0; i < nx; ++i) {
    double charge = 0, current = 0;
    for (int j = 0; j < nv; ++j) {
      const double f = plain_f<degree>(step, i, j);
      EXPECT_NEAR(step.to[i * step.stride + j], f, 1e-13) << i << ", " << j;
      charge += f;
      current += step.v[j] * f;
    }
    EXPECT_NEAR(step.charge[i], charge, 1e-12);
    EXPECT_NEAR(step.current[i], current, 1e-12);
  }
}

TEST(Kernels, advance_by_tensor_interpolation_at_the_feet) {
  expect_plain<3>(5, 21, 0.3);
  expect_plain<5>(6, 64, 0.3);
  expect_plain<5>(6, 13, 0.9);  // feet some cells away
  expect_plain<7>(4, 30, 0.5);
}

template <int degree>
void expect_plain_split(int nx, int nv, double dt) {
  Work work(nx, nv);
  const TileStep step = work.step(dt);
  portable_kernels(degree).advance_split(step);
  for (int i = 0; i < nx; ++i) {
    double charge = 0;
    for (int j = 0; j < nv; ++j) {
      const double f = plain_split_f<degree>(step, i, j);
      EXPECT_NEAR(step.to[i * step.stride + j], f, 1e-13) << i << ", " << j;
      charge += f;
    }
    EXPECT_NEAR(step.charge[i], charge, 1e-12);
  }
}

TEST(Kernels, advance_by_interpolation_along_one_axis_and_then_the_other) {
  expect_plain_split<3>(5, 21, 0.3);
  expect_plain_split<5>(6, 64, 0.3);
  expect_plain_split<5>(6, 13, 0.9);
  expect_plain_split<7>(4, 30, 0.5);
}

// 1 - 1e-30 is 1: the foot is a point, seen from the cell below it.
TEST(Kernels, take_feet_that_are_hardly_below_a_point) {
  Work work(3, 16);
  const TileStep step = work.step(0.4);
  std::ranges::fill(work.field, 1e-30);
  std::ranges::fill(work.next, 1e-30);
  work.v.assign(work.v.size(), 0.0);
  for (const Kernels* kernels : {&portable_kernels(5), &best_kernels(5)}) {
    kernels->advance(step);
    for (int j = 0; j < 16; ++j) EXPECT_NEAR(step.to[j], step.from[j], 1e-15);
    kernels->advance_split(step);
    for (int j = 0; j < 16; ++j) EXPECT_NEAR(step.to[j], step.from[j], 1e-15);
  }
}

TEST(Kernels, write_the_points_of_their_tile_alone) {
  Work work(3, 13);
  const TileStep step = work.step(0.4);
  best_kernels(5).advance(step);
  best_kernels(5).advance_split(step);

  EXPECT_EQ(step.to[13], -1);
  EXPECT_EQ(step.to[-1], -1);
  EXPECT_EQ(step.to[3 * step.stride], -1);
}

/// Everything that a function of the kernels writes, with both kinds of vectors.
template <class Function>
void expect_same_bits(Function function) {
  for (const int degree : {3, 5, 7}) {
    const Kernels* const wide = avx512_kernels(degree);
    if (wide == nullptr) GTEST_SKIP() << "no AVX-512 here";
    for (const int nv : {1, 4, 7, 8, 12, 64, 77})
      for (const double dt : {0.02, 0.4, 0.9}) {
        Work narrow(7, nv), broad(7, nv);
        function(portable_kernels(degree), narrow.step(dt));
        function(*wide, broad.step(dt));
        EXPECT_EQ(narrow.to, broad.to) << "degree " << degree << ", " << nv << " points";
        EXPECT_EQ(narrow.sums, broad.sums);
      }
  }
}

TEST(Kernels, have_the_same_bits_for_any_processor) {
  expect_same_bits([](const Kernels& kernels, const TileStep& t) { kernels.advance(t); });
  expect_same_bits([](const Kernels& kernels, const TileStep& t) { kernels.advance_split(t); });
  expect_same_bits([](const Kernels& kernels, const TileStep& t) { kernels.sum(t); });
  expect_same_bits([](const Kernels& kernels, TileStep t) {
    kernels.kick(t);
    for (int i = 0; i < t.nx; ++i)
      for (int j = 0; j < t.nv; ++j)
        t.to[i * t.stride + j] = t.scratch[i * ((t.nv + 7) / 8 * 8) + j];
  });
}

TEST(Kernels, sum_what_they_have_advanced_to_the_same_bits) {
  Work work(6, 45);
  const TileStep step = work.step(0.4);
  portable_kernels(5).advance(step);
  const auto sums = work.sums;
  TileStep again = step;
  again.from = step.to;
  portable_kernels(5).sum(again);

  EXPECT_EQ(work.sums, sums);
}

// A split step in which nothing moves along v is one along x, and the other way round.
TEST(Kernels, split_steps_are_made_of_steps_along_each_axis) {
  Work work(6, 24);
  std::ranges::fill(work.field, 0.0);
  std::ranges::fill(work.next, 0.0);
  const TileStep step = work.step(0.4);
  portable_kernels(5).advance(step);
  const auto in_one = work.to;
  portable_kernels(5).advance_split(step);
  for (int i = 0; i < step.nx; ++i)
    for (int j = 0; j < step.nv; ++j) {
      const auto at = static_cast<std::size_t>(halo_x + i) * static_cast<std::size_t>(step.stride) +
                      static_cast<std::size_t>(16 + j);
      EXPECT_NEAR(work.to[at], in_one[at], 1e-13);
    }
}

}  // namespace
}  // namespace thalweg::vlasov

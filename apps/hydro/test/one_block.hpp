// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/balanced_walls.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/numerics/signal.hpp>
#include <thalweg/numerics/update_vl2.hpp>

namespace thalweg::hydro::test {

/// A domain that is one block: the whole program for a scheme without mesh, tasks or MPI.
template <int D, class Scheme_ = numerics::Vl2<Euler<D>>>
class OneBlock {
 public:
  using Scheme = Scheme_;
  using State = typename Scheme::State;
  static constexpr int n_components = Scheme::n_components;
  static constexpr numerics::Boundaries<D> all_periodic{};

  struct Config {
    Index<D> n_cells = Index<D>::filled(16);
    Vec<D> lower{};
    Vec<D> upper = Vec<D>::filled(1.0);
    numerics::Boundaries<D> boundaries = all_periodic;
    double cfl = 0.3;
  };

  template <class Problem>
  OneBlock(const Problem& problem, Config config)
      : config_(config),
        scheme_{problem.gas},
        valid_{{}, config.n_cells},
        cells_(View<double, D>::size_of(with_ghosts(), n_components)),
        u_(cells_.data(), with_ghosts(), n_components),
        scratch_(scheme_.scratch_bytes(valid_)) {
    for (int a = 0; a < D; ++a) dx_[a] = (config.upper[a] - config.lower[a]) / config.n_cells[a];
    for_each(valid_, [&](const Index<D>& i) {
      numerics::store(problem(cell(i)), u_.at(0, i), u_.component_stride());
    });
  }

  /// Step to a time; false if a state became inadmissible.
  bool run_until(double end) {
    while (time_ < end) {
      const double signal = numerics::max_signal(scheme_.system, u_, valid_, dx_);
      const double dt = std::min(config_.cfl / signal, end - time_);
      step(dt);
      if (inadmissible_) return false;
      if (dt < 1e-14 * end) return false;
    }
    return true;
  }
  void step(double dt) {
    for (std::size_t k = 0; k < scheme_.stages().size() && !inadmissible_; ++k) {
      fill_ghosts();
      stage(k, dt);
    }
    time_ += dt;
    ++n_steps_;
  }
  /// One stage of a step, ghost cells being filled.
  void stage(std::size_t k, double dt) {
    if (k == 0 && scheme_.stages().size() > 1) start_ = cells_;
    const View<const double, D> start(start_.data(), with_ghosts(), D + 2);
    const auto walls = numerics::walls_of(valid_, valid_, config_.boundaries);
    const auto report = scheme_.update_stage(k, u_, start, valid_, {dt, dx_, walls}, scratch_);
    fallbacks_ += report.fallbacks;
    inadmissible_ = report.inadmissible;
  }
  void fill_ghosts() {
    // Periodic copies, axis by axis, each with the ghost cells of the axes before it.
    Box<D> filled = valid_;
    for (int a = 0; a < D; ++a) {
      const std::size_t face = 2 * static_cast<std::size_t>(a);
      if (config_.boundaries[face] != numerics::Boundary::periodic) continue;
      const Index<D> period = config_.n_cells[a] * Index<D>::unit(a);
      for (int g = 1; g <= Scheme::n_ghosts; ++g) {
        Box<D> layer = filled;
        layer.lo[a] = -g;
        layer.hi[a] = 1 - g;
        copy_wrapped(layer, a);
        layer.lo[a] = period[a] + g - 1;
        layer.hi[a] = period[a] + g;
        copy_wrapped(layer, a);
      }
      filled = filled.grown(a, Scheme::n_ghosts);
    }
    numerics::fill_boundaries(scheme_.system, u_, valid_, config_.boundaries);
    numerics::balance_walls(scheme_.system, u_, valid_, config_.boundaries, dx_);
  }

  State at(const Index<D>& i) const {
    return numerics::load<State>(u_.at(0, i), u_.component_stride());
  }
  Vec<D> centre(const Index<D>& i) const {
    Vec<D> x;
    for (int a = 0; a < D; ++a) x[a] = config_.lower[a] + (i[a] + 0.5) * dx_[a];
    return x;
  }
  numerics::CellContext<D> cell(const Index<D>& i) const {
    return {.centre = centre(i), .dx = dx_, .time = time_};
  }
  /// For each component the mean of |u - exact(cell)|.
  template <class Exact>
  std::array<double, n_components> errors(const Exact& exact) const {
    std::array<double, n_components> sum{};
    for_each(valid_, [&](const Index<D>& i) {
      const State difference = numerics::map_components(
          [](double a, double b) { return std::abs(a - b); }, at(i), exact(cell(i)));
      for (std::size_t c = 0; c < sum.size(); ++c)
        sum[c] += numerics::component(difference, c) / static_cast<double>(valid_.n_cells());
    });
    return sum;
  }
  /// The root of the sum of the squares of errors(), as Athena++ reports it.
  template <class Exact>
  double error_norm(const Exact& exact) const {
    double squares = 0;
    for (const double e : errors(exact)) squares += e * e;
    return std::sqrt(squares);
  }
  /// The mean of a component over the domain.
  double mean(int component) const {
    double sum = 0;
    for_each(valid_, [&](const Index<D>& i) { sum += u_[component, i]; });
    return sum / static_cast<double>(valid_.n_cells());
  }

  const Box<D>& valid() const { return valid_; }
  const Vec<D>& dx() const { return dx_; }
  const View<double, D>& cells() const { return u_; }
  int n_steps() const { return n_steps_; }
  const numerics::Fallbacks& fallbacks() const { return fallbacks_; }
  const std::optional<Index<D>>& inadmissible() const { return inadmissible_; }

 private:
  Box<D> with_ghosts() const { return valid_.grown(Scheme::n_ghosts); }
  /// Set cells from the cell a period away along an axis, inside the domain.
  void copy_wrapped(const Box<D>& layer, int axis) {
    const int n = config_.n_cells[axis];
    const int inside = layer.lo[axis] - n * floor_div(layer.lo[axis], n);
    numerics::copy_cells(u_, u_, layer, (inside - layer.lo[axis]) * Index<D>::unit(axis));
  }

  Config config_;
  Scheme scheme_;
  Box<D> valid_;
  Vec<D> dx_{};
  std::vector<double> cells_;
  std::vector<double> start_;  ///< of the step, where it has several stages
  View<double, D> u_;
  std::vector<std::byte> scratch_;
  double time_ = 0;
  int n_steps_ = 0;
  numerics::Fallbacks fallbacks_;
  std::optional<Index<D>> inadmissible_{};
};

}  // namespace thalweg::hydro::test

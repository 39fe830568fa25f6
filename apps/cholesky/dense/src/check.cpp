// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/check.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/recorder.hpp>

#include "panel_exchange.hpp"
#include "tile_tasks.hpp"

namespace thalweg::cholesky {
namespace {

/// The rounding unit of a precision.
template <Scalar T>
constexpr double unit = 0.5 * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());

/// Add up arrays of all ranks, in rank order, on all ranks.
template <class T>
void add_over_ranks(flow::Transport& transport, std::span<T> values) {
  constexpr std::size_t most = 4096;  // so that memory does not grow with ranks times elements
  for (std::size_t begin = 0; begin < values.size(); begin += most) {
    const auto part = values.subspan(begin, std::min(most, values.size() - begin));
    const auto all = flow::all_gather_v<T>(transport, std::span<const T>(part));
    std::ranges::fill(part, T(0));
    for (std::size_t e = 0; e < all.values.size(); ++e) part[e % part.size()] += all.values[e];
  }
}

/// The largest number; not a number, where one is none.
double largest(const auto& values) {
  double most = 0;
  for (const auto& value : values) {
    const double magnitude = std::abs(value);
    if (std::isnan(magnitude)) return magnitude;
    most = std::max(most, magnitude);
  }
  return most;
}

/// Record a -= l l^H.
template <Scalar T>
void record_product(flow::Recorder& g, Matrix<T>& a, const Matrix<T>& l,
                    const TileKernels<T>& kernels, const FactorisationSettings& settings) {
  const Layout& layout = l.layout();
  PanelExchange<T> exchange(g, l, settings.broadcast, settings.look_ahead + 1);
  std::vector<std::vector<flow::DatumId>> data(static_cast<std::size_t>(layout.n_tiles()));
  for (auto& column : data) column.resize(data.size());
  for_each_tile(layout, a.rank(), [&](int i, int j) {
    data[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = g.datum("residual");
  });
  std::vector<HeldTile<T>> panel(data.size());
  const auto held = [&](int m) -> HeldTile<T>& { return panel[static_cast<std::size_t>(m)]; };
  for (int k = 0; k < layout.n_tiles(); ++k) {
    const auto options = [&](int i, int j) {
      return tile_options(layout, settings.n_workers, i, j, k);
    };
    g.phase("send the panel", flow::PhaseKind::level);
    for (int m = k; m < layout.n_tiles(); ++m) held(m) = exchange.bring(m, k, options(m, k));
    g.phase("update", flow::PhaseKind::step);
    for (int j = k; j < layout.n_tiles(); ++j)
      for_each_row(layout, a.rank(), j, j, [&](int i) {
        record_update(
            g, layout, kernels,
            {i, j, k, held(i), held(j),
             data[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)], a.tile(i, j)},
            options(i, j));
      });
  }
}

}  // namespace

template <Scalar T>
double norm_1(const Matrix<T>& a, flow::Transport& transport) {
  std::vector<double> sums(static_cast<std::size_t>(a.layout().n));
  a.for_each_element([&](std::int64_t row, std::int64_t column, T value) {
    sums[static_cast<std::size_t>(column)] += std::abs(value);
    if (row != column) sums[static_cast<std::size_t>(row)] += std::abs(value);
  });
  add_over_ranks<double>(transport, sums);
  return largest(sums);
}

template <Scalar T>
std::vector<T> multiply(const Matrix<T>& a, std::span<const T> x, flow::Transport& transport) {
  THALWEG_EXPECT(std::ssize(x) == a.layout().n, "a number for each row");
  std::vector<T> y(x.size());
  a.for_each_element([&](std::int64_t row, std::int64_t column, T stored) {
    const T value = a.layout().uplo == Uplo::lower ? stored : conjugate(stored);
    const auto i = static_cast<std::size_t>(row);
    const auto j = static_cast<std::size_t>(column);
    y[i] += value * x[j];
    if (i != j) y[j] += conjugate(value) * x[i];
  });
  add_over_ranks<T>(transport, y);
  return y;
}

template <Scalar T>
Result<double> factor_residual(Matrix<T>& a, const Matrix<T>& factor, const TileKernels<T>& kernels,
                               const FactorisationSettings& settings, flow::Executor& executor,
                               flow::Transport& transport) {
  THALWEG_EXPECT(a.layout() == factor.layout(), "tiles of the matrix that was factorised");
  const double norm = norm_1(a, transport);
  if (!(norm > 0)) return norm;
  flow::Recorder recorder(a.rank(), a.layout().n_ranks());
  record_product(recorder, a, factor, kernels, settings);
  flow::Graph graph = flow::capture(std::move(recorder), settings.model);
  if (const auto run = executor.run(graph, 1); !run) return std::unexpected(run.error());
  return norm_1(a, transport) / (static_cast<double>(a.layout().n) * norm * unit<T>);
}

template <Scalar T>
double solution_residual(const Matrix<T>& a, std::span<const T> x, std::span<const T> b,
                         flow::Transport& transport) {
  std::vector<T> r = multiply(a, x, transport);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= b[i];
  const double size = norm_1(a, transport) * largest(x) + largest(b);
  const double left = largest(r);
  return left == 0 ? 0 : left / (static_cast<double>(a.layout().n) * size * unit<T>);
}

template double norm_1(const Matrix<float>&, flow::Transport&);
template std::vector<float> multiply(const Matrix<float>&, std::span<const float>,
                                     flow::Transport&);
template Result<double> factor_residual(Matrix<float>&, const Matrix<float>&,
                                        const TileKernels<float>&, const FactorisationSettings&,
                                        flow::Executor&, flow::Transport&);
template double solution_residual(const Matrix<float>&, std::span<const float>,
                                  std::span<const float>, flow::Transport&);
template double norm_1(const Matrix<double>&, flow::Transport&);
template std::vector<double> multiply(const Matrix<double>&, std::span<const double>,
                                      flow::Transport&);
template Result<double> factor_residual(Matrix<double>&, const Matrix<double>&,
                                        const TileKernels<double>&, const FactorisationSettings&,
                                        flow::Executor&, flow::Transport&);
template double solution_residual(const Matrix<double>&, std::span<const double>,
                                  std::span<const double>, flow::Transport&);
template double norm_1(const Matrix<std::complex<float>>&, flow::Transport&);
template std::vector<std::complex<float>> multiply(const Matrix<std::complex<float>>&,
                                                   std::span<const std::complex<float>>,
                                                   flow::Transport&);
template Result<double> factor_residual(Matrix<std::complex<float>>&,
                                        const Matrix<std::complex<float>>&,
                                        const TileKernels<std::complex<float>>&,
                                        const FactorisationSettings&, flow::Executor&,
                                        flow::Transport&);
template double solution_residual(const Matrix<std::complex<float>>&,
                                  std::span<const std::complex<float>>,
                                  std::span<const std::complex<float>>, flow::Transport&);
template double norm_1(const Matrix<std::complex<double>>&, flow::Transport&);
template std::vector<std::complex<double>> multiply(const Matrix<std::complex<double>>&,
                                                    std::span<const std::complex<double>>,
                                                    flow::Transport&);
template Result<double> factor_residual(Matrix<std::complex<double>>&,
                                        const Matrix<std::complex<double>>&,
                                        const TileKernels<std::complex<double>>&,
                                        const FactorisationSettings&, flow::Executor&,
                                        flow::Transport&);
template double solution_residual(const Matrix<std::complex<double>>&,
                                  std::span<const std::complex<double>>,
                                  std::span<const std::complex<double>>, flow::Transport&);

}  // namespace thalweg::cholesky

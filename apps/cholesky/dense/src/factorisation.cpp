// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/factorisation.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include <thalweg/cholesky/dense/task_names.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/recorder.hpp>

#include "panel_exchange.hpp"
#include "tile_tasks.hpp"

namespace thalweg::cholesky {
namespace {

using flow::Access;
using flow::Mode;
using flow::PhaseKind;

constexpr std::int64_t no_failure = std::numeric_limits<std::int64_t>::max();

/// Records a factorisation.
template <Scalar T>
class FactorisationRecording {
 public:
  FactorisationRecording(flow::Recorder& recorder, Matrix<T>& matrix, const TileKernels<T>& kernels,
                         const FactorisationSettings& settings, std::int64_t& info)
      : g_(recorder),
        a_(matrix),
        kernels_(kernels),
        settings_(settings),
        layout_(matrix.layout()),
        exchange_(recorder, matrix, settings.broadcast, settings.look_ahead + 1),
        info_(info),
        info_datum_(recorder.datum("info")) {}

  void operator()() {
    std::vector<HeldTile<T>> panel(static_cast<std::size_t>(layout_.n_tiles()));
    const auto held = [&](int m) -> HeldTile<T>& { return panel[static_cast<std::size_t>(m)]; };
    for (int k = 0; k < layout_.n_tiles(); ++k) {
      g_.phase("factorise the diagonal", PhaseKind::level);
      if (a_.owns(k, k)) factorise(k);
      g_.phase("send the diagonal", PhaseKind::step);
      held(k) = exchange_.bring(k, k, options(k, k, k));
      g_.phase("solve the panel", PhaseKind::step);
      for_each_row(layout_, a_.rank(), k, k + 1, [&](int m) { solve_panel(m, k, held(k)); });
      g_.phase("send the panel", PhaseKind::step);
      for (int m = k + 1; m < layout_.n_tiles(); ++m)
        held(m) = exchange_.bring(m, k, options(m, k, k));
      g_.phase("update", PhaseKind::step);
      for (int j = k + 1; j < layout_.n_tiles(); ++j)
        for_each_row(layout_, a_.rank(), j, j, [&](int i) {
          record_update(g_, layout_, kernels_,
                        {i, j, k, held(i), held(j), exchange_.datum(i, j), a_.tile(i, j)},
                        options(i, j, k));
        });
    }
  }

 private:
  flow::TaskOptions options(int i, int j, int k) const {
    return tile_options(layout_, settings_.n_workers, i, j, k);
  }

  void factorise(int k) {
    g_.task(
        task_names::factorise,
        std::array{Access{exchange_.datum(k, k), Mode::inout}, Access{info_datum_, Mode::inout}},
        [&kernels = kernels_, n = layout_.rows(k), tile = a_.tile(k, k), &info = info_,
         begin = layout_.begin(k)](flow::TaskContext&) {
          const int failed = has_failed(tile) ? 1 : kernels.factorise(n, tile);
          if (failed == 0) return;
          info = std::min(info, begin + failed);
          mark_as_failed(tile);
        },
        options(k, k, k));
  }

  void solve_panel(int m, int k, const HeldTile<T>& diagonal) {
    g_.task(
        task_names::solve_panel,
        std::array{Access{diagonal.datum, Mode::in}, Access{exchange_.datum(m, k), Mode::inout}},
        [&kernels = kernels_, rows = layout_.rows(m), columns = layout_.rows(k),
         l = diagonal.values, tile = a_.tile(m, k)](flow::TaskContext&) {
          if (has_failed(l)) return mark_as_failed(tile);
          kernels.solve_panel(rows, columns, l, tile);
        },
        options(m, k, k));
  }

  flow::Recorder& g_;
  Matrix<T>& a_;
  const TileKernels<T>& kernels_;
  const FactorisationSettings& settings_;
  const Layout& layout_;
  PanelExchange<T> exchange_;
  std::int64_t& info_;
  flow::DatumId info_datum_;
};

template <Scalar T>
flow::Graph record(Matrix<T>& matrix, const TileKernels<T>& kernels,
                   const FactorisationSettings& settings, std::int64_t& info) {
  THALWEG_EXPECT(settings.look_ahead >= 0 && settings.n_workers > 0, "buffers and workers");
  flow::Recorder recorder(matrix.rank(), matrix.layout().n_ranks());
  FactorisationRecording<T>(recorder, matrix, kernels, settings, info)();
  return flow::capture(std::move(recorder), settings.model);
}

}  // namespace

template <Scalar T>
Factorisation<T>::Factorisation(Matrix<T>& matrix, const TileKernels<T>& kernels,
                                const FactorisationSettings& settings)
    : info_(std::make_unique<std::int64_t>()), graph_(record(matrix, kernels, settings, *info_)) {}

template <Scalar T>
Result<std::int64_t> Factorisation<T>::factorise(flow::Executor& executor,
                                                 flow::Transport& transport) {
  *info_ = no_failure;
  if (const auto run = executor.run(graph_, 1, ++n_begun_); !run)
    return std::unexpected(run.error());
  // Tile after tile waits for the one before, so the first that failed is right.
  const auto first =
      flow::all_reduce(transport, *info_, [](auto a, auto b) { return std::min(a, b); });
  return first == no_failure ? 0 : first;
}

template class Factorisation<float>;
template class Factorisation<double>;
template class Factorisation<std::complex<float>>;
template class Factorisation<std::complex<double>>;

}  // namespace thalweg::cholesky

// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/solver.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include <thalweg/cholesky/dense/task_names.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/recorder.hpp>

#include "tile_tasks.hpp"

namespace thalweg::cholesky {

using flow::Access;
using flow::Mode;
using flow::PhaseKind;

/// Vectors in pieces, one a tile row, which lie as in the whole.
template <Scalar T>
struct Solver<T>::State {
  State(const Matrix<T>& matrix, const TileKernels<T>& calls, const FactorisationSettings& chosen)
      : l(matrix),
        kernels(calls),
        settings(chosen),
        x(static_cast<std::size_t>(matrix.layout().n)),
        products(x.size()) {}

  std::span<T> piece(AlignedArray<T>& vector, int i) const {
    const Layout& layout = l.layout();
    return {vector.data() + layout.begin(i), static_cast<std::size_t>(layout.rows(i))};
  }

  const Matrix<T>& l;
  const TileKernels<T>& kernels;
  FactorisationSettings settings;
  AlignedArray<T> x;         ///< pieces of this rank's diagonal tiles, and those received
  AlignedArray<T> products;  ///< to be subtracted from pieces
};

namespace {

/// Records a solution.
template <Scalar T, class State>
class SolutionRecording {
 public:
  SolutionRecording(flow::Recorder& recorder, State& state)
      : g_(recorder), s_(state), layout_(state.l.layout()), rank_(state.l.rank()) {
    for (int i = 0; i < layout_.n_tiles(); ++i) {
      x_.push_back(g_.datum("x"));
      products_.push_back(g_.datum("product"));
    }
  }

  void operator()() {
    for (int k = 0; k < layout_.n_tiles(); ++k) {
      solve(Direction::forward, k, readers(layout_, k, k));
      for (int i = k + 1; i < layout_.n_tiles(); ++i) subtract(Direction::forward, i, k);
    }
    for (int k = layout_.n_tiles(); k-- > 0;) {
      std::vector<Rank> row;  // of the tiles left of the diagonal
      for (int j = std::max(0, k - layout_.grid_columns); j < k; ++j)
        if (const Rank rank = layout_.owner(k, j);
            rank != layout_.owner(k, k) && std::ranges::find(row, rank) == row.end())
          row.push_back(rank);
      solve(Direction::backward, k, row);
      for (int i = k; i-- > 0;) subtract(Direction::backward, i, k);
    }
  }

 private:
  flow::DatumId x(int i) const { return x_[static_cast<std::size_t>(i)]; }
  flow::DatumId product(int i) const { return products_[static_cast<std::size_t>(i)]; }

  /// Solve with a diagonal tile, and bring the piece to ranks that need it.
  void solve(Direction direction, int k, const std::vector<Rank>& to) {
    const Rank owner = layout_.owner(k, k);
    const auto piece = s_.piece(s_.x, k);
    g_.phase("solve", PhaseKind::level);
    if (owner == rank_)
      g_.task(
          task_names::solve, std::array{Access{x(k), Mode::inout}},
          [&kernels = s_.kernels, direction, piece, tile = s_.l.tile(k, k)](flow::TaskContext&) {
            kernels.solve(direction, static_cast<int>(piece.size()), tile, piece.data());
          },
          {.priority = 1});
    g_.phase("send the solution", PhaseKind::step);
    const Route route = route_of(s_.settings.broadcast, owner, to, rank_);
    if (route.from) g_.recv(x(k), std::as_writable_bytes(piece), *route.from);
    for (const Rank rank : route.to) g_.send(x(k), std::as_bytes(piece), rank);
    g_.phase("multiply", PhaseKind::step);
  }

  /// Take the product of piece k with the tile that couples it with piece i from that.
  void subtract(Direction direction, int i, int k) {
    const int row = std::max(i, k);
    const int column = std::min(i, k);
    const Rank from = layout_.owner(row, column);
    const Rank to = layout_.owner(i, i);
    const auto y = s_.piece(s_.products, i);
    if (from == rank_)
      g_.task(
          task_names::multiply, std::array{Access{x(k), Mode::in}, Access{product(i), Mode::out}},
          [&kernels = s_.kernels, direction, m = layout_.rows(row), n = layout_.rows(column),
           tile = s_.l.tile(row, column), from_piece = s_.piece(s_.x, k), y](flow::TaskContext&) {
            kernels.multiply(direction, m, n, tile, from_piece.data(), y.data());
          },
          tile_options(layout_, s_.settings.n_workers, row, column, column));
    if (from == rank_ && to != rank_) g_.send(product(i), std::as_bytes(y), to);
    if (from != rank_ && to == rank_) g_.recv(product(i), std::as_writable_bytes(y), from);
    if (to == rank_)
      g_.task(task_names::subtract,
              std::array{Access{product(i), Mode::in}, Access{x(i), Mode::inout}},
              [y, piece = s_.piece(s_.x, i)](flow::TaskContext&) {
                for (std::size_t e = 0; e < y.size(); ++e) piece[e] -= y[e];
              });
  }

  flow::Recorder& g_;
  State& s_;
  const Layout& layout_;
  Rank rank_;
  std::vector<flow::DatumId> x_, products_;  ///< by tile row
};

template <Scalar T, class State>
flow::Graph record(State& state) {
  flow::Recorder recorder(state.l.rank(), state.l.layout().n_ranks());
  SolutionRecording<T, State>(recorder, state)();
  return flow::capture(std::move(recorder), state.settings.model);
}

}  // namespace

template <Scalar T>
Solver<T>::Solver(const Matrix<T>& factor, const TileKernels<T>& kernels,
                  const FactorisationSettings& settings)
    : state_(std::make_unique<State>(factor, kernels, settings)), graph_(record<T>(*state_)) {}

template <Scalar T>
Solver<T>::~Solver() = default;

template <Scalar T>
Result<void> Solver<T>::solve(flow::Executor& executor, flow::Transport& transport,
                              std::span<T> b) {
  State& s = *state_;
  const Layout& layout = s.l.layout();
  THALWEG_EXPECT(std::ssize(b) == layout.n, "a number for each row");
  std::ranges::copy(b, s.x.data());
  if (const auto run = executor.run(graph_, 1); !run) return std::unexpected(run.error());
  std::vector<T> mine;
  for (int i = 0; i < layout.n_tiles(); ++i)
    if (s.l.owns(i, i)) std::ranges::copy(s.piece(s.x, i), std::back_inserter(mine));
  const auto all = flow::all_gather_v<T>(transport, mine);
  std::vector<std::size_t> next(all.begin);
  for (int i = 0; i < layout.n_tiles(); ++i) {
    auto& at = next[layout.owner(i, i)()];
    const auto n = static_cast<std::size_t>(layout.rows(i));
    std::ranges::copy(std::span(all.values).subspan(at, n),
                      b.begin() + static_cast<std::ptrdiff_t>(layout.begin(i)));
    at += n;
  }
  return {};
}

template class Solver<float>;
template class Solver<double>;
template class Solver<std::complex<float>>;
template class Solver<std::complex<double>>;

}  // namespace thalweg::cholesky

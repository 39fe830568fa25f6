// SPDX-License-Identifier: MIT
#pragma once
// What programs share that factorise a matrix in tiles: tiles, OpenBLAS's kernels, a check, the
// time.
#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "../micro/slices.hpp"
#include "number.hpp"

namespace thalweg::bench {

/// The calls of a task, one thread each. @errors std::runtime_error without OpenBLAS
class Kernels {
 public:
  explicit Kernels(int tile) : tile_(tile) {
    void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);  // stays until the end
    if (library == nullptr) throw std::runtime_error(dlerror());
    void (*set_threads)(int) = nullptr;
    find(library, "openblas_set_num_threads", set_threads);
    set_threads(1);
    find(library, "dpotrf_", potrf_);
    find(library, "dtrsm_", trsm_);
    find(library, "dsyrk_", syrk_);
    find(library, "dgemm_", gemm_);
  }

  void factorise(double* a) const {
    int info = 0;
    potrf_("L", &tile_, a, &tile_, &info);
  }
  void solve_panel(const double* l, double* a) const {
    trsm_("R", "L", "T", "N", &tile_, &tile_, &one, l, &tile_, a, &tile_);
  }
  void update_diagonal(const double* a, double* c) const {
    syrk_("L", "N", &tile_, &tile_, &minus_one, a, &tile_, &one, c, &tile_);
  }
  void update(const double* a, const double* b, double* c) const {
    gemm_("N", "T", &tile_, &tile_, &tile_, &minus_one, a, &tile_, b, &tile_, &one, c, &tile_);
  }

 private:
  using Word = const char*;
  using Int = const int*;
  using Real = const double*;
  static constexpr double one = 1, minus_one = -1;

  template <class Function>
  static void find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(std::string("OpenBLAS has no ") + name);
  }

  int tile_;
  void (*potrf_)(Word, Int, double*, Int, int*) = nullptr;
  void (*trsm_)(Word, Word, Word, Word, Int, Int, Real, Real, Int, double*, Int) = nullptr;
  void (*syrk_)(Word, Word, Int, Int, Real, Real, Int, Real, double*, Int) = nullptr;
  void (*gemm_)(Word, Word, Int, Int, Int, Real, Real, Int, Real, Int, Real, double*,
                Int) = nullptr;
};

/// The lower tiles of a matrix whose factor has ones, column by column.
class Tiles {
 public:
  Tiles(int n, int tile)
      : n_(n / tile),
        tile_(tile),
        values_(static_cast<std::size_t>(n_ * n_) * static_cast<std::size_t>(tile * tile)) {}

  int n() const { return n_; }
  double* at(int i, int j) {
    return values_.data() +
           static_cast<std::size_t>(j * n_ + i) * static_cast<std::size_t>(tile_ * tile_);
  }
  /// a(row, column) = 1 + min(row, column): all sums of a factorisation are whole numbers, so its
  /// result is exact.
  void set() {
    for_each([](double& value, int row, int column) { value = 1 + std::min(row, column); });
  }
  bool is_factor() {
    bool is_right = true;
    for_each([&](double value, int row, int column) { is_right &= row < column || value == 1; });
    return is_right;
  }

 private:
  template <class F>
  void for_each(F f) {
    for (int j = 0; j < n_; ++j)
      for (int i = j; i < n_; ++i)
        for (int c = 0; c < tile_; ++c)
          for (int r = 0; r < tile_; ++r) f(at(i, j)[c * tile_ + r], i * tile_ + r, j * tile_ + c);
  }

  int n_, tile_;
  std::vector<double> values_;
};

/// The program: PEER rows tile threads; prints the best rate of some factorisations, GF/s.
/// @tparam Peer  made of kernels, the number of tiles in a row and of threads; has factorise(tiles)
/// @return the exit code: 2 where the arguments are wrong, 3 where the factor is
template <class Peer>
int cholesky_main(int argc, char** argv) try {
  const int n = argc > 1 ? static_cast<int>(number(argv[1])) : 0;
  const int tile = argc > 2 ? static_cast<int>(number(argv[2])) : 0;
  const std::uint32_t n_threads = argc > 3 ? number(argv[3]) : 0;
  if (n <= 0 || tile <= 0 || n % tile != 0 || n_threads == 0) {
    std::fprintf(stderr, "usage: %s rows tile threads, with rows a multiple of tile\n", argv[0]);
    return 2;
  }
  constexpr int n_times = 5;
  Tiles tiles(n, tile);
  Peer peer(Kernels(tile), tiles.n(), n_threads);
  double best_ns = 0;
  for (int i = 0; i < n_times; ++i) {
    tiles.set();
    const double start = now_ns(Timer::wall);
    peer.factorise(tiles);
    const double took = now_ns(Timer::wall) - start;
    best_ns = i == 0 ? took : std::min(best_ns, took);
    if (!tiles.is_factor()) {
      std::fprintf(stderr, "error: %s runs tasks before those they depend on\n", argv[0]);
      return 3;
    }
  }
  const double rows = n;
  std::printf("%.4g\n", (rows * rows * rows / 3 + rows * rows / 2 + rows / 6) / best_ns);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 3;
}

}  // namespace thalweg::bench

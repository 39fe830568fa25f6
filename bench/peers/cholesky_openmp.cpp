// SPDX-License-Identifier: MIT
// Cholesky's factorisation as OpenMP tasks that are submitted anew each time, as PLASMA's are.
// Built with g++ for libgomp, with clang for libomp.
#include <cstdint>

#include "cholesky_peer.hpp"

namespace thalweg::bench {

class Peer {
 public:
  Peer(const Kernels& kernels, int, std::uint32_t n_threads)
      : kernels_(kernels), n_threads_(n_threads) {}

  void factorise(Tiles& a) const {
#pragma omp parallel num_threads(n_threads_)
#pragma omp single
    for (int k = 0; k < a.n(); ++k) submit_panel(a, k);
  }

 private:
  void submit_panel(Tiles& a, int k) const {
    double* diagonal = a.at(k, k);
#pragma omp task depend(inout : diagonal[0])
    kernels_.factorise(diagonal);
    for (int m = k + 1; m < a.n(); ++m) {
      double* tile = a.at(m, k);
#pragma omp task depend(in : diagonal[0]) depend(inout : tile[0])
      kernels_.solve_panel(diagonal, tile);
    }
    for (int j = k + 1; j < a.n(); ++j) {
      const double* right = a.at(j, k);
      double* of_column = a.at(j, j);
#pragma omp task depend(in : right[0]) depend(inout : of_column[0])
      kernels_.update_diagonal(right, of_column);
      for (int i = j + 1; i < a.n(); ++i) {
        const double* left = a.at(i, k);
        double* tile = a.at(i, j);
#pragma omp task depend(in : left[0], right[0]) depend(inout : tile[0])
        kernels_.update(left, right, tile);
      }
    }
  }

  Kernels kernels_;
  std::uint32_t n_threads_;
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::cholesky_main<thalweg::bench::Peer>(argc, argv);
}

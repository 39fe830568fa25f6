// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/factorisation.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/picker.hpp>

#include "dense.hpp"

namespace thalweg::cholesky::testing {

/// The library, once a test program.
inline const OpenBlas& blas() {
  static const OpenBlas library = OpenBlas::load().value();
  return library;
}

/// What came out of a factorisation, whatever the ranks.
template <Scalar T>
struct Factored {
  explicit Factored(std::int64_t n) : l(n, n) {}

  bool operator==(const Factored& other) const {
    return l.values == other.l.values && info == other.info && error == other.error;
  }
  friend std::ostream& operator<<(std::ostream& out, const Factored& f) {
    return out << "info " << f.info << ' ' << f.error;
  }

  Dense<T> l;             ///< lower, zeros above
  std::int64_t info = 0;  ///< of all ranks
  std::string error;      ///< of the run; empty: none
};

/// Factorise as one rank. @param into  of all ranks; each writes its own elements
template <Scalar T, class F>
void factorise(const Layout& layout, const F& element, FactorisationSettings settings,
               flow::Transport& transport, flow::Executor& executor, int n_times,
               Factored<T>& into) {
  Matrix<T> a(layout, transport.rank());
  const TileKernels<T> kernels(blas(), layout.uplo);
  Factorisation<T> factorisation(a, kernels, settings);
  for (int i = 0; i < n_times; ++i) {
    a.set(element);
    const auto info = factorisation.factorise(executor, transport);
    if (!info) transport.abort(info.error().message);
    if (i > 0) {
      EXPECT_EQ(*info, into.info);  // of another rank or time
    }
    into.info = *info;
  }
  a.for_each_element([&](std::int64_t row, std::int64_t column, T value) {
    into.l(row, column) = layout.uplo == Uplo::lower ? value : conjugate(value);
  });
}

/// The same on virtual ranks, under a random schedule.
template <Scalar T, class F>
Factored<T> factorise_on(const Layout& layout, const F& element,
                         const FactorisationSettings& settings, std::uint64_t seed = 1,
                         int n_times = 1) {
  Factored<T> factored(layout.n);
  comm::SimNetwork network({.n_ranks = layout.n_ranks(), .seed = seed});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(seed + transport.rank()());
    flow::Executor executor({.picker = &picker}, transport, network.clock());
    factorise(layout, element, settings, transport, executor, n_times, factored);
  });
  if (!done) factored.error = done.error().message;
  return factored;
}

}  // namespace thalweg::cholesky::testing

// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include <thalweg/app/context.hpp>
#include <thalweg/cholesky/dense/open_blas.hpp>
#include <thalweg/cholesky/options.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::cholesky {

/// What a run came to, the same on all ranks.
struct RunFacts {
  std::int64_t info = 0;   ///< LAPACK's: 0, or the order of a minor that is not positive definite
  std::uint64_t hash = 0;  ///< of the factor, to the bit, on any ranks; 0: not asked for, or none
  std::optional<double> factor_residual{};  ///< where it was checked
  std::optional<double> solution_residual{};

  /// Whether there is a factor, and as good as LAPACK's tests ask for, where that was checked.
  bool is_good() const;
};

/// Make a random matrix and factorise it, as often as asked, with a line of the context's log each;
/// check the last factor; write a trace. Collective.
/// @return what it came to, which may be that there is no factor
/// @errors as Factorisation::factorise, or a trace that cannot be written; the caller aborts the
/// transport
Result<RunFacts> run(const Options& options, const OpenBlas& blas, const app::Context& context);

}  // namespace thalweg::cholesky

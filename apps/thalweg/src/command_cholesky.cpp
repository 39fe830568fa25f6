// SPDX-License-Identifier: MIT
#include "command_cholesky.hpp"

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/cholesky/dense/open_blas.hpp>
#include <thalweg/cholesky/options.hpp>
#include <thalweg/cholesky/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

int command_cholesky(const std::vector<std::string>& words) {
  // Before MPI has threads that may read the environment.
  const auto blas = cholesky::OpenBlas::load();
  bool is_good = true;
  const int done = on_ranks(
      "cholesky", words, cholesky::option_help, [&](app::Runtime& runtime) -> Result<void> {
        const auto memory_bytes = runtime.context({}).memory_bytes;
        const auto options =
            cholesky::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
        const auto loaded = app::check_on_all_ranks(
            runtime.transport(), blas ? Result<void>() : std::unexpected(blas.error()));
        if (!loaded) throw Error(loaded.error().message);
        const auto facts = cholesky::run(options, *blas, runtime.context(options.execution));
        if (!facts) return std::unexpected(facts.error());
        is_good = facts->is_good();
        return {};
      });
  return done == app::exit_success && !is_good ? app::exit_failure : done;
}

}  // namespace thalweg

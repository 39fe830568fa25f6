// SPDX-License-Identifier: MIT
#include "command_cholesky.hpp"

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/cholesky/dense/open_blas.hpp>
#include <thalweg/cholesky/options.hpp>
#include <thalweg/cholesky/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

namespace {

Result<cholesky::RunFacts> run(const std::vector<std::string>& words,
                               const Result<cholesky::OpenBlas>& blas, app::Runtime& runtime,
                               Logger& log) {
  const auto memory_bytes = runtime.context({}).memory_bytes;
  const auto options = cholesky::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
  check_new_file(runtime, "--trace", options.trace, options.force);
  const auto loaded = app::check_on_all_ranks(
      runtime.transport(), blas ? Result<void>() : std::unexpected(blas.error()));
  if (!loaded) throw Error(loaded.error().message);
  return cholesky::run(options, *blas, context_of(runtime, options.execution, log));
}

}  // namespace

Result<Facts> run_cholesky(const std::vector<std::string>& words, app::Runtime& runtime,
                           Logger& log) {
  const auto done = run(words, cholesky::OpenBlas::load(), runtime, log);
  if (!done) return std::unexpected(done.error());
  Facts facts{{"is_good", done->is_good()}, {"info", done->info}};
  if (done->hash != 0) facts.emplace_back("hash", fmt::format("{:016x}", done->hash));
  if (done->factor_residual) facts.emplace_back("factor_residual", *done->factor_residual);
  if (done->solution_residual) facts.emplace_back("solution_residual", *done->solution_residual);
  return facts;
}

int command_cholesky(const std::vector<std::string>& words) {
  // Before MPI has threads that may read the environment.
  const auto blas = cholesky::OpenBlas::load();
  return on_ranks("cholesky", words, cholesky::option_help,
                  [&](app::Runtime& runtime) -> Result<int> {
                    app::warn_of_lone_rank(runtime.transport().n_ranks());
                    const auto facts = run(words, blas, runtime, runtime.context({}).log);
                    if (!facts) return std::unexpected(facts.error());
                    return facts->is_good() ? app::exit_success : app::exit_failure;
                  });
}

}  // namespace thalweg

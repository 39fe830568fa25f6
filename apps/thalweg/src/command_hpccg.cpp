// SPDX-License-Identifier: MIT
#include "command_hpccg.hpp"

#include <fmt/format.h>

#include <thalweg/hpccg/options.hpp>
#include <thalweg/hpccg/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

Result<Facts> run_hpccg(const std::vector<std::string>& words, app::Runtime& runtime, Logger& log) {
  const auto memory_bytes = runtime.context({}).memory_bytes;
  const auto options = hpccg::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
  check_new_file(runtime, "--trace", options.trace, options.force);
  make_folder(runtime, options.out);
  check_may_write(runtime, options.out, "give another folder with --out");
  const auto done = hpccg::run(options, context_of(runtime, options.execution, log));
  if (!done) return std::unexpected(done.error());
  return Facts{{"n_iterations", done->solution.n_iterations},
               {"initial_residual", done->solution.initial_residual},
               {"residual", done->solution.residual},
               {"largest_error", done->largest_error},
               {"residuals_hash", fmt::format("{:016x}", done->residuals_hash)},
               {"solution_hash", fmt::format("{:016x}", done->solution_hash)},
               {"total_s", done->total_s},
               {"ddot_s", done->ddot_s},
               {"waxpby_s", done->waxpby_s},
               {"sparsemv_s", done->sparsemv_s}};
}

int command_hpccg(const std::vector<std::string>& words) {
  return on_ranks("hpccg", words, hpccg::option_help, run_hpccg);
}

}  // namespace thalweg

// SPDX-License-Identifier: MIT
#include "command_lulesh.hpp"

#include <thalweg/app/command_line.hpp>
#include <thalweg/lulesh/options.hpp>
#include <thalweg/lulesh/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

int command_lulesh(const std::vector<std::string>& words) {
  int code = app::exit_success;
  const int common =
      on_ranks("lulesh", words, lulesh::option_help, [&](app::Runtime& runtime) -> Result<void> {
        const auto memory_bytes = runtime.context({}).memory_bytes;
        const auto options =
            lulesh::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
        const auto done = lulesh::run(options, runtime.context(options.execution));
        if (!done) return std::unexpected(done.error());
        code = lulesh::exit_code(done->clock.fault);
        return {};
      });
  return common == app::exit_success ? code : common;
}

}  // namespace thalweg

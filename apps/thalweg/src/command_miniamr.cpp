// SPDX-License-Identifier: MIT
#include "command_miniamr.hpp"

#include <optional>

#include <thalweg/app/output_folder.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/miniamr/options.hpp>
#include <thalweg/miniamr/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

int command_miniamr(const std::vector<std::string>& words) {
  return on_ranks(
      "miniamr", words, miniamr::option_help, [&](app::Runtime& runtime) -> Result<void> {
        mesh::check_n_ranks(runtime.transport().n_ranks());
        const auto options = miniamr::parse_options(words, runtime.transport().n_ranks());
        const auto lock =
            options.plotfile_freq == 0
                ? std::nullopt
                : app::take_output_folder(
                      runtime.transport(), runtime.files(), options.out.empty() ? "." : options.out,
                      options.force ? app::Existing::replace : app::Existing::beside);
        const auto done = miniamr::run(options, runtime.context(miniamr::execution_of(options)));
        if (!done) return std::unexpected(done.error());
        return {};
      });
}

}  // namespace thalweg

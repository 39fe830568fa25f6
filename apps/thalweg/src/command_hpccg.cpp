// SPDX-License-Identifier: MIT
#include "command_hpccg.hpp"

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/hpccg/options.hpp>
#include <thalweg/hpccg/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

int command_hpccg(const std::vector<std::string>& words) {
  return on_ranks("hpccg", words, hpccg::option_help, [&](app::Runtime& runtime) -> Result<void> {
    const auto memory_bytes = runtime.context({}).memory_bytes;
    const auto options = hpccg::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
    const auto made = app::check_on_all_ranks(
        runtime.transport(),
        runtime.rank() == Rank{0} ? runtime.files().make_directory(options.out) : Result<void>{});
    if (!made) throw Error(fmt::format("--out: {}; give another folder", made.error().message));
    const auto done = hpccg::run(options, runtime.context(options.execution));
    if (!done) return std::unexpected(done.error());
    return {};
  });
}

}  // namespace thalweg

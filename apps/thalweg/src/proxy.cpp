// SPDX-License-Identifier: MIT
#include "proxy.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/execution_options.hpp>

namespace thalweg {

app::Context context_of(app::Runtime& runtime, const app::Execution& execution, Logger& log) {
  const auto world = runtime.context(execution);
  const auto warning = app::warning_of_threads("--threads", execution);
  if (runtime.rank() == Rank{0} && !warning.empty()) fmt::print(stderr, "warning: {}\n", warning);
  return {world.transport, world.clock,    world.files,       log,
          world.execution, world.requests, world.memory_bytes};
}

void check_new_file(app::Runtime& runtime, const std::string& option, const std::string& path) {
  if (path.empty()) return;
  std::string why;
  if (runtime.rank() == Rank{0}) {
    std::error_code none;  // what cannot be looked at is not there
    const auto folder = std::filesystem::path(path).parent_path();
    if (std::filesystem::exists(path, none))
      why = "it exists and would be replaced";
    else if (!folder.empty() && !std::filesystem::is_directory(folder, none))
      why = "its folder does not exist";
  }
  why = app::broadcast(runtime.transport(), why);
  if (!why.empty()) throw Error(fmt::format("{} {} ({}); choose another name", option, path, why));
}

void check_no_result(app::Runtime& runtime, const std::string& folder,
                     const std::function<bool(const std::string&)>& is_result,
                     const std::string& advice) {
  std::string path;
  if (runtime.rank() == Rank{0})
    if (auto names = runtime.files().list(folder)) {  // what cannot be looked at holds none
      std::ranges::sort(*names);
      const auto found = std::ranges::find_if(*names, is_result);
      if (found != names->end())
        path = (std::filesystem::path(folder) / *found).lexically_normal().string();
    }
  path = app::broadcast(runtime.transport(), path);
  if (!path.empty())
    throw Error(fmt::format("'{}' exists (it would be replaced); {}", path, advice));
}

}  // namespace thalweg

// SPDX-License-Identifier: MIT
#include "proxy.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/execution_options.hpp>
#include <thalweg/core/print_errors.hpp>

namespace thalweg {

app::Context context_of(app::Runtime& runtime, const app::Execution& execution, Logger& log) {
  const auto world = runtime.context(execution);
  const auto warning = app::warning_of_threads("--threads", execution);
  if (runtime.rank() == Rank{0} && !warning.empty()) print_to_stderr("warning: {}\n", warning);
  return app::with_log(world, log);
}

namespace {

/// Why no file could be made in a folder; none if one could be.
std::string objection_to_folder(const std::filesystem::path& folder) {
  const std::string name = folder.empty() ? "." : folder.string();
  std::error_code none;  // what cannot be looked at is not there
  if (!std::filesystem::is_directory(name, none)) return "its folder does not exist";
  // By making a file: what permissions say is not all that may be in the way.
  const std::string file = fmt::format("{}/.thalweg-{}", name, ::getpid());
  const int made = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (made < 0) return fmt::format("its folder cannot be written to: {}", std::strerror(errno));
  ::close(made);
  ::unlink(file.c_str());
  return "";
}

}  // namespace

void check_new_file(app::Runtime& runtime, const std::string& option, const std::string& path,
                    bool is_forced) {
  if (path.empty()) return;
  std::string why;
  if (runtime.rank() == Rank{0}) {
    std::error_code none;  // what cannot be looked at is not there
    if (std::filesystem::is_directory(path, none))
      why = "(it is a folder); choose another name";
    else if (!is_forced && std::filesystem::exists(path, none))
      why = "(it exists and would be replaced); choose another name, or replace it with --force";
    else if (const auto cannot = objection_to_folder(std::filesystem::path(path).parent_path());
             !cannot.empty())
      why = fmt::format("({}); choose another name", cannot);
  }
  why = app::broadcast(runtime.transport(), why);
  if (!why.empty()) throw Error(fmt::format("{} {} {}", option, path, why));
}

void make_folder(app::Runtime& runtime, const std::string& folder) {
  const auto made = app::check_on_all_ranks(
      runtime.transport(),
      runtime.rank() == Rank{0} ? runtime.files().make_directory(folder) : Result<void>{});
  if (!made) throw Error(fmt::format("--out: {}; give another folder", made.error().message));
}

void check_may_write(app::Runtime& runtime, const std::string& folder, const std::string& advice) {
  std::string why;
  if (runtime.rank() == Rank{0}) why = objection_to_folder(folder);
  why = app::broadcast(runtime.transport(), why);
  if (!why.empty()) throw Error(fmt::format("results go to '{}' ({}); {}", folder, why, advice));
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

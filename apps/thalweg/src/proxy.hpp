// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <thalweg/app/context.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/logger.hpp>

namespace thalweg {

/// What a run of a proxy application came to: numbers by their names, times in seconds. Hashes are
/// 16 hexadecimal digits, as they are printed.
using Fact = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;
using Facts = std::vector<std::pair<std::string, Fact>>;

/// An application that has no decks but words of its own, as a function. Collective.
struct Proxy {
  std::string name;
  /// @param words  its arguments, the same on all ranks  @param log  where its lines go
  /// @errors throws Error with everything that is wrong with the words, on all ranks alike. A
  /// failure, or another exception, may be that of one rank: the caller aborts the transport
  Result<Facts> (*run)(const std::vector<std::string>& words, app::Runtime& runtime, Logger& log);
};

/// The world of a run whose lines go to `log`: Runtime::context.
app::Context context_of(app::Runtime& runtime, const app::Execution& execution, Logger& log);

/// Make sure that a file that a run is to leave at its end is new, and that it can be written.
/// Collective. @param path  "": none is wanted   @param is_forced  whether it may replace an older
/// one
/// @errors throws Error, on all ranks alike
void check_new_file(app::Runtime& runtime, const std::string& option, const std::string& path,
                    bool is_forced);

/// Make the folder that --out names, with those above it, where it is not there. Collective.
/// @errors throws Error, on all ranks alike
void make_folder(app::Runtime& runtime, const std::string& folder);

/// Make sure that files can be made in a folder. Collective.
/// @param advice  what to do, for the message  @errors throws Error, on all ranks alike
void check_may_write(app::Runtime& runtime, const std::string& folder, const std::string& advice);

/// Make sure that a folder holds no result of another run that this one may replace. Collective.
/// @param is_result  of a name in the folder   @param advice  what to do, for the message
/// @errors throws Error, on all ranks alike
void check_no_result(app::Runtime& runtime, const std::string& folder,
                     const std::function<bool(const std::string&)>& is_result,
                     const std::string& advice);

/// Those that the build has.
std::vector<Proxy> proxies();

}  // namespace thalweg

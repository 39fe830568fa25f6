// SPDX-License-Identifier: MIT
#include <thalweg/predict/times_of.hpp>

#include <fmt/format.h>

namespace thalweg::predict {
namespace {

std::vector<std::string> differences_of(const TimesOf::Settings& there,
                                        const TimesOf::Settings& here) {
  std::vector<std::string> all;
  for (const auto& [key, value] : there)
    if (const auto it = here.find(key); it != here.end() && it->second != value)
      all.push_back(fmt::format("{} is {} there and {} here", key, value, it->second));
  return all;
}

}  // namespace

Differences differences(const TimesOf& there, const TimesOf& here) {
  if (there.program.empty() || here.program.empty()) return {};
  if (there.program != here.program)
    return {{fmt::format("they are of {}, this is {}", there.program, here.program)}, {}};
  return {differences_of(there.settings, here.settings),
          differences_of(there.details, here.details)};
}

}  // namespace thalweg::predict

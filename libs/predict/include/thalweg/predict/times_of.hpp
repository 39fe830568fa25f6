// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

namespace thalweg::predict {

/// What times of tasks are of: those of a name take several times as long in larger blocks, say.
struct TimesOf {
  using Settings = std::map<std::string, std::string>;

  std::string program{};  ///< the application of a deck, or a command; "": nobody knows
  Settings settings{};    ///< with others of these, tasks of a name do other work
  Settings details{};     ///< with others of these they may

  bool operator==(const TimesOf&) const = default;
};

/// How times differ from those that are needed, one sentence for each setting.
struct Differences {
  std::vector<std::string> certain{};   ///< of program and settings: the times are of no use
  std::vector<std::string> possible{};  ///< of details
};

/// Compare what times are of with what they are needed for. What one of them does not have is no
/// difference, nor is anything where a program is not known; settings of other programs are not
/// compared.
Differences differences(const TimesOf& there, const TimesOf& here);

}  // namespace thalweg::predict

// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg::app {

/// A control group that this process is in, or one around it, in which a batch system or a
/// container limits what it may take.
struct ControlGroup {
  std::filesystem::path folder;
  bool is_second = false;  ///< of version 2, whose files have other names than those of version 1
};

/// The groups that this process is in for a controller ("memory", "cpu"), the outermost first.
/// @param root  where proc and sys are
/// @source cgroups(7): /proc/pid/cgroup
inline std::vector<ControlGroup> control_groups(const std::filesystem::path& root,
                                                const std::string& controller) {
  const std::filesystem::path mount = root / "sys/fs/cgroup";
  std::vector<ControlGroup> groups;
  std::ifstream lines(root / "proc/self/cgroup");
  // A line is "number:controllers:/group"; version 2 has no controllers.
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool is_second = controllers == ",,";
    if (!is_second && controllers.find("," + controller + ",") == std::string::npos) continue;
    std::filesystem::path folder = is_second ? mount : mount / controller;
    groups.push_back({folder, is_second});
    for (const auto& name : std::filesystem::path(line.substr(second + 1)).relative_path())
      groups.push_back({folder /= name, is_second});
  }
  return groups;
}

}  // namespace thalweg::app

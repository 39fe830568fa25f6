// SPDX-License-Identifier: MIT
#include <thalweg/io/same_file.hpp>

#include <filesystem>
#include <system_error>

namespace thalweg::io {

bool is_same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (fs::equivalent(a, b, none)) return true;
  const auto path_of = [&](const std::string& name) {
    const auto path = fs::weakly_canonical(fs::absolute(name, none), none);
    return none ? fs::path(name) : path;
  };
  return path_of(a) == path_of(b);
}

}  // namespace thalweg::io

// SPDX-License-Identifier: MIT
#include <thalweg/flow/policy.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace thalweg::flow {
namespace {

// By number of the policy.
constexpr std::array<std::string_view, 3> progress_names{"idle", "task_boundary", "thread"};
constexpr std::array<std::string_view, 2> posting_names{"fresh", "persistent"};

template <class Policy, std::size_t n>
std::optional<Policy> policy_of(const std::array<std::string_view, n>& names,
                                std::string_view name) {
  const auto it = std::ranges::find(names, name);
  if (it == names.end()) return std::nullopt;
  return static_cast<Policy>(it - names.begin());
}

}  // namespace

std::string_view to_string(Progress progress) {
  return progress_names[static_cast<std::size_t>(progress)];
}
std::string_view to_string(Posting posting) {
  return posting_names[static_cast<std::size_t>(posting)];
}
std::optional<Progress> progress_from_string(std::string_view name) {
  return policy_of<Progress>(progress_names, name);
}
std::optional<Posting> posting_from_string(std::string_view name) {
  return policy_of<Posting>(posting_names, name);
}

}  // namespace thalweg::flow

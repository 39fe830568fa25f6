// SPDX-License-Identifier: MIT
#include <thalweg/flow/policy.hpp>

namespace thalweg::flow {

std::optional<Progress> progress_from_string(std::string_view name) {
  if (name == "idle") return Progress::idle;
  if (name == "task_boundary") return Progress::task_boundary;
  if (name == "thread") return Progress::thread;
  return std::nullopt;
}

std::optional<Posting> posting_from_string(std::string_view name) {
  if (name == "fresh") return Posting::fresh;
  if (name == "persistent") return Posting::persistent;
  return std::nullopt;
}

}  // namespace thalweg::flow

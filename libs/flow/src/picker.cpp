// SPDX-License-Identifier: MIT
#include <thalweg/flow/picker.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/hash.hpp>

namespace thalweg::flow {

PctPicker::PctPicker(const Config& config) : seed_(config.seed) {
  THALWEG_EXPECT(config.n_steps > 0, "demotions need steps to be spread over");
  SplitMix64 random(config.seed);
  for (std::uint32_t i = 0; i < config.n_changes; ++i)
    change_steps_.push_back(random.below(config.n_steps));
  std::sort(change_steps_.begin(), change_steps_.end());
  demoted_.reserve(config.n_changes);
}

std::size_t PctPicker::pick(std::span<const TaskId> ready) {
  const auto best = [&] {
    return std::max_element(ready.begin(), ready.end(), [&](TaskId a, TaskId b) {
      return std::pair(priority(a), a) < std::pair(priority(b), b);
    });
  };
  for (; n_changed_ < change_steps_.size() && change_steps_[n_changed_] <= step_; ++n_changed_)
    demoted_.push_back(*best());
  ++step_;
  return static_cast<std::size_t>(best() - ready.begin());
}

std::uint64_t PctPicker::priority(TaskId task) const {
  const auto last = std::find(demoted_.rbegin(), demoted_.rend(), task);
  if (last != demoted_.rend()) return static_cast<std::uint64_t>(last - demoted_.rbegin());
  return hash_number(task(), seed_) | std::uint64_t{1} << 63;
}

}  // namespace thalweg::flow

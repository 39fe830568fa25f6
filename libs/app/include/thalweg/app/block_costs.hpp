// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/trace/sink.hpp>

namespace thalweg::app {

/// The names of the tasks that are a block's costs: those that advance it.
std::vector<std::string> names_of_costs();

/// Adds up how long the tasks that advance each block take.
///
/// Only runs that number their steps count, and only tasks of given names: others do not all say
/// which block they are for.
class BlockCosts final : public trace::Sink {
 public:
  /// @param names  of the tasks that count
  explicit BlockCosts(std::vector<std::string> names) : names_(std::move(names)) {}

  bool begin_run(const trace::RunStart& run) override { return run.first_step.has_value(); }
  void describe(trace::GraphInfo graph) override;
  void record(const trace::Event& event) noexcept override;
  void end_run(std::int64_t end_ns) override;

  /// What this rank's blocks have cost since the last time [ns], by level in their order; 0 where
  /// no task of a block has run. Joined blocks share the time of their tasks, which name the first.
  /// Begins anew.
  template <int D>
  mesh::Weights take(std::span<const field::LevelField<D>> levels) {
    mesh::Weights costs;
    for (const auto& level : levels) {
      auto& of_level = costs.emplace_back(level.size(), 0);
      for (std::size_t i = 0; i < level.size(); ++i)
        if (const auto cost = costs_.find({level.keys()[i].level, level.keys()[i].code});
            cost != costs_.end())
          of_level[i] = cost->second;
      for (const auto& joined : level.joined())
        std::fill_n(of_level.begin() + static_cast<std::ptrdiff_t>(joined.first), joined.n,
                    of_level[joined.first] / static_cast<std::int64_t>(joined.n));
    }
    costs_.clear();
    return costs;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  using Block = std::pair<std::int32_t, std::uint64_t>;  // level and code

  std::vector<std::string> names_;
  std::vector<Block> blocks_;           // of the nodes that count
  std::vector<std::uint32_t> numbers_;  // of a node in that list; none where it does not count
  std::vector<std::int64_t> times_;     // of the nodes that count [ns]
  std::map<Block, std::int64_t> costs_;
};

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include <thalweg/core/random.hpp>
#include <thalweg/taskbench/task_graph.hpp>

namespace thalweg::taskbench {

/// A graph of a pattern with a random shape.
inline TaskGraph random_graph(Dependence dependence, SplitMix64& random) {
  const auto draw = [&](long first, long last) {
    return first + static_cast<long>(random.below(static_cast<std::uint64_t>(last - first + 1)));
  };
  TaskGraph g{.timesteps = draw(1, 40), .max_width = draw(1, 9), .dependence = dependence};
  if (random.below(3) == 0) g.timesteps *= 8;  // long enough for windows that are replayed
  g.radix = draw(1, std::min(5L, g.max_width));
  if (dependence == Dependence::random_nearest) g.period = draw(1, 4);
  if (dependence == Dependence::spread) g.period = draw(1, (g.max_width + g.radix - 1) / g.radix);
  g.fraction_connected = 0.5;
  g.output_bytes_per_task = static_cast<std::size_t>(draw(16, 80));
  g.nb_fields = draw(0, 1) == 0 ? g.timesteps : draw(2, 5);
  g.check();
  return g;
}

/// All patterns.
inline std::vector<Dependence> all_dependences() {
  std::vector<Dependence> all;
  for (const auto name : dependence_names()) all.push_back(*dependence_from_string(name));
  return all;
}

}  // namespace thalweg::taskbench

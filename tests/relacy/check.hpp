// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <spanstream>
#include <string>
#include <vector>

#include "model.hpp"

namespace thalweg::testing {

/// A model to be explored, and how far.
struct Exploration {
  std::string name;
  std::function<bool(rl::test_params&)> simulate;
  unsigned long n_schedules;
};

template <class Suite>
Exploration explore(std::string name, unsigned long n_schedules) {
  return {std::move(name), [](rl::test_params& params) { return rl::simulate<Suite>(params); },
          n_schedules};
}

/// A schedule that went wrong.
struct Wrong {
  std::string what;
  std::string history;
};

/// Play random schedules until one goes wrong. The same ones each time.
inline std::optional<Wrong> first_wrong(const Exploration& exploration) {
  // Memory of its own: what is allocated outside of a simulation must not be freed inside.
  std::vector<char> text(256 * 1024);
  std::ospanstream output(text);
  rl::test_params params;
  params.iteration_count = exploration.n_schedules;
  params.output_stream = &output;
  params.progress_stream = &output;
  if (exploration.simulate(params)) return std::nullopt;
  return Wrong{rl::test_result_str(params.test_result),
               {output.span().begin(), output.span().end()}};
}

}  // namespace thalweg::testing

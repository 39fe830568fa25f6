// SPDX-License-Identifier: MIT
// Failing tasks and hangs on simulated ranks are named, in every model.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include <thalweg/comm/sim_network.hpp>

#include "planted_fault.hpp"

namespace thalweg::comm {
namespace {

using flow::Model;

Result<void> simulate(Fault fault, Model model, std::uint64_t seed) {
  SimNetwork network({.n_ranks = 3, .seed = seed});
  return network.run([&](flow::Transport& t) {
    flow::UniformPicker picker(seed + t.rank()());
    // Five simulated milliseconds: the network itself gives up after twenty.
    const flow::ExecutorConfig config{.depth = 1 + static_cast<std::uint32_t>(seed % 3),
                                      .picker = seed % 2 == 0 ? &picker : nullptr,
                                      .watchdog_s = 0.005};
    run_with_fault(fault, t, model, config, network.clock());
  });
}

TEST(SimFault, without_one_the_program_runs_through) {
  for (const Model model : flow::all_models)
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto result = simulate(Fault::none, model, seed);
      ASSERT_TRUE(result) << result.error().message;
    }
}

bool says(const std::string& message, std::span<const std::string_view> parts) {
  return std::all_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return message.find(part) != std::string::npos;
  });
}

TEST(SimFault, each_is_named_in_every_model) {
  constexpr std::uint64_t n_seeds = 8;
  // Rank, task, step, peer and tag of something that is stuck.
  constexpr std::array<std::string_view, 6> stuck = {
      "nothing has happened on rank ", "for task '", "step 10", " rank ", "tag 0, ", " bytes"};
  for (const FaultCase& c : fault_cases())
    for (const Model model : flow::all_models) {
      std::uint64_t n_said = 0;
      for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
        const auto result = simulate(c.fault, model, seed);

        ASSERT_FALSE(result) << c.name;
        const std::string& message = result.error().message;
        if (says(message, c.said))
          ++n_said;
        else
          EXPECT_TRUE(says(message, stuck)) << message;
      }
      EXPECT_GE(4 * n_said, n_seeds) << c.name << " in " << to_string(model);
    }
}

}  // namespace
}  // namespace thalweg::comm

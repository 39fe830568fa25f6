// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstdint>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg {

/// What a small run came to, to the bit.
struct Outcome {
  std::uint64_t cells = 0;      ///< of all cells, as `thalweg hash` has it; 0: not looked at
  std::uint64_t integrals = 0;  ///< of totals and extrema of all components

  bool operator==(const Outcome&) const = default;
};

/// A small Sedov blast on three levels in two dimensions.
/// @errors throws Error where the applications do not have the gas
class SelfTest {
 public:
  explicit SelfTest(std::vector<app::Application> applications);

  /// Run it on this rank alone, with files in memory.
  Result<Outcome> run_alone(flow::Model model, std::uint32_t n_workers) const;
  /// Run it on all ranks of a context. Collective.
  Result<Outcome> run_on_all(const app::Context& context) const;

 private:
  std::vector<app::Application> applications_;
  io::Deck deck_;
};

}  // namespace thalweg

// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstdint>

namespace thalweg::lulesh {

/// Where a run cannot go on, in the order in which the reference checks.
enum class Check : std::uint8_t {
  jacobian,    ///< of an element at its centre, where stress is integrated: not positive
  volume,      ///< of an element, where hourglass modes are found: not positive
  new_volume,  ///< after nodes have moved: not positive
  viscosity,   ///< too large
  none,
};

/// The first check that failed, at the first element of those that failed it.
struct Fault {
  Check check = Check::none;
  std::uint64_t element = 0;

  friend auto operator<=>(const Fault&, const Fault&) = default;
};

}  // namespace thalweg::lulesh

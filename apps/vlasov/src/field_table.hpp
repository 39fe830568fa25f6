// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <thalweg/flow/transport.hpp>

#include "state.hpp"

namespace thalweg::vlasov {

/// Write rho, E and phi of all points along x as CSV: a header line with units, then a line a
/// point. Reals read back to the same bits, which are the same for any ranks and owners.
/// Collective.
///
/// phi' = -E is added up as E' = rho - n is, to sixth order; the mean of phi is 0.
/// @return on rank 0; "" on others
std::string field_table(const State& state, flow::Transport& transport);

}  // namespace thalweg::vlasov

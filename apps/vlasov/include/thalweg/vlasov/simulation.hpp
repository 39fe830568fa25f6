// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/statistics.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/vlasov/settings.hpp>

namespace thalweg::vlasov {

/// The name of the distribution in plotfiles.
inline constexpr const char* component_name = "f";

/// Make a simulation that begins with the initial state, or goes on from a checkpoint. Collective.
///
/// Its graph of a step is captured once, and replayed.
/// @param from  null: from the start
/// @errors throws Error where the checkpoint is of another mesh; a Failure names what cannot be
/// read, or what is not finite
Result<std::unique_ptr<app::AnySimulation>> make_simulation(const app::Context& context,
                                                            const Settings& settings,
                                                            const app::Checkpoint* from,
                                                            app::OnStep on_step);
/// The same at the start with the graph of its step, without memory for f: to be looked at. What
/// advances is its clock alone.
std::unique_ptr<app::AnySimulation> simulation_without_points(const app::Context& context,
                                                              const Settings& settings);

}  // namespace thalweg::vlasov

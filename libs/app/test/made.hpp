// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <thalweg/app/simulation.hpp>

namespace thalweg::app::testing {

namespace detail {

template <class Scheme>
std::unique_ptr<Simulation<Scheme>> made(Result<std::unique_ptr<Simulation<Scheme>>> simulation) {
  if (!simulation) throw std::runtime_error(simulation.error().message);
  return *std::move(simulation);
}

}  // namespace detail

/// A simulation of which a test expects that it can be made.
/// @errors throws Error as Simulation::make, std::runtime_error with its Failure
template <class Scheme>
std::unique_ptr<Simulation<Scheme>> made(const Context& context, Problem<Scheme> problem,
                                         const Settings<Scheme::dim>& settings,
                                         OnStep on_step = {}) {
  return detail::made<Scheme>(
      Simulation<Scheme>::make(context, std::move(problem), settings, nullptr, std::move(on_step)));
}

/// The same, going on from a checkpoint.
template <class Scheme>
std::unique_ptr<Simulation<Scheme>> made(const Context& context, Problem<Scheme> problem,
                                         const Settings<Scheme::dim>& settings,
                                         const Checkpoint& from, OnStep on_step = {}) {
  return detail::made<Scheme>(
      Simulation<Scheme>::make(context, std::move(problem), settings, &from, std::move(on_step)));
}

}  // namespace thalweg::app::testing

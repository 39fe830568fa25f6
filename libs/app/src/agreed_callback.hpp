// SPDX-License-Identifier: MIT
#pragma once
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/callback.hpp>
#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>

namespace thalweg::app {

inline std::string words_of_callback(const AnySimulation& s, std::string_view what) {
  return fmt::format("callback after step {}: {}", s.time_state().step, what);
}

/// Make a callback whose failure on one rank is one on all. What it throws aborts all ranks: also
/// an Error, which is no bad request any more where steps have been made, nor known to other ranks.
inline Callback agreed_on(Callback own) {
  if (!own.call)
    throw Error("a callback has no function (there is nothing to call); set Callback::call");
  if (const auto& [steps, time] = own.every; steps < 0 || !(time >= 0))
    throw Error(
        fmt::format("Callback::every has steps = {} and time = {} (below 0, it is never due); give "
                    "what is above 0, or 0 for none",
                    steps, time));
  own.call = [call = std::move(own.call)](AnySimulation& s, const Context& context) {
    try {
      auto done = check_on_all_ranks(context.transport, call(s, context));
      if (!done) done.error().message = words_of_callback(s, done.error().message);
      return done;
    } catch (const RankError&) {
      throw;
    } catch (const std::exception& error) {
      throw std::runtime_error(words_of_callback(s, thalweg::words_of(error)));
    }
  };
  return own;
}

}  // namespace thalweg::app

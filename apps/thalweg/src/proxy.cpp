// SPDX-License-Identifier: MIT
#include "proxy.hpp"

namespace thalweg {

app::Context context_of(app::Runtime& runtime, const app::Execution& execution, Logger& log) {
  const auto world = runtime.context(execution);
  return {world.transport, world.clock,    world.files,       log,
          world.execution, world.requests, world.memory_bytes};
}

}  // namespace thalweg

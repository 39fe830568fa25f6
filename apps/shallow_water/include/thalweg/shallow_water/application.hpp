// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/application.hpp>

namespace thalweg::shallow_water {

/// Shallow water as `thalweg run` runs it: application.name = "shallow_water".
app::Application application();

}  // namespace thalweg::shallow_water

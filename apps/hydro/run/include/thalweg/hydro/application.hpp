// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/application.hpp>

namespace thalweg::hydro {

/// Gas dynamics as `thalweg run` runs it: application.name = "hydro".
app::Application application();

}  // namespace thalweg::hydro

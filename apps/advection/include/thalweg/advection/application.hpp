// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/application.hpp>

namespace thalweg::advection {

/// Advection and diffusion as `thalweg run` runs it: application.name = "advection".
app::Application application();

}  // namespace thalweg::advection

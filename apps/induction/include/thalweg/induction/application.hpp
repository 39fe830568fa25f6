// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/application.hpp>

namespace thalweg::induction {

/// The induction equation as `thalweg run` runs it: application.name = "induction".
app::Application application();

}  // namespace thalweg::induction

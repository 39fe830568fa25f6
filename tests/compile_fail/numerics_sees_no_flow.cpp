// SPDX-License-Identifier: MIT
// Numerics are point functions and loops: no tasks.
#ifndef THALWEG_RIGHT
#include <thalweg/flow/recorder.hpp>
#endif
#include <thalweg/core/view.hpp>

// SPDX-License-Identifier: MIT
// Plans are values: no tasks.
#ifndef THALWEG_RIGHT
#include <thalweg/flow/recorder.hpp>
#endif
#include <thalweg/exchange/plan/transfers.hpp>

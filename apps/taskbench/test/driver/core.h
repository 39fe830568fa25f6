// SPDX-License-Identifier: MIT
#pragma once
// In the place of Task Bench's header of this name, which also has its App in no namespace.
#include <thalweg/taskbench/app.hpp>

using thalweg::taskbench::App;

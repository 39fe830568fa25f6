// SPDX-License-Identifier: MIT
#pragma once
#include <nanobind/nanobind.h>

namespace thalweg::python {

namespace nb = nanobind;

// What the module consists of, a file each.
void bind_run(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_proxies(nb::module_& module);

}  // namespace thalweg::python

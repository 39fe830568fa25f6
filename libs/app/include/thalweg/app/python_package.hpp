// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>

namespace thalweg::app {

/// A Python that has the package thalweg.
struct PythonPackage {
  std::string python;  ///< program, as it is started
  std::string folder;  ///< of the package
};

/// Find the package: in the Python that the environment's THALWEG_PYTHON names, else in python3 on
/// the search path. Starts it.
/// @errors says why there is none, and how to install it
Result<PythonPackage> find_python_package();

/// Where what a command of the package prints goes: standard output, or standard error with the
/// rest, where something else writes to the first.
enum class PythonOutput { results, errors };

/// Do `python -m thalweg words...`, with this process's input and output; its exit code, 128 and
/// the signal where one has ended it.
/// @errors where it cannot be started
Result<int> run_python_package(const PythonPackage& package, const std::vector<std::string>& words,
                               PythonOutput output = PythonOutput::results);

}  // namespace thalweg::app

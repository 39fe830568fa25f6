// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::cholesky {

/// OpenBLAS, loaded while the program runs, so that it can be told first what it reads only then:
/// that each call runs on the thread that makes it, and which processor it is on
/// (docs/adr/0027-dense-kernels.md). Stays loaded as long as a copy lives.
class OpenBlas {
 public:
  /// Load the library, by default the one that the system has chosen. Sets OPENBLAS_NUM_THREADS,
  /// and OPENBLAS_CORETYPE where it is not set and the library would choose badly.
  /// @errors where it is not there or lacks a function
  /// @threads no other may read the environment meanwhile: call it when a program begins
  static Result<OpenBlas> load(const std::string& file = "libopenblas.so.0");

  /// A function by its name in Fortran, in lower case with a '_'. @errors Error where it is missing
  void* function(const std::string& name) const;
  /// Make sure that threads which have called nothing yet can do so: the library takes a work area
  /// for each, and asks again for ever where the system has no room. @errors where there is none
  static Result<void> check_room(unsigned n_threads);
  /// Version and kernels, in the library's words.
  std::string description() const;

 private:
  explicit OpenBlas(std::shared_ptr<void> library) : library_(std::move(library)) {}

  std::shared_ptr<void> library_;
};

}  // namespace thalweg::cholesky

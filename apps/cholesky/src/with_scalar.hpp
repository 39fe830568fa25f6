// SPDX-License-Identifier: MIT
#pragma once
#include <complex>

#include <thalweg/cholesky/options.hpp>

namespace thalweg::cholesky {

/// Call f.operator()<T>() with what a matrix of a precision consists of.
template <class F>
auto with_scalar(Precision precision, const F& f) {
  switch (precision) {
    case Precision::s:
      return f.template operator()<float>();
    case Precision::c:
      return f.template operator()<std::complex<float>>();
    case Precision::z:
      return f.template operator()<std::complex<double>>();
    case Precision::d:
      break;
  }
  return f.template operator()<double>();
}

}  // namespace thalweg::cholesky

// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>

namespace thalweg::vlasov {

/// The field of a whole periodic axis by fast Fourier transforms: each mode of rho - 1 over i k.
/// The mean is taken out, and the mode that has two points a wave, which has no derivative.
class FourierField {
 public:
  /// @param n       points; fastest where 2, 3 and 5 are their only factors
  /// @param length  of the axis [length]
  FourierField(int n, double length);
  ~FourierField();

  /// @param charge  [n] rho - 1
  /// @param field   [n] E
  /// @threads one at a time: there is scratch
  void solve(std::span<const double> charge, std::span<double> field);

 private:
  struct Transforms;
  double length_;
  std::unique_ptr<Transforms> transforms_;
};

}  // namespace thalweg::vlasov

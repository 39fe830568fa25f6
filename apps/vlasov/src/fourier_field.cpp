// SPDX-License-Identifier: MIT
#include "fourier_field.hpp"

#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

#include <kissfft/kissfft.hh>

#include <thalweg/core/contract.hpp>

namespace thalweg::vlasov {

struct FourierField::Transforms {
  explicit Transforms(std::size_t n) : forward(n, false), backward(n, true), values(n), modes(n) {}

  kissfft<double> forward, backward;
  std::vector<std::complex<double>> values, modes;
};

FourierField::FourierField(int n, double length)
    : length_(length), transforms_(std::make_unique<Transforms>(static_cast<std::size_t>(n))) {}

FourierField::~FourierField() = default;

void FourierField::solve(std::span<const double> charge, std::span<double> field) {
  auto& [forward, backward, values, modes] = *transforms_;
  const std::size_t n = values.size();
  THALWEG_EXPECT(charge.size() == n && field.size() == n, "a charge and a field for each point");
  for (std::size_t i = 0; i < n; ++i) values[i] = charge[i];
  forward.transform(values.data(), modes.data());
  modes[0] = 0;
  if (n % 2 == 0) modes[n / 2] = 0;
  // Of modes m and n - m, which are conjugate, the sum of the transform back is real.
  const double over_i_k = length_ / (2 * std::numbers::pi * static_cast<double>(n));
  for (std::size_t m = 1; 2 * m < n; ++m) {
    const std::complex<double> factor(0, -over_i_k / static_cast<double>(m));
    modes[m] *= factor;
    modes[n - m] *= std::conj(factor);
  }
  backward.transform(modes.data(), values.data());
  for (std::size_t i = 0; i < n; ++i) field[i] = values[i].real();
}

}  // namespace thalweg::vlasov

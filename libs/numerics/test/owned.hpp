// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <vector>

#include <thalweg/core/view.hpp>

namespace thalweg::numerics::test {

/// A view that owns its numbers; NaN until set, so that a read of an unset cell shows.
template <int D>
class Owned {
 public:
  Owned(const Box<D>& box, int n_components)
      : numbers_(View<double, D>::size_of(box, n_components),
                 std::numeric_limits<double>::quiet_NaN()),
        view_(numbers_.data(), box, n_components) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  /// Set component c of every cell i to f(c, i).
  template <class F>
  Owned& fill(F f) {
    for (int c = 0; c < view_.n_components(); ++c)
      for_each(view_.box(), [&](const Index<D>& i) { view_[c, i] = f(c, i); });
    return *this;
  }
  const View<double, D>& operator()() const { return view_; }
  double operator[](int c, const Index<D>& i) const { return view_[c, i]; }

 private:
  std::vector<double> numbers_;
  View<double, D> view_;
};

}  // namespace thalweg::numerics::test

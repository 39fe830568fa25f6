// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

#include <thalweg/core/contract.hpp>

namespace thalweg::vlasov {

/// Points of phase space, periodic along both axes: x_i = i dx, 0 <= i < nx, and
/// v_j = -v_max + j dv, 0 <= j < nv.
struct Grid {
  int nx = 0, nv = 0;
  double length = 0;  ///< of the box [length]
  double v_max = 0;   ///< [velocity]

  double dx() const { return length / nx; }
  double dv() const { return 2 * v_max / nv; }
  double x(int i) const { return i * dx(); }
  double v(int j) const { return -v_max + j * dv(); }
};

/// How a periodic axis of n points is cut into parts of equal length, but for the last, which may
/// be shorter.
class Cuts {
 public:
  Cuts(int n, int part) : n_(n), part_(std::min(part, n)) {
    THALWEG_EXPECT(n > 0 && part > 0, "an axis has points, and a part too");
  }

  int n_points() const { return n_; }
  int n_parts() const { return (n_ - 1) / part_ + 1; }
  int part_of(int i) const { return i / part_; }
  int begin(int part) const { return part * part_; }
  int end(int part) const { return std::min(n_, (part + 1) * part_); }
  int size(int part) const { return end(part) - begin(part); }
  /// That of all parts but perhaps the last.
  int longest() const { return part_; }

 private:
  int n_, part_;
};

/// Some points of a part, in a list of points.
struct Piece {
  int part = 0;
  int from = 0;  ///< the first of them, in the part
  int to = 0;    ///< where it is in the list
  int n = 0;

  bool operator==(const Piece&) const = default;
};

/// Where the points [first, last) of a periodic axis are, in order: they may lie outside of
/// [0, n), and be more than n.
inline std::vector<Piece> pieces(const Cuts& cuts, int first, int last) {
  std::vector<Piece> all;
  const int n = cuts.n_points();
  for (int i = first; i < last;) {
    const int wrapped = (i % n + n) % n;
    const int part = cuts.part_of(wrapped);
    const int length = std::min(last - i, cuts.end(part) - wrapped);
    all.push_back({part, wrapped - cuts.begin(part), i - first, length});
    i += length;
  }
  return all;
}

}  // namespace thalweg::vlasov

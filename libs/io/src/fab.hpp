// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include <thalweg/core/box.hpp>
#include <thalweg/io/plotfile.hpp>

namespace thalweg::io::detail {

/// Write a box as AMReX does: ((lo) (hi) (0,..)), hi inclusive; unused axes are left out.
std::string box_text(const Box<3>& box, int dimension);

/// Write the line that begins a record, whose numbers are in little-endian order.
std::string fab_header(const Box<3>& box, int dimension, const RecordFormat& format);

/// Bytes of a record behind that line.
std::size_t fab_bytes(const Box<3>& box, const RecordFormat& format);

/// Give a box of fewer dimensions one layer of cells along the others.
template <int D>
Box<3> padded(const Box<D>& box) {
  Box<3> all{{}, {{1, 1, 1}}};
  for (int a = 0; a < D; ++a) {
    all.lo[a] = box.lo[a];
    all.hi[a] = box.hi[a];
  }
  return all;
}

}  // namespace thalweg::io::detail

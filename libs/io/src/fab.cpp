// SPDX-License-Identifier: MIT
#include "fab.hpp"

#include <bit>

#include <fmt/format.h>

namespace thalweg::io::detail {

static_assert(std::endian::native == std::endian::little,
              "records are written as they lie in memory");

namespace {
std::string index_text(const Index<3>& i, int dimension) {
  std::string text = "(";
  for (int a = 0; a < dimension; ++a) text += fmt::format("{}{}", a == 0 ? "" : ",", i[a]);
  return text + ")";
}
}  // namespace

std::string box_text(const Box<3>& box, int dimension) {
  return fmt::format("({} {} {})", index_text(box.lo, dimension),
                     index_text(box.hi - Index<3>::filled(1), dimension),
                     index_text({}, dimension));
}

std::string fab_header(const Box<3>& box, int dimension, int n_components) {
  // Bits, exponent and mantissa of an IEEE double, then the order of its bytes.
  return fmt::format("FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1))){} {}\n",
                     box_text(box, dimension), n_components);
}

}  // namespace thalweg::io::detail

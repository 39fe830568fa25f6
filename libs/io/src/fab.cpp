// SPDX-License-Identifier: MIT
#include "fab.hpp"

#include <bit>
#include <cstddef>
#include <string>

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

std::string fab_header(const Box<3>& box, int dimension, const RecordFormat& format) {
  // Bits, exponent and mantissa of an IEEE number, then the order of its bytes.
  const char* const numbers = format.numbers == NumberType::float64
                                  ? "((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))"
                                  : "((8, (32 8 23 0 1 9 0 127)),(4, (4 3 2 1)))";
  return fmt::format("FAB {}{} {}\n", numbers, box_text(box, dimension), format.n_variables);
}

std::size_t fab_bytes(const Box<3>& box, const RecordFormat& format) {
  return static_cast<std::size_t>(box.n_cells()) * static_cast<std::size_t>(format.n_variables) *
         bytes_of(format.numbers);
}

}  // namespace thalweg::io::detail

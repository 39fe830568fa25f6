// SPDX-License-Identifier: MIT
#include <thalweg/mesh/ratios.hpp>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>

namespace thalweg::mesh {

std::vector<std::int64_t> Ratios::given() const {
  std::vector<std::int64_t> numbers;
  for (int l = 0; l < count_; ++l) numbers.push_back(of(l));
  return numbers;
}

std::string Ratios::text() const {
  return joined_text(given(), " ");
}

void Ratios::refuse(std::int64_t ratio) {
  throw Error(fmt::format("mesh.ratio = {} (the refinement ratio is 2 or 4); try 2", ratio));
}

void Ratios::refuse_count(std::size_t n) {
  throw Error(fmt::format(
      "mesh.ratio has {} numbers (one for all levels, or one for each but the finest, and "
      "there are {} at most); give one",
      n, max_count));
}

}  // namespace thalweg::mesh

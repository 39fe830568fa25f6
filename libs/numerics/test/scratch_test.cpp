// SPDX-License-Identifier: MIT
#include <thalweg/numerics/scratch.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::numerics {
namespace {

TEST(Scratch, counts_what_its_pieces_take_at_any_alignment) {
  Scratch counting;
  counting.take(3);
  counting.take(Box<2>::cube(3), 2);

  for (std::size_t shift = 0; shift < 64; shift += 8) {
    std::vector<std::byte> bytes(counting.n_bytes() + shift);
    Scratch scratch(std::span<std::byte>(bytes).subspan(shift));
    double* const first = scratch.take(3);
    const View<double, 2> second = scratch.take(Box<2>::cube(3), 2);

    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % Scratch::alignment, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.data()) % Scratch::alignment, 0u);
    EXPECT_GE(second.data(), first + 3);
    EXPECT_LE(reinterpret_cast<std::byte*>(second.data() + 18), bytes.data() + bytes.size());
  }
}

TEST(Scratch, gives_no_more_than_it_has) {
  std::vector<std::byte> bytes(256);
  Scratch scratch(bytes);
  scratch.take(8);
#ifdef THALWEG_CONTRACTS
  EXPECT_THROW(scratch.take(64), ContractViolation);
#endif
}

}  // namespace
}  // namespace thalweg::numerics

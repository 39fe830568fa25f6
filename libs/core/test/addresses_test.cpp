// SPDX-License-Identifier: MIT
#include <thalweg/core/addresses.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Addresses, are_those_of_arrays_that_do_not_overlap) {
  Addresses addresses;
  constexpr std::size_t n = std::size_t{400} << 17;  // three arrays of 400 MiB take two slabs
  const auto a = addresses.take<double>(n), b = addresses.take<double>(n),
             c = addresses.take<double>(n), d = addresses.take<double>(1);

  for (const auto& [first, other] : {std::pair(a, b), {a, c}, {b, c}, {c, d}})
    EXPECT_TRUE(first.get() + n <= other.get() || other.get() + n <= first.get());
  for (const auto* array : {a.get(), b.get(), c.get(), d.get()})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array) % 64, 0u);
}

TEST(AddressesDeathTest, have_no_memory_behind_them) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto array = Addresses().take<int>(3);
  volatile const int* const first = array.get();
  EXPECT_DEATH(static_cast<void>(*first), "");
}

}  // namespace
}  // namespace thalweg

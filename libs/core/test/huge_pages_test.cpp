// SPDX-License-Identifier: MIT
#include <thalweg/core/huge_pages.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <system_error>
#include <utility>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

TEST(LargeVector, is_a_vector_of_any_size) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{3}, huge_page_bytes / 8 - 1,
                              huge_page_bytes / 8, huge_page_bytes / 2 + 1}) {
    LargeVector<double> values(n);
    std::iota(values.begin(), values.end(), 0.0);
    LargeVector<double> more = values;
    more.resize(n + 5, -1.0);
    EXPECT_TRUE(std::equal(values.begin(), values.end(), more.begin()));
    EXPECT_EQ(more.back(), -1.0);
    const double* before = more.data();
    const LargeVector<double> moved = std::move(more);
    EXPECT_EQ(moved.data(), before);
  }
}

/// Whether the system was asked for huge pages at an address: the flag hg of its mapping.
bool is_advised(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) is_here = begin <= at && at < end;
    if (is_here && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
  }
  return false;
}

/// Whether memory lies in one mapping of the system.
bool is_one_mapping(const void* memory, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) != 2 || first < begin || first >= end)
      continue;
    return first + bytes <= end;
  }
  return false;
}

TEST(LargeVector, asks_for_huge_pages_where_it_fills_one) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
    GTEST_SKIP() << "the system has no huge pages";
  const LargeVector<char> large(huge_page_bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % huge_page_bytes, 0U);
  EXPECT_TRUE(is_advised(large.data()));
  const LargeVector<char> small(1000);
  EXPECT_FALSE(is_advised(small.data()));
}

TEST(MemoryThatGrows, keeps_what_is_in_it_from_small_to_many_pages) {
  std::size_t n = 0;
  std::uint32_t* values = nullptr;
  for (const std::size_t more : {std::size_t{10}, std::size_t{1000}, huge_page_bytes / 8 + 1,
                                 huge_page_bytes / 2, huge_page_bytes, 3 * huge_page_bytes + 7}) {
    values = static_cast<std::uint32_t*>(grow_in_huge_pages(values, 4 * n, 4 * more));
    std::iota(values + n, values + more, static_cast<std::uint32_t>(n));
    n = more;
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(values[i], i) << n;
    // Linux before 6.17 moves no more than one mapping.
    EXPECT_TRUE(is_one_mapping(values, 4 * n) || 4 * n < huge_page_bytes) << n;
    EXPECT_TRUE(reinterpret_cast<std::uintptr_t>(values) % huge_page_bytes == 0 ||
                4 * n < huge_page_bytes)
        << n;
  }
  const bool has_some = std::filesystem::exists("/sys/kernel/mm/transparent_hugepage");
  EXPECT_TRUE(is_advised(values) || !has_some);
  free_grown(values, 4 * n);
}

TEST(MemoryThatGrows, says_why_the_system_refuses_for_another_reason_than_memory) {
  const std::size_t n_bytes = huge_page_bytes;
  auto* memory = static_cast<std::byte*>(grow_in_huge_pages(nullptr, 0, n_bytes));
  try {
    grow_in_huge_pages(memory + 1, n_bytes, 2 * n_bytes);  // within a page, which nothing moves
    ADD_FAILURE() << "it was moved";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::invalid_argument);
  }
  free_grown(memory, n_bytes);
}

}  // namespace
}  // namespace thalweg

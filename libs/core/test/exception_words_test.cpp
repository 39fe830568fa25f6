// SPDX-License-Identifier: MIT
#include <thalweg/core/exception_words.hpp>

#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(WordsOf, say_what_is_lacking_and_what_to_do) {
  const auto memory = words_of(std::bad_alloc());
  EXPECT_TRUE(has(memory, "no memory left") && has(memory, "a smaller problem")) << memory;
  const auto thread = words_of(std::system_error(EAGAIN, std::generic_category()));
  EXPECT_TRUE(has(thread, "thread") && has(thread, "temporarily") && has(thread, "ulimit -a"))
      << thread;
}

TEST(WordsOf, say_that_a_disk_is_full) {
  const auto disk = words_of(std::system_error(ENOSPC, std::generic_category()));
  EXPECT_TRUE(has(disk, "could not be written") && !has(disk, "thread")) << disk;
}

TEST(WordsOf, leave_what_speaks_for_itself) {
  EXPECT_EQ(words_of(std::runtime_error("the disk is full")), "the disk is full");
}

}  // namespace
}  // namespace thalweg

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <thalweg/core/logger.hpp>
#include <thread>
#include <vector>

namespace thalweg {
namespace {

/// A file that is gone when closed.
class LoggerTest : public testing::Test {
 protected:
  std::string written() const {
    std::rewind(file_.get());
    std::string text(1 << 16, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file_.get()));
    return text;
  }
  std::FILE* sink() const { return file_.get(); }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), std::fclose};
};

TEST_F(LoggerTest, world_is_written_by_rank_zero_only) {
  Logger(sink(), Rank{0}).world(LogLevel::info, "hello");
  Logger(sink(), Rank{1}).world(LogLevel::info, "not me");

  EXPECT_EQ(written(), "hello\n");
}

TEST_F(LoggerTest, rank_is_written_by_every_rank_with_its_number) {
  Logger(sink(), Rank{0}).rank(LogLevel::info, "here");
  Logger(sink(), Rank{3}).rank(LogLevel::warn, "odd");

  EXPECT_EQ(written(), "[r0] here\n[r3] warning: odd\n");
}

TEST_F(LoggerTest, threshold_hides_lower_levels) {
  Logger log(sink(), Rank{0}, LogLevel::warn);
  log.world(LogLevel::debug, "a");
  log.world(LogLevel::info, "b");
  log.world(LogLevel::warn, "c");
  log.world(LogLevel::error, "d");

  EXPECT_EQ(written(), "warning: c\nerror: d\n");
}

TEST_F(LoggerTest, no_sink_drops_lines) {
  Logger log(nullptr, Rank{0});

  EXPECT_NO_THROW(log.world(LogLevel::error, "nobody reads this"));
}

TEST_F(LoggerTest, lines_of_several_threads_stay_whole) {
  Logger log(sink(), Rank{0});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&log, t] {
      for (int i = 0; i < 50; ++i)
        log.world(LogLevel::info, std::string(40, static_cast<char>('a' + t)));
    });
  for (std::thread& thread : threads) thread.join();

  const std::string text = written();
  EXPECT_EQ(std::ranges::count(text, '\n'), 200);
  for (std::size_t start = 0; start < text.size(); start += 41)
    EXPECT_EQ(text.substr(start, 41), std::string(40, text[start]) + "\n");
}

}  // namespace
}  // namespace thalweg

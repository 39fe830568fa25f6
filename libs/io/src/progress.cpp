// SPDX-License-Identifier: MIT
#include <thalweg/io/progress.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

namespace thalweg::io {

namespace {

constexpr int block_digits = 6;  // of one level's count, with the blank after it

int blocks_width(int n_levels) {
  return std::max(block_digits * n_levels, 12);
}

/// A number of four significant digits and a decimal prefix: "12.34 M".
std::string scaled(double value, double base, std::array<const char*, 5> prefixes) {
  std::size_t i = 0;
  while (i + 1 < prefixes.size() && std::abs(value) >= 999.95) {
    value /= base;
    ++i;
  }
  return fmt::format("{:.1f} {}", value, prefixes[i]);
}

std::string duration(std::optional<double> seconds) {
  if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > 99 * 86400.0) return "-";
  const auto s = static_cast<std::int64_t>(std::llround(*seconds));
  if (s >= 86400) return fmt::format("{}d{:02}h", s / 86400, s % 86400 / 3600);
  if (s >= 3600) return fmt::format("{}h{:02}m", s / 3600, s % 3600 / 60);
  return fmt::format("{}m{:02}s", s / 60, s % 60);
}

}  // namespace

std::string progress_header(int n_levels) {
  return fmt::format("{:>8}  {:>11}  {:>10}  {:>{}}  {:>11}  {:>6}  {:>10}  {:>9}", "step", "time",
                     "dt", "blocks/level", blocks_width(n_levels), "zones/s", "eff.%", "memory",
                     "time left");
}

std::string progress_line(const Progress& progress, int n_levels) {
  std::string blocks;
  for (const std::int64_t n : progress.blocks_per_level)
    blocks += fmt::format("{}{}", blocks.empty() ? "" : " ", n);
  const std::string efficiency = progress.parallel_efficiency
                                     ? fmt::format("{:.1f}", 100 * *progress.parallel_efficiency)
                                     : "-";
  return fmt::format(
      "{:>8}  {:>11.5e}  {:>10.3e}  {:>{}}  {:>11}  {:>6}  {:>10}  {:>9}", progress.step,
      progress.time, progress.dt, blocks, blocks_width(n_levels),
      scaled(progress.zone_updates_per_s, 1000, {"", "k", "M", "G", "T"}), efficiency,
      scaled(static_cast<double>(progress.memory_bytes), 1024, {"B", "KiB", "MiB", "GiB", "TiB"}),
      duration(progress.remaining_s));
}

std::size_t terminal_columns(int file) {
  constexpr std::size_t usual = 80;
  winsize size{};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

std::string progress_bar(const Progress& progress, double part, std::size_t n_columns) {
  constexpr int width = 24;
  const double done = part > 0 ? std::min(part, 1.0) : 0;  // what is not a number is 0
  const auto n_full = static_cast<std::size_t>(std::floor(width * done));
  std::string bar(n_full, '=');
  if (n_full < width) bar += '>';
  const std::int64_t n_blocks = std::reduce(progress.blocks_per_level.begin(),
                                            progress.blocks_per_level.end(), std::int64_t{0});
  const std::string left = duration(progress.remaining_s);
  return fmt::format("[{:<{}}] {:>3.0f} %  {} left  step {}, t = {:.3g}, {} blocks", bar, width,
                     std::floor(100 * done), left, progress.step, progress.time, n_blocks)
      .substr(0, n_columns - 1);
}

std::uint64_t resident_bytes() {
  // Asked for in every step: no stream, which would allocate.
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 128> text{};
  const auto n_read = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  if (n_read <= 0) return 0;
  char* after_total = nullptr;
  std::strtoull(text.data(), &after_total, 10);
  const std::uint64_t resident_pages = std::strtoull(after_total, nullptr, 10);
  return resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace thalweg::io

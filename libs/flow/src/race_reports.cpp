// SPDX-License-Identifier: MIT
#include "race_reports.hpp"

#include <algorithm>

#include "tsan.hpp"

namespace thalweg::flow {
namespace {

constexpr std::uintptr_t first_mark = std::uintptr_t{1} << 36, mark_stride = 16;

/// ThreadSanitizer calls back without saying for whom, in the middle of a task: hence the global,
/// and nothing that allocates or that the sanitizer follows.
struct Pending {
  std::uintptr_t next_mark = first_mark;
  RaceReport reports[256];
  std::size_t n = 0;
};
Pending pending;

[[gnu::no_sanitize_thread]] RacingAccess read_access(void* report, unsigned long index) {
  constexpr unsigned long n_frames = 128;
  int thread = 0, n_bytes = 0, is_write = 0, is_atomic = 0;
  void* address = nullptr;
  void* trace[n_frames] = {};
  __tsan_get_report_mop(report, index, &thread, &address, &n_bytes, &is_write, &is_atomic, trace,
                        n_frames);
  RacingAccess access;
  access.n_bytes = n_bytes;
  access.writes = is_write != 0;
  for (unsigned long i = 0; i < n_frames && trace[i] != nullptr; ++i) {
    const auto at = reinterpret_cast<std::uintptr_t>(trace[i]);
    if (at >= first_mark && at < pending.next_mark) access.mark = at;
  }
  return access;
}

}  // namespace

std::uintptr_t new_mark() {
  const std::uintptr_t mark = pending.next_mark;
  pending.next_mark += mark_stride;
  return mark;
}

[[gnu::no_sanitize_thread]] std::vector<RaceReport> take_race_reports() {
  std::vector<RaceReport> taken(pending.reports, pending.reports + pending.n);
  pending.n = 0;
  return taken;
}

}  // namespace thalweg::flow

/// ThreadSanitizer's run-time calls this after it has printed a report. Here also where this file
/// is compiled without the sanitizer: a program that is built with it may link the installed
/// library, and what its tasks do is checked.
extern "C" [[gnu::no_sanitize_thread]] void __tsan_on_report(void* report) {
  using thalweg::flow::pending;
  const char* description = nullptr;
  int n[7] = {};
  void* sleep_trace[1] = {};
  __tsan_get_report_data(report, &description, &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6],
                         sleep_trace, 1);
  const int n_accesses = n[2];
  if (n_accesses < 2 || pending.n == std::size(pending.reports)) return;
  auto& slot = pending.reports[pending.n];
  slot.accesses[0] = thalweg::flow::read_access(report, 0);
  slot.accesses[1] = thalweg::flow::read_access(report, 1);
  ++pending.n;
}

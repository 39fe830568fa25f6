// SPDX-License-Identifier: MIT
// How ThreadSanitizer is set for these tests: it remembers as much as it can of what tasks did.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
  return "history_size=7:suppress_equal_addresses=0";
}

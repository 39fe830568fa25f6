// SPDX-License-Identifier: MIT
#pragma once
// What ThreadSanitizer's run-time offers to programs. All of it is weak: a program that is built
// without the sanitizer finds null pointers here, and must not call them.

// Names and types are the run-time's.
extern "C" {
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_set_fiber_name(void* fiber, const char* name);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __tsan_func_entry(void* pc);
[[gnu::weak]] void __tsan_func_exit(void*);
[[gnu::weak]] void __tsan_read_range(void* address, long n_bytes);
[[gnu::weak]] void __tsan_write_range(void* address, long n_bytes);
[[gnu::weak]] int __tsan_get_report_data(void* report, const char** description, int* count,
                                         int* n_stacks, int* n_accesses, int* n_locations,
                                         int* n_mutexes, int* n_threads, int* n_unique_threads,
                                         void** sleep_trace, unsigned long n_sleep_trace);
[[gnu::weak]] int __tsan_get_report_mop(void* report, unsigned long index, int* thread,
                                        void** address, int* size, int* is_write, int* is_atomic,
                                        void** trace, unsigned long n_trace);
[[gnu::weak]] void AnnotateIgnoreReadsBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreReadsEnd(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreSyncBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreSyncEnd(const char* file, int line);
}

namespace thalweg::flow::tsan {

/// For __tsan_switch_to_fiber: what runs next does not come after what ran before.
inline constexpr unsigned no_sync = 1;

/// Whether the program was built with ThreadSanitizer.
inline bool is_there() {
  return __tsan_create_fiber != nullptr;
}

}  // namespace thalweg::flow::tsan

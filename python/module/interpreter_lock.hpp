// SPDX-License-Identifier: MIT
#pragma once
#include <Python.h>

#include <cxxabi.h>
#include <chrono>
#include <thread>

namespace thalweg::python {

/// Do what may wait for the interpreter's lock, as all Python code may. Where the program ends
/// meanwhile, the thread stays here until the process is gone: Python up to 3.13 ends each thread
/// that asks for the lock then by pthread_exit, as if an exception passed through all its
/// functions, which would need the lock to clean up. Later ones keep such a thread themselves.
template <class F>
auto unless_python_ends(F f) {
  try {
    return f();
  } catch (const abi::__forced_unwind&) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

/// The interpreter's lock, in a scope, in any thread. Those of nanobind end the program where it
/// ends beside a thread that waits for the lock.
class WithLock {
 public:
  WithLock() : before_(unless_python_ends([] { return PyGILState_Ensure(); })) {}
  WithLock(const WithLock&) = delete;
  WithLock& operator=(const WithLock&) = delete;
  ~WithLock() { PyGILState_Release(before_); }

 private:
  PyGILState_STATE before_;
};

/// A scope without the lock, in a thread that has it.
class WithoutLock {
 public:
  WithoutLock() : thread_(PyEval_SaveThread()) {}
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;
  ~WithoutLock() {
    unless_python_ends([this] { PyEval_RestoreThread(thread_); });
  }

 private:
  PyThreadState* thread_;
};

}  // namespace thalweg::python

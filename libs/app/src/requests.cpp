// SPDX-License-Identifier: MIT
#include <thalweg/app/requests.hpp>

#include <signal.h>

#include <atomic>

namespace thalweg::app {

namespace {

// The one exception to having no globals: a handler is given nothing but a number, so what it may
// set must lie where it finds it. Handlers set these and nothing else does anything in them.
std::atomic<bool> checkpoint_asked{false};
std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may not take a lock");

extern "C" void note_signal(int signal) {
  (signal == SIGTERM ? stop_asked : checkpoint_asked).store(true, std::memory_order_relaxed);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // reads and writes under way go on
  sigaction(signal, &action, nullptr);
}

}  // namespace

SignalRequests::SignalRequests() {
  handle(SIGTERM, note_signal);
  handle(SIGUSR2, note_signal);
}

SignalRequests::~SignalRequests() {
  handle(SIGTERM, SIG_DFL);
  handle(SIGUSR2, SIG_DFL);
}

Request SignalRequests::take() {
  return {checkpoint_asked.exchange(false, std::memory_order_relaxed),
          stop_asked.exchange(false, std::memory_order_relaxed)};
}

}  // namespace thalweg::app

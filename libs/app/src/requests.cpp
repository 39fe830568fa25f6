// SPDX-License-Identifier: MIT
#include <thalweg/app/requests.hpp>

#include <atomic>

namespace thalweg::app {

namespace {

// The one exception to having no globals: a handler is given nothing but a number, so what it may
// set must lie where it finds it. Handlers set these and nothing else does anything in them.
std::atomic<bool> checkpoint_asked{false};
std::atomic<bool> stop_asked{false};
std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may not take a lock");

extern "C" {

static void note_checkpoint(int) {
  checkpoint_asked.store(true, std::memory_order_relaxed);
}

static void note_stop(int) {
  stop_asked.store(true, std::memory_order_relaxed);
}

static void note_interrupt(int signal) {
  note_stop(signal);
  if (!is_interrupted.exchange(true, std::memory_order_relaxed)) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // as soon as the handler has returned
}

}  // extern "C"

}  // namespace

void take_early_requests() {
  if (::signal(SIGUSR2, note_checkpoint) == SIG_IGN) ::signal(SIGUSR2, SIG_IGN);
}

SignalRequests::SignalRequests()
    : handled_{{{SIGUSR2, note_checkpoint},
                {SIGTERM, note_stop},
                {SIGHUP, note_stop},
                {SIGUSR1, note_stop},
                {SIGXCPU, note_stop},
                {SIGINT, note_interrupt},
                {SIGPIPE, SIG_IGN}}} {
  is_interrupted.store(false, std::memory_order_relaxed);
  for (auto& [signal, handler, before] : handled_) {
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // reads and writes under way go on
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

SignalRequests::~SignalRequests() {
  for (const auto& [signal, handler, before] : handled_) sigaction(signal, &before, nullptr);
}

Request SignalRequests::take() {
  return {checkpoint_asked.exchange(false, std::memory_order_relaxed),
          stop_asked.exchange(false, std::memory_order_relaxed)};
}

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include <thalweg/flow/task.hpp>

namespace thalweg::flow {

namespace detail {

/// One run of a task that is a coroutine: its memory, which the next run uses again, its own
/// context, which stays where it is while the task is suspended, and what it waits for.
/// @threads one at a time: the worker that runs it, then whoever holds the transport
class TaskFrame {
 public:
  TaskFrame() = default;
  ~TaskFrame() { destroy(); }
  TaskFrame(const TaskFrame&) = delete;
  TaskFrame& operator=(const TaskFrame&) = delete;

  /// Run the coroutine that start(context) makes up to where it first waits, or to its end.
  /// @errors what it throws
  template <class F>
  void begin(TaskContext& context, F start) {
    destroy();  // a run that failed may have left one in the middle
    context_ = context;
    context_.frame_ = this;
    error_ = nullptr;
    handle_ = start(context_).handle;
    go_on_or_end(context);
  }
  /// Go on where it waited. @param context of the worker that does @errors what it throws
  void resume(TaskContext& context) {
    context_.worker_ = context.worker_;
    context_.scratch_ = context.scratch_;
    context_.pending_ = context.pending_;
    handle_.resume();
    go_on_or_end(context);
  }
  const Awaited& awaited() const { return awaited_; }

  // For the promise.
  void* allocate(std::size_t n_bytes) {
    if (n_bytes > n_bytes_) {
      memory_ = std::make_unique<std::byte[]>(n_bytes);
      n_bytes_ = n_bytes;
    }
    return memory_.get();
  }
  void wait_for(const Awaited& awaited) { awaited_ = awaited; }
  void fail(std::exception_ptr error) { error_ = std::move(error); }
  static TaskFrame& of(TaskContext& context) { return *context.frame_; }

 private:
  void go_on_or_end(TaskContext& context) {
    if (!handle_.done()) {
      if (context.pending_ == nullptr)
        throw Error("a task that is a coroutine cannot wait here (only an Executor lets it)");
      context.pending_->suspended = this;
      context.pending_->any = true;
      return;
    }
    destroy();
    context.stops_ = context_.stops_;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  void destroy() {
    if (handle_) std::exchange(handle_, nullptr).destroy();
  }

  TaskContext context_{0, 0, {}, false};
  std::coroutine_handle<> handle_;
  Awaited awaited_;
  std::exception_ptr error_;
  std::unique_ptr<std::byte[]> memory_;
  std::size_t n_bytes_ = 0;
};

}  // namespace detail

/// What the body of a task returns that waits in the middle without holding a worker.
///
/// The body is a coroutine and takes `TaskContext& context`. Where it says `co_await
/// context.recv(...)`, `send(...)` or `wait(request)`, its worker goes on with other tasks; the
/// body goes on, on the task's owner, when that is over. The task is over when the body is. Views,
/// which it takes by value, its captures and the context stay valid all the time; the scratch
/// memory does not keep what was in it. Its frame lives with the graph, so a steady replay
/// allocates none.
struct Coroutine {
  class promise_type;
  std::coroutine_handle<> handle;
};

class Coroutine::promise_type {
 public:
  /// Called with what the body was called with.
  template <class... Args>
  explicit promise_type(Args&... args) : frame_(detail::TaskFrame::of(context_among(args...))) {}
  template <class... Args>
  static void* operator new(std::size_t n_bytes, Args&... args) {
    return detail::TaskFrame::of(context_among(args...)).allocate(n_bytes);
  }
  /// The frame keeps the memory. Inlined also where nothing else is: g++ 12 does not see that it
  /// belongs to the template above, and warns of a mismatch in users' sources.
  [[gnu::always_inline]] static void operator delete(void* /*memory*/, std::size_t /*n_bytes*/) {}

  Coroutine get_return_object() {
    return {std::coroutine_handle<promise_type>::from_promise(*this)};
  }
  std::suspend_never initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { frame_.fail(std::current_exception()); }
  std::suspend_always await_transform(const detail::Awaited& awaited) {
    frame_.wait_for(awaited);
    return {};
  }

 private:
  template <class... Rest>
  static TaskContext& context_among(TaskContext& context, Rest&... /*rest*/) {
    return context;
  }
  template <class First, class... Rest>
  static TaskContext& context_among(First& /*first*/, Rest&... rest) {
    static_assert(sizeof...(rest) > 0, "the body of a coroutine takes a TaskContext&");
    return context_among(rest...);
  }

  detail::TaskFrame& frame_;
};

namespace detail {

/// What a body needs beside itself: nothing, or frames where it is a coroutine.
template <class Result>
struct Frames {
  template <class F>
  void call(TaskContext& context, F body) {
    body(context);
  }
};
template <>
struct Frames<Coroutine> {
  static constexpr std::size_t n_most = 8;  ///< replays in flight: one more than any depth
  std::unique_ptr<std::array<TaskFrame, n_most>> of_replay =
      std::make_unique<std::array<TaskFrame, n_most>>();

  template <class F>
  void call(TaskContext& context, F body) {
    (*of_replay)[context.replay() % n_most].begin(context, body);
  }
};

/// The frames of a body that is called with such views, and a context if it likes.
template <class F, class... Views>
auto frames_of() {
  if constexpr (std::is_invocable_v<F&, Views..., TaskContext&>)
    return Frames<std::invoke_result_t<F&, Views..., TaskContext&>>();
  else
    return Frames<void>();
}

}  // namespace detail
}  // namespace thalweg::flow

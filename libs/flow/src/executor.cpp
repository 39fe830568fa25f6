// SPDX-License-Identifier: MIT
#include <thalweg/flow/executor.hpp>

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <thalweg/core/error.hpp>
#include <thalweg/core/subnormals_are_zero.hpp>
#include <thalweg/flow/detail/running.hpp>

#include "engine.hpp"
#include "trace_graph.hpp"

namespace thalweg::flow {
namespace {

constexpr std::size_t most_scratch = std::size_t{1} << 40;

std::string text_of(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", seconds);
  return text;
}

void check(const ExecutorConfig& config) {
  const auto require = [](bool is_good, const char* name, std::uint64_t value, const char* range) {
    if (!is_good)
      throw Error(std::string(name) + " = " + std::to_string(value) + " (must be " + range + ")");
  };
  require(config.n_workers >= 1 && config.n_workers <= 1024, "n_workers", config.n_workers,
          "1 to 1024");
  require(config.depth >= 1 && config.depth <= 7, "depth", config.depth, "1 to 7");
  require(config.scratch_bytes <= most_scratch, "scratch_bytes", config.scratch_bytes,
          "0 to 2^40, for each worker");
  if (!config.cpus.empty() && config.cpus.size() < config.n_workers)
    throw Error("cpus has " + std::to_string(config.cpus.size()) + " for " +
                std::to_string(config.n_workers) +
                " workers (each is pinned to its own); name as many, or none");
  if (!(config.watchdog_s >= 0 && config.watchdog_s <= 1e9))
    throw Error("watchdog_s = " + text_of(config.watchdog_s) +
                " (must be 0 to 1e9 seconds); 0 waits for ever");
  if (!(config.park_limit_s >= 1e-6 && config.park_limit_s <= 60))
    throw Error("park_limit_s = " + text_of(config.park_limit_s) + " (must be 1e-6 to 60 seconds)");
  require(config.checker == nullptr || config.n_workers == 1 || config.picker != nullptr,
          "n_workers", config.n_workers, "1 where accesses are checked");
  require(config.checker == nullptr || config.progress != Progress::thread, "progress",
          static_cast<std::uint64_t>(config.progress), "idle where accesses are checked");
}

void check_threads(const ExecutorConfig& config, const Transport& transport) {
  const bool has_threads = config.n_workers > 1 || config.progress == Progress::thread;
  if (!has_threads || config.picker != nullptr || !transport.serves_one_thread()) return;
  throw Error((config.n_workers > 1 ? "n_workers = " + std::to_string(config.n_workers)
                                    : std::string("a communication thread")) +
              " on a transport that serves one thread (in comm::SimNetwork all ranks share it); "
              "take one worker that communicates itself, or a picker");
}

/// Processors, up to a number that is known when it is made: cpu_set_t ends at 1,024.
class CpuSet {
 public:
  explicit CpuSet(std::size_t n)
      : set_(CPU_ALLOC(n), [](cpu_set_t* set) { CPU_FREE(set); }), size_(CPU_ALLOC_SIZE(n)) {
    CPU_ZERO_S(size_, set_.get());
  }
  void add(std::uint32_t cpu) { CPU_SET_S(cpu, size_, set_.get()); }
  /// Make them those that a thread may run on. @return 0, or what pthread_getaffinity_np says
  int read(pthread_t thread) { return pthread_getaffinity_np(thread, size_, set_.get()); }
  bool apply_to(pthread_t thread) const {
    return pthread_setaffinity_np(thread, size_, set_.get()) == 0;
  }

 private:
  std::shared_ptr<cpu_set_t> set_;
  std::size_t size_;
};

constexpr std::size_t most_cpus = std::size_t{1} << 20;

/// Whether a thread could be bound to one processor.
bool bind(pthread_t thread, std::uint32_t cpu) {
  if (cpu >= most_cpus) return false;
  CpuSet set(std::size_t{cpu} + 1);
  set.add(cpu);
  return set.apply_to(thread);
}

/// The processors that a thread may run on; none where the system does not say.
std::optional<CpuSet> cpus_of(pthread_t thread) {
  // The kernel refuses a set that is too small for its machine.
  for (std::size_t n = 1024; n <= most_cpus; n *= 2) {
    CpuSet set(n);
    const int code = set.read(thread);
    if (code == 0) return set;
    if (code != EINVAL) break;
  }
  return std::nullopt;
}

Error not_pinned(std::uint32_t cpu) {
  return Error("cannot pin a worker to cpu " + std::to_string(cpu) +
               " (there is no such cpu, or it is not allowed); leave cpus empty");
}

/// Binds the calling thread to a processor, where that is possible, and gives it back those it had:
/// what it does or starts when it is no worker is not bound.
class PinnedCaller {
 public:
  explicit PinnedCaller(const std::vector<std::uint32_t>& cpus) {
    if (cpus.empty()) return;
    before_ = cpus_of(caller_);
    is_pinned_ = before_ && bind(caller_, cpus[0]);
  }
  ~PinnedCaller() {
    if (is_pinned_) before_->apply_to(caller_);
  }
  PinnedCaller(const PinnedCaller&) = delete;
  PinnedCaller& operator=(const PinnedCaller&) = delete;

  bool is_pinned() const { return is_pinned_; }

 private:
  pthread_t caller_ = pthread_self();
  std::optional<CpuSet> before_{};
  bool is_pinned_ = false;
};

/// Wait for something, but not for long: a thread that sleeps takes that time to wake up.
template <class F>
void spin_until(F is_so) {
  constexpr std::chrono::microseconds limit(100);
  constexpr int n_looks = 64;  // at what is waited for, for each at the clock
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < n_looks; ++i)
      if (is_so()) return;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() - start < limit);
}

}  // namespace

/// The threads, and an engine for one worker and one for several.
class Executor::Impl {
 public:
  Impl(const ExecutorConfig& config, Transport& transport, const Clock& clock)
      : config_(config), transport_(transport), clock_(clock) {
    for (std::uint32_t w = 0; w < config.n_workers; ++w) states_.emplace_back(config, clock, w);
    alone_.emplace(config, transport, clock, states_, 1);
    if (!config.cpus.empty() && !PinnedCaller(config.cpus).is_pinned())
      throw not_pinned(config.cpus[0]);
    if (config.log != nullptr && config.watchdog_s > 0 && config.picker == nullptr)
      monitor_.emplace(config.watchdog_s, *config.log);
    if (config.picker != nullptr) return;
    has_communication_thread_ = config.progress == Progress::thread;
    if (config.n_workers == 1 && !has_communication_thread_) return;
    together_.emplace(config, transport, clock, states_, config.n_workers);
    if (has_communication_thread_ && config.n_workers > 1)
      served_.emplace(config, transport, clock, states_, 1);
    try {
      for (std::uint32_t w = 1; w < config.n_workers; ++w) {
        threads_.emplace_back([this, w] {
          help([w](Engine<true>& engine) {
            if (w < engine.n_workers()) engine.work(w);
          });
        });
        if (!config.cpus.empty() && !bind(threads_.back().native_handle(), config.cpus[w]))
          throw not_pinned(config.cpus[w]);
      }
      if (has_communication_thread_)
        threads_.emplace_back(
            [this] { help([](Engine<true>& engine) { engine.communicate_until_done(); }); });
    } catch (...) {
      quit();
      throw;
    }
  }
  ~Impl() { quit(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Result<RunReport> run(Graph& graph, std::uint64_t n_replays,
                        std::optional<std::uint64_t> first_step) {
    graph.require_rank(transport_.rank(), transport_.n_ranks());
    const detail::Running running(is_running_);
    detail::TransportClaim claim(transport_);
    if (graph.n_messages() != 0) claim.take("a run of a graph with messages");
    const PinnedCaller pinned(config_.cpus);
    const SubnormalsAreZero in_tasks;
    const std::int64_t start_ns = clock_.now_ns();
    trace::Sink* const sink = begin_trace(config_.sink, graph,
                                          {.start_ns = start_ns,
                                           .n_replays = n_replays,
                                           .depth = graph.overlaps() ? config_.depth : 1,
                                           .first_step = first_step,
                                           .n_workers = config_.n_workers});
    for (WorkerState& state : states_) state.account.open(start_ns, sink);
    const bool is_alone = threads_.empty() || graph.model() == Model::bulk;
    Checking checking(config_.checker, graph);
    Engine<true>* const engine = !is_alone                   ? &*together_
                                 : has_communication_thread_ ? alone_with_server()
                                                             : nullptr;
    auto report = engine != nullptr ? run_together(*engine, graph, n_replays, first_step, claim)
                                    : run_alone(graph, n_replays, first_step, claim);
    if (report) checking.end(report->n_replays);
    const std::int64_t end_ns = clock_.now_ns();
    for (WorkerState& state : states_) state.account.close(end_ns);
    if (sink != nullptr) sink->end_run(end_ns);
    return report;
  }

  std::vector<WorkerTime> accounting() const {
    std::vector<WorkerTime> times;
    for (const WorkerState& state : states_) times.push_back(state.account.times());
    return times;
  }
  WorkerTime total_time() const {
    WorkerTime total;
    for (const WorkerState& state : states_) {
      const WorkerTime time = state.account.times();
      total.work_ns += time.work_ns;
      total.overhead_ns += time.overhead_ns;
      total.idle_ns += time.idle_ns;
      total.n_tasks += time.n_tasks;
      total.n_parks += time.n_parks;
      total.n_late += time.n_late;
    }
    return total;
  }
  const ExecutorConfig& config() const { return config_; }

 private:
  /// A run whose accesses are checked, if there is a checker; one that does not end has failed.
  class Checking {
   public:
    Checking(AccessChecker* checker, Graph& graph) : checker_(checker), graph_(graph) {
      if (checker_ != nullptr) checker_->begin(graph_);
    }
    ~Checking() { end(std::nullopt); }
    Checking(const Checking&) = delete;
    Checking& operator=(const Checking&) = delete;
    void end(std::optional<std::uint64_t> n_replays) {
      if (checker_ != nullptr) std::exchange(checker_, nullptr)->end(graph_, n_replays);
    }

   private:
    AccessChecker* checker_;
    Graph& graph_;
  };

  /// Watches an engine's run; also where the run ends by an exception of a simulation.
  class Watch {
   public:
    template <bool shared>
    Watch(std::optional<Monitor>& monitor, const Engine<shared>& engine) : monitor_(monitor) {
      if (monitor_) monitor_->watch(engine.subject());
    }
    ~Watch() {
      if (monitor_) monitor_->unwatch();
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    std::optional<Monitor>& monitor_;
  };

  Result<RunReport> run_alone(Graph& graph, std::uint64_t n_replays,
                              std::optional<std::uint64_t> first_step,
                              detail::TransportClaim& claim) {
    alone_->begin(graph, n_replays, first_step, claim);
    const Watch watch(monitor_, *alone_);
    alone_->start();
    alone_->work(0);
    return alone_->end();
  }

  /// What runs the bulk model's one worker where a thread communicates.
  Engine<true>* alone_with_server() { return served_ ? &*served_ : &*together_; }

  Result<RunReport> run_together(Engine<true>& engine, Graph& graph, std::uint64_t n_replays,
                                 std::optional<std::uint64_t> first_step,
                                 detail::TransportClaim& claim) {
    engine.begin(graph, n_replays, first_step, claim);
    const Watch watch(monitor_, engine);
    engine.start();
    {
      const std::lock_guard lock(mutex_);
      engine_ = &engine;
      is_open_ = true;
      ++run_;
    }
    wake_.notify_all();
    engine.work(0);
    {
      // A thread that has not woken up by now need not: nobody waits for it.
      const std::lock_guard lock(mutex_);
      is_open_ = false;
    }
    spin_until([&] { return n_inside_ == 0; });
    {
      std::unique_lock lock(mutex_);
      left_.wait(lock, [&] { return n_inside_ == 0; });
    }
    return engine.end();
  }

  void quit() {
    {
      const std::lock_guard lock(mutex_);
      is_quitting_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  /// Be of help(engine) in every run.
  template <class F>
  void help(F be_of_help) {
    const SubnormalsAreZero in_tasks;
    std::uint64_t last_run = 0;
    while (true) {
      spin_until([&] { return is_quitting_ || (is_open_ && run_ != last_run); });
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return is_quitting_ || (is_open_ && run_ != last_run); });
      if (is_quitting_) return;
      last_run = run_;
      ++n_inside_;
      lock.unlock();
      be_of_help(*engine_);
      lock.lock();
      if (--n_inside_ == 0) left_.notify_one();
    }
  }

  ExecutorConfig config_;
  Transport& transport_;
  const Clock& clock_;
  std::deque<WorkerState> states_;  // a deque: states do not move
  std::optional<Engine<false>> alone_;
  std::optional<Engine<true>> together_;
  std::optional<Engine<true>> served_;  ///< one worker of several, with a thread that communicates
  bool has_communication_thread_ = false;
  std::optional<Monitor> monitor_;
  std::atomic<bool> is_running_{false};

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable left_;
  // Changed with the lock held; looked at without it by those who spin.
  std::atomic<std::uint64_t> run_{0};
  std::atomic<std::uint32_t> n_inside_{0};
  std::atomic<bool> is_open_{false};
  std::atomic<bool> is_quitting_{false};
  Engine<true>* engine_ = nullptr;  ///< of the run
  std::vector<std::thread> threads_;
};

Executor::Executor(const ExecutorConfig& config, Transport& transport, const Clock& clock) {
  check(config);
  check_threads(config, transport);
  impl_ = std::make_unique<Impl>(config, transport, clock);
}
Executor::~Executor() = default;

Result<RunReport> Executor::run(Graph& graph, std::uint64_t n_replays,
                                std::optional<std::uint64_t> first_step) {
  return impl_->run(graph, n_replays, first_step);
}
std::vector<WorkerTime> Executor::accounting() const {
  return impl_->accounting();
}
WorkerTime Executor::total_time() const {
  return impl_->total_time();
}
std::size_t Executor::n_bytes_to_run(const Graph& graph) const {
  return bytes_to_run(graph, config());
}
const ExecutorConfig& Executor::config() const {
  return impl_->config();
}

}  // namespace thalweg::flow

// SPDX-License-Identifier: MIT
#include "submission.hpp"

#include <cstdlib>
#include <new>

namespace thalweg::backends {
namespace {

starpu_codelet make_codelet(const char* name, starpu_cpu_func_t function) {
  starpu_codelet codelet;
  starpu_codelet_init(&codelet);
  codelet.name = name;
  codelet.where = STARPU_CPU;
  codelet.cpu_funcs[0] = function;
  codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
  return codelet;
}

/// What StarPU knows of tasks that run a function.
///
/// Static, against our habit: StarPU looks at it after a task is over, as far as anyone can tell,
/// and writes into it, so it has to live as long as StarPU, which is global itself.
template <starpu_cpu_func_t function>
starpu_codelet* codelet(const char* name) {
  static starpu_codelet codelet = make_codelet(name, function);
  return &codelet;
}

/// Memory that StarPU frees.
template <class T>
T* allocate(std::size_t n) {
  auto* const memory = static_cast<T*>(std::calloc(n, sizeof(T)));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

Submission::Submission(const Config& config, const Program& program, detail::Run& run,
                       flow::Transport& transport, std::span<detail::WorkerState> states)
    : depth_(run.graph().overlaps() ? config.depth : 1),
      program_(program),
      run_(run),
      service_(run, transport,
               [this](detail::MessageService::Event event) {
                 auto* const task = reinterpret_cast<starpu_task*>(event);
                 const std::uint32_t s = slot(static_cast<Call*>(task->cl_arg)->replay);
                 starpu_task_end_dep_release(task);
                 count_down(s);
               }),
      states_(states),
      handles_(program.n_pieces()),
      calls_(run.graph().n_tasks() * depth_),
      left_(depth_) {
  for (starpu_data_handle_t& handle : handles_) starpu_void_data_register(&handle);
}

Submission::~Submission() {
  // Waits for the tasks that use it, those whose body is over but which StarPU has not put away.
  for (const starpu_data_handle_t handle : handles_) starpu_data_unregister(handle);
}

void Submission::replay(std::uint64_t n_replays) {
  for (std::uint64_t r = 0; r < n_replays && !run_.has_failed() && !run_.is_stopped(); ++r) {
    const std::uint32_t s = slot(r);
    wait_for([&] { return is_complete(s); });
    for (std::size_t g = 0; g < program_.n_groups(); ++g) {
      if (g > 0) wait_for([&] { return is_complete(s); });
      const auto group = program_.group(g);
      left_[s].store(group.size(), std::memory_order_relaxed);
      for (const std::uint32_t node : group) submit(node, r);
    }
    n_complete_ = r + 1;
    if (program_.decision()) wait_for([&] { return run_.n_decided() > r || run_.has_failed(); });
  }
  for (std::uint32_t s = 0; s < depth_; ++s) wait_for([&] { return is_complete(s); });
}

void Submission::submit(std::uint32_t node, std::uint64_t replay) {
  const flow::Node& n = run_.graph().node(flow::TaskId(node));
  Call& call = calls_[slot(replay) * run_.graph().n_tasks() + node];
  call = {this, node, replay};
  starpu_task* const task = starpu_task_create();
  task->cl = n.is_message() ? codelet<&run_message>("message") : codelet<&run_task>("task");
  task->cl_arg = &call;
  task->priority = n.is_message() || n.priority > 0 ? STARPU_MAX_PRIO : STARPU_DEFAULT_PRIO;
  set_handles(*task, node);
  if (n.is_message()) starpu_task_end_dep_add(task, 1);
  if (const int error = starpu_task_submit(task); error != 0) {
    run_.fail("StarPU does not take a task (error " + std::to_string(-error) + ")");
    starpu_task_destroy(task);
    count_down(slot(replay));
  }
}

void Submission::set_handles(starpu_task& task, std::uint32_t node) {
  const auto uses = program_.uses(node);
  starpu_data_handle_t* handles = task.handles;
  starpu_data_access_mode* modes = task.modes;
  if (uses.size() > STARPU_NMAXBUFS) {
    handles = task.dyn_handles = allocate<starpu_data_handle_t>(uses.size());
    modes = task.dyn_modes = allocate<starpu_data_access_mode>(uses.size());
  }
  task.nbuffers = static_cast<int>(uses.size());
  for (std::size_t i = 0; i < uses.size(); ++i) {
    handles[i] = handles_[uses[i].piece];
    modes[i] = uses[i].is_written ? STARPU_RW : STARPU_R;
  }
}

void Submission::run_task(void**, void* argument) {
  const Call& call = *static_cast<Call*>(argument);
  Submission& self = *call.submission;
  const auto worker = static_cast<std::uint32_t>(starpu_worker_get_id());
  self.run_.execute(call.node, call.replay, worker, self.states_[worker]);
  if (self.run_.graph().node(flow::TaskId(call.node)).controls_termination)
    self.service_.change([] {});
  self.count_down(self.slot(call.replay));
}

void Submission::run_message(void**, void* argument) {
  const Call& call = *static_cast<Call*>(argument);
  call.submission->service_.hand_in(
      call.node, reinterpret_cast<detail::MessageService::Event>(starpu_task_get_current()));
}

void Submission::count_down(std::uint32_t s) {
  std::atomic<std::size_t>& left = left_[s];
  std::size_t n = left.load(std::memory_order_acquire);
  while (n > 1)
    if (left.compare_exchange_weak(n, n - 1, std::memory_order_acq_rel)) return;
  // The last one: nobody else counts any more, and who waits may end all this.
  service_.change([&] { left.store(0, std::memory_order_release); });
}

}  // namespace thalweg::backends

// SPDX-License-Identifier: MIT
#include <thalweg/app/run_control.hpp>

#include <algorithm>
#include <limits>

#include <thalweg/flow/collective.hpp>

namespace thalweg::app {

namespace {

constexpr double piece_s = 0.5;  // of a run between two looks at requests

/// What one rank knows; of several, what any of them knows.
struct RankStatus {
  double elapsed_s;
  double checkpoint_s;
  std::int64_t checkpoint;
  std::int64_t stop;
};

RankStatus merged(const RankStatus& a, const RankStatus& b) {
  return {std::max(a.elapsed_s, b.elapsed_s), std::max(a.checkpoint_s, b.checkpoint_s),
          std::max(a.checkpoint, b.checkpoint), std::max(a.stop, b.stop)};
}

}  // namespace

RunControl::RunControl(const Context& context, double wall_limit_s)
    : context_(context), wall_limit_s_(wall_limit_s), start_ns_(context.clock.now_ns()) {}

double RunControl::elapsed_s() const {
  return 1e-9 * static_cast<double>(context_.clock.now_ns() - start_ns_);
}

void RunControl::record_checkpoint_time(double seconds) {
  checkpoint_s_ = std::max(checkpoint_s_, seconds);
}

void RunControl::record_similar_time(double seconds) {
  similar_s_ = std::max(similar_s_, seconds);
}

Directives RunControl::poll(std::int64_t step) {
  if (context_.requests == nullptr && wall_limit_s_ == 0)
    return {.n_steps = std::numeric_limits<std::int64_t>::max() - step};
  const Request mine = context_.requests != nullptr ? context_.requests->take() : Request{};
  const RankStatus all =
      flow::all_reduce(context_.transport,
                       RankStatus{elapsed_s(), checkpoint_s_ > 0 ? checkpoint_s_ : similar_s_,
                                  mine.checkpoint ? 1 : 0, mine.stop ? 1 : 0},
                       merged);

  const bool is_first = n_steps_ == 0;  // steps so far, if any, were another process's
  if (!is_first && step > last_step_)
    per_step_s_ = (all.elapsed_s - last_s_) / static_cast<double>(step - last_step_);
  const auto wanted = per_step_s_ > 0
                          ? static_cast<std::int64_t>(std::min(piece_s / per_step_s_, 1e6))
                          : std::int64_t{1};
  n_steps_ = std::clamp<std::int64_t>(wanted, 1, 2 * std::max<std::int64_t>(n_steps_, 1));
  last_s_ = all.elapsed_s;
  last_step_ = step;

  // Out of time is when the next piece and a checkpoint, twice as slow as any so far, do not fit.
  // What a process begins with is there already, so it may as well make a step.
  const double needed =
      is_first ? 0.0 : static_cast<double>(n_steps_) * per_step_s_ + 2 * all.checkpoint_s;
  const bool is_late = wall_limit_s_ > 0 && all.elapsed_s + needed >= wall_limit_s_;
  const bool stop = all.stop > 0 || is_late;
  return {.checkpoint = all.checkpoint > 0 || stop,
          .stop = stop,
          .is_out_of_time = is_late && all.stop == 0,
          .n_steps = n_steps_};
}

}  // namespace thalweg::app

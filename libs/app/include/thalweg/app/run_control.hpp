// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/app/context.hpp>
#include <thalweg/app/requests.hpp>

namespace thalweg::app {

/// What all ranks do before their next steps.
struct Directives {
  bool checkpoint = false;
  bool stop = false;            ///< after the checkpoint
  bool is_out_of_time = false;  ///< why, if not because somebody asked
  std::int64_t n_steps = 0;     ///< how many steps to go before asking again
};

/// Makes ranks agree on requests and on the wall clock, between graphs.
///
/// A rank that is asked cannot tell the others while steps are in flight. So a run is cut into
/// pieces of about half a second, which costs one small message a piece, and no bits change.
class RunControl {
 public:
  /// @param wall_limit_s  from now on until when the run must be over; 0: whenever [s]
  RunControl(const Context& context, double wall_limit_s);

  /// Agree on what is next. Collective.
  /// @param step  of level 0 that has been reached
  Directives poll(std::int64_t step);
  /// Say how long a checkpoint took. Twice the longest is left for the next one.
  void record_checkpoint_time(double seconds);
  /// Say how long something took that moves about as many bytes: a plotfile, or reading a
  /// checkpoint. Twice the longest is left for the first checkpoint, nothing for later ones.
  void record_similar_time(double seconds);

 private:
  double elapsed_s() const;

  const Context& context_;
  double wall_limit_s_;
  std::int64_t start_ns_;
  double checkpoint_s_ = 0;  // of the slowest so far; 0: none was written
  double similar_s_ = 0;     // of the slowest of what stands for it until then
  double per_step_s_ = 0;    // of the last piece; 0 before the first
  double last_s_ = 0;        // when directives were last given, all ranks' latest
  std::int64_t last_step_ = 0;
  std::int64_t n_steps_ = 0;  // 0: none were given
};

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <thalweg/step/time_control.hpp>

namespace thalweg::vlasov {

/// From where on steps of equal length are counted.
struct Origin {
  std::int64_t step = 0;
  double time = 0;

  bool operator==(const Origin&) const = default;
};

/// When steps are: all of one length, but for the last, which ends at the end of time.
///
/// A time is a product, not a sum: it is the same wherever a run goes on, from the origin of its
/// steps: the start, or the end of a run whose last step was shorter.
class Schedule {
 public:
  /// @param from    where the run begins, or goes on
  /// @param origin  of the run that led there
  Schedule(double dt, const step::TimeSettings& settings, const step::TimeState& from,
           const Origin& origin = {})
      : dt_(dt), end_(settings.end), last_step_(settings.max_steps), from_(from), origin_(origin) {
    const double equal = origin.time + static_cast<double>(from.step - origin.step) * dt;
    if (std::abs(from.time - equal) >= tolerance * dt) origin_ = {from.step, from.time};
    const double left = std::ceil((end_ - origin_.time) / dt - tolerance);
    if (static_cast<double>(origin_.step) + left < static_cast<double>(last_step_))
      last_step_ = origin_.step + std::max<std::int64_t>(0, static_cast<std::int64_t>(left));
  }

  /// To be kept with what the run leaves, for who goes on from there.
  const Origin& origin() const { return origin_; }

  /// The length of all steps but perhaps the last.
  double dt() const { return dt_; }
  /// The number of the step at which the run is over.
  std::int64_t last_step() const { return last_step_; }
  double time_at(std::int64_t step) const {
    const double time = origin_.time + static_cast<double>(step - origin_.step) * dt_;
    return end_ - time < tolerance * dt_ ? end_ : time;
  }
  /// The length of the step that follows so many.
  double dt_after(std::int64_t step) const {
    const double left = end_ - time_at(step);
    return left > 0 && left < dt_ * (1 - tolerance) ? left : dt_;
  }
  step::TimeState at(std::int64_t step) const {
    return {
        .step = step, .time = time_at(step), .dt = dt_after(step), .dt_before = dt_before(step)};
  }
  /// The length of the step that led to a state; 0 at the start.
  double dt_before(std::int64_t step) const {
    return step == from_.step ? from_.dt_before : dt_after(step - 1);
  }

 private:
  static constexpr double tolerance = 1e-6;  // of a step: no step is shorter than that

  double dt_, end_;
  std::int64_t last_step_;
  step::TimeState from_;
  Origin origin_;
};

}  // namespace thalweg::vlasov

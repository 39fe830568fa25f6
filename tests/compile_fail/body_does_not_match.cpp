// SPDX-License-Identifier: MIT
// A body that asks to write what the task only reads is refused where it is recorded.
#include <span>

#include <thalweg/flow/recorder.hpp>

#ifdef THALWEG_RIGHT
using Read = std::span<const double>;
#else
using Read = std::span<double>;
#endif

void record(thalweg::flow::Recorder& recorder) {
  using namespace thalweg::flow;
  const auto u = recorder.data<double>("u", 8);
  const auto v = recorder.data<double>("v", 8);
  recorder.task("copy", uses(in(u), out(v)), [](Read a, std::span<double> b) { b[0] = a[0]; });
}

// SPDX-License-Identifier: MIT
// A task gets a view for reading of what it declared `in`.
#include <span>

#include <thalweg/flow/recorder.hpp>

#ifdef THALWEG_RIGHT
constexpr int written = 1;
#else
constexpr int written = 0;
#endif

void record(thalweg::flow::Recorder& recorder) {
  using namespace thalweg::flow;
  const auto u = recorder.data<double>("u", 8);
  const auto v = recorder.data<double>("v", 8);
  recorder.task("copy", uses(in(u), out(v)), [](auto a, auto b) {
    if constexpr (written == 1)
      b[0] = a[0];
    else
      a[0] = b[0];
  });
}

// SPDX-License-Identifier: MIT
// Two functions of one type are no two operations of reductions.
#include <thalweg/flow/recorder.hpp>

namespace {

double larger(double a, double b) {
  return a < b ? b : a;
}

#ifdef THALWEG_RIGHT
constexpr auto operation = [](double a, double b) { return larger(a, b); };
#else
constexpr auto* operation = &larger;
#endif

}  // namespace

void record(thalweg::flow::Recorder& recorder) {
  using namespace thalweg::flow;
  const auto u = recorder.data<double>("u", 8);
  recorder.task("contribute", uses(reduce(u, operation, 0.0)), [](auto) {});
}

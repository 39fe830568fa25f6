// SPDX-License-Identifier: MIT
// Values with pointers to their own are refused where sending them is recorded.
#include <string>

#include <thalweg/flow/recorder.hpp>

#ifdef THALWEG_RIGHT
using Value = double;
#else
using Value = std::string;
#endif

void record(thalweg::flow::Recorder& recorder) {
  using namespace thalweg::flow;
  const auto u = recorder.data<Value>("u", 8);
  recorder.send(in(u), thalweg::Rank(1));
}

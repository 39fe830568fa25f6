// SPDX-License-Identifier: MIT
// OpenMP tasks, submitted and executed in each run. Built with g++ for libgomp, with clang for
// libomp.
#include <cstdint>
#include <vector>

#include "peer.hpp"

namespace thalweg::bench {

template <class Body>
class Peer {
 public:
  Peer(const Stencil& stencil, Body body) : stencil_(stencil), body_(body), values_(2 * row(), 0) {}

  void run(std::uint32_t n) {
    for (; n > 0; --n) {
      if (stencil_.n_workers == 1) {
        submit();  // outside of any team libgomp does not keep tasks: much faster
        continue;
      }
#pragma omp parallel num_threads(stencil_.n_workers)
#pragma omp single
      submit();
    }
  }

 private:
  static constexpr std::uint32_t most_reach = 3;
  /// Points beyond the ends, which nobody writes, so that all tasks have as many dependencies.
  std::uint32_t row() const { return stencil_.width + 2 * most_reach; }

  void submit() {
    for (std::uint32_t t = 0; t < stencil_.n_steps; ++t)
      for (std::uint32_t i = 0; i < stencil_.width; ++i) submit(t, i);
  }
  /// Each point has two copies of its value, written in turn.
  void submit(std::uint32_t t, std::uint32_t i) {
    const Body body = body_;
    // Named here, so that the tasks have no share of them; only the addresses count.
    [[maybe_unused]] const char* in = values_.data() + (t + 1) % 2 * row() + most_reach + i;
    [[maybe_unused]] char* out = values_.data() + t % 2 * row() + most_reach + i;
    if (!stencil_.reach) {
#pragma omp task firstprivate(body, t, i)
      body(t, i);
    } else if (*stencil_.reach == 0) {
#pragma omp task firstprivate(body, t, i) depend(in : in[0]) depend(out : out[0])
      body(t, i);
    } else if (*stencil_.reach == 1) {
#pragma omp task firstprivate(body, t, i) depend(in : in[-1], in[0], in[1]) depend(out : out[0])
      body(t, i);
    } else {
#pragma omp task firstprivate(body, t, i) depend(out : out[0]) \
    depend(in : in[-3], in[-2], in[-1], in[0], in[1], in[2], in[3])
      body(t, i);
    }
  }

  Stencil stencil_;
  Body body_;
  std::vector<char> values_;
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::peer_main<thalweg::bench::Peer>(argc, argv);
}

// SPDX-License-Identifier: MIT
// Ours: captured once, replayed.
#include <stdexcept>

#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

#include "../micro/no_transport.hpp"
#include "../micro/stencil_record.hpp"
#include "peer.hpp"

namespace thalweg::bench {

template <class Body>
class Peer {
 public:
  Peer(const Stencil& stencil, Body body)
      : graph_(flow::capture(record(stencil,
                                    [body](std::uint32_t step, std::uint32_t point) {
                                      return [=](flow::TaskContext&) { body(step, point); };
                                    }),
                             flow::Model::dataflow)),
        executor_({.n_workers = stencil.n_workers, .accounting = flow::Accounting::off}, transport_,
                  clock_) {}
  void run(std::uint32_t n) {
    if (const auto done = executor_.run(graph_, n); !done)
      throw std::runtime_error(done.error().message);
  }

 private:
  NoTransport transport_;
  SteadyClock clock_;
  flow::Graph graph_;
  flow::Executor executor_;
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::peer_main<thalweg::bench::Peer>(argc, argv);
}

// SPDX-License-Identifier: MIT
#include <thalweg/predict/calibrate.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::predict {
namespace {

using flow::Recorder;

constexpr int n_repetitions = 10;
constexpr std::uint64_t n_replays = 20;
constexpr std::size_t small_bytes = 8;
constexpr std::size_t large_bytes = std::size_t{1} << 20;
constexpr int n_in_stream = 64;

class Calibrator {
 public:
  Calibrator(flow::Transport& transport, const Clock& clock)
      : transport_(transport), clock_(clock), executor_({}, transport, clock) {}

  /// The least time of a replay on this rank, over how many times it has what is measured [ns].
  template <class Record>
  Result<double> time(int n_times, const Record& record) {
    Recorder recorder(transport_.rank(), transport_.n_ranks());
    record(recorder);
    flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    double least = 0;
    for (int i = 0; i < n_repetitions; ++i) {
      flow::barrier(transport_);
      const std::int64_t start = clock_.now_ns();
      if (const auto done = executor_.run(graph, n_replays); !done)
        return std::unexpected(done.error());
      const double ns = static_cast<double>(clock_.now_ns() - start) / n_replays;
      least = i == 0 ? ns : std::min(least, ns);
    }
    return least / n_times;
  }

  Result<double> task_overhead() {
    constexpr int n_chains = 64, length = 64;
    const auto chains = [](Recorder& r) {
      std::vector<flow::Data<double>> x;
      for (int c = 0; c < n_chains; ++c) x.push_back(r.data<double>("x", 1));
      for (int i = 0; i < length; ++i)
        for (const auto& chain : x) r.task("empty", flow::uses(flow::inout(chain)), [](auto) {});
    };
    return time(n_chains * length, chains);
  }

  /// Half a round trip between ranks 0 and 1.
  Result<double> half_round_trip(std::size_t n_bytes) {
    const auto ping_pong = [&](Recorder& r) {
      if (r.rank()() > 1) return;
      const auto x = r.data<std::byte>("x", n_bytes);
      const Rank other(1 - r.rank()());
      if (r.rank() == Rank{0}) r.send(flow::in(x), other);
      r.recv(flow::out(x), other);
      if (r.rank() == Rank{1}) r.send(flow::in(x), other);
    };
    return time(2, ping_pong);
  }

  /// What one of many small messages from rank 0 to rank 1 takes.
  Result<double> stream() {
    const auto record = [](Recorder& r) {
      for (int i = 0; r.rank()() < 2 && i < n_in_stream; ++i) {
        const auto x = r.data<std::byte>("x", small_bytes);
        if (r.rank() == Rank{0})
          r.send(flow::in(x), Rank{1});
        else
          r.recv(flow::out(x), Rank{0});
      }
      // One goes back, so that rank 0 is no further ahead than replays may be in flight.
      if (r.rank()() > 1) return;
      const auto back = r.data<std::byte>("back", small_bytes);
      if (r.rank() == Rank{1})
        r.send(flow::in(back), Rank{0});
      else
        r.recv(flow::out(back), Rank{1});
    };
    return time(n_in_stream, record);
  }

 private:
  flow::Transport& transport_;
  const Clock& clock_;
  flow::Executor executor_;
};

}  // namespace

Result<Calibration> calibrate(flow::Transport& transport, const Clock& clock) {
  Calibrator calibrator(transport, clock);
  Calibration result;
  const auto overhead = calibrator.task_overhead();
  if (!overhead) return std::unexpected(overhead.error());
  result.task_overhead_ns = *overhead;
  if (transport.n_ranks() == 1) return result;
  const auto small = calibrator.half_round_trip(small_bytes);
  if (!small) return std::unexpected(small.error());
  const auto large = calibrator.half_round_trip(large_bytes);
  if (!large) return std::unexpected(large.error());
  const auto each = calibrator.stream();
  if (!each) return std::unexpected(each.error());
  const double o = std::min(*each, *small / 2);
  result.link = {.latency_ns = *small - 2 * o,
                 .overhead_ns = o,
                 .gap_ns = o,
                 .ns_per_byte = std::max(
                     0.0, (*large - *small) / static_cast<double>(large_bytes - small_bytes))};
  return result;
}

}  // namespace thalweg::predict

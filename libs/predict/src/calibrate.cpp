// SPDX-License-Identifier: MIT
#include <thalweg/predict/calibrate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::predict {
namespace {

using flow::Recorder;

constexpr std::uint64_t n_replays = 20;
constexpr std::size_t small_bytes = 8;
constexpr std::size_t large_bytes = std::size_t{1} << 20;
constexpr int n_in_stream = 64;
// Beside work, in both directions: more than caches of a core hold, so that bytes are copied from
// memory or another core's cache, as those of a step are.
constexpr int n_beside_work = 16;
constexpr std::size_t bytes_beside_work = std::size_t{1} << 18;

class Calibrator {
 public:
  Calibrator(flow::Transport& transport, const Clock& clock, int n_repetitions)
      : n_repetitions_(n_repetitions),
        transport_(transport),
        clock_(clock),
        executor_({}, transport, clock),
        often_polling_({.progress = flow::Progress::task_boundary}, transport, clock) {}

  /// The least time of a replay on this rank, over how many times it has what is measured [ns].
  template <class Record>
  Result<double> time(int n_times, const Record& record) {
    flow::Graph graph = captured(record);
    const auto least = least_ns(executor_, n_repetitions_, n_replays, std::span(&graph, 1));
    if (!least) return std::unexpected(least.error());
    return least->front() / n_times;
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

  /// What messages in both directions between ranks 0 and 1 add, for each, to the time of tasks
  /// that do not wait for them. There are tasks for several times as long as a byte takes
  /// `ns_per_byte`, and polls between them, so that a network that moves bytes by itself has time;
  /// 0 for one so slow that it would take too many.
  Result<double> added_by_message(double ns_per_byte) {
    const double wanted = 4 * ns_per_byte * n_beside_work * bytes_beside_work / work_ns;
    constexpr double most = 64 * n_beside_work;
    const auto n_work = static_cast<int>(std::clamp(wanted, 2.0 * n_beside_work, most));
    const auto record = [&](bool has_messages) {
      return [=](Recorder& r) {
        if (r.rank()() > 1) return;
        for (int i = 0; i < n_beside_work; ++i) {
          const auto sent = r.data<std::byte>("sent", bytes_beside_work);
          const auto received = r.data<std::byte>("received", bytes_beside_work);
          r.task("fill", flow::uses(flow::out(sent)),
                 [](auto bytes) { std::ranges::fill(bytes, std::byte{1}); });
          if (!has_messages) continue;
          r.recv(flow::out(received), Rank(1 - r.rank()()));
          r.send(flow::in(sent), Rank(1 - r.rank()()));
        }
        for (int i = 0; i < n_work; ++i) {
          const auto x = r.data<double>("x", 1);
          r.task("work", flow::uses(flow::inout(x)), [](auto values) {
            for (int k = 0; k < n_operations; ++k) values[0] = values[0] * 0.5 + 1;
          });
        }
      };
    };
    std::array graphs{captured(record(true)), captured(record(false))};
    // One replay each, which is shorter than others' turns on a processor, and more of them.
    const auto least = least_ns(often_polling_, 2 * n_repetitions_, 1, graphs);
    if (!least) return std::unexpected(least.error());
    const double added_ns = ((*least)[0] - (*least)[1]) / n_beside_work;
    return wanted > most ? 0.0 : std::max(0.0, added_ns);
  }

 private:
  static constexpr int n_operations = 16384;             // each waits for the one before
  static constexpr double work_ns = 3.0 * n_operations;  // or so

  template <class Record>
  flow::Graph captured(const Record& record) const {
    Recorder recorder(transport_.rank(), transport_.n_ranks());
    record(recorder);
    return flow::capture(std::move(recorder), flow::Model::dataflow);
  }

  /// The least time of a replay of each of some graphs [ns]. They take turns, so that a machine
  /// that is slow for a while is so for all of them.
  Result<std::vector<double>> least_ns(flow::Executor& executor, int n_times,
                                       std::uint64_t n_replays_each,
                                       std::span<flow::Graph> graphs) {
    std::vector<double> least(graphs.size(), std::numeric_limits<double>::infinity());
    for (int i = 0; i < n_times; ++i)
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        flow::barrier(transport_);
        const std::int64_t start = clock_.now_ns();
        if (const auto done = executor.run(graphs[g], n_replays_each); !done)
          return std::unexpected(done.error());
        const double ns =
            static_cast<double>(clock_.now_ns() - start) / static_cast<double>(n_replays_each);
        least[g] = std::min(least[g], ns);
      }
    return least;
  }

  int n_repetitions_;
  flow::Transport& transport_;
  const Clock& clock_;
  flow::Executor executor_;
  flow::Executor often_polling_;
};

}  // namespace

Link link_of(const MessageTimes& t) {
  const double o = std::min(t.stream_ns, t.small_ns / 2);
  const double of_byte =
      std::max(0.0, (t.large_ns - t.small_ns) / static_cast<double>(large_bytes - small_bytes));
  // Bytes that come from other memory than those of the round trip may cost more than it says.
  const double of_end = std::max(0.0, t.added_ns / 2 - o) / static_cast<double>(bytes_beside_work);
  return {.latency_ns = t.small_ns - 2 * o,
          .overhead_ns = o,
          .overhead_ns_per_byte = of_end,
          .gap_ns = o,
          .ns_per_byte = std::max(0.0, of_byte - 2 * of_end)};
}

std::string words_of(const Link& link) {
  const double ns_per_byte = link.ns_per_byte + 2 * link.overhead_ns_per_byte;
  const auto small = fmt::format("{:.3g} us", 1e-3 * (link.latency_ns + 2 * link.overhead_ns));
  return ns_per_byte > 0 ? fmt::format("{} and {:.3g} GB/s", small, 1 / ns_per_byte) : small;
}

Result<Calibration> calibrate(flow::Transport& transport, const Clock& clock, int n_repetitions) {
  Calibrator calibrator(transport, clock, n_repetitions);
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
  const double ns_per_byte =
      std::max(0.0, *large - *small) / static_cast<double>(large_bytes - small_bytes);
  const auto added = calibrator.added_by_message(ns_per_byte);
  if (!added) return std::unexpected(added.error());
  result.link =
      link_of({.small_ns = *small, .large_ns = *large, .stream_ns = *each, .added_ns = *added});
  return result;
}

}  // namespace thalweg::predict

// SPDX-License-Identifier: MIT
// What a rank does and holds to regrid blocks around moving spheres, one in each copy of a unit
// cube, and a copy a rank, over MPI: leaf|nested LEVEL. bench/run mesh_replication runs it.
//
// Work is processor time of the rank between rounds of messages, so that it means the same where
// ranks share cores. What rounds take is left out: ranks wait in them, and waiting is polling.
#include <time.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <regridding_rank.hpp>
#include <report.hpp>
#include <sphere.hpp>
#include <thalweg/comm/session.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/combine.hpp>

namespace {

using namespace thalweg;
using bench::n_regrid_phases;

constexpr int n_regrids = 9;

double processor_time_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// A real rank's way to the others. Its clock stands still while messages are under way.
class MpiCollectives {
 public:
  explicit MpiCollectives(flow::Transport& transport)
      : collectives_(transport), rank_(transport.rank()) {}

  Rank rank() const { return rank_; }
  void begin_phase(std::size_t phase) {
    stop_clock();
    phase_ = phase;
  }
  template <class T>
  mesh::Messages<T> exchange(const mesh::Messages<T>& out) {
    for (const auto& message : out)
      if (message.first != rank_) sent_bytes_ += sizeof(T);
    return outside([&] { return collectives_.exchange(out); });
  }
  template <class T>
  std::vector<T> all_gather(const T& mine) {
    return outside([&] { return collectives_.all_gather(mine); });
  }
  template <class T>
  NodeSharedArray<T> all_gather_many(std::span<const T> mine) {
    return outside([&] { return collectives_.all_gather_many(mine); });
  }
  template <class T, class Op>
  T all_reduce(const T& mine, Op op) {
    return outside([&] { return collectives_.all_reduce(mine, op); });
  }
  template <class T>
  std::vector<T> ring_shift(std::span<const T> mine, std::int64_t distance) {
    sent_bytes_ += mine.size_bytes();
    return outside([&] { return collectives_.ring_shift(mine, distance); });
  }
  template <class Write>
  NodeSharedArray<std::uint64_t> write_node_shared(std::size_t n_values, Write&& write) {
    return outside([&] { return collectives_.write_node_shared(n_values, write); });
  }

  /// Let the next regrid begin.
  void restart() {
    work_us_ = {};
    sent_bytes_ = 0;
    phase_ = 0;
    begin_ = processor_time_us();
  }
  /// Of each phase since the restart.
  const std::array<double, n_regrid_phases>& work_us() {
    stop_clock();
    return work_us_;
  }
  std::size_t sent_bytes() const { return sent_bytes_; }

 private:
  void stop_clock() {
    const double now = processor_time_us();
    work_us_[phase_] += now - begin_;
    begin_ = now;
  }
  template <class F>
  auto outside(F&& round) {
    stop_clock();
    auto result = round();
    begin_ = processor_time_us();
    return result;
  }

  exchange::TransportCollectives collectives_;
  Rank rank_;
  std::array<double, n_regrid_phases> work_us_{};
  std::size_t phase_ = 0;
  double begin_ = processor_time_us();
  std::size_t sent_bytes_ = 0;
};

template <class Mode>
void measure(bench::Report& report, const std::string& name, const bench::Sphere& sphere,
             flow::Transport& transport) {
  MpiCollectives self(transport);
  Mode rank =
      Mode::start(sphere, transport.n_ranks(), self, mesh::directory_for(transport.n_ranks()));
  for (int i = 0; i < Mode::n_starts(sphere); ++i) rank.adapt(sphere, 0, self);
  const auto mean = [&](auto mine) {
    return flow::all_reduce(transport, static_cast<double>(mine), std::plus<>()) /
           transport.n_ranks();
  };
  const auto most = [&](auto mine) {
    return flow::all_reduce(transport, static_cast<double>(mine), flow::Max{});
  };
  std::array<std::vector<double>, n_regrid_phases> work;
  std::vector<double> total, slowest, sent, held, blocks;
  for (int time = 1; time <= n_regrids; ++time) {
    self.restart();
    rank.adapt(sphere, time, self);
    rank.exchange_halo(self, true);
    const auto mine = self.work_us();
    double sum = 0;
    for (std::size_t p = 1; p < n_regrid_phases; ++p) {
      work[p].push_back(mean(mine[p]));
      sum += mine[p];
    }
    total.push_back(mean(sum));
    slowest.push_back(most(sum));
    sent.push_back(mean(self.sent_bytes()) / 1024);
    held.push_back(most(rank.n_bytes) / 1024);
    blocks.push_back(most(rank.n_own()));
  }
  report.add(name + "blocks, most", "/rank", blocks);
  for (std::size_t p = 1; p < n_regrid_phases; ++p)
    report.add(name + Mode::phases[p], "us/rank", work[p]);
  report.add(name + "all", "us/rank", total);
  report.add(name + "all, slowest rank", "us", slowest);
  report.add(name + "sent", "KiB/rank", sent);
  report.add(name + "metadata, most", "KiB/rank", held);
}

/// Copies along each axis, x first: as many as ranks.
Index<3> copies_for(int n_ranks) {
  if (!std::has_single_bit(static_cast<unsigned>(n_ranks)))
    throw std::invalid_argument("ranks must be a power of two");
  Index<3> copies = Index<3>::filled(1);
  for (int axis = 0; n_ranks > 1; n_ranks /= 2, axis = (axis + 1) % 3) copies[axis] *= 2;
  return copies;
}

}  // namespace

int main(int argc, char** argv) {
  comm::Session session(&argc, &argv);
  comm::MpiTransport transport(session);
  if (argc != 3) throw std::invalid_argument("leaf or nested, and a level");
  const std::string_view mode = argv[1];
  const Index<3> copies = copies_for(transport.n_ranks());
  const bench::Sphere sphere(std::stoi(argv[2]), copies);
  const std::string name =
      fmt::format("{}, {} x {} x {} copies: ", mode, copies[0], copies[1], copies[2]);
  bench::Report report;
  if (mode == "leaf")
    measure<bench::LeafRank>(report, name, sphere, transport);
  else
    measure<bench::NestedRank>(report, name, sphere, transport);
  if (transport.rank() == Rank(0)) report.print();
}

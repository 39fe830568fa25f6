// SPDX-License-Identifier: MIT
// bench: time and bytes a rank takes to regrid leaves around a moving sphere, on 1 to 4,096 virtual
// ranks; p4est on one
//
// All ranks run as fibers of one thread, with every message sent; a rank's time is what passes
// outside its transport's poll, so the router's sorting and copying count and waiting does not. Of
// the ranks' times the mean is printed, of three regrids the median. One rank does what each rank
// of a replicated design would: it knows all leaves and works on all.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <report.hpp>
#include <thalweg/app/rounds.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/mesh/leaf_neighbours.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/mesh/leaf_replicated.hpp>
#include <thalweg/mesh/offsets.hpp>
#ifdef THALWEG_BENCH_P4EST
#include <thalweg/comm/session.hpp>
#include <thalweg/mesh/testing/p4est_forest.hpp>
#endif

namespace {

using namespace thalweg;
using Clock = std::chrono::steady_clock;

constexpr int n_regrids = 3;

double microseconds(Clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

/// Leaves that cross a sphere are on the finest level; it moves by half a leaf a regrid.
struct Problem {
  mesh::LeafRules<3> rules;
  int finest;

  explicit Problem(int level)
      : rules{mesh::Geometry<3>({.block_cells = 16, .max_level = level})}, finest(level) {}

  bool crosses(const mesh::Key<3>& key, int time) const {
    const double width = std::ldexp(1.0, -key.level);
    const double moved = 0.5 * time * std::ldexp(1.0, -finest);
    double nearest = 0;
    double farthest = 0;
    for (int a = 0; a < 3; ++a) {
      const double low = mesh::coordinates(key)[a] * width - 0.43 - 0.01 * a - moved;
      const double high = low + width;
      nearest += low > 0 ? low * low : high < 0 ? high * high : 0.0;
      farthest += std::max(low * low, high * high);
    }
    constexpr double radius = 0.3;
    return nearest < radius * radius && farthest > radius * radius;
  }
  mesh::Wish wish(const mesh::Key<3>& key, int time) const {
    if (crosses(key, time)) return key.level < finest ? mesh::Wish::refine : mesh::Wish::keep;
    if (key.level > 0 && !crosses(rules.geometry.parent(key), time)) return mesh::Wish::coarsen;
    return mesh::Wish::keep;
  }
  std::vector<mesh::Wish> wishes(const mesh::LeafForest<3>& forest, int time) const {
    std::vector<mesh::Wish> all;
    all.reserve(forest.leaves.size());
    for (const mesh::Key<3>& leaf : forest.leaves) all.push_back(wish(leaf, time));
    return all;
  }
};

/// Passes everything on, and keeps the time that a rank spends waiting.
class TimedTransport final : public flow::Transport {
 public:
  explicit TimedTransport(flow::Transport& inner)
      : Transport(inner.rank(), inner.n_ranks()), inner_(inner) {}

  void post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override {
    inner_.post_send(bytes, to, channel, tag, ticket);
  }
  void post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override {
    inner_.post_recv(bytes, from, channel, tag, ticket);
  }
  void poll(std::vector<flow::Ticket>& completed) override {
    const auto start = Clock::now();
    inner_.poll(completed);
    waited_ += Clock::now() - start;
  }
  [[noreturn]] void abort(std::string_view message) override {
    inner_.abort(message);
    std::unreachable();
  }

  /// What a call takes of this rank's time [us].
  double time(auto call) {
    const auto start = Clock::now();
    const auto waited = waited_;
    call();
    return microseconds((Clock::now() - start) - (waited_ - waited));
  }

 private:
  flow::Transport& inner_;
  Clock::duration waited_{};
};

/// Phases of a regrid: times of all ranks added up, for each regrid [us].
struct Times {
  std::vector<double> balance = std::vector<double>(n_regrids);
  std::vector<double> partition = std::vector<double>(n_regrids);
  std::vector<double> neighbours = std::vector<double>(n_regrids);
  std::vector<double> visit = std::vector<double>(n_regrids);
  std::size_t most_bytes = 0;  ///< of a rank
  std::int64_t n_leaves = 0;
};

// Name the neighbours of all leaves in all directions, as making plans does.
std::size_t visit_all(const mesh::LeafForest<3>& forest, const mesh::LeafNeighbours<3>& near) {
  std::vector<mesh::OwnedLeaf<3>> found;
  std::size_t n = 0;
  for (const mesh::Key<3>& leaf : forest.leaves)
    for (int o = 0; o < mesh::n_offsets<3>; ++o) {
      if (o == mesh::centre_offset<3>) continue;
      found.clear();
      near.append(leaf, mesh::offset_at<3>(o), found);
      n += found.size();
    }
  return n;
}

void regrid(const Problem& problem, flow::Transport& inner, Times& sums) {
  TimedTransport transport(inner);
  app::TransportRounds rounds(transport);
  const auto unit = [](const mesh::Key<3>&) { return std::int64_t{1}; };
  auto forest = mesh::initial_leaves(problem.rules, 2, inner.rank(), inner.n_ranks());
  for (int l = 2; l < problem.finest; ++l)
    forest = mesh::adapt<3>(forest, problem.wishes(forest, 0), rounds);
  for (int i = 0; i < n_regrids; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const std::vector<mesh::Wish> wishes = problem.wishes(forest, i + 1);
    std::vector<mesh::Key<3>> leaves;
    sums.balance[index] +=
        transport.time([&] { leaves = mesh::balanced_leaves<3>(forest, wishes, rounds); });
    sums.partition[index] += transport.time(
        [&] { forest = mesh::partition_leaves(forest, std::move(leaves), rounds, unit).forest; });
    std::optional<mesh::LeafNeighbours<3>> near;
    sums.neighbours[index] += transport.time(
        [&] { near = mesh::find_neighbours(forest, mesh::Adjacency::corners, rounds); });
    std::size_t n_near = 0;
    sums.visit[index] += transport.time([&] { n_near = visit_all(forest, *near); });
    if (n_near < forest.leaves.size()) transport.abort("leaves without neighbours");
    sums.most_bytes = std::max(
        sums.most_bytes, sizeof(forest) + forest.leaves.capacity() * sizeof(mesh::Key<3>) +
                             forest.splitters.capacity() * sizeof(std::uint64_t) + near->n_bytes());
    sums.n_leaves = forest.n_global;
  }
}

/// Regrid on virtual ranks and report what a rank takes of it.
Times measure(bench::Report& report, int finest, int n_ranks) {
  const Problem problem(finest);
  Times sums;
  comm::SimNetwork network(
      {.n_ranks = n_ranks, .seed = 1, .max_delay = 1, .stack_bytes = 256 * 1024});
  const auto done =
      network.run([&](flow::Transport& transport) { regrid(problem, transport, sums); });
  if (!done) throw std::runtime_error(done.error().message);

  const std::string name = fmt::format("{} leaves, {} ranks: ", sums.n_leaves, n_ranks);
  const auto add = [&](const std::string& what, std::vector<double>& times) {
    for (double& t : times) t /= n_ranks;
    report.add(name + what, "us/rank", times);
  };
  add("refine and balance", sums.balance);
  add("partition", sums.partition);
  add("neighbour layer", sums.neighbours);
  add("name all 26 neighbours", sums.visit);
  report.add(name + "metadata", "KiB/rank", {static_cast<double>(sums.most_bytes) / 1024});
  return sums;
}

// The oracle splits leaves one by one in a hash table.
void measure_replicated(bench::Report& report, int finest) {
  const Problem problem(finest);
  std::vector<mesh::WishingLeaf<3>> all;
  const auto ask = [&](const std::vector<mesh::Key<3>>& leaves, int time) {
    all.clear();
    for (const mesh::Key<3>& leaf : leaves) all.push_back({leaf, problem.wish(leaf, time)});
  };
  ask(mesh::initial_leaves(problem.rules, 2, Rank(0), 1).leaves, 0);
  for (int l = 2; l < finest; ++l) ask(mesh::adapt_all<3>(problem.rules, all), 0);
  std::vector<double> times;
  for (int i = 0; i < n_regrids; ++i) {
    std::vector<mesh::Key<3>> leaves;
    const auto start = Clock::now();
    leaves = mesh::adapt_all<3>(problem.rules, all);
    times.push_back(microseconds(Clock::now() - start));
    ask(leaves, i + 1);
  }
  report.add(fmt::format("{} leaves, replicated: refine and balance", all.size()), "us/rank",
             times);
}

#ifdef THALWEG_BENCH_P4EST
void measure_p4est(bench::Report& report, int finest, const comm::Session& session) {
  const Problem problem(finest);
  mesh::testing::P4estForest<mesh::testing::P8estNames> forest(session.world(), problem.rules, 2);
  const auto apply = [&](int time) {
    forest.apply([&](const mesh::Key<3>& key) { return problem.wish(key, time); });
  };
  for (int l = 2; l < finest; ++l) {
    apply(0);
    forest.balance();
  }
  std::vector<double> applying, balancing, layer;
  std::size_t n_bytes = 0;
  for (int i = 0; i < n_regrids; ++i) {
    auto start = Clock::now();
    const auto lap = [&](std::vector<double>& to) {
      const auto now = Clock::now();
      to.push_back(microseconds(now - start));
      start = now;
    };
    apply(i + 1);
    lap(applying);
    forest.balance();
    lap(balancing);
    n_bytes = forest.find_neighbours(mesh::Adjacency::corners);
    lap(layer);
  }
  const std::string name = fmt::format("{} leaves, p4est on 1 rank: ", forest.n_global());
  report.add(name + "ask and refine", "us/rank", applying);
  report.add(name + "balance", "us/rank", balancing);
  report.add(name + "neighbour layer", "us/rank", layer);
  report.add(name + "metadata", "KiB/rank", {static_cast<double>(n_bytes) / 1024});
}
#endif

double total(const Times& t) {
  double sum = 0;
  for (const auto* phase : {&t.balance, &t.partition, &t.neighbours}) {
    std::vector<double> sorted = *phase;
    std::ranges::sort(sorted);
    sum += sorted[sorted.size() / 2];
  }
  return sum;
}

}  // namespace

int main([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
  bench::Report report;
  // As many leaves a rank, 4 times the ranks each time: flat but for log P and what gathers take.
  for (const auto& [finest, n_ranks] : {std::pair(5, 16), {6, 64}, {7, 256}})
    measure(report, finest, n_ranks);
  // As many leaves, more ranks.
  const Times all = measure(report, 7, 1);
  const Times some = measure(report, 7, 1024);
  report.add(fmt::format("{} leaves: work of a rank that knows all over that of one of 1024",
                         all.n_leaves),
             "", {total(all) / total(some)});
  measure_replicated(report, 7);
#ifdef THALWEG_BENCH_P4EST
  comm::Session session(&argc, &argv);
  sc_set_log_defaults(nullptr, nullptr, SC_LP_SILENT);
  measure_p4est(report, 7, session);
#endif
  report.print();
}

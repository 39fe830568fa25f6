// SPDX-License-Identifier: MIT
// bench: time and bytes a rank takes to regrid leaves around a moving sphere, on 1 to 4,096 virtual
// ranks; p4est on one
//
// The functions of leaf mode are pure between rounds of messages. So one thread plays all ranks,
// one after the other between two rounds, and delivers the messages itself: a rank's time is what
// its functions take, and what a router adds is told by the keys that are sent and the rounds they
// go in. Of the ranks' times the mean is printed, of three regrids the median. One rank does what
// each rank of a replicated design would: it knows all leaves and works on all.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <report.hpp>
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

/// What a regrid took: times and counts of all ranks added up.
struct Regrid {
  double balance = 0;      ///< [us]
  double partition = 0;    ///< [us]
  double neighbours = 0;   ///< [us]
  double visit = 0;        ///< [us]
  std::size_t n_sent = 0;  ///< keys to other ranks
  int n_rounds = 0;
  std::size_t most_bytes = 0;  ///< of metadata on a rank
};

/// All ranks of a run.
class VirtualRanks {
 public:
  VirtualRanks(const Problem& problem, int n_ranks) : problem_(problem) {
    for (int rank = 0; rank < n_ranks; ++rank)
      forests_.push_back(mesh::initial_leaves(problem.rules, 2, Rank(rank), n_ranks));
    for (int l = 2; l < problem.finest; ++l) adapt(0);
  }

  std::int64_t n_leaves() const { return forests_[0].n_global; }
  std::size_t n_ranks() const { return forests_.size(); }

  Regrid regrid(int time) {
    Regrid taken = adapt(time);
    find_neighbours(taken);
    return taken;
  }

 private:
  template <class T>
  using Of = std::vector<T>;  // by rank
  using Keys = std::vector<mesh::Key<3>>;

  // Calls f(rank) for all ranks. Returns how long that took [us].
  template <class F>
  double each(F f) {
    const auto start = Clock::now();
    for (std::size_t r = 0; r < n_ranks(); ++r) f(r);
    return microseconds(Clock::now() - start);
  }

  Of<mesh::Messages<mesh::Key<3>>> deliver(const Of<mesh::Messages<mesh::Key<3>>>& out,
                                           Regrid& taken) {
    Of<mesh::Messages<mesh::Key<3>>> in(out.size());
    for (std::size_t from = 0; from < out.size(); ++from)
      for (const auto& [to, key] : out[from]) {
        in[to()].emplace_back(Rank(from), key);
        ++taken.n_sent;
      }
    ++taken.n_rounds;
    return in;
  }

  Of<Keys> balance(int time, Regrid& taken) {
    Of<std::vector<mesh::Wish>> wishes;
    for (const auto& forest : forests_) wishes.push_back(problem_.wishes(forest, time));
    Of<mesh::Splits<3>> splits(n_ranks());
    Of<mesh::Messages<mesh::Key<3>>> out(n_ranks());
    taken.balance +=
        each([&](std::size_t r) { splits[r] = mesh::wanted_splits<3>(forests_[r], wishes[r]); });
    for (std::size_t l = splits[0].levels.size(); l-- > 0;) {
      taken.balance += each(
          [&](std::size_t r) { out[r] = mesh::send_home<3>(forests_[r], splits[r].levels[l]); });
      const auto in = deliver(out, taken);
      taken.balance += each([&](std::size_t r) {
        Keys& keys = splits[r].levels[l];
        keys = mesh::collect_home(forests_[r], std::move(keys), in[r]);
        if (l == 0) return;
        const Keys support = mesh::supporting_splits<3>(problem_.rules, keys);
        Keys& coarser = splits[r].levels[l - 1];
        coarser.insert(coarser.end(), support.begin(), support.end());
      });
    }
    taken.balance +=
        each([&](std::size_t r) { out[r] = mesh::send_to_children(forests_[r], splits[r]); });
    const auto in = deliver(out, taken);
    Of<Keys> leaves(n_ranks());
    taken.balance += each(
        [&](std::size_t r) { leaves[r] = mesh::collect_leaves(forests_[r], splits[r], in[r]); });
    return leaves;
  }

  Regrid adapt(int time) {
    Regrid taken;
    Of<Keys> leaves = balance(time, taken);
    Of<mesh::LeafShare> shares(n_ranks());
    Of<mesh::HandOver<3>> handed(n_ranks());
    Of<mesh::Messages<mesh::Key<3>>> out(n_ranks());
    const auto units = [&](std::size_t r) {
      return std::vector<std::int64_t>(leaves[r].size(), 1);
    };
    const auto share = [&](std::size_t r) {
      shares[r] = mesh::share_of<3>(problem_.rules, leaves[r], units(r));
    };
    taken.partition += each(share);
    taken.partition += each([&](std::size_t r) {
      handed[r] = mesh::hand_over<3>(leaves[r], units(r), shares, Rank(r));
      out[r] = std::move(handed[r].given);
    });
    const auto in = deliver(out, taken);
    taken.partition += each([&](std::size_t r) {
      leaves[r] = mesh::collect_handed<3>(Rank(r), std::move(handed[r].kept), in[r]);
    });
    taken.partition += each(share);
    taken.partition += each([&](std::size_t r) {
      forests_[r] = mesh::next_forest(forests_[r], std::move(leaves[r]), shares);
    });
    return taken;
  }

  void find_neighbours(Regrid& taken) {
    constexpr auto reach = mesh::Adjacency::corners;
    Of<mesh::Messages<mesh::Key<3>>> out(n_ranks());
    taken.neighbours +=
        each([&](std::size_t r) { out[r] = mesh::send_to_neighbours(forests_[r], reach); });
    const auto in = deliver(out, taken);
    for (std::size_t r = 0; r < n_ranks(); ++r) {
      const mesh::LeafForest<3>& forest = forests_[r];
      const auto start = Clock::now();
      const mesh::LeafNeighbours<3> near(forest, reach, in[r]);
      const auto made = Clock::now();
      if (count_neighbours(forest, near) < forest.leaves.size())
        throw std::logic_error("leaves without neighbours");
      taken.neighbours += microseconds(made - start);
      taken.visit += microseconds(Clock::now() - made);
      taken.most_bytes =
          std::max(taken.most_bytes,
                   sizeof(forest) + forest.leaves.capacity() * sizeof(mesh::Key<3>) +
                       forest.splitters.capacity() * sizeof(std::uint64_t) + near.n_bytes());
    }
  }

  // Names the neighbours of all leaves in all directions, as making plans does.
  static std::size_t count_neighbours(const mesh::LeafForest<3>& forest,
                                      const mesh::LeafNeighbours<3>& near) {
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

  const Problem& problem_;
  Of<mesh::LeafForest<3>> forests_;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// What a run took of each rank.
struct Measured {
  std::int64_t n_leaves = 0;
  double time = 0;  ///< of balance, partition and the neighbour layer [us/rank]
};

/// Regrid on virtual ranks and report what a rank takes of it.
Measured measure(bench::Report& report, int finest, int n_ranks) {
  const Problem problem(finest);
  VirtualRanks ranks(problem, n_ranks);
  std::vector<Regrid> all;
  for (int i = 0; i < n_regrids; ++i) all.push_back(ranks.regrid(i + 1));

  const std::string name = fmt::format("{} leaves, {} ranks: ", ranks.n_leaves(), n_ranks);
  const auto add = [&](const std::string& what, const std::string& unit, auto value) {
    std::vector<double> samples;
    for (const Regrid& r : all) samples.push_back(static_cast<double>(value(r)) / n_ranks);
    report.add(name + what, unit, samples);
    return median(samples);
  };
  Measured measured{ranks.n_leaves()};
  measured.time += add("refine and balance", "us/rank", [](auto& r) { return r.balance; });
  measured.time += add("partition", "us/rank", [](auto& r) { return r.partition; });
  measured.time += add("neighbour layer", "us/rank", [](auto& r) { return r.neighbours; });
  add("name all 26 neighbours", "us/rank", [](auto& r) { return r.visit; });
  add("sent", "keys/rank", [](auto& r) { return r.n_sent; });
  report.add(name + "rounds", "", {static_cast<double>(all[0].n_rounds)});
  report.add(name + "metadata, most", "KiB/rank", {static_cast<double>(all[0].most_bytes) / 1024});
  return measured;
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

}  // namespace

int main([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
  bench::Report report;
  // As many leaves a rank on 4 times the ranks: flat, but for what one value of each rank takes.
  for (const auto& [finest, n_ranks] : {std::pair(5, 16), {6, 64}, {7, 256}, {8, 1024}})
    measure(report, finest, n_ranks);
  // As many leaves, known to all, on few ranks and on many.
  const Measured all = measure(report, 8, 1);
  const Measured some = measure(report, 8, 4096);
  report.add(fmt::format("{} leaves: work of a rank that knows all over that of one of 4096",
                         all.n_leaves),
             "", {all.time / some.time});
  measure_replicated(report, 7);
#ifdef THALWEG_BENCH_P4EST
  comm::Session session(&argc, &argv);
  sc_set_log_defaults(nullptr, nullptr, SC_LP_SILENT);
  measure_p4est(report, 8, session);
#endif
  report.print();
}

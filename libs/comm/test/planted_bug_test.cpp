// SPDX-License-Identifier: MIT
// The simulation finds the bugs it is there for: each is planted, and found within so many seeds.
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/detail/parker.hpp>
#include <thalweg/flow/executor.hpp>

#include "virtual_threads.hpp"

namespace thalweg::comm {
namespace {

enum class Bug { absent, planted };

/// The first seed for which something is wrong, among so many.
std::optional<std::uint64_t> first_wrong(std::uint64_t n_seeds,
                                         const std::function<bool(std::uint64_t)>& is_right) {
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed)
    if (!is_right(seed)) return seed;
  return std::nullopt;
}

/// What each rank records, to be replayed some times under a seed.
using Record = std::function<void(flow::Recorder&)>;

void simulate(
    int n_ranks, std::uint64_t seed, const Record& record,
    const std::function<flow::Transport&(flow::Transport&)>& wrap =
        [](flow::Transport& t) -> flow::Transport& { return t; }) {
  SimNetwork network({.n_ranks = n_ranks, .seed = seed, .stack_bytes = 256 * 1024});
  const auto result = network.run([&](flow::Transport& t) {
    flow::Recorder recorder(t.rank(), t.n_ranks());
    record(recorder);
    flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    flow::UniformPicker uniform(seed + t.rank()());
    flow::PctPicker pct({.seed = seed + t.rank()(), .n_changes = 2, .n_steps = 50});
    flow::Picker* picker = seed % 2 == 0 ? static_cast<flow::Picker*>(&uniform) : &pct;
    flow::Executor executor({.picker = picker}, wrap(t), network.clock());
    const auto report = executor.run(graph, 3);
    if (!report) t.abort(report.error().message);
  });
  ASSERT_TRUE(result) << result.error().message;
}

/// A row of cells of which each adds its left neighbour's; one task does not say so.
bool is_row_right(Bug bug, std::uint64_t seed) {
  constexpr std::size_t n = 12, undeclared = 7;
  std::vector<std::uint64_t> values(n, 1), expected(n, 1);
  for (int r = 0; r < 3; ++r)
    for (std::size_t i = 1; i < n; ++i) expected[i] += expected[i - 1];

  simulate(1, seed, [&](flow::Recorder& recorder) {
    std::vector<flow::DataRef<std::uint64_t>> cells;
    for (std::size_t i = 0; i < n; ++i)
      cells.emplace_back(recorder.datum("cell"), std::span(values).subspan(i, 1));
    for (std::size_t i = 1; i < n; ++i) {
      const auto add = [left = &values[i - 1], own = &values[i]](flow::TaskContext&) {
        *own += *left;
      };
      std::vector<flow::Access> accesses{{cells[i].datum(), flow::Mode::inout}};
      if (bug == Bug::absent || i != undeclared)
        accesses.push_back({cells[i - 1].datum(), flow::Mode::in});
      recorder.task("add", accesses, add);
    }
  });
  return values == expected;
}

TEST(PlantedBug, missing_edge_is_found_within_20_seeds) {
  EXPECT_TRUE(first_wrong(20, [](auto seed) { return is_row_right(Bug::planted, seed); }));
  EXPECT_FALSE(first_wrong(200, [](auto seed) { return is_row_right(Bug::absent, seed); }));
}

/// Gives all messages between two ranks the same tag.
class OneTag final : public flow::Transport {
 public:
  explicit OneTag(flow::Transport& inner)
      : Transport(inner.rank(), inner.n_ranks()), inner_(inner) {}
  void post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel, flow::Tag,
                 flow::Ticket ticket) override {
    inner_.post_send(bytes, to, channel, flow::Tag(0), ticket);
  }
  void post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel, flow::Tag,
                 flow::Ticket ticket) override {
    inner_.post_recv(bytes, from, channel, flow::Tag(0), ticket);
  }
  void poll(std::vector<flow::Ticket>& completed) override { inner_.poll(completed); }
  void yield() override { inner_.yield(); }
  [[noreturn]] void abort(std::string_view) override { throw std::runtime_error("abort"); }

 private:
  flow::Transport& inner_;
};

/// Two numbers, made by two tasks on rank 0, go to rank 1 in two messages.
bool are_messages_right(Bug bug, std::uint64_t seed) {
  std::vector<int> sent{0, 0}, got{0, 0};
  const auto record = [&](flow::Recorder& recorder) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (recorder.rank() == Rank(0)) {
        const flow::DataRef<int> own(recorder.datum("sent"), std::span(sent).subspan(i, 1));
        recorder.task("make", flow::uses(flow::out(own)),
                      [i](auto v) { v[0] = static_cast<int>(i) + 1; });
        recorder.send(flow::in(own), Rank(1));
      } else {
        const flow::DataRef<int> own(recorder.datum("got"), std::span(got).subspan(i, 1));
        recorder.recv(flow::out(own), Rank(0));
      }
    }
  };
  std::deque<OneTag> transports;
  simulate(2, seed, record, [&](flow::Transport& t) -> flow::Transport& {
    return bug == Bug::planted ? transports.emplace_back(t) : t;
  });
  return got == std::vector<int>{1, 2};
}

TEST(PlantedBug, tag_collision_is_found_within_20_seeds) {
  EXPECT_TRUE(first_wrong(20, [](auto seed) { return are_messages_right(Bug::planted, seed); }));
  EXPECT_FALSE(first_wrong(200, [](auto seed) { return are_messages_right(Bug::absent, seed); }));
}

/// Rank 0 adds what the others send: in the order of ranks, or as it comes.
bool is_sum_right(Bug bug, std::uint64_t seed) {
  constexpr int n_ranks = 5;
  constexpr double parts[n_ranks] = {0, 1e16, 1, -1e16, 1};  // rounding shows the order
  double sum = 0, expected = 0;
  for (int replay = 0; replay < 3; ++replay)
    for (const double part : parts) expected += part;

  simulate(n_ranks, seed, [&](flow::Recorder& recorder) {
    const std::uint32_t here = recorder.rank()();
    if (here != 0) {
      const auto part = recorder.data<double>("part", 1, parts[here]);
      recorder.send(flow::in(part), Rank(0));
      return;
    }
    const flow::DataRef<double> total(recorder.datum("sum"), std::span(&sum, 1));
    for (std::uint32_t r = 1; r < n_ranks; ++r) {
      const auto part = recorder.data<double>("part", 1);
      recorder.recv(flow::out(part), Rank(r));
      if (bug == Bug::absent)
        recorder.task("add", flow::uses(flow::in(part), flow::inout(total)),
                      [](auto p, auto s) { s[0] += p[0]; });
      else
        recorder.task("add", flow::uses(flow::in(part)), [&sum](auto p) { sum += p[0]; });
    }
  });
  return sum == expected;
}

TEST(PlantedBug, sum_in_order_of_arrival_is_found_within_20_seeds) {
  EXPECT_TRUE(first_wrong(20, [](auto seed) { return is_sum_right(Bug::planted, seed); }));
  EXPECT_FALSE(first_wrong(200, [](auto seed) { return is_sum_right(Bug::absent, seed); }));
}

/// The executor's parker with one line left out.
enum class Fault { looks_before_it_says_so, notice_without_lock };
template <Fault fault>
class FaultyParker {
 public:
  template <class F>
  void park(F is_wanted, std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    bool is_needed = false;
    if (fault == Fault::looks_before_it_says_so) is_needed = is_wanted();
    is_parked_.store(true, std::memory_order_seq_cst);
    if (fault != Fault::looks_before_it_says_so) is_needed = is_wanted();
    if (!is_needed) wake_.wait_for(lock, limit);
    is_parked_.store(false, std::memory_order_relaxed);
  }
  bool unpark() {
    if (!is_parked_.load(std::memory_order_relaxed)) return false;
    if (fault != Fault::notice_without_lock) const std::lock_guard lock(mutex_);
    wake_.notify_one();
    return true;
  }

 private:
  VirtualMutex mutex_;
  VirtualCondition wake_;
  VirtualAtomic<bool> is_parked_{false};
};

/// Two workers send an item each to a third, who sleeps in between; nobody should sleep it out.
template <class Parker>
bool is_never_asleep_when_wanted(std::uint64_t seed) {
  VirtualThreads threads(seed);
  Parker parker;
  VirtualAtomic<bool> mail[2];
  const auto has_mail = [&](bool& first, bool& second) {
    first = first || mail[0].load(std::memory_order_relaxed);
    second = second || mail[1].load(std::memory_order_relaxed);
    return first && second;
  };
  const auto owner = [&] {
    bool first = false, second = false;
    while (!has_mail(first, second)) {
      const bool had_first = first, had_second = second;
      parker.park(
          [&] {
            has_mail(first, second);
            return first != had_first || second != had_second;
          },
          std::chrono::milliseconds(1));
    }
  };
  const auto sender = [&](int i) {
    mail[i].store(true, std::memory_order_release);
    parker.unpark();
  };
  return threads.run({owner, [&] { sender(0); }, [&] { sender(1); }}) == 0;
}

TEST(PlantedBug, lost_wake_up_is_found_within_200_seeds) {
  EXPECT_TRUE(
      first_wrong(200, is_never_asleep_when_wanted<FaultyParker<Fault::looks_before_it_says_so>>));
  EXPECT_TRUE(
      first_wrong(200, is_never_asleep_when_wanted<FaultyParker<Fault::notice_without_lock>>));
  EXPECT_FALSE(
      first_wrong(5000, is_never_asleep_when_wanted<flow::detail::BasicParker<VirtualSync>>));
}

}  // namespace
}  // namespace thalweg::comm

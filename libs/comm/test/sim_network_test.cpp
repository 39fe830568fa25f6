// SPDX-License-Identifier: MIT
#include <thalweg/comm/sim_network.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>

#include "../src/fiber.hpp"

namespace thalweg::comm {
namespace {

using flow::Channel;
using flow::Tag;
using flow::Ticket;
using flow::Transport;

template <class T>
std::span<const std::byte> bytes(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}
template <class T>
std::span<std::byte> bytes(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

void wait(Transport& transport, std::size_t n) {
  std::vector<Ticket> completed;
  while (completed.size() < n) transport.poll(completed);
}

TEST(SimNetwork, ring_passes_every_value_round) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const int n = 1 + static_cast<int>(seed % 6);
    SimNetwork network({.n_ranks = n, .seed = seed});

    const auto result = network.run([&](Transport& t) {
      const auto size = static_cast<std::uint32_t>(n), here = t.rank()();
      std::uint32_t held = here;
      for (std::uint32_t step = 0; step < size; ++step) {
        std::uint32_t got = 99;
        t.post_recv(bytes(got), Rank((here + size - 1) % size), Channel::host, Tag(0), 0);
        t.post_send(bytes(std::as_const(held)), Rank((here + 1) % size), Channel::host, Tag(0), 1);
        wait(t, 2);
        held = got;
        EXPECT_EQ(held, (here + size - 1 - step) % size);
      }
    });

    ASSERT_TRUE(result) << "seed " << seed << ": " << result.error().message;
  }
}

TEST(SimNetwork, messages_of_one_tag_keep_their_order_and_tags_and_channels_do_not_mix) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SimNetwork network({.n_ranks = 2, .seed = seed});

    const auto result = network.run([](Transport& t) {
      std::array<int, 8> values{0, 1, 2, 3, 4, 5, 6, 7};
      if (t.rank() == Rank(0)) {
        for (std::size_t i = 0; i < 8; ++i)
          t.post_send(bytes(std::as_const(values[i])), Rank(1),
                      i % 4 < 2 ? Channel::graph : Channel::host, Tag(i % 2), 0);
      } else {
        values.fill(-1);
        for (std::size_t i : {7, 6, 5, 0, 1, 2, 4, 3})  // per stream the lower ones must come first
          t.post_recv(bytes(values[i]), Rank(0), i % 4 < 2 ? Channel::graph : Channel::host,
                      Tag(i % 2), 0);
      }
      wait(t, 8);
      if (t.rank() == Rank(1)) {
        EXPECT_EQ(values, (std::array{0, 5, 6, 7, 4, 1, 2, 3}));
      }
    });

    ASSERT_TRUE(result) << result.error().message;
  }
}

TEST(SimNetwork, arrivals_differ_from_seed_to_seed_and_repeat_with_the_seed) {
  const auto order = [](std::uint64_t seed) {
    std::string arrived;
    SimNetwork network({.n_ranks = 2, .seed = seed});
    const auto result = network.run([&](Transport& t) {
      std::array<char, 4> values{'a', 'b', 'c', 'd'};
      for (std::size_t i = 0; i < 4; ++i) {
        if (t.rank() == Rank(0))
          t.post_send(bytes(std::as_const(values[i])), Rank(1), Channel::host, Tag(i), 0);
        else
          t.post_recv(bytes(values[i]), Rank(0), Channel::host, Tag(i), static_cast<Ticket>(i));
      }
      std::vector<Ticket> completed;
      while (completed.size() < 4) t.poll(completed);
      if (t.rank() == Rank(1))
        for (const Ticket ticket : completed) arrived += values[ticket];
    });
    EXPECT_TRUE(result);
    return arrived;
  };

  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    seen.insert(order(seed));
    EXPECT_EQ(order(seed), order(seed));
  }

  EXPECT_EQ(seen.size(), 24u);  // all permutations of four
}

TEST(SimNetwork, deadlock_names_who_waits_for_what) {
  SimNetwork network({.n_ranks = 3, .patience = 100});

  const auto result = network.run([](Transport& t) {
    if (t.rank() == Rank(2)) return;
    std::uint64_t value = 0;
    t.post_recv(bytes(value), Rank(1 - t.rank()()), Channel::graph, Tag(7), 0);
    wait(t, 1);
  });

  ASSERT_FALSE(result);
  const std::string& text = result.error().message;
  for (const char* part : {"deadlock", "rank 0 receiving from rank 1",
                           "rank 1 receiving from rank 0", "graph", "tag 7", "8 bytes"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(SimNetwork, what_it_says_of_1_000_ranks_is_short) {
  constexpr std::uint32_t n = 1000;
  for (const bool waits : {false, true}) {
    SimNetwork network({.n_ranks = n, .patience = 10, .stack_bytes = 64 * 1024});
    std::array<char, 2> buffer{};

    const auto result = network.run([&](Transport& t) {
      const Rank next((t.rank()() + 1) % n);
      if (!waits) return t.post_send(bytes(std::as_const(buffer)), next, Channel::host, Tag(0), 0);
      t.post_recv(bytes(buffer), next, Channel::host, Tag(0), 0);
      wait(t, 1);
    });

    ASSERT_FALSE(result);
    const std::string& text = result.error().message;
    EXPECT_LT(text.size(), 1000u) << text;
    EXPECT_NE(text.find("rank 7 "), std::string::npos) << text;
    EXPECT_EQ(text.find("rank 8 receiving"), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("; and 992 more ranks")) << text;
  }
}

TEST(SimNetwork, other_size_than_expected_names_both) {
  SimNetwork network({.n_ranks = 2});

  const auto result = network.run([](Transport& t) {
    std::array<char, 12> buffer{};
    if (t.rank() == Rank(0))
      t.post_send(std::as_bytes(std::span(buffer)), Rank(1), Channel::host, Tag(0), 0);
    else
      t.post_recv(std::as_writable_bytes(std::span(buffer).first(5)), Rank(0), Channel::host,
                  Tag(0), 0);
    wait(t, 1);
  });

  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("12 bytes"), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().message.find("5 bytes"), std::string::npos);
}

TEST(SimNetwork, message_nobody_received_is_a_failure) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SimNetwork network({.n_ranks = 2, .seed = seed});

    const auto result = network.run([](Transport& t) {
      const int value = 1;
      if (t.rank() == Rank(0)) t.post_send(bytes(value), Rank(1), Channel::host, Tag(3), 0);
    });

    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("tag 3"), std::string::npos) << result.error().message;
  }
}

TEST(SimNetwork, exception_on_one_rank_unwinds_the_others) {
  int n_unwound = 0;
  struct Count {
    int& n;
    ~Count() { ++n; }
  };
  SimNetwork network({.n_ranks = 4});

  const auto result = network.run([&](Transport& t) {
    const Count count{n_unwound};
    std::vector<Ticket> completed;
    if (t.rank() == Rank(3)) throw std::runtime_error("disk full");
    int value = 0;
    t.post_recv(bytes(value), Rank(3), Channel::host, Tag(0), 0);
    while (completed.empty()) t.poll(completed);
  });

  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("rank 3: disk full"), std::string::npos);
  EXPECT_GE(n_unwound, 1);
  EXPECT_LE(n_unwound, 4);
}

TEST(SimNetwork, abort_ends_all_ranks_and_says_who) {
  SimNetwork network({.n_ranks = 3});

  const auto result = network.run([](Transport& t) {
    std::vector<Ticket> completed;
    if (t.rank() == Rank(1)) t.abort("no such file");
    int value = 0;
    t.post_recv(bytes(value), Rank(1), Channel::host, Tag(0), 0);
    while (completed.empty()) t.poll(completed);
  });

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "rank 1 aborted: no such file");
}

TEST(SimNetwork, exceptions_being_handled_stay_with_their_rank) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SimNetwork network({.n_ranks = 3, .seed = seed});

    const auto result = network.run([](Transport& t) {
      const std::string own = "from " + std::to_string(t.rank()());
      try {
        throw std::runtime_error(own);
      } catch (const std::exception&) {
        int sent = 1, got = 0;
        t.post_recv(bytes(got), Rank((t.rank()() + 1) % 3), Channel::host, Tag(0), 0);
        t.post_send(bytes(std::as_const(sent)), Rank((t.rank()() + 2) % 3), Channel::host, Tag(0),
                    1);
        wait(t, 2);  // others run here, in their own handlers
        try {
          throw;
        } catch (const std::exception& again) {
          EXPECT_EQ(again.what(), own);
        }
      }
    });

    ASSERT_TRUE(result) << result.error().message;
  }
}

TEST(SimNetwork, clock_advances_with_polls_and_is_the_same_each_time) {
  const auto time = [] {
    SimNetwork network({.n_ranks = 2, .seed = 3});
    std::int64_t end = 0;
    EXPECT_TRUE(network.run([&](Transport& t) {
      int sent = 1, got = 0;
      t.post_recv(bytes(got), Rank(1 - t.rank()()), Channel::host, Tag(0), 0);
      t.post_send(bytes(std::as_const(sent)), Rank(1 - t.rank()()), Channel::host, Tag(0), 1);
      wait(t, 2);
      end = network.clock().now_ns();
    }));
    return end;
  };

  EXPECT_GT(time(), 0);
  EXPECT_EQ(time(), time());
}

TEST(SimNetwork, in_turn_lets_a_rank_go_on_about_once_a_round_of_a_collective) {
  constexpr int n = 4096, n_rounds = 12;
  SimNetwork network({.n_ranks = n, .stack_bytes = 64 * 1024, .order = RankOrder::in_turn});

  const auto result =
      network.run([&](Transport& t) { EXPECT_EQ(flow::all_reduce(t, 1, std::plus<>()), n); });

  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LE(network.clock().now_ns() / 1000, 4 * n * n_rounds) << "polls";
}

TEST(SimNetwork, in_turn_says_who_waits_and_ends_all_ranks_as_in_any_order) {
  SimNetwork network({.n_ranks = 4, .patience = 100, .order = RankOrder::in_turn});
  int n_ended = 0, got = 0;

  const auto result = network.run([&](Transport& t) {
    if (t.rank() == Rank(2)) return;
    try {
      t.post_recv(bytes(got), Rank(2), Channel::host, Tag(0), 0);
      wait(t, 1);
    } catch (const flow::RunEnded&) {
      ++n_ended;
      throw;
    }
  });

  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().message.starts_with("deadlock: rank 0 receiving from rank 2"))
      << result.error().message;
  EXPECT_EQ(n_ended, 3);
}

TEST(SimNetwork, some_ranks_of_seed_0_are_slow) {
  constexpr std::uint32_t n = 8;
  constexpr int most = 1000;
  std::array<int, n> n_polls{}, got{};
  bool is_over = false;
  SimNetwork network({.n_ranks = n, .seed = 0});

  const auto result = network.run([&](Transport& t) {
    const std::uint32_t here = t.rank()();
    t.post_recv(bytes(got[here]), Rank((here + n - 1) % n), Channel::host, Tag(0), 0);
    std::vector<Ticket> completed;
    while (!is_over) {  // each poll lets others run, as nothing comes
      t.poll(completed);
      is_over = ++n_polls[here] == most || is_over;
    }
    t.post_send(bytes(here), Rank((here + 1) % n), Channel::host, Tag(0), 1);
    while (completed.size() < 2) t.poll(completed);
  });

  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LT(*std::ranges::min_element(n_polls), most / 4);
  EXPECT_GT(std::ranges::count_if(n_polls, [](int own) { return own > most / 2; }), n / 2);
}

// More than have a guarded page below their stacks.
TEST(SimNetwork, runs_20_000_ranks) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer knows 8,128 fibers at most";
#endif
  constexpr std::uint32_t n = 20'000;
  int n_met = 0;
  SimNetwork network({.n_ranks = n, .stack_bytes = 64 * 1024});

  const auto result = network.run([&](Transport& t) {
    const std::uint32_t here = t.rank()();
    std::uint32_t got = n;
    t.post_recv(bytes(got), Rank((here + n - 1) % n), Channel::host, Tag(0), 0);
    t.post_send(bytes(here), Rank((here + 1) % n), Channel::host, Tag(0), 1);
    wait(t, 2);
    n_met += got == (here + n - 1) % n ? 1 : 0;
  });

  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(n_met, 20'000);
}

TEST(SimNetwork, config_out_of_range_is_an_error_that_says_so) {
  struct Bad {
    SimConfig config;
    const char* says;
  };
  for (const Bad& bad :
       {Bad{{.n_ranks = 0}, "n_ranks = 0"}, Bad{{.n_ranks = -3}, "n_ranks = -3"},
        Bad{{.stack_bytes = 0}, "stack_bytes = 0"}, Bad{{.stack_bytes = SIZE_MAX}, "stack_bytes"},
        Bad{{.n_ranks = 2, .compute_nodes = {0}}, "compute_nodes is for 1 ranks of 2"},
        Bad{{.n_ranks = 2, .compute_nodes = {0, -1}}, "compute_nodes has -1"},
        Bad{{.n_ranks = 2, .compute_nodes = {0, 2}}, "compute_nodes has 2"}})
    try {
      const SimNetwork network(bad.config);
      ADD_FAILURE() << bad.says;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(bad.says), std::string::npos) << error.what();
    }
}

TEST(Stacks, tell_that_one_has_been_too_small) {
  const Stacks stacks(20'000, 4096);
  EXPECT_TRUE(stacks.is_intact(7));
  *(stacks.usable(7).data() - 8) = std::byte{1};  // as a call would that has no room
  EXPECT_FALSE(stacks.is_intact(7));
  EXPECT_TRUE(stacks.is_intact(6));
  EXPECT_TRUE(stacks.is_intact(8));
}

}  // namespace
}  // namespace thalweg::comm

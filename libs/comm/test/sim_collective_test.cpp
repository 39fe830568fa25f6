// SPDX-License-Identifier: MIT
// flow/collective.hpp, on simulated ranks.
#include <thalweg/flow/collective.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/random.hpp>

namespace thalweg::comm {
namespace {

using flow::Transport;

/// Runs a program on every number of ranks from 1 to 9 with some seeds.
void on_ranks(const std::function<void(Transport&)>& program) {
  for (int n = 1; n <= 9; ++n)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SimNetwork network({.n_ranks = n, .seed = seed});
      const auto result = network.run(program);
      ASSERT_TRUE(result) << n << " ranks, seed " << seed << ": " << result.error().message;
    }
}

TEST(AllGather, has_the_value_of_each_rank) {
  on_ranks([](Transport& t) {
    const auto all = flow::all_gather(t, 10 * t.rank()());

    ASSERT_EQ(all.size(), static_cast<std::size_t>(t.n_ranks()));
    for (std::uint32_t r = 0; r < all.size(); ++r) EXPECT_EQ(all[r], 10 * r);
  });
}

TEST(AllGatherV, keeps_unequal_and_empty_parts_apart) {
  on_ranks([](Transport& t) {
    const auto size_of = [](std::uint32_t r) { return (r * 7 + 2) % 4; };
    const std::vector<double> mine(size_of(t.rank()()), t.rank()() + 0.5);

    const auto all = flow::all_gather_v(t, std::span<const double>(mine));

    for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(t.n_ranks()); ++r) {
      ASSERT_EQ(all.of(Rank(r)).size(), size_of(r));
      for (const double x : all.of(Rank(r))) EXPECT_EQ(x, r + 0.5);
    }
  });
}

TEST(AllReduce, has_each_rank_once_and_in_order) {
  on_ranks([](Transport& t) {
    // x -> a x + b, composed: does not commute.
    const auto affine = [](std::uint32_t r) { return std::array{2 * r + 3, r * r + 1}; };
    const auto then = [](std::array<std::uint32_t, 2> f, std::array<std::uint32_t, 2> g) {
      return std::array{f[0] * g[0], g[0] * f[1] + g[1]};
    };
    std::array<std::uint32_t, 2> expected{1, 0};
    for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(t.n_ranks()); ++r)
      expected = then(expected, affine(r));

    EXPECT_EQ(flow::all_reduce(t, affine(t.rank()()), then), expected);
  });
}

TEST(Broadcast, gives_the_value_of_rank_0_to_all) {
  on_ranks([](Transport& t) { EXPECT_EQ(flow::broadcast(t, 7 + 10 * t.rank()()), 7u); });
}

TEST(AllReduce, of_exact_sums_does_not_round) {
  on_ranks([](Transport& t) {
    // 1e300, -1e300 and small numbers among them: any rounding on the way loses those.
    ExactSum mine, all;
    for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(t.n_ranks()); ++r) {
      const std::array<double, 3> numbers{r % 2 == 0 ? 1e300 : -1e300, 1.0 / (1 + r), -3.0 * r};
      all.add(numbers);
      if (Rank(r) == t.rank()) mine.add(numbers);
    }

    EXPECT_EQ(flow::all_reduce(t, mine).value(), all.value());
  });
}

TEST(AllReduce, gives_all_ranks_the_same_bits_where_sums_round) {
  for (int n = 1; n <= 9; ++n) {
    std::vector<double> sums(static_cast<std::size_t>(n));
    SimNetwork network({.n_ranks = n, .seed = 3});
    const auto result = network.run([&](Transport& t) {
      const double mine = 1.0 / (1 + t.rank()());
      sums[t.rank()()] = flow::all_reduce(t, mine, std::plus<>());
    });
    ASSERT_TRUE(result) << result.error().message;
    // Three ranks and four: (1 + 1/2) + 1/3, and so on.
    if (n == 3) {
      EXPECT_EQ(sums[0], 1.5 + 1.0 / 3);
    }
    if (n == 4) {
      EXPECT_EQ(sums[0], 1.5 + (1.0 / 3 + 0.25));
    }
    for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
  }
}

TEST(ExclusiveScan, sums_the_lower_ranks) {
  on_ranks([](Transport& t) {
    const std::uint64_t here = t.rank()();

    EXPECT_EQ(flow::exclusive_scan(t, here + 1, std::plus<>(), std::uint64_t{0}),
              here * (here + 1) / 2);
  });
}

TEST(ExclusiveScan, keeps_the_order_of_operations_that_do_not_commute) {
  on_ranks([](Transport& t) {
    // x -> a x + b, composed
    const auto affine = [](std::uint32_t r) { return std::array{2 * r + 3, r * r + 1}; };
    const auto then = [](std::array<std::uint32_t, 2> f, std::array<std::uint32_t, 2> g) {
      return std::array{f[0] * g[0], g[0] * f[1] + g[1]};
    };
    std::array<std::uint32_t, 2> expected{1, 0};
    for (std::uint32_t r = 0; r < t.rank()(); ++r) expected = then(expected, affine(r));

    EXPECT_EQ(flow::exclusive_scan(t, affine(t.rank()()), then, std::array<std::uint32_t, 2>{1, 0}),
              expected);
  });
}

TEST(Barrier, no_rank_leaves_before_all_have_come) {
  for (int n = 1; n <= 7; ++n) {
    int n_inside = 0;
    SimNetwork network({.n_ranks = n, .seed = 5});
    const auto result = network.run([&](Transport& t) {
      for (int round = 1; round <= 3; ++round) {
        ++n_inside;
        flow::barrier(t);
        EXPECT_GE(n_inside, round * n);
      }
    });
    ASSERT_TRUE(result) << result.error().message;
  }
}

TEST(ExchangeSparse, delivers_by_source_and_in_order_of_sending) {
  struct Letter {
    std::uint32_t from, to, number;
    bool operator==(const Letter&) const = default;
  };
  const auto letters_of = [](std::uint32_t from, std::uint32_t n_ranks) {
    SplitMix64 random(from * 100 + n_ranks);
    std::vector<std::pair<Rank, Letter>> out;
    const std::uint64_t n = from % 3 == 2 ? 0 : random.below(20);
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto to = static_cast<std::uint32_t>(random.below(n_ranks));
      out.emplace_back(Rank(to), Letter{from, to, i});
    }
    return out;
  };
  on_ranks([&](Transport& t) {
    const auto n = static_cast<std::uint32_t>(t.n_ranks());
    std::vector<std::pair<Rank, Letter>> expected;
    for (std::uint32_t from = 0; from < n; ++from)
      for (const auto& [to, letter] : letters_of(from, n))
        if (to == t.rank()) expected.emplace_back(Rank(from), letter);
    const auto out = letters_of(t.rank()(), n);

    const auto got = flow::exchange_sparse(t, std::span<const std::pair<Rank, Letter>>(out));

    EXPECT_EQ(got, expected);
  });
}

/// What a run says in which rank 0 makes one call and the other ranks another.
template <class First, class Other>
std::string said_of(First first, Other other, double watchdog_s = 0) {
  SimNetwork network({.n_ranks = 2});
  const auto result = network.run([&](Transport& t) {
    t.set_watchdog(watchdog_s);
    t.rank() == Rank(0) ? first(t) : other(t);
  });
  return result ? "nothing" : result.error().message;
}

TEST(HostCalls, of_one_size_that_do_not_match_wait_for_each_other) {
  const auto max = [](double a, double b) { return std::max(a, b); };
  const auto all_reduce = [&](Transport& t) { flow::all_reduce(t, 1.5, max); };
  const auto scan = [](Transport& t) { flow::exclusive_scan(t, 7e300, std::plus<>(), 0.0); };
  const auto gather = [](Transport& t) { flow::all_gather(t, 2.0); };
  const auto gather_v = [](Transport& t) {
    flow::all_gather_v(t, std::span<const double>(std::array{2.0}));
  };
  const auto shift = [](Transport& t) {
    flow::ring_shift(t, std::span<const double>(std::array{2.0}), 1);
  };
  const auto sparse = [](Transport& t) {
    flow::exchange_sparse(t, std::span<const std::pair<Rank, double>>());
  };
  const auto expect_both_wait = [](const std::string& said) {
    for (const char* part : {"deadlock", "rank 0 receiving from rank 1", "receiving from rank 0"})
      EXPECT_NE(said.find(part), std::string::npos) << said;
  };

  expect_both_wait(said_of(all_reduce, scan));
  expect_both_wait(said_of(scan, gather));
  expect_both_wait(said_of(gather, all_reduce));
  expect_both_wait(said_of(gather, gather_v));
  expect_both_wait(said_of(shift, sparse));
  expect_both_wait(said_of(sparse, gather_v));
  EXPECT_EQ(said_of(gather_v, gather_v), "nothing");
  // By the machine's clock, long before the simulated network gives up.
  const std::string said = said_of(all_reduce, scan, 1e-6);
  for (const char* part : {"aborted: nothing has come for 0.000001 s from rank ", "same calls"})
    EXPECT_NE(said.find(part), std::string::npos) << said;
}

TEST(ExchangeSparse, refuses_a_rank_that_does_not_exist) {
  const auto send_to = [](Rank to) {
    return [to](Transport& t) {
      const std::array out{std::pair(to, 5)};
      flow::exchange_sparse(t, std::span<const std::pair<Rank, int>>(out));
    };
  };

  EXPECT_EQ(said_of(send_to(Rank(7)), send_to(Rank(0))),
            "rank 0 sends a value to rank 7 in an exchange_sparse (there are ranks 0 to 1); name "
            "one of them");
  EXPECT_EQ(said_of(send_to(Rank(1)), send_to(Rank(0))), "nothing");
}

TEST(SendAndReceive, in_pieces_brings_all_bytes) {
  on_ranks([](Transport& t) {
    const auto n = static_cast<std::uint32_t>(t.n_ranks());
    const std::uint32_t below = (t.rank()() + n - 1) % n;
    for (const std::size_t size : {0u, 1u, 3u, 4u, 10u}) {
      const std::vector<std::byte> sent(size + t.rank()(), std::byte(t.rank()()));
      std::vector<std::byte> received(size + below);

      flow::detail::send_and_receive(t, flow::detail::HostCall::ring_shift, sent,
                                     Rank((t.rank()() + 1) % n), received, Rank(below), 3);

      EXPECT_EQ(received, std::vector<std::byte>(size + below, std::byte(below)));
    }
  });
}

TEST(SendAndReceive, sends_no_more_at_once_than_a_piece) {
  const auto in_pieces_of = [](std::size_t n) {
    return [n](Transport& t) {
      const std::vector<std::byte> sent(7);
      std::vector<std::byte> received(7);
      const Rank other(1 - t.rank()());
      flow::detail::send_and_receive(t, flow::detail::HostCall::ring_shift, sent, other, received,
                                     other, n);
    };
  };

  EXPECT_EQ(said_of(in_pieces_of(3), in_pieces_of(3)), "nothing");
  const std::string said = said_of(in_pieces_of(3), in_pieces_of(4));
  EXPECT_NE(said.find("3 bytes"), std::string::npos) << said;
}

}  // namespace
}  // namespace thalweg::comm

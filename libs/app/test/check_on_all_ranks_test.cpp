// SPDX-License-Identifier: MIT
#include <thalweg/app/check_on_all_ranks.hpp>

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>

#include "counting_transport.hpp"

namespace thalweg::app {
namespace {

void on_ranks(int n_ranks, const std::function<void(flow::Transport&)>& program) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = 3});
  const auto done = network.run(program);
  EXPECT_TRUE(done) << done.error().message;
}

TEST(GatherTexts, gives_what_each_rank_has_to_all) {
  on_ranks(3, [](flow::Transport& t) {
    const std::string mine = t.rank() == Rank{1} ? "" : "of " + std::to_string(t.rank()());
    EXPECT_EQ(gather_texts(t, mine), (std::vector<std::string>{"of 0", "", "of 2"}));
  });
}

TEST(IsSoOnRank0, is_what_rank_0_says_on_all) {
  on_ranks(3, [](flow::Transport& t) {
    EXPECT_TRUE(is_so_on_rank_0(t, t.rank() == Rank{0}));
    EXPECT_FALSE(is_so_on_rank_0(t, t.rank() != Rank{0}));
  });
}

TEST(Agree, is_success_if_all_ranks_had_it) {
  on_ranks(3, [](flow::Transport& t) { EXPECT_TRUE(check_on_all_ranks(t, {})); });
}

TEST(Agree, is_the_failure_of_the_lowest_rank_that_failed) {
  on_ranks(4, [](flow::Transport& t) {
    Result<void> mine;
    if (t.rank() == Rank{1}) mine = std::unexpected(Failure{"disk full"});
    if (t.rank() == Rank{3}) mine = std::unexpected(Failure{"disk gone"});
    EXPECT_EQ(check_on_all_ranks(t, mine).error().message, "rank 1: disk full");
  });
}

TEST(Agree, takes_as_many_collectives_as_it_says) {
  on_ranks(2, [](flow::Transport& t) {
    testing::CountingTransport counting(t);
    EXPECT_TRUE(check_on_all_ranks(counting, {}));
    EXPECT_EQ(counting.n_sent(), n_collectives_of_check);
  });
}

TEST(Agree, what_has_been_agreed_on_keeps_its_rank) {
  on_ranks(3, [](flow::Transport& t) {
    Result<void> mine;
    if (t.rank() == Rank{2}) mine = std::unexpected(Failure{"disk full"});
    const auto agreed = check_on_all_ranks(t, mine);
    EXPECT_EQ(check_on_all_ranks(t, agreed).error().message, "rank 2: disk full");
  });
}

/// What each rank is told where each does this.
std::vector<std::string> tried(int n_ranks, const std::function<void(Rank)>& doing) {
  std::vector<std::string> told(static_cast<std::size_t>(n_ranks));
  on_ranks(n_ranks, [&](flow::Transport& t) {
    try {
      try_on_all_ranks(t, [&] { doing(t.rank()); });
    } catch (const Error& error) {
      told[t.rank()()] = error.what();
    }
  });
  return told;
}

TEST(TryOnAllRanks, throws_nowhere_or_everywhere) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(tried(3, [](Rank) {}), Texts(3));
  EXPECT_EQ(tried(3, [](Rank) { throw Error("no table\nno probe"); }),
            Texts(3, "no table\nno probe"));
  EXPECT_EQ(tried(4,
                  [](Rank rank) {
                    if (rank == Rank{2}) throw Error("no table\nno probe");
                    if (rank == Rank{3}) throw Error("no disk");
                  }),
            Texts(4, "rank 2: no table\nrank 2: no probe"));
  EXPECT_EQ(tried(2, [](Rank rank) { throw Error(rank == Rank{0} ? "here" : "there"); }),
            Texts(2, "rank 0: here"));
  for (const auto& told : tried(2, [](Rank rank) {
         if (rank == Rank{1}) throw Error("");
       }))
    EXPECT_NE(told.find("rank 1: something is wrong"), std::string::npos) << told;
}

TEST(CheckSameWords, throws_on_all_ranks_where_any_has_others) {
  on_ranks(3, [](flow::Transport& t) {
    EXPECT_NO_THROW(check_same_words(t, "run sod.toml"));
    try {
      check_same_words(t, t.rank() == Rank{1} ? "run" : "run sod.toml");
      ADD_FAILURE() << "not noticed";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("rank 0 with 'run sod.toml' and rank 1 with 'run'"),
                std::string::npos)
          << error.what();
    }
  });
}

TEST(CheckSameWords, shows_of_long_ones_where_they_differ) {
  on_ranks(3, [](flow::Transport& t) {
    const std::string cfl = t.rank() == Rank{2} ? "time.cfl=0.25" : "time.cfl=0.4";
    for (const std::string& rest : {std::string(200, 'x'), std::string()}) {
      try {
        check_same_words(t, std::string(200, 'w') + " " + cfl + rest);
        ADD_FAILURE() << "not noticed";
      } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("ww time.cfl=0.4"), std::string::npos) << text;
        EXPECT_NE(text.find("and rank 2 with '...ww"), std::string::npos) << text;
        EXPECT_NE(text.find("time.cfl=0.25"), std::string::npos) << text;
        EXPECT_LT(text.size(), 400u);
      }
    }
  });
}

TEST(Agree, a_failure_without_words_is_one) {
  on_ranks(2, [](flow::Transport& t) {
    const Result<void> mine =
        t.rank() == Rank{0} ? Result<void>() : Result<void>(std::unexpected(Failure{}));
    EXPECT_EQ(check_on_all_ranks(t, mine).error().message, "rank 1: ");
  });
}

TEST(Broadcast, gives_what_rank_0_has) {
  on_ranks(3, [](flow::Transport& t) {
    EXPECT_EQ(broadcast(t, t.rank() == Rank{0} ? "of 0" : "of another"), "of 0");
    EXPECT_EQ(broadcast(t, ""), "");
    const std::string of_0 = std::string(1024, 'a') + std::string(1024, 'b') + "c";
    for (const std::size_t n : {1023, 1024, 1025, 2048, 2049})
      EXPECT_EQ(broadcast(t, t.rank() == Rank{0} ? of_0.substr(0, n) : ""), of_0.substr(0, n));
  });
}

TEST(MadeByRank0, is_what_it_made_or_why_it_could_not) {
  on_ranks(3, [](flow::Transport& t) {
    EXPECT_EQ(made_by_rank_0(t,
                             [&]() -> Result<std::string> {
                               EXPECT_EQ(t.rank(), Rank{0});
                               return "a name";
                             }),
              "a name");
    const auto none = made_by_rank_0(
        t, []() -> Result<std::string> { return std::unexpected(Failure{"disk full"}); });
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "rank 0: disk full");
  });
}

}  // namespace
}  // namespace thalweg::app

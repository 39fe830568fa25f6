// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/messages.hpp>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/virtual_ranks.hpp>

namespace thalweg::exchange {
namespace {

TEST(AddAccess, adds_no_access_twice) {
  const flow::Access first{flow::DatumId(1), flow::Mode::in};
  const flow::Access second{flow::DatumId(2), flow::Mode::in};
  std::vector<flow::Access> accesses;

  for (const auto& access : {first, second, first}) add_access(accesses, access);

  EXPECT_EQ(accesses, (std::vector<flow::Access>{first, second}));
}

TEST(WithDestination, finds_what_goes_to_one_block) {
  std::vector<Copy<1>> copies;
  for (const std::uint64_t dst : {1u, 3u, 3u, 5u})
    copies.push_back({{0, copies.size()}, {0, dst}, {}, {}});

  const auto found = with_destination(copies, mesh::Key<1>{0, 3}, &Copy<1>::dst);

  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].src, (mesh::Key<1>{0, 1}));
  EXPECT_EQ(found[1].src, (mesh::Key<1>{0, 2}));
  EXPECT_TRUE(with_destination(copies, mesh::Key<1>{0, 2}, &Copy<1>::dst).empty());
}

/// Writes a number into every cell of every component: 100 * number + 10 * component + cell.
struct Numbered {
  double number;

  void operator()(View<double, 1> to) const {
    for (int c = 0; c < to.n_components(); ++c)
      for_each(to.box(), [&](const Index<1>& i) { to[c, i] = 100 * number + 10 * c + i[0]; });
  }
};

TEST(EmitMessages, carry_the_cells_of_all_copies_and_sort_them_by_destination) {
  // Rank 0 sends two messages to rank 1; their copies interleave by destination.
  const Copy<1> a{{0, 0}, {0, 8}, {{{3}}, {{5}}}, {}};
  const Copy<1> b{{0, 1}, {0, 6}, {{{0}}, {{1}}}, {}};
  const Copy<1> c{{0, 2}, {0, 7}, {{{2}}, {{6}}}, {}};
  const auto message = [](Rank peer, std::vector<Copy<1>> copies) {
    Message<1> result{peer, copies, 0};
    for (const auto& copy : copies) result.n_cells += copy.n_cells();
    return result;
  };
  testing::on_virtual_ranks(2, [&](testing::VirtualRank& self) {
    const Rank peer{1 - self.rank()()};
    const std::vector<Message<1>> both{message(peer, {b, a}), message(peer, {c})};
    Transfers<1> transfers;
    (self.rank() == Rank{0} ? transfers.sends : transfers.recvs) = both;
    auto recorder = self.recorder();

    const auto arrivals = emit_messages(recorder, "test", transfers, 2, 0,
                                        [](const Copy<1>& copy, std::vector<flow::Access>&) {
                                          return Numbered{static_cast<double>(copy.src.code)};
                                        });
    EXPECT_EQ(self.run(std::move(recorder)), 1u);

    if (self.rank() == Rank{0}) {
      EXPECT_TRUE(arrivals.empty());
      return;
    }
    ASSERT_EQ(arrivals.size(), 3u);
    EXPECT_EQ(arrivals[0].copy, b);
    EXPECT_EQ(arrivals[1].copy, c);
    EXPECT_EQ(arrivals[2].copy, a);
    EXPECT_EQ(arrivals[0].buffer, arrivals[2].buffer);
    EXPECT_NE(arrivals[0].buffer, arrivals[1].buffer);
  });
}

TEST(EmitMessages, bring_the_right_numbers) {
  const Copy<1> copy{{0, 4}, {0, 8}, {{{3}}, {{5}}}, {}};
  const Copy<1> other{{0, 5}, {0, 9}, {{{7}}, {{8}}}, {}};
  testing::on_virtual_ranks(2, [&](testing::VirtualRank& self) {
    const Rank peer{1 - self.rank()()};
    Transfers<1> transfers;
    (self.rank() == Rank{0} ? transfers.sends : transfers.recvs) = {{peer, {copy, other}, 3}};
    auto recorder = self.recorder();
    const auto arrivals = emit_messages(recorder, "test", transfers, 2, 0,
                                        [](const Copy<1>& c, std::vector<flow::Access>&) {
                                          return Numbered{static_cast<double>(c.src.code)};
                                        });
    std::vector<double> seen;
    // The buffers live as long as the recording: read them by a task.
    if (self.rank() == Rank{1})
      recorder.task("read", std::vector<flow::Access>{{arrivals[0].buffer, flow::Mode::in}},
                    [&](flow::TaskContext&) {
                      for (const auto& arrival : arrivals)
                        seen.insert(seen.end(), arrival.packed.data(),
                                    arrival.packed.data() + arrival.packed.size());
                    });
    self.run(std::move(recorder));

    if (self.rank() == Rank{0}) return;
    EXPECT_EQ(seen, (std::vector<double>{403, 404, 413, 414, 507, 517}));
  });
}

}  // namespace
}  // namespace thalweg::exchange

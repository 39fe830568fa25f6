// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/gather.hpp>

#include <array>

#include <gtest/gtest.h>

#include <thalweg/flow/recorder.hpp>

namespace thalweg::exchange {
namespace {

using View1 = View<double, 1>;

TEST(TimeSource, gives_the_saved_the_present_or_a_state_between) {
  std::array<double, 4> saved{1, 2, 3, 4};
  std::array<double, 4> now{5, 8, 11, 14};
  std::array<double, 2> result{};
  const auto at = [&](double theta) {
    const TimeSource<1> source{View1(saved.data(), Box<1>::cube(4), 1),
                               View1(now.data(), Box<1>::cube(4), 1),
                               theta,
                               {{{11}}, {{13}}},
                               {{-10}}};
    source(View1(result.data(), {{{11}}, {{13}}}, 1));
    return result;
  };

  EXPECT_EQ(at(0.0), (std::array<double, 2>{2, 3}));
  EXPECT_EQ(at(0.5), (std::array<double, 2>{5, 7}));
  EXPECT_EQ(at(1.0), (std::array<double, 2>{8, 11}));
}

TEST(FromTime, reads_only_what_it_needs) {
  flow::Recorder recorder(Rank{0}, 1);
  std::array<double, 4> cells{};
  const View1 view(cells.data(), Box<1>::cube(4), 1);
  const flow::DatumId interior = recorder.datum("interior");
  const flow::DatumId ghosts = recorder.datum("ghosts");
  const flow::DatumId saved = recorder.datum("saved");
  LevelData<1> level{0, {}};
  level.blocks.push_back({.key = {0, 0},
                          .valid = Box<1>::cube(4),
                          .cells = view,
                          .interior = interior,
                          .ghosts = ghosts,
                          .saved = SavedState<1>{view, saved}});
  const Copy<1> copy{{0, 0}, {1, 0}, Box<1>::cube(1), {}};
  const auto read_at = [&](double theta) {
    std::vector<flow::Access> accesses;
    FromTime<1>{level, theta}(copy, accesses);
    return accesses;
  };

  using Accesses = std::vector<flow::Access>;
  // At the start of the step a finer level need not wait for the coarse one to be advanced.
  EXPECT_EQ(read_at(0.0), (Accesses{{saved, flow::Mode::in}}));
  EXPECT_EQ(read_at(0.5), (Accesses{{saved, flow::Mode::in}, {interior, flow::Mode::in}}));
  EXPECT_EQ(read_at(1.0), (Accesses{{interior, flow::Mode::in}}));
}

TEST(TimeSource, is_a_plain_copy_at_both_ends_of_the_step) {
  std::array<double, 4> saved{}, now{};
  const auto plain_at = [&](double theta) {
    return TimeSource<1>{View1(saved.data(), Box<1>::cube(4), 1),
                         View1(now.data(), Box<1>::cube(4), 1),
                         theta,
                         Box<1>::cube(2),
                         {}}
        .plain();
  };

  ASSERT_TRUE(plain_at(0.0) && plain_at(1.0));
  EXPECT_EQ(plain_at(0.0)->from.data(), saved.data());
  EXPECT_EQ(plain_at(1.0)->from.data(), now.data());
  EXPECT_FALSE(plain_at(0.5));
}

TEST(Gather, takes_what_goes_to_one_block_from_here_and_from_messages) {
  flow::Recorder recorder(Rank{0}, 2);
  std::array<double, 4> source{1, 2, 3, 4};
  std::array<double, 1> packed{9};
  LevelData<1> level{0, {}};
  level.blocks.push_back({.key = {0, 0},
                          .valid = Box<1>::cube(4),
                          .cells = View1(source.data(), Box<1>::cube(4), 1),
                          .interior = recorder.datum("interior"),
                          .ghosts = recorder.datum("ghosts")});
  const mesh::Key<1> here{0, 1};
  Transfers<1> transfers;
  transfers.locals = {{{0, 0}, here, {{{2}}, {{4}}}, {{0}}}, {{0, 0}, {0, 2}, {{{0}}, {{1}}}, {}}};
  const flow::DatumId buffer = recorder.datum("message");
  const Box<1> at_5{{{5}}, {{6}}};
  const std::vector<Arrival<1>> arrivals{
      {{{0, 7}, here, at_5, {}}, View<const double, 1>(packed.data(), at_5, 1), buffer}};
  std::vector<flow::Access> accesses;

  Gatherer gather(recorder, transfers, arrivals, FromInterior<1>{level});
  std::array<double, 8> to{};
  const View1 cells(to.data(), Box<1>::cube(8), 1);
  const auto some = gather(here, cells, accesses);
  some(cells);

  EXPECT_FALSE(some.is_empty());
  EXPECT_EQ(to, (std::array<double, 8>{0, 0, 3, 4, 0, 9, 0, 0}));
  EXPECT_EQ(accesses, (std::vector<flow::Access>{{level.blocks[0].interior, flow::Mode::in},
                                                 {buffer, flow::Mode::in}}));
  EXPECT_TRUE(gather({0, 3}, cells, accesses).is_empty());
}

}  // namespace
}  // namespace thalweg::exchange

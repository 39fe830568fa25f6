// SPDX-License-Identifier: MIT
#include <thalweg/app/run_control.hpp>

#include <functional>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/collective.hpp>

#include "set_clock.hpp"

namespace thalweg::app {
namespace {

/// Asks once.
class Once final : public Requests {
 public:
  explicit Once(const Request& request) : request_(request) {}
  Request take() override { return std::exchange(request_, {}); }

 private:
  Request request_;
};

void on_ranks(int n_ranks, const Clock& clock, Requests* requests_of_rank_1,
              const std::function<void(const Context&)>& program) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = 3});
  io::MemoryFileSystem files;
  const auto done = network.run([&](flow::Transport& transport) {
    Logger log(nullptr, transport.rank());
    Once nothing({});
    program({transport,
             clock,
             files,
             log,
             {},
             transport.rank() == Rank{1} ? requests_of_rank_1 : &nothing});
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(RunControl, what_one_rank_is_asked_all_do_and_once) {
  SetClock clock;
  for (const bool stop : {false, true}) {
    Once requests({.checkpoint = !stop, .stop = stop});
    on_ranks(3, clock, &requests, [&](const Context& context) {
      RunControl control(context, 0);
      const Directives directives = control.poll(4);
      EXPECT_TRUE(directives.checkpoint);
      EXPECT_EQ(directives.stop, stop);
      EXPECT_FALSE(directives.is_out_of_time);
      EXPECT_FALSE(control.poll(4).checkpoint);
    });
  }
}

TEST(RunControl, leaves_a_run_in_one_piece_that_nobody_can_ask_anything) {
  SetClock clock;
  on_ranks(1, clock, nullptr, [&](const Context& context) {
    Context alone = context;
    alone.requests = nullptr;
    EXPECT_EQ(RunControl(alone, 0).poll(4).n_steps, std::numeric_limits<std::int64_t>::max() - 4);
  });
}

TEST(RunControl, asks_again_after_about_half_a_second) {
  SetClock clock;
  Once requests({});
  on_ranks(1, clock, &requests, [&](const Context& context) {
    RunControl control(context, 0);
    std::int64_t step = 0, n = control.poll(step).n_steps;
    EXPECT_EQ(n, 1);
    for (int i = 0; i < 12; ++i) {
      step += n;
      clock.ns += n * 1'000'000;  // a millisecond a step
      n = control.poll(step).n_steps;
    }
    EXPECT_NEAR(static_cast<double>(n), 500, 1);
    clock.ns += n * 2'000'000'000;  // then two seconds
    EXPECT_EQ(control.poll(step + n).n_steps, 1);
  });
}

/// Clocks of machines do not agree: whichever rank's says that time is up, all ranks stop.
TEST(RunControl, stops_when_the_clock_of_any_rank_says_so) {
  for (const Rank late : {Rank{0}, Rank{1}, Rank{2}}) {
    SetClock clock;
    Once requests({});
    on_ranks(3, clock, &requests, [&](const Context& context) {
      SetClock of_rank;
      const Context mine{context.transport, of_rank, context.files,
                         context.log,       {},      context.requests};
      RunControl control(mine, 100);
      of_rank.ns = 50'000'000'000;
      EXPECT_FALSE(control.poll(50).stop);
      of_rank.ns = (mine.transport.rank() == late ? 100 : 51) * 1'000'000'000LL;
      const Directives directives = control.poll(51);
      EXPECT_TRUE(directives.stop) << "rank " << late();
      EXPECT_TRUE(directives.checkpoint) << "rank " << late();
      EXPECT_TRUE(directives.is_out_of_time) << "rank " << late();
    });
  }
}

TEST(RunControl, stops_in_time_for_the_next_piece_and_a_checkpoint) {
  SetClock clock;
  Once requests({});
  on_ranks(2, clock, &requests, [&](const Context& context) {
    RunControl control(context, 100);
    flow::barrier(context.transport);
    control.record_similar_time(40);
    EXPECT_FALSE(control.poll(0).stop);
    flow::barrier(context.transport);
    control.record_checkpoint_time(context.transport.rank() == Rank{1} ? 10 : 5);
    control.record_similar_time(40);  // no longer counts
    clock.ns = 78'000'000'000;
    flow::barrier(context.transport);
    EXPECT_FALSE(control.poll(78).stop);  // 78 + 1 + 2 * 10 < 100
    flow::barrier(context.transport);
    clock.ns = 79'000'000'000;
    const Directives directives = control.poll(79);
    EXPECT_TRUE(directives.stop);
    EXPECT_TRUE(directives.checkpoint);
    EXPECT_TRUE(directives.is_out_of_time);
  });
}

TEST(RunControl, does_not_take_the_steps_of_a_process_before_for_its_own) {
  SetClock clock;
  Once requests({});
  on_ranks(1, clock, &requests, [&](const Context& context) {
    RunControl control(context, 100);
    clock.ns = 90'000'000'000;  // to read a checkpoint, not to make 400 steps
    EXPECT_EQ(control.poll(400).n_steps, 1);
  });
}

TEST(RunControl, knows_how_long_a_step_takes_also_after_a_pause) {
  SetClock clock;
  Once requests({});
  on_ranks(1, clock, &requests, [&](const Context& context) {
    RunControl control(context, 100);
    EXPECT_FALSE(control.poll(0).stop);
    clock.ns = 40'000'000'000;
    EXPECT_FALSE(control.poll(1).stop);
    clock.ns = 70'000'000'000;  // nobody has gone on
    EXPECT_TRUE(control.poll(1).stop) << "a step takes 40 s";
  });
}

}  // namespace
}  // namespace thalweg::app

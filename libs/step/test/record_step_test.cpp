// SPDX-License-Identifier: MIT
#include <thalweg/step/record_step.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/runge_kutta.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/end_of_step.hpp>

#include "stream.hpp"

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::random_value;
using exchange::testing::Tracers;
using exchange::testing::TracerScheme;
using exchange::testing::VirtualRank;
using testing::periodic_box;
using testing::Stream;

TEST(StepRecorder, on_one_level_does_what_the_scheme_does_on_all_cells_at_once) {
  on_virtual_ranks(2, [](VirtualRank& self) {
    Stream<1> stream(self, periodic_box<1>(0), {.max_steps = 1, .cfl = 0.4});
    stream.prepare();
    EXPECT_EQ(stream.time_state.dt, 0.4 / 32);
    stream.step(1);

    const Box<1> domain = Box<1>::cube(32);
    std::vector<double> cells(View<double, 1>::size_of(domain.grown(3), 2));
    const View<double, 1> view(cells.data(), domain.grown(3), 2);
    for_each(view.box(), [&](const Index<1>& i) {
      for (int c = 0; c < 2; ++c) view[c, i] = random_value(0, Index<1>{{(i[0] + 32) % 32}}, c, 0);
    });
    using Scheme = TracerScheme<1>;
    std::vector<std::byte> scratch(Scheme{}.scratch_bytes(domain));
    const std::vector<double> start = cells;
    for (std::size_t k = 0; k < Scheme{}.stages().size(); ++k) {
      for_each(view.box(), [&](const Index<1>& i) {
        for (int c = 0; c < 2; ++c) view[c, i] = view[c, Index<1>{{(i[0] + 32) % 32}}];
      });
      Scheme{}.update_stage(k, view, {start.data(), domain.grown(3), 2}, domain,
                            {0.4 / 32, {{1.0 / 32}}}, scratch);
    }
    for (std::size_t b = 0; b < stream.state.cells[0].size(); ++b)
      for_each(stream.mesh.forest.geometry.cells(stream.state.cells[0].keys()[b]),
               [&](const Index<1>& i) {
                 for (int c = 0; c < 2; ++c)
                   EXPECT_EQ((stream.state.cells[0].view(b)[c, i]), (view[c, i])) << i[0];
               });
  });
}

TEST(StepRecorder, conserves_through_all_levels) {
  for (const int n_ranks : {1, 3})
    on_virtual_ranks(n_ranks, [](VirtualRank& self) {
      Stream<2> stream(self, periodic_box<2>(2), {.max_steps = 10, .cfl = 0.3});
      ASSERT_EQ(stream.mesh.n_levels(), 3);
      stream.prepare();
      const double before = stream.total();

      EXPECT_EQ(stream.step(100), 10u);

      EXPECT_NEAR(stream.total() / before, 1.0, 1e-14);
      EXPECT_EQ(stream.time_state.step, 10);
    });
}

/// What some steps leave, on each rank: the cells, and the dt of the next.
template <int D>
std::vector<std::vector<double>> after_steps(int n_ranks, bool keeps, const field::JoinRule& rule) {
  std::vector<std::vector<double>> values(static_cast<std::size_t>(n_ranks));
  on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
    Stream<D> stream(self, periodic_box<D>(2), {.cfl = 0.3}, rule);
    std::size_t n_joined = 0;
    for (const auto& level : stream.state.cells) n_joined += level.joined().size();
    if (n_ranks == 1) {
      EXPECT_EQ(n_joined > 0, rule.levels != field::JoinLevels::none);
    }
    stream.prepare();
    if (keeps) stream.keep();
    EXPECT_EQ(stream.step(3), 3u);
    auto& all = values[self.rank()()];
    all = stream.values();
    all.push_back(stream.time_state.dt);
  });
  return values;
}

TEST(StepRecorder, advances_joined_blocks_to_the_bits_of_single_ones) {
  for (const int n_ranks : {1, 3})
    for (const bool keeps : {false, true}) {
      EXPECT_EQ((after_steps<1>(n_ranks, keeps, {.levels = field::JoinLevels::all})),
                (after_steps<1>(n_ranks, keeps, {})));
      EXPECT_EQ((after_steps<2>(n_ranks, keeps, {.levels = field::JoinLevels::all})),
                (after_steps<2>(n_ranks, keeps, {})));
    }
  EXPECT_EQ((after_steps<3>(2, true, {.levels = field::JoinLevels::all})),
            (after_steps<3>(2, true, {})));
}

TEST(StepRecorder, stops_at_the_end_and_reports_every_step) {
  for (const int n_ranks : {1, 3})
    on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      // dt is 0.3 / 32: three of them and a bit.
      Stream<1> stream(self, periodic_box<1>(2), {.end = 0.03, .cfl = 0.3});
      stream.prepare();

      EXPECT_EQ(stream.step(100), 4u);

      EXPECT_EQ(stream.time_state.time, 0.03);
      EXPECT_EQ(stream.time_state.step, 4);
      if (self.rank() != Rank{0}) {
        EXPECT_TRUE(stream.observer.time_states.empty());
        return;
      }
      ASSERT_EQ(stream.observer.time_states.size(), 4u);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(stream.observer.time_states[i].step, static_cast<std::int64_t>(i + 1));
        EXPECT_EQ(stream.observer.sums[i].work_s, n_ranks);
      }
      EXPECT_EQ(stream.observer.time_states[3].time, 0.03);
    });
}

TEST(StepRecorder, takes_the_smallest_dt_of_all_levels_and_ranks) {
  on_virtual_ranks(3, [](VirtualRank& self) {
    Stream<2> stream(self, periodic_box<2>(2), {.cfl = 0.25});
    stream.settings.equations = stream.moved_by({{0.5, -2.0}}, stream.mesh.forest.geometry);
    stream.run([](auto& step) { step.record_first_dt(); });
    EXPECT_EQ(stream.time_state.dt, 0.25 / (2.0 * 32));
  });
}

TEST(StepRecorder, makes_coarse_cells_the_means_of_the_finest) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    Stream<2> stream(self, periodic_box<2>(2), {});
    ASSERT_EQ(stream.mesh.n_levels(), 3);
    stream.run([](auto& step) { step.record_restriction(); });

    // Through two levels: cells of level 0 and their descendants.
    const auto& geometry = stream.mesh.forest.geometry;
    for (const auto& key : stream.state.cells[2].keys()) {
      const auto at = stream.state.cells[0].find(geometry.parent(geometry.parent(key)));
      ASSERT_TRUE(at.has_value());
      for_each(geometry.cells(key).coarsened(4), [&](const Index<2>& i) {
        double mean = 0;
        for_each(Box<2>{i * 4, i * 4 + Index<2>::filled(4)},
                 [&](const Index<2>& child) { mean += random_value(2, child, 0, 0) / 16.0; });
        EXPECT_NEAR((stream.state.cells[0].view(*at)[0, i]), mean, 1e-14);
      });
    }
  });
}

/// Reports a limited flux of each block in the second stage, and a replaced state in each.
struct FallingBack : TracerScheme<1> {
  numerics::StepReport<1> update_stage(std::size_t stage, View<double, 1> u,
                                       numerics::ConstView<1> start, const Box<1>& valid,
                                       numerics::StepSize<1> step,
                                       std::span<std::byte> scratch) const {
    auto report = TracerScheme<1>::update_stage(stage, u, start, valid, step, scratch);
    report.fallbacks = {.limited_fluxes = static_cast<std::int64_t>(stage), .replaced_states = 1};
    return report;
  }
};

TEST(StepRecorder, reports_the_fallbacks_of_each_step_by_themselves) {
  on_virtual_ranks(2, [](VirtualRank& self) {
    Stream<1> stream(self, periodic_box<1>(0), {.max_steps = 3, .cfl = 0.3});
    const FallingBack scheme{};
    stream.settings.equations =
        equations_of(scheme, {stream.mesh.forest.geometry,
                              {numerics::Boundary::periodic, numerics::Boundary::periodic}});
    stream.prepare();
    stream.step(3);
    if (self.rank() == Rank{0}) {  // of four blocks, and of a second of work on each rank
      EXPECT_EQ(stream.observer.sums,
                std::vector(3, StepSums{.work_s = 2, .fallbacks = {4, 8, 0}}));
    }
  });
}

TEST(StepRecorder, names_the_cell_that_a_step_too_long_ruins) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    Stream<1> stream(self, periodic_box<1>(0), {});
    stream.time_state.dt = 10.0;
    try {
      stream.step(1);
      FAIL();
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("level 0"), std::string::npos) << text;
      EXPECT_NE(text.find("dt = 10"), std::string::npos) << text;
      EXPECT_NE(text.find("on level 0, (-"), std::string::npos) << text;
      EXPECT_EQ(text.find("not finite"), std::string::npos) << text;
    }
  });
}

TEST(StepRecorder, names_the_cell_that_is_ruined_after_its_block_was_advanced) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    Stream<1> stream(self, periodic_box<1>(0), {.cfl = 0.4});
    stream.prepare();
    // The second half of the source has the valid cells alone.
    stream.settings.source = [](const View<double, 1>& cells, const Box<1>& region,
                                const SourceStep&) {
      if (region != cells.box() && region.extent(0) == 8 && region.contains(Index<1>{{11}}))
        cells[0, Index<1>{{11}}] = std::numeric_limits<double>::quiet_NaN();
    };
    try {
      stream.step(1);
      FAIL();
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("cell (11) of the block of cells (8) to (15) on level 0"),
                std::string::npos)
          << text;
      EXPECT_NE(text.find("on level 0, (not a number, "), std::string::npos) << text;
      EXPECT_NE(text.find(", and all numbers be finite ("), std::string::npos) << text;
      const auto cause = text.find("not finite may come from a source or a boundary");
      EXPECT_LT(cause, text.find("lower time.cfl")) << text;
      EXPECT_NE(text.find("at the end of the step"), std::string::npos) << text;
    }
  });
}

using InTwoStages = numerics::RungeKutta<Tracers<2>, numerics::PlmVanLeer, numerics::RiemannHlle>;

/// Make what no task has set yet no number.
template <class Scheme>
void spoil_ghosts(const Stream<2, Scheme>& stream) {
  for (const auto& level : stream.state.cells)
    for (std::size_t b = 0; b < level.size(); ++b) {
      const auto& view = level.view(b);
      const Box<2> valid = stream.mesh.forest.geometry.cells(level.keys()[b]);
      for_each(view.box(), [&](const Index<2>& i) {
        for (int c = 0; c < 2; ++c)
          if (!valid.contains(i)) view[c, i] = std::numeric_limits<double>::quiet_NaN();
      });
    }
}

TEST(StepRecorder, fills_the_corners_on_which_split_sources_act) {
  on_virtual_ranks(2, [](VirtualRank& self) {
    Stream<2> stream(self, periodic_box<2>(2), {.max_steps = 1, .cfl = 0.3});
    stream.prepare();
    spoil_ghosts(stream);
    int n_unset = 0;
    stream.settings.source = [&](const View<double, 2>& cells, const Box<2>& region,
                                 const SourceStep&) {
      for_each(region, [&](const Index<2>& i) { n_unset += std::isnan(cells[0, i]); });
    };
    EXPECT_EQ(stream.step(1), 1u);
    EXPECT_EQ(n_unset, 0);
  });
}

TEST(StepRecorder, fills_all_ghost_cells_that_a_rate_may_read) {
  on_virtual_ranks(2, [](VirtualRank& self) {
    Stream<2, InTwoStages> stream(self, periodic_box<2>(2), {.max_steps = 1, .cfl = 0.3});
    stream.prepare();
    spoil_ghosts(stream);
    int n_unset = 0;
    const int reach = InTwoStages::n_ghosts;
    stream.settings.rate = SourceRate<Tracers<2>::State, 2>([&](const auto&, const auto& u) {
      for (const Index<2>& o : {Index<2>{{reach, reach}}, Index<2>{{-reach, reach}}})
        n_unset += std::isnan(u(o).a);
      return Tracers<2>::State{};
    });
    EXPECT_EQ(stream.step(1), 1u);
    EXPECT_EQ(n_unset, 0);
  });
}

/// Set all cells of all levels.
template <int D, class Scheme>
void set_cells(const Stream<D, Scheme>& stream, double u) {
  for (const auto& level : stream.state.cells)
    for (std::size_t b = 0; b < level.size(); ++b) {
      const auto& view = level.view(b);
      for_each(view.box(), [&](const Index<D>& i) {
        for (int c = 0; c < 2; ++c) view[c, i] = u;
      });
    }
}

/// The blocks of level 0, and all of level 1 if there are two levels.
mesh::Forest<2> whole_levels(VirtualRank& self, int n_levels) {
  const auto roots = mesh::initial_forest(mesh::Geometry<2>(periodic_box<2>(1)), self.rank(), 1);
  if (n_levels == 1) return roots;
  std::vector<mesh::Key<2>> wanted;
  for (std::uint64_t code = 0; code < 64; ++code) wanted.push_back({1, code});
  return mesh::regrid<2>(roots, wanted, self.collectives());
}

TEST(StepRecorder, asks_a_source_for_the_time_at_which_each_stage_begins) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    for (const int n_levels : {1, 2})
      for (const bool subcycle : {true, false}) {
        Stream<2, InTwoStages> stream(self, whole_levels(self, n_levels),
                                      {.max_steps = 1, .cfl = 0.3, .subcycle = subcycle});
        set_cells(stream, 1.5);
        stream.prepare();
        const double dt = stream.time_state.dt;
        // du/dt = 2t, for which a method of second order is exact.
        stream.settings.source = [](const View<double, 2>& cells, const Box<2>& region,
                                    const SourceStep& step) {
          for_each(region, [&](const Index<2>& i) {
            for (int c = 0; c < 2; ++c) cells[c, i] += 2 * step.time * step.dt;
          });
        };
        stream.step(1);
        for (const double u : stream.values()) EXPECT_NEAR(u, 1.5 + dt * dt, 1e-15);
      }
  });
}

TEST(StepRecorder, lets_stiff_sources_act_before_and_after_stages_where_asked_to) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    for (const int max_level : {0, 2}) {
      Stream<2, InTwoStages> stream(
          self, periodic_box<2>(max_level),
          {.max_steps = 2, .cfl = 0.3, .subcycle = max_level == 0, .split_sources = true});
      set_cells(stream, 1.5);
      stream.prepare();
      const double k = 30 / stream.time_state.dt;
      stream.settings.source = [k](const View<double, 2>& cells, const Box<2>& region,
                                   const SourceStep& step) {
        EXPECT_GT(step.dt, 0);
        for_each(region, [&](const Index<2>& i) {
          for (int c = 0; c < 2; ++c) cells[c, i] *= std::exp(-k * step.dt);
        });
      };
      EXPECT_EQ(stream.step(2), 2u);
      const double exact = 1.5 * std::exp(-k * stream.time_state.time);
      for (const double u : stream.values()) EXPECT_NEAR(u, exact, 1e-12 * exact);
    }
  });
}

TEST(StepRecorder, adds_rates_between_the_halves_of_split_sources) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    Stream<2, InTwoStages> stream(self, whole_levels(self, 1),
                                  {.max_steps = 1, .cfl = 0.25, .split_sources = true});
    set_cells(stream, 1.5);
    stream.prepare();
    const double dt = stream.time_state.dt;
    stream.settings.source = [](const View<double, 2>& cells, const Box<2>& region,
                                const SourceStep&) {
      for_each(region, [&](const Index<2>& i) {
        for (int c = 0; c < 2; ++c) cells[c, i] *= 2;
      });
    };
    stream.settings.rate = SourceRate<Tracers<2>::State, 2>(
        [](const auto&, const auto&) { return Tracers<2>::State{1, 1}; });
    stream.step(1);
    for (const double u : stream.values()) EXPECT_EQ(u, (1.5 * 2 + dt) * 2);
  });
}

TEST(StepRecorder, makes_no_step_longer_than_the_problem_says) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  on_virtual_ranks(1, [](VirtualRank& self) {
    for (const bool subcycle : {true, false}) {
      Stream<2> stream(self, whole_levels(self, 2), {.cfl = 0.3, .subcycle = subcycle});
      stream.settings.longest_dt = [](const LevelContext<2>& level, const auto&, const auto&) {
        return level.level == 1 ? 1e-4 * (1 + level.time) : infinity;
      };
      stream.prepare();
      const double in_one = subcycle ? 2 : 1;  // steps of level 1 in one of level 0
      EXPECT_EQ(stream.time_state.dt, in_one * 1e-4);
      stream.step(1);
      EXPECT_EQ(stream.time_state.dt, in_one * 1e-4 * (1 + in_one * 1e-4));
    }
  });
}

TEST(StepRecorder, takes_a_step_again_that_turns_out_much_longer_than_the_problem_says) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    for (const double after : {1e-4, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      Stream<2> stream(self, whole_levels(self, 1), {.cfl = 0.3, .retries = 2});
      bool is_after = false;
      stream.settings.longest_dt = [&](const LevelContext<2>& level, const auto&, const auto&) {
        is_after = level.time > 0;
        return is_after ? after : 2e-3;
      };
      stream.prepare();
      stream.keep();
      const double dt = stream.time_state.dt;
      EXPECT_EQ(dt, 2e-3);
      stream.step(1);
      EXPECT_TRUE(is_after);
      EXPECT_TRUE(stream.time_state.is_rejected);
      EXPECT_EQ(stream.time_state.dt, dt / 2);
    }
  });
}

/// What a decaying profile is after some steps, split in halves.
template <class Scheme>
std::vector<double> decayed_profile(VirtualRank& self, const Scheme& scheme, double dt) {
  Stream<1, Scheme> stream(self, periodic_box<1>(0),
                           {.max_dt = dt, .subcycle = false, .split_sources = true});
  stream.settings.equations = equations_of(
      scheme,
      {stream.mesh.forest.geometry, {numerics::Boundary::periodic, numerics::Boundary::periodic}});
  for (std::size_t b = 0; b < stream.state.cells[0].size(); ++b) {
    const auto& view = stream.state.cells[0].view(b);
    for_each(stream.mesh.forest.geometry.cells(stream.state.cells[0].keys()[b]),
             [&](const Index<1>& i) {
               for (int c = 0; c < 2; ++c) view[c, i] = 2 + std::sin(2 * M_PI * (i[0] + 0.5) / 32);
             });
  }
  stream.prepare();
  stream.settings.source = [](const View<double, 1>& cells, const Box<1>& region,
                              const SourceStep& step) {
    for_each(region, [&](const Index<1>& i) {
      for (int c = 0; c < 2; ++c) cells[c, i] /= 1 + 40 * step.dt * cells[c, i];  // u' = -40 u^2
    });
  };
  stream.step(static_cast<std::uint64_t>(std::lround(0.016 / dt)));
  return stream.values();
}

TEST(StepRecorder, split_sources_are_of_second_order_in_time_with_stages) {
  using InStagesOfLine =
      numerics::RungeKutta<Tracers<1>, numerics::PlmVanLeer, numerics::RiemannHlle>;
  on_virtual_ranks(1, [](VirtualRank& self) {
    for (const int order : {2, 3}) {
      const InStagesOfLine scheme{{.velocity = {{1.0}}}, order};
      const auto fine = decayed_profile(self, scheme, 0.016 / 128);
      const auto error = [&](int n_steps) {
        const auto values = decayed_profile(self, scheme, 0.016 / n_steps);
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) sum += std::abs(values[i] - fine[i]);
        return sum;
      };
      EXPECT_GT(std::log2(error(4) / error(8)), 1.7) << order;
    }
  });
}

TEST(StepRecorder, refuses_a_longest_dt_of_nothing) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      Stream<2> stream(self, whole_levels(self, 1), {.cfl = 0.3});
      stream.settings.longest_dt = [wrong](const auto&, const auto&, const auto&) { return wrong; };
      try {
        stream.prepare();
        FAIL();
      } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("on level 0 at t = 0 (a step takes more"),
                  std::string::npos)
            << error.what();
      }
    }
  });
}

/// du/dt = 1.
void add_time(const View<double, 1>& cells, const Box<1>& region, const SourceStep& step) {
  for_each(region, [&](const Index<1>& i) {
    for (int c = 0; c < 2; ++c) cells[c, i] += step.dt;
  });
}

/// What grows by a source as the states outside do stays alike, on all levels.
template <class Scheme>
void expect_growth_as_outside(const Scheme& scheme) {
  for (const bool subcycle : {true, false})
    on_virtual_ranks(2, [&](VirtualRank& self) {
      auto box = periodic_box<1>(2);
      box.periodic = {};
      Stream<1, Scheme> stream(self, box, {.max_steps = 3, .cfl = 0.3, .subcycle = subcycle});
      ASSERT_GE(stream.mesh.n_levels(), 2);
      set_cells(stream, 1.5);
      const auto outside = [](const auto&, int, double time, const numerics::BoundaryRow<1>& row) {
        row.set<Tracers<1>::State>(
            [&](const auto&, const auto&) { return Tracers<1>::State{1.5 + time, 1.5 + time}; });
      };
      stream.settings.equations =
          equations_of(scheme, {stream.mesh.forest.geometry,
                                {numerics::Boundary::dirichlet, numerics::Boundary::outflow},
                                {},
                                outside});
      stream.settings.source = add_time;
      stream.prepare();
      EXPECT_EQ(stream.step(10), 3u);
      for (const double u : stream.values()) EXPECT_NEAR(u, 1.5 + stream.time_state.time, 1e-14);
    });
}

TEST(StepRecorder, lets_split_sources_act_on_given_states_outside) {
  expect_growth_as_outside(TracerScheme<1>{});
}
TEST(StepRecorder, asks_for_states_outside_and_of_coarser_levels_when_each_stage_begins) {
  using InStagesOfLine =
      numerics::RungeKutta<Tracers<1>, numerics::PlmVanLeer, numerics::RiemannHlle>;
  for (const int order : {2, 3}) expect_growth_as_outside(InStagesOfLine{{}, order});
}

TEST(ScratchBytes, is_enough_for_the_scheme_and_for_prolongation) {
  const mesh::Geometry<3> geometry(periodic_box<3>(1));
  const auto equations = equations_of(TracerScheme<3>{}, {geometry, {}});
  const std::size_t n = scratch_bytes(*equations, geometry);
  EXPECT_GE(n, TracerScheme<3>{}.scratch_bytes(Box<3>::cube(8)));
  EXPECT_GE(n, exchange::scratch_bytes_prolong<Tracers<3>>(geometry, 3, 1));
}

}  // namespace
}  // namespace thalweg::step

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/induction/induction.hpp>

#include "../support/leaves.hpp"
#include "applications.hpp"

namespace thalweg::testing::induction_runs {
namespace {

using Scheme = numerics::ConstrainedTransport<induction::Induction>;
using Simulation = app::Simulation<Scheme>;
using induction::State;

/// What is seen of a run.
struct Seen {
  double error = 0;       ///< integral of |b - exact| over that of |exact|
  double energy = 0;      ///< over that at the start
  double divergence = 0;  ///< largest |div b| dx over the largest |b|, at any look
  int n_levels = 0;
  int n_regrids = 0;
};

/// The largest |div b| dx over the largest |b|, of this rank.
double divergence_of(const Simulation& simulation) {
  double divergence = 0, energy = 0;
  for_each_leaf(simulation, [&](const Vec<2>&, double volume, const State& u) {
    divergence = std::max(divergence, std::abs(u.divergence) * std::sqrt(volume));
    energy = std::max(energy, u.energy);
  });
  return divergence / std::sqrt(2 * energy);
}

/// How far the field is from the exact one.
double error_of(const Simulation& simulation, induction::Loop loop) {
  double error = 0, all = 0;
  const double time = simulation.time_state().time;
  for_each_leaf(simulation, [&](const Vec<2>& centre, double volume, const State& u) {
    const double h = std::sqrt(volume);
    const auto at = [&](const Index<2>& node) {
      return loop({.centre = {{centre[0] + (node[0] - 0.5) * h, centre[1] + (node[1] - 0.5) * h}},
                   .time = time});
    };
    for (int a = 0; a < 2; ++a) {
      const double exact = 0.5 * (numerics::curl_on_face(at, a, {{0, 0}}, {{h, h}}) +
                                  numerics::curl_on_face(at, a, Index<2>::unit(a), {{h, h}}));
      error += volume * std::abs(u.b[a] - exact);
      all += volume * std::abs(exact);
    }
  });
  return error / all;
}

/// Run a deck on one rank, and look every four steps.
Seen run(const std::string& name, const std::vector<std::string>& overrides,
         Vec<2> velocity = {{2, 1}}) {
  const auto deck = application_deck("induction/decks/" + name, overrides);
  Seen seen;
  io::MemoryFileSystem files;
  const auto& application = app::application_of(all_applications(), deck);
  const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
    const auto made = application.set_up(deck)->simulation(context, nullptr, {});
    ASSERT_TRUE(made) << made.error().message;
    auto& simulation = dynamic_cast<Simulation&>(**made);
    const double energy = simulation.totals()[2];
    while (!simulation.is_over()) {
      const auto advanced = simulation.advance_to(simulation.time_state().step + 4);
      ASSERT_TRUE(advanced) << advanced.error().message;
      seen.divergence = std::max(seen.divergence, divergence_of(simulation));
    }
    seen.error = error_of(simulation, {velocity, {}, {{2, 1}}, 0.3});
    seen.energy = simulation.totals()[2] / energy;
    seen.n_levels = simulation.mesh().n_levels();
    seen.n_regrids = simulation.regrids().n;
  });
  EXPECT_TRUE(done) << done.error().message;
  return seen;
}

// Regrids come late, so that new blocks lie where the field is.
TEST(Induction, no_cell_ever_has_a_divergence) {
  const Seen seen = run("loop.toml", {"time.end=0.3", "regrid.interval=36", "regrid.buffer=0"});
  EXPECT_EQ(seen.n_levels, 3);
  EXPECT_GT(seen.n_regrids, 1);
  EXPECT_GT(seen.divergence, 0);
  // A face changes by two roundings a stage, each a few 1e-16 of the field, at random.
  EXPECT_LT(seen.divergence, 1e-12);
}

TEST(Induction, is_as_good_as_if_all_were_fine) {
  const Seen adaptive = run("loop.toml", {"time.end=0.15", "regrid.interval=3"});
  const Seen fine =
      run("loop.toml", {"time.end=0.15", "mesh.root_blocks=[16, 8]", "mesh.max_level=0"});
  const Seen coarse = run("loop.toml", {"time.end=0.15", "mesh.max_level=0"});
  EXPECT_EQ(adaptive.n_levels, 3);
  EXPECT_LT(adaptive.error, 1.1 * fine.error);
  EXPECT_LT(4 * adaptive.error, coarse.error);
  EXPECT_LT(adaptive.energy, 1);
  EXPECT_GT(adaptive.energy, 0.98);
}

// Second order but for the ridges of the field, which the limiter clips.
TEST(Induction, converges_at_more_than_order_three_halves) {
  std::vector<double> errors;
  for (const int n : {4, 8, 16})
    errors.push_back(
        run("loop_uniform.toml",
            {"mesh.root_blocks=[" + std::to_string(2 * n) + ", " + std::to_string(n) + "]"},
            {{-2, 1}})
            .error);
  EXPECT_GT(errors[0] / errors[1], 2.83);
  EXPECT_GT(errors[1] / errors[2], 2.83);
}

TEST(Induction, the_electric_field_of_a_field_linear_in_space_is_exact_wherever_it_flows) {
  std::vector<double> numbers[2];
  numerics::FaceViews<2> b;
  for (std::size_t a = 0; a < 2; ++a) {
    const auto box = Centring<2>::face(static_cast<int>(a)).points(Box<2>::cube(4)).grown(2);
    numbers[a].resize(View<double, 2>::size_of(box, 1));
    b[a] = {numbers[a].data(), box, 1};
  }
  for_each(b[0].box(), [&](const Index<2>& i) { b[0][0, i] = 3 * (i[1] + 0.5) + 1; });
  for_each(b[1].box(), [&](const Index<2>& i) { b[1][0, i] = 2 * (i[0] + 0.5) - 5; });
  for (const Vec<2>& v : {Vec<2>{{2, 1}}, Vec<2>{{-2, 1}}, Vec<2>{{2, -1}}, Vec<2>{{0, 0}}})
    for_each(Box<2>::cube(5), [&](const Index<2>& i) {
      EXPECT_EQ((induction::Induction{{}, v}.electric_field({b[0], b[1]}, i)),
                v[1] * (3 * i[1] + 1) - v[0] * (2 * i[0] - 5));
    });
}

TEST(Induction, does_not_go_on_from_a_checkpoint_without_faces) {
  const auto deck = application_deck("induction/decks/loop.toml", {"mesh.max_level=0"});
  const auto& application = app::application_of(all_applications(), deck);
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
    const auto setup = application.set_up(deck);
    const auto made = setup->simulation(context, nullptr, {});
    ASSERT_TRUE(made) << made.error().message;
    auto written = (*made)->write_checkpoint({.folder = "out",
                                              .keep = 1,
                                              .scheme = "any",
                                              .components = (*made)->component_names(),
                                              .totals_at_start = (*made)->totals(),
                                              .deck = "[time]\n"});
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_TRUE(setup->simulation(context, &*written, {}));
    written->manifest.face_fields = 0;
    EXPECT_THROW((void)setup->simulation(context, &*written, {}), Error);
  });
  EXPECT_TRUE(done) << done.error().message;
}

/// What each rank is told of a field whose potential is wrong on the last one.
template <class Potential>
std::vector<std::string> messages_of(int n_ranks, std::uint64_t seed, Potential wrong) {
  std::vector<std::string> messages(static_cast<std::size_t>(n_ranks), "none");
  const auto make = [&](const app::Context& context) {
    const auto rank = static_cast<int>(context.transport.rank()());
    app::Problem<Scheme> problem;
    problem.scheme = {{{}, {{2, 1}}}};
    problem.boundaries.fill(numerics::Boundary::periodic);
    problem.fields = {{.name = "b", .place = field::Place::faces, .n_ghosts = 2},
                      {.name = "e", .role = field::Role::derived, .place = field::Place::nodes},
                      {.name = "cell",
                       .components = {"bx", "by", "energy", "divergence"},
                       .role = field::Role::derived}};
    problem.initial = [=](const numerics::CellContext<2>& node) {
      return rank == n_ranks - 1 ? wrong() : node.centre[0];
    };
    app::Settings<2> settings;
    settings.time.subcycle = false;
    settings.mesh.root_blocks = {{4, 4}};
    settings.mesh.block_cells = 8;
    auto& message = messages[static_cast<std::size_t>(rank)];
    try {
      const auto made = Simulation::make(context, problem, settings, nullptr);
      if (!made) message = "failure: " + made.error().message;
    } catch (const Error& error) {
      message = std::string("bad request: ") + error.what();
    }
  };
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks({.n_ranks = n_ranks, .seed = seed}, files, make);
  EXPECT_TRUE(done) << done.error().message;
  return messages;
}

// Others wait for faces of the rank that fails, and must hear of it.
TEST(Induction, a_potential_that_is_wrong_on_one_rank_is_heard_of_by_all) {
  const auto throws = [] -> double { throw std::runtime_error("no table"); };
  const auto is_no_number = [] { return std::numeric_limits<double>::quiet_NaN(); };
  for (const int n_ranks : {1, 3})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      for (const std::string& message : messages_of(n_ranks, seed, throws)) {
        EXPECT_TRUE(message.starts_with("bad request: ")) << message;
        EXPECT_NE(message.find("no table"), std::string::npos) << n_ranks << ": " << message;
      }
      for (const std::string& message : messages_of(n_ranks, seed, is_no_number)) {
        EXPECT_TRUE(message.starts_with("bad request: ")) << message;
        EXPECT_NE(message.find("not a number"), std::string::npos) << n_ranks << ": " << message;
      }
    }
}

/// What is said of a deck that is refused.
std::string complaint(const std::vector<std::string>& overrides) {
  const auto deck = application_deck("induction/decks/loop.toml", overrides);
  const auto& application = app::application_of(all_applications(), deck);
  std::string message;
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
    try {
      (void)application.set_up(deck)->simulation(context, nullptr, {});
    } catch (const Error& error) {
      message = error.what();
    }
  });
  EXPECT_TRUE(done);
  return message;
}

TEST(Induction, refuses_what_it_cannot_do) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_NE(complaint({"mesh.ratio=4"}).find("mesh.ratio = 4"), std::string::npos);
  EXPECT_NE(complaint({"time.subcycle=true"}).find("time.subcycle"), std::string::npos);
  EXPECT_NE(complaint({"boundary.lower=['outflow', 'periodic']",
                       "boundary.upper=['outflow', 'periodic']"})
                .find("periodic"),
            std::string::npos);
  EXPECT_NE(complaint({"loop.radius=0.6"}).find("loop.radius = 0.6"), std::string::npos);
  EXPECT_EQ(complaint({"mesh.lower=[3, 3]"}).find("loop.radius"), std::string::npos);
}

TEST(Induction, says_that_faces_are_interpolated_in_one_way) {
  const auto warnings = [](const std::vector<std::string>& overrides) {
    const auto deck = application_deck("induction/decks/loop.toml", overrides);
    return app::application_of(all_applications(), deck).set_up(deck)->warnings();
  };
  EXPECT_TRUE(warnings({"mesh.prolongation=2"}).empty());
  const auto found = warnings({"mesh.prolongation=3", "mesh.prolongation_limiter='minmod'"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(found[0].find("mesh.prolongation has no effect"), std::string::npos) << found[0];
}

TEST(Induction, deep_meshes_are_sampled_before_they_are_made) {
  const auto setup = [](int max_level) {
    const auto deck = application_deck("induction/decks/loop.toml",
                                       {"mesh.max_level=" + std::to_string(max_level)});
    return app::application_of(all_applications(), deck).set_up(deck);
  };
  EXPECT_GT(setup(14)->sampled_mesh(1e9).bytes, 1e9);
  EXPECT_EQ(setup(2)->sampled_mesh(1e9).bytes, 0);
  // Below the mesh that is made, which has a margin around the field, and not far.
  const auto found = setup(4)->sampled_mesh(1e6);
  ASSERT_GE(found.finest, 2);
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
    const auto made = setup(4)->simulation(context, nullptr, {});
    ASSERT_TRUE(made) << made.error().message;
    const auto n = static_cast<double>(
        (*made)->cost().levels[static_cast<std::size_t>(found.finest)].n_blocks);
    EXPECT_LE(found.n_blocks, n);
    EXPECT_GT(found.n_blocks, 0.4 * n);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::testing::induction_runs

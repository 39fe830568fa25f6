// SPDX-License-Identifier: MIT
#include <thalweg/app/read_setup.hpp>

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/runge_kutta.hpp>

#include "../../../tests/support/text.hpp"
#include "carried.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using numerics::Boundary;
using testing::Carried;
using testing::complaint;

constexpr auto mesh = R"(
[problem]
name = "spot"
[mesh]
dim = 2
lower = [0, -1]
upper = [2, 1]
root_blocks = [2, 3]
block_cells = 8
)";

using thalweg::testing::expect_parts;

/// The set-up of a problem of which nothing matters but what it says of the outside.
Setup<Carried> read(const std::vector<std::string>& overrides, bool has_outside = false,
                    bool is_held = false, bool is_optional = false) {
  const auto deck = testing::deck(mesh, overrides);
  DeckReader<2> reader(deck);
  ProblemSetup<Carried> from{.problem = testing::carried_spot(),
                             .scheme_name = "van Leer",
                             .inflow_needs = "an amount above 0",
                             .outside_is_fixed = is_held,
                             .outside_is_optional = is_optional};
  if (has_outside)
    from.problem.outside = [](const auto& cell) { return Carried::State{7.0 + cell.face}; };
  return read_setup(reader, std::move(from));
}

/// What lies outside a face.
double state_outside(const Setup<Carried>& setup, int face) {
  const auto geometry = geometry_of<2>(setup.settings.mesh, setup.problem.boundaries);
  const exchange::SetOutside<2>& set_outside = setup.problem.outside;
  const double inside = 0;
  double outside = 0;
  set_outside(geometry, 0, 0.0, {face, {}, 1, &inside, 0, &outside, 1});
  return outside;
}

std::string complaint_of_read(const std::vector<std::string>& overrides) {
  try {
    read(overrides);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadSetup, has_the_settings_of_the_shared_sections) {
  const auto setup =
      read({"mesh.max_level=2", "mesh.ratio=4", "time.cfl=0.2", "time.max_steps=5", "time.max_dt=3",
            "regrid.interval=7", "regrid.buffer=1", "exchange.max_comm_tasks=3",
            "mesh.prolongation=3", "partition.method=hilbert", "run.memory_limit_mib=2"});
  const auto& settings = setup.settings;
  EXPECT_EQ(settings.mesh.lower, (Vec<2>{{0.0, -1.0}}));
  EXPECT_EQ(settings.mesh.root_blocks, (Index<2>{{2, 3}}));
  EXPECT_EQ(settings.mesh.block_cells, (mesh::BlockCells<2>(8)));
  EXPECT_EQ(settings.mesh.max_level, 2);
  EXPECT_TRUE(settings.mesh.ratio == 4);
  EXPECT_EQ(settings.time.cfl, 0.2);
  EXPECT_EQ(settings.time.max_steps, 5);
  EXPECT_EQ(settings.time.max_dt, 3);
  EXPECT_EQ(settings.regrid_interval, 7);
  EXPECT_EQ(settings.regrid_buffer.given(), (std::vector{1}));
  EXPECT_EQ(settings.max_comm_tasks, 3);
  EXPECT_EQ(static_cast<int>(settings.prolongation.order), 3);
  EXPECT_EQ(settings.partition.partitioner, mesh::Partitioner::hilbert);
  EXPECT_EQ(settings.memory_limit_bytes, std::size_t{2} << 20);
  EXPECT_EQ(setup.scheme_name, "van Leer");
}

TEST(ReadSetup, has_a_buffer_for_each_level_as_far_as_blocks_reach) {
  EXPECT_EQ(read({}).settings.regrid_buffer.given(), (std::vector{2}));
  EXPECT_EQ(read({"mesh.max_level=2", "regrid.buffer=[2, 4]"}).settings.regrid_buffer.given(),
            (std::vector{2, 4}));
  // What is written with the output says so, too, and is read again.
  const auto resolved = testing::deck(mesh, {"regrid.buffer=[2, 4]"}).to_toml();
  EXPECT_EQ(testing::deck(resolved).integers("regrid.buffer"), (std::vector<std::int64_t>{2, 4}));
  expect_parts(complaint_of_read({"regrid.buffer=[2, 9]"}), {"regrid.buffer = 9", "[0, 8]"});
  EXPECT_EQ(complaint_of_read({"regrid.buffer=[2, 9]", "mesh.block_cells=16"}), "");
}

TEST(ReadSetup, has_the_limiter_and_the_joining_of_blocks_that_the_deck_says) {
  const auto usual = read({}).settings;
  EXPECT_EQ(usual.prolongation.limiter, numerics::SlopeLimiter::monotonised_central);
  EXPECT_TRUE(usual.join_blocks);
  const auto other = read({"mesh.prolongation_limiter=minmod", "mesh.join_blocks=false"}).settings;
  EXPECT_EQ(other.prolongation.limiter, numerics::SlopeLimiter::minmod);
  EXPECT_FALSE(other.join_blocks);
}

TEST(ReadSetup, knows_every_word_that_a_deck_may_have) {
  int n_words = 0;
  for (const io::Parameter& parameter : shared_parameters())
    for (const std::string& word : parameter.choices) {
      const bool is_list = !std::holds_alternative<std::string>(parameter.default_value);
      const std::string value = is_list ? "[\"" + word + "\", \"" + word + "\"]" : word;
      // Some do not go with the rest of the deck, which is an Error and no ContractViolation.
      EXPECT_NO_THROW(complaint_of_read({parameter.name + "=" + value})) << word;
      ++n_words;
    }
  EXPECT_GT(n_words, 20);
}

TEST(ReadSetup, leaves_subcycling_out_in_leaf_mode_and_refuses_it_by_name) {
  EXPECT_EQ(read({}).settings.mode, MeshMode::nested);
  EXPECT_TRUE(read({}).settings.time.subcycle);
  const auto leaf = read({"mesh.mode=leaf"}).settings;
  EXPECT_EQ(leaf.mode, MeshMode::leaf);
  EXPECT_FALSE(leaf.time.subcycle);
  // What is written with the output says so, too, and is read again.
  const auto resolved = testing::deck(mesh, {"mesh.mode=leaf"}).to_toml();
  EXPECT_FALSE(testing::deck(resolved).boolean("time.subcycle"));
  expect_parts(complaint_of_read({"mesh.mode=leaf", "time.subcycle=true"}),
               {"mesh.mode", "time.subcycle = true", "nested"});
}

/// What is said of a set-up that is changed before it is read.
std::string complaint_of_changed(const std::function<void(ProblemSetup<Carried>&)>& change,
                                 const std::vector<std::string>& overrides = {}) {
  const auto deck = testing::deck(mesh, overrides);
  DeckReader<2> reader(deck);
  ProblemSetup<Carried> from{.problem = testing::carried_spot(), .scheme_name = "van Leer"};
  change(from);
  try {
    read_setup(reader, std::move(from));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadSetup, complains_of_boundaries_that_the_deck_has_others_than) {
  const auto walls = [](ProblemSetup<Carried>& from) {
    from.problem.boundaries.fill(Boundary::reflecting);
  };
  expect_parts(complaint_of_changed(walls), {"Problem::boundaries", "ProblemChoice::defaults"});
  EXPECT_EQ(complaint_of_changed(walls, {"boundary.lower=['reflecting', 'reflecting']",
                                         "boundary.upper=['reflecting', 'reflecting']"}),
            "");
}

TEST(ReadSetup, complains_of_derived_fields_that_do_not_go_with_what_decks_may_name) {
  const auto with = [](const std::string& name, const std::string& group, bool is_whole = true) {
    return [=](ProblemSetup<Carried>& from) {
      DerivedField<2> field{.name = name, .unit = "", .group = group, .compute = {}};
      if (is_whole) field.compute = [](const auto&, const auto&, const auto&, const auto&) {};
      from.problem.derived = {field};
    };
  };
  EXPECT_EQ(complaint_of_changed(with("square", "")), "");
  EXPECT_EQ(complaint_of_changed(with("x_square", "square"), {"output.derived=[square]"}), "");
  expect_parts(complaint_of_changed(with("cube", "")), {"'cube'", "Application::derived"});
  expect_parts(complaint_of_changed(with("square", "", false)),
               {"'square'", "DerivedField::compute"});
  expect_parts(complaint_of_changed([](auto&) {}, {"output.derived=[square]"}),
               {"output.derived has \"square\"", "Problem::derived"});
  expect_parts(complaint_of_changed(with("square", ""), {"output.derived=[square, square]"}),
               {"output.derived has the field 'square' twice"});
}

TEST(ReadSetup, complains_of_derived_fields_that_series_can_not_have) {
  const auto with = [](const std::string& unit, const std::string& integral_unit, Reads reads) {
    return complaint_of_changed([=](ProblemSetup<Carried>& from) {
      from.problem.derived = {
          {.name = "square",
           .unit = unit,
           .reads = reads,
           .integral_unit = integral_unit,
           .compute = [](const auto&, const auto&, const auto&, const auto&) {}}};
    });
  };
  EXPECT_EQ(with("m^2", "m^2*volume", Reads::cell), "");
  EXPECT_EQ(with("m^2", "", Reads::neighbours), "");
  expect_parts(with("m^2", "m^2*volume", Reads::neighbours), {"'square'", "integral_unit"});
  expect_parts(with("a,b", "", Reads::cell), {"'square' has the unit 'a,b'", "series.csv"});
  expect_parts(with("", "a\"b", Reads::cell), {"'square' has the unit 'a\"b'", "series.csv"});
}

TEST(ReadSetup, warns_of_states_outside_that_no_side_asks_for) {
  const auto warnings = read({}, true).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  expect_parts(warnings[0], {"no side is \"problem\"", "set boundary.lower or boundary.upper"});
  EXPECT_TRUE(read({}).warnings.empty());
  EXPECT_TRUE(read({}, true, false, true).warnings.empty()) << "optional";
  EXPECT_TRUE(read({"boundary.upper=['problem', 'outflow']"}, true).warnings.empty());
  EXPECT_TRUE(read({"boundary.lower=['outflow', 'outflow']"}, true).warnings.empty());
}

TEST(ReadSetup, complains_of_a_scheme_that_has_no_stages) {
  using Lines = numerics::RungeKutta<numerics::test::Advection<2>, numerics::PlmVanLeer,
                                     numerics::RiemannHlle>;
  const auto said = [](int order) -> std::string {
    const auto deck = testing::deck(mesh);
    DeckReader<2> reader(deck);
    try {
      read_setup(reader, ProblemSetup<Lines>{.problem = {.scheme = {.order = order}, .initial = {}},
                                             .scheme_name = "rk"});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(said(2), "");
  expect_parts(said(4), {"RungeKutta::order = 4", "2 and 3"});
}

TEST(ReadSetup, has_the_sides_that_the_deck_says) {
  const auto walls =
      read({"boundary.lower=['periodic', 'reflecting']", "boundary.upper=['periodic', 'outflow']"});
  EXPECT_EQ(walls.problem.boundaries,
            (numerics::Boundaries<2>{Boundary::periodic, Boundary::periodic, Boundary::reflecting,
                                     Boundary::outflow}));
}

TEST(ReadSetup, asks_the_problem_for_what_lies_outside_but_where_there_is_an_inflow) {
  for (const bool is_held : {false, true}) {
    const auto setup =
        read({"boundary.lower=['problem', 'inflow']", "boundary.upper=['problem', 'outflow']",
              "boundary.inflow_lower_y=[2.5]"},
             true, is_held);
    const auto told = is_held ? Boundary::fixed : Boundary::dirichlet;
    EXPECT_EQ(setup.problem.boundaries,
              (numerics::Boundaries<2>{told, told, Boundary::fixed, Boundary::outflow}));
    EXPECT_EQ(state_outside(setup, 0), 7.0);
    EXPECT_EQ(state_outside(setup, 1), 8.0);
    EXPECT_EQ(state_outside(setup, 2), 2.5);
  }
}

TEST(ReadSetup, complains_of_sides_that_do_not_go_together) {
  expect_parts(complaint_of_read({"boundary.lower=['inflow', 'outflow']"}),
               {"boundary.inflow_lower_x = []", "an amount above 0", "give 1 number"});
  expect_parts(
      complaint_of_read({"boundary.lower=['inflow', 'outflow']", "boundary.inflow_lower_x=[-1.0]"}),
      {"boundary.inflow_lower_x = [-1] (not an admissible state", "what the equations ask for",
       "in this order: an amount above 0"});
  const auto unnamed = [](ProblemSetup<Carried>& from) { from.problem.fields = {{.name = "q"}}; };
  expect_parts(complaint_of_changed(unnamed, {"boundary.lower=['inflow', 'outflow']"}),
               {"needs the components of the state: q"});
  expect_parts(complaint_of_read({"boundary.inflow_upper_y=[1.0]"}),
               {"boundary.inflow_upper_y is set", "another kind"});
  expect_parts(complaint_of_read({"boundary.lower=['problem', 'outflow']"}),
               {"boundary.lower of x", "'spot' does not say what lies there"});
  expect_parts(complaint_of_read({"boundary.lower=['periodic', 'outflow']"}),
               {"boundary.upper of x are not both periodic"});
}

TEST(ReadSetup, lists_all_complaints_at_once) {
  expect_parts(
      complaint_of_read({"boundary.lower=['problem', 'inflow']", "mesh.ratio=3",
                         "mesh.root_blocks=[3, 2, 2]", "partition.cost=measured", "run.grain=4"}),
      {"boundary.lower of x", "boundary.inflow_lower_y", "ratio = 3",
       "mesh.root_blocks has 3 entries", "run.grain = 4"});
}

TEST(ReadSetup, complains_of_blocks_assigned_one_by_one_without_a_table_of_owners) {
  const std::string routed = "partition.directory=routed";
  expect_parts(complaint_of_read({routed, "partition.method=hilbert"}),
               {"partition.directory = \"routed\"", "set partition.method = \"morton\""});
  EXPECT_EQ(complaint_of_read({routed}), "");
}

TEST(SetUpIn, says_where_an_application_does_not_exist) {
  expect_parts(complaint("mesh.dim = 3\n", {"problem.name=spot"}),
               {"mesh.dim = 3", "'stream' does not exist there", "choose one of: 2"});
}

TEST(SetUpIn, throws_what_the_problem_complained_of_with_the_rest) {
  EXPECT_EQ(complaint(mesh), "");
  expect_parts(complaint(mesh, {"problem.name=plane", "problem.slope=-1", "mesh.ratio=3"}),
               {"problem.slope is below 0", "ratio = 3"});
}

TEST(SetUpIn, keeps_what_was_complained_of_before_an_error) {
  const auto set_up = set_up_in<2>([](DeckReader<2>& reader) -> ProblemSetup<Carried> {
    reader.complain("no wind");
    throw Error("no table");
  });
  const auto deck = testing::deck(mesh);
  expect_parts(thalweg::testing::error_of([&] { set_up(deck); }), {"no wind\nno table"});
  const auto throws_them = set_up_in<2>([](DeckReader<2>& reader) -> ProblemSetup<Carried> {
    reader.complain("no wind");
    reader.complain("no waves");
    reader.throw_if_wrong();
    return {};
  });
  EXPECT_EQ(thalweg::testing::error_of([&] { throws_them(deck); }), "no wind\nno waves");
}

TEST(AnySetup, says_what_runs_need_to_know_of_it) {
  const auto& application = testing::applications()[0];
  const auto setup = application.set_up(testing::deck(mesh, {"time.end=0.25", "mesh.max_level=1"}));
  EXPECT_EQ(setup->time().end, 0.25);
  EXPECT_EQ(setup->max_level(), 1);
  EXPECT_EQ(setup->scheme_name(), "stream, van Leer");
}

TEST(ReadSetup, complains_of_cells_without_width) {
  for (const char* upper : {"mesh.upper=[1e308, 1]", "mesh.upper=[2, -0.9999999999999]"})
    expect_parts(complaint_of_read({upper, "mesh.lower=[-1e308, -1]"}),
                 {"cells of width", "along"});
  EXPECT_EQ(complaint_of_read({"mesh.lower=[1e9, -1]", "mesh.upper=[1000000002, 1]"}), "");
  // Numbers are 2 apart there.
  expect_parts(complaint_of_read({"mesh.lower=[1e16, 0]", "mesh.upper=[10000000000000010.0, 1]"}),
               {"along x", "cannot be told apart"});
}

TEST(ReadSetup, complains_of_lengths_whose_volumes_are_no_numbers) {
  for (const char* upper :
       {"mesh.upper=[1, 1e308]", "mesh.upper=[2e100, 1]", "mesh.upper=[1, 1e-99]"})
    expect_parts(complaint_of_read({upper, "mesh.lower=[0, 0]"}),
                 {"volumes", "1e-100 to 1e+100", "unit of length"});
  for (const char* upper : {"mesh.upper=[1, 1e100]", "mesh.upper=[1, 1e-96]"})
    EXPECT_EQ(complaint_of_read({upper, "mesh.lower=[0, 0]"}), "");
}

TEST(ReadSetup, complains_of_more_substeps_than_one_graph_holds) {
  const std::vector<std::string> deep{"mesh.max_level=17", "mesh.ratio=2"};
  expect_parts(complaint_of_read(deep), {"mesh.max_level = 17", "131072", "time.subcycle"});
  EXPECT_EQ(complaint_of_read({deep[0], deep[1], "time.subcycle=false"}), "");
}

}  // namespace
}  // namespace thalweg::app

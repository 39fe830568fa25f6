// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

TEST(Decks, that_are_shipped_pass_every_check) {
  int n_decks = 0;
  for (const auto& entry : std::filesystem::directory_iterator(THALWEG_DECKS)) {
    SCOPED_TRACE(entry.path());
    EXPECT_NO_THROW(app::check(application(), shipped_deck(entry.path().filename(), {})));
    ++n_decks;
  }
  EXPECT_GE(n_decks, 10);
}

/// What a set-up complains about.
std::string complaint(const std::string& name, const std::vector<std::string>& overrides) {
  try {
    app::check(application(), shipped_deck(name, overrides));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

#ifdef THALWEG_CONTRACTS
/// Set up Sod's deck where a key may also have a value that no code knows.
void set_up_with_unknown(const std::string& key, const std::vector<std::string>& overrides) {
  app::Application own = application();
  const auto found = std::ranges::find(own.parameters, key, &io::Parameter::name);
  ASSERT_NE(found, own.parameters.end()) << key;
  if (found->choices.empty())
    found->range = {};
  else
    found->choices.emplace_back("unknown");
  const std::vector<app::Application> all{std::move(own)};
  const std::string text = "problem.name = \"sod\"\nmesh.dim = 1\n";
  (void)all[0].set_up(app::load_deck(all, text, "test.toml", overrides));
}

TEST(Decks, with_a_word_that_no_code_knows_break_a_contract) {
  for (const std::string key :
       {"hydro.scheme", "hydro.reconstruction", "hydro.riemann", "hydro.eos"})
    EXPECT_THROW(set_up_with_unknown(key, {key + "=unknown"}), ContractViolation) << key;
  EXPECT_THROW(set_up_with_unknown("regrid.criteria", {"regrid.criteria=[unknown]"}),
               ContractViolation);
  EXPECT_THROW(set_up_with_unknown("regrid.loehner_of",
                                   {"regrid.criteria=[loehner]", "regrid.loehner_of=[unknown]"}),
               ContractViolation);
  EXPECT_THROW(set_up_with_unknown("hydro.scalars", {"hydro.scalars=3"}), ContractViolation);
  EXPECT_NO_THROW(set_up_with_unknown("hydro.riemann", {}));
}
#endif

void expect_all(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Boundaries, of_inflow_must_have_a_state_and_no_other_may) {
  expect_all(complaint("inflow.toml", {"boundary.inflow_lower_x=[1.0, 2.0]"}),
             {"boundary.inflow_lower_x = [1, 2]", "density above 0", "give 3 numbers"});
  expect_all(complaint("inflow.toml", {"boundary.inflow_lower_x=[1.0, 2.0, -1.0]"}),
             {"boundary.inflow_lower_x", "pressure above 0"});
  expect_all(complaint("inflow.toml", {"boundary.upper=[\"inflow\"]"}),
             {"boundary.inflow_upper_x = []"});
  expect_all(complaint("inflow.toml", {"boundary.lower=[\"outflow\"]"}),
             {"boundary.inflow_lower_x is set", "another kind"});
  expect_all(complaint("inflow.toml", {"boundary.inflow_upper_z=[1.0, 0.0, 1.0]"}),
             {"boundary.inflow_upper_z is set"});
}

TEST(Boundaries, of_inflow_have_mass_fractions_within_bounds_where_these_are_kept) {
  const auto with = [](const std::string& fraction, const std::string& is_bounded) {
    return complaint("inflow.toml", {"hydro.scalars=1", "hydro.bounded_scalars=" + is_bounded,
                                     "boundary.inflow_lower_x=[1.0, 2.0, 1.0, " + fraction + "]"});
  };
  for (const std::string beyond : {"1.7", "-0.1"}) {
    expect_all(with(beyond, "true"), {"boundary.inflow_lower_x", "of scalar 0 is " + beyond});
    EXPECT_EQ(with(beyond, "false"), "");
  }
  for (const std::string within : {"0.0", "0.7", "1.0"}) EXPECT_EQ(with(within, "true"), "");
  expect_all(complaint("inflow.toml", {"hydro.scalars=1"}), {"the mass fraction of a scalar"});
}

TEST(Boundaries, that_the_problem_says_nothing_of_are_refused) {
  expect_all(complaint("sod.toml", {"boundary.upper=[\"problem\"]"}),
             {"boundary.upper of x", "'sod'"});
}

TEST(Boundaries, on_one_side_only_cannot_be_periodic) {
  expect_all(complaint("inflow.toml", {"boundary.upper=[\"periodic\"]"}),
             {"boundary.upper of x", "not both periodic"});
}

TEST(Problems, are_refused_where_they_do_not_exist) {
  expect_all(complaint("double_mach.toml", {"mesh.dim=3"}), {"\"double_mach\"", "mesh.dim = 3"});
  expect_all(complaint("rayleigh_taylor.toml", {"source.gravity=[0.0, 0.1]"}),
             {"source.gravity", "below 0"});
  expect_all(complaint("shock_tube.toml", {"problem.axis=2"}), {"problem.axis = 2"});
  expect_all(complaint("shock_tube.toml", {"problem.left=[1.0, 0.0, -1.0]"}), {"problem.left"});
}

TEST(Problems, are_refused_where_their_states_would_be_others) {
  expect_all(complaint("double_mach.toml", {"problem.gamma=1.6"}),
             {"problem.gamma = 1.6", "\"double_mach\"", "for 1.4 alone"});
  expect_all(complaint("woodward_colella.toml", {"mesh.upper=[2.0]"}),
             {"are 0 and 2 along x", "\"woodward_colella\"", "give 0 and 1"});
  expect_all(complaint("kelvin_helmholtz.toml", {"mesh.lower=[0.0, -1.0]"}),
             {"are -1 and 1 along y", "\"kelvin_helmholtz\""});
  expect_all(complaint("linear_wave.toml", {"problem.n_waves=[1, 16]"}),
             {"problem.n_waves is 16 along y", "32 cells", "give 15 at most"});
  EXPECT_EQ(complaint("linear_wave.toml", {"problem.n_waves=[1, 15]"}), "");
  expect_all(complaint("linear_wave.toml", {"problem.n_waves=[0, 0]"}), {"there would be no wave"});
  expect_all(complaint("rayleigh_taylor.toml", {"problem.n_waves=[200, 0]"}),
             {"problem.n_waves is 200 along x", "32 cells", "give 15 at most"});
  EXPECT_EQ(complaint("rayleigh_taylor.toml", {"problem.n_waves=[15, 0]"}), "");
  expect_all(complaint("rayleigh_taylor.toml", {"problem.n_waves=[1, 5]"}),
             {"problem.n_waves is 5 along y", "give 0"});
}

TEST(Problems, are_refused_where_their_centre_lies_outside) {
  const std::vector<std::string> open{"boundary.lower=['outflow', 'outflow']",
                                      "boundary.upper=['outflow', 'outflow']"};
  const auto moved = [](std::vector<std::string> overrides, const std::string& centre) {
    overrides.push_back("problem.centre=" + centre);
    return overrides;
  };
  const std::string says = "outside the domain";
  expect_all(complaint("gresho.toml", moved(open, "[2.0, 0.5]")), {"= [2, 0.5]", says});
  expect_all(complaint("vortex.toml", moved(open, "[5.0, 11.0]")), {"= [5, 11]", says});
  expect_all(complaint("noh.toml", moved({}, "[0.0, -1.0, 0.0]")), {"= [0, -1, 0]", says});
  expect_all(complaint("breathing.toml", moved({}, "[0.6, 0.0]")), {"= [0.6, 0]", says});
  EXPECT_EQ(complaint("gresho.toml", moved({}, "[2.0, 0.5]")), "");  // periodic
}

TEST(Problems, are_refused_where_there_would_be_one_state) {
  expect_all(complaint("sedov.toml", {"problem.radius=10"}),
             {"problem.radius = 10", "covers the whole domain", "give less than"});
  EXPECT_EQ(complaint("sedov.toml", {"problem.radius=0.4"}), "");
  expect_all(complaint("explosion.toml", {"problem.replication=[2, 1, 1]", "mesh.upper=[2, 1, 1]",
                                          "mesh.root_blocks=[2, 1, 1]", "problem.radius=1.1"}),
             {"problem.radius = 1.1", "give less than 0.866025"});
  expect_all(complaint("shear_layer.toml", {"mesh.lower=[0.0, 1.0]"}),
             {"the layer lies at y = 0", "outside the domain"});
}

TEST(Problems, are_refused_where_there_would_be_no_gas) {
  for (const std::string speed : {"3", "-3", "1.605"})
    expect_all(complaint("vortex.toml", {"problem.speed=" + speed}),
               {"problem.speed = " + speed, "problem.gamma = 1.4", "from 1.60473 on"});
  EXPECT_EQ(complaint("vortex.toml", {"problem.speed=1.604"}), "");
  for (const std::string pressure : {"0.01", "0.1"})
    expect_all(complaint("rayleigh_taylor.toml", {"problem.pressure=" + pressure}),
               {"problem.pressure = " + pressure, "weighs 0.1", "give more than 0.1"});
  EXPECT_EQ(complaint("rayleigh_taylor.toml", {"problem.pressure=0.11"}), "");
  const std::string entropy = "problem.wave=entropy";
  expect_all(complaint("linear_wave.toml", {"problem.amplitude=0.9"}), {"problem.amplitude = 0.9"});
  EXPECT_EQ(complaint("linear_wave.toml", {"problem.amplitude=0.4"}), "");
  expect_all(complaint("linear_wave.toml", {"problem.amplitude=0"}), {"problem.amplitude"});
  EXPECT_EQ(complaint("rayleigh_taylor.toml", {"problem.amplitude=0"}), "");
  expect_all(complaint("linear_wave.toml", {entropy, "problem.amplitude=1"}),
             {"problem.amplitude = 1"});
  EXPECT_EQ(complaint("linear_wave.toml", {entropy, "problem.amplitude=0.9"}), "");
}

TEST(Problems, are_refused_where_the_kinetic_energy_drowns_the_pressure) {
  expect_all(complaint("blast.toml", {"problem.pressure=1e-30"}),
             {"problem.pressure = 1e-30", "velocity [1, 0.5, -0.25]", "0.65625", "slower frame"});
  expect_all(complaint("noh.toml", {"problem.pressure=1e-30"}), {"problem.pressure = 1e-30"});
  expect_all(complaint("gresho.toml", {"problem.velocity=[1e9, 0.0]", "problem.pressure=1e-6"}),
             {"problem.pressure = 1e-06", "velocity [1000000000, 0]"});
  EXPECT_EQ(complaint("blast.toml", {"problem.pressure=1e-12"}), "");
  EXPECT_EQ(complaint("explosion.toml", {"problem.pressure=1e-30"}), "");  // at rest
  expect_all(complaint("shock_tube.toml", {"problem.left=[1.0, 1e9, 1e-6]"}),
             {"problem.left = [1, 1000000000, 1e-06]", "slower frame"});
}

TEST(Problems, have_the_density_of_the_deck) {
  const auto uniform =
      hydro::set_up<1>(deck("problem.name = \"uniform\"\nmesh.dim = 1\n",
                            {"problem.density=2.5", "problem.pressure=3", "problem.velocity=[4]"}));
  const hydro::GasState<1> there = uniform.problem.initial.of({{{0.5}}, {{0.1}}});
  EXPECT_EQ(there, uniform.problem.scheme.system.to_conserved({2.5, {{4.0}}, 3.0}));
  const std::vector<std::string> dense{"problem.density=2.5"};
  const Vec<3> centre{{0.45, 0.5, 0.55}}, dx{{0.01, 0.01, 0.01}};
  for (const std::string name : {"blast.toml", "sedov.toml", "explosion.toml"})
    EXPECT_EQ(hydro::set_up<3>(shipped_deck(name, dense)).problem.initial.of({centre, dx}).rho, 2.5)
        << name;
}

/// How many errors a set-up lists.
auto n_errors(const std::string& name, const std::vector<std::string>& overrides) {
  const auto text = complaint(name, overrides);
  return text.empty() ? 0 : std::ranges::count(text, '\n') + 1;
}

TEST(Dimensions, that_lists_or_the_problem_do_not_have_make_no_other_errors) {
  EXPECT_EQ(n_errors("sod.toml", {"mesh.dim=2"}), 5);  // mesh.lower, upper, ...
  EXPECT_EQ(complaint("sod.toml", {"mesh.dim=2"}).find("domain"), std::string::npos);
  for (const std::string dim : {"mesh.dim=1", "mesh.dim=3"}) {
    EXPECT_EQ(n_errors("double_mach.toml", {dim}), 1);
    expect_all(complaint("double_mach.toml", {dim}), {"another dimension: 2"});
  }
}

TEST(Schemes, name_the_solvers_that_go_with_them) {
  expect_all(complaint("sod.toml", {"hydro.riemann=two_shock"}),
             {"'two_shock'", "'vl2'", "'hllc', 'lhllc', 'hlle', 'llf', 'roe' or 'exact'",
              "hydro.scheme = 'ctu' with hydro.reconstruction = 'ppm'"});
}

TEST(Balanced, is_refused_where_gravity_acts_around_a_ring) {
  const std::string around = "boundary.lower=['periodic', 'periodic']";
  const std::string too = "boundary.upper=['periodic', 'periodic']";
  expect_all(complaint("rayleigh_taylor.toml", {around, too}),
             {"boundary.lower of y is \"periodic\"", "hydro.balanced"});
  EXPECT_EQ(complaint("rayleigh_taylor.toml", {around, too, "hydro.balanced=false"}), "");
}

TEST(Schemes, that_are_unstable_with_a_solver_are_refused_with_it) {
  const std::string lhllc = "hydro.riemann=lhllc";
  expect_all(complaint("gresho.toml", {lhllc, "hydro.scheme=ctu", "hydro.reconstruction=ppm"}),
             {"hydro.riemann = 'lhllc'", "'ctu' is unstable", "'hllc'", "'rk3'"});
  for (const std::string scheme : {"vl2", "rk2"}) {
    expect_all(complaint("gresho.toml", {lhllc, "hydro.scheme=" + scheme, "time.cfl=0.45"}),
               {"time.cfl = 0.45", scheme, "up to 0.4 with 'lhllc'", "'rk3'"});
    EXPECT_EQ(complaint("gresho.toml", {lhllc, "hydro.scheme=" + scheme, "time.cfl=0.4"}), "");
  }
  EXPECT_EQ(complaint("gresho.toml", {lhllc, "hydro.scheme=rk3", "time.cfl=0.5"}), "");
  EXPECT_EQ(complaint("gresho.toml", {lhllc, "time.cfl=0.6"}).find("rk3"), std::string::npos);
}

TEST(Schemes, of_two_stages_with_parabolas_are_refused_where_short_waves_grow) {
  for (const std::string rule : {"ppm", "ppm_classic"}) {
    const std::vector<std::string> rk2{"hydro.scheme=rk2", "hydro.reconstruction=" + rule};
    const auto said = [&](std::vector<std::string> more) {
      more.insert(more.end(), rk2.begin(), rk2.end());
      return complaint("sod.toml", more);
    };
    expect_all(said({"time.cfl=0.95"}),
               {"time.cfl = 0.95", "'rk2' is stable up to 0.4 with '" + rule + "'",
                "beyond it they grow", "hydro.scheme = 'rk3'"});
    EXPECT_EQ(said({"time.cfl=0.4"}), "");
  }
  EXPECT_EQ(complaint("sod.toml", {"hydro.scheme=rk2", "time.cfl=0.95"}), "");
  EXPECT_EQ(complaint("sod.toml", {"hydro.scheme=rk3", "hydro.reconstruction=ppm", "time.cfl=1.0"}),
            "");
}

TEST(EquationOfState, names_what_does_not_go_with_it) {
  const std::string stiffened = "'stiffened'";
  for (const std::string problem : {"sedov", "vortex", "linear_wave", "double_mach", "noh"})
    expect_all(complaint(problem + ".toml", {"hydro.eos=stiffened"}),
               {"\"" + problem + "\"", stiffened, "ideal gas"});
  expect_all(complaint("sod.toml", {"hydro.p_infinity=2"}),
             {"hydro.p_infinity = 2", "'gamma_law'"});
}

TEST(EquationOfState, says_down_to_where_a_pressure_may_go) {
  EXPECT_EQ(complaint("water_tube.toml", {"problem.right=[1000.0, 0.0, -1e8]"}), "");
  expect_all(complaint("water_tube.toml", {"problem.right=[1000.0, 0.0, -7e8]"}),
             {"problem.right", "above -600000000"});
  expect_all(complaint("water_tube.toml", {"boundary.lower=[\"inflow\"]",
                                           "boundary.inflow_lower_x=[1000.0, 0.0, -7e8]"}),
             {"boundary.inflow_lower_x", "above -600000000"});
}

/// Sod's tube to a step, with checkpoints.
io::Deck tube(int step, std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.end(),
                   {"mesh.max_level=0", "checkpoint.interval=1", "checkpoint.keep=10",
                    "time.max_steps=" + std::to_string(step)});
  return shipped_deck("sod.toml", overrides);
}

TEST(Restart, may_take_another_solver_and_density_floor_but_no_other_scheme) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  const auto hash_after = [&](const io::Deck& deck, const std::string& from) {
    const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
      std::optional<app::Checkpoint> checkpoint;
      if (!from.empty()) {
        auto found = app::whole_checkpoint(context, from);
        if (!found) throw std::runtime_error(found.error().message);
        app::check_restart(applications(), deck, *found);
        checkpoint = *std::move(found);
      }
      const auto end = app::run(application(), deck, context, "out", checkpoint);
      if (!end) throw std::runtime_error(end.error().message);
    });
    EXPECT_TRUE(done) << done.error().message;
    return io::hash_plotfile(files, "out/plt00006").value_or(0);
  };
  hash_after(tube(3), "");
  const std::vector<std::string> changed{"hydro.riemann=hlle", "hydro.density_floor=1e-6"};
  const auto same = hash_after(tube(6), "out/chk00003");
  const auto others = hash_after(tube(6, changed), "out/chk00003");
  EXPECT_NE(same, 0u);
  EXPECT_NE(others, same);
  EXPECT_EQ(hash_after(tube(6, changed), "out/chk00005"), others);  // which has them
  const app::Checkpoint from{"out/chk00003", io::read_manifest(files, "out/chk00003").value()};
  EXPECT_THROW(app::check_restart(applications(), tube(6, {"hydro.scheme=rk2"}), from), Error);
}

/// The code of a problem: a file may have 25 lines beside blank ones, comments, and those that any
/// source has, its includes and the namespace.
TEST(Problems, take_a_short_file_each) {
  int n_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(THALWEG_PROBLEMS)) {
    std::ifstream file(entry.path());
    int n_lines = 0;
    for (std::string line; std::getline(file, line);) {
      const auto first = line.find_first_not_of(' ');
      const bool is_code = first != std::string::npos && line.compare(first, 2, "//") != 0 &&
                           line.compare(first, 8, "#include") != 0 &&
                           line.find("namespace") == std::string::npos;
      n_lines += is_code ? 1 : 0;
    }
    EXPECT_LE(n_lines, 25) << entry.path();
    ++n_files;
  }
  EXPECT_EQ(n_files, static_cast<int>(hydro::problem_files().size()));
}

}  // namespace
}  // namespace thalweg::testing

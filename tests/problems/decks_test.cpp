// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/hydro/problem_file.hpp>

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

TEST(Boundaries, that_the_problem_says_nothing_of_are_refused) {
  expect_all(complaint("sod.toml", {"boundary.upper=[\"problem\"]"}),
             {"boundary.upper of x", "'sod'"});
}

TEST(Boundaries, on_one_side_only_cannot_be_periodic) {
  expect_all(complaint("inflow.toml", {"boundary.upper=[\"periodic\"]"}),
             {"axis 0", "not both periodic"});
}

TEST(Problems, are_refused_where_they_do_not_exist) {
  expect_all(complaint("double_mach.toml", {"mesh.dim=3"}), {"\"double_mach\"", "mesh.dim = 3"});
  expect_all(complaint("rayleigh_taylor.toml", {"source.gravity=[0.0, 0.1]"}),
             {"source.gravity", "below 0"});
  expect_all(complaint("shock_tube.toml", {"problem.axis=2"}), {"problem.axis = 2"});
  expect_all(complaint("shock_tube.toml", {"problem.left=[1.0, 0.0, -1.0]"}), {"problem.left"});
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
}

TEST(EquationOfState, names_what_does_not_go_with_it) {
  const std::string stiffened = "'stiffened'";
  for (const std::string problem : {"sedov", "vortex", "linear_wave", "double_mach"})
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

// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/options.hpp>

#include <gtest/gtest.h>

#include <thalweg/app/option_words.hpp>
#include <thalweg/core/error.hpp>

#include "reference_case.hpp"

namespace thalweg::miniamr {
namespace {

Options parse(const std::string& line, int n_ranks = 1) {
  return parse_options(testing::words_of(line), n_ranks);
}

std::string error_of(const std::string& line, int n_ranks = 1) {
  try {
    parse(line, n_ranks);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Options, have_the_references_defaults) {
  EXPECT_EQ(parse(""), Options());
  EXPECT_EQ(parse("").passes(), 5);
  EXPECT_EQ(parse("").group_size(), 40);
  EXPECT_EQ(parse("").timesteps(), 20);
  EXPECT_TRUE(parse("").is_reordered());
  EXPECT_FALSE(parse("--morton").is_reordered());
}

TEST(Options, of_blocks_that_do_not_fit_are_refused) {
  // Six blocks: of each variable the cells, and two sets of faces.
  constexpr std::size_t needed = 2 * 3 * 40 * (1000 + 2 * 600) * sizeof(double);
  const auto words = testing::words_of("--init_x 2 --init_y 3");
  EXPECT_NO_THROW(parse_options(words, 1, needed));
  EXPECT_THROW(parse_options(words, 1, needed - 1), Error);
  const auto refined = testing::words_of("--init_x 2 --init_y 3 --num_refine 1 --uniform_refine 1");
  EXPECT_NO_THROW(parse_options(refined, 1, 8 * needed));
  EXPECT_THROW(parse_options(refined, 1, 8 * needed - 1), Error);
}

TEST(Options, are_read_by_name) {
  const Options o = parse(
      "--nx 4 --ny 6 --nz 8 --init_x 2 --npx 3 --npy 2 --reorder 0 --num_refine 3 --block_change 2 "
      "--refine_freq 7 --inbalance 5 --lb_opt 2 --hilbert --break_ties --limit_move 40 --num_vars "
      "9 "
      "--comm_vars 4 --stages_per_ts 3 --checksum_freq 2 --stencil 27 --error_tol 6 --report_perf "
      "3 "
      "--max_blocks 50 --threads 3 --model phase --init rand --compat --code 1 --time 1.5 --hash",
      6);
  EXPECT_EQ(o.block_cells, (Index<3>{4, 6, 8}));
  EXPECT_EQ(o.root_blocks(), (Index<3>{6, 2, 1}));
  EXPECT_EQ(o.passes(), 2);
  EXPECT_EQ(o.lb_opt, BalanceWhen::each_pass);
  EXPECT_EQ(o.placement, Placement::hilbert);
  EXPECT_EQ(o.ties, TieRule::break_ties);
  EXPECT_EQ(o.group_size(), 4);
  EXPECT_EQ(o.stencil, Stencil::twenty_seven);
  EXPECT_EQ(o.reports, (Reports{true, true, false, false}));
  EXPECT_EQ(o.max_blocks, 50);
  EXPECT_EQ(o.model, flow::Model::phase);
  EXPECT_EQ(o.init_values, InitialValues::rand);
  EXPECT_EQ(o.quirks, Quirks::reference);
  EXPECT_EQ(o.time, 1.5);
  EXPECT_TRUE(o.fingerprint);
  EXPECT_TRUE(parse("--fingerprint").fingerprint) << "the other name of --hash";
  EXPECT_FALSE(o.num_tsteps);
}

TEST(Options, trace_some_steps_or_all) {
  EXPECT_EQ(parse("--trace t").trace, (app::TraceRequest{"t", {}}));
  EXPECT_EQ(parse("--trace t --trace_steps 3 5").trace, (app::TraceRequest{"t", {3, 5}}));
  EXPECT_NE(error_of("--trace t --trace_steps 5 3").find("--trace_steps 5 3 (it takes"),
            std::string::npos);
  EXPECT_NE(error_of("--trace_steps 3 5").find("without --trace"), std::string::npos);
  EXPECT_NE(error_of("--trace t --trace_steps 0 3").find("in 1..2147483647"), std::string::npos);
}

TEST(Options, objects_have_14_values) {
  const Options o =
      parse("--num_objects 1 --object 2 1 -1.71 +0.5 1e-1 0.04 0 0 1 2 3 0.1 0.2 0.3");
  ASSERT_EQ(o.objects.size(), 1u);
  EXPECT_EQ(o.objects[0], (Object{2, 1, {-1.71, .5, .1}, {.04, 0, 0}, {1, 2, 3}, {.1, .2, .3}}));
}

TEST(Options, variables_of_an_exchange_are_no_more_than_there_are) {
  EXPECT_EQ(parse("--num_vars 5 --comm_vars 9").group_size(), 5);
}

TEST(Options, what_is_wrong_is_said) {
  const auto says = [](const std::string& line, const std::string& text, int n_ranks = 1) {
    const std::string error = error_of(line, n_ranks);
    EXPECT_NE(error.find(text), std::string::npos) << line << ": " << error;
  };
  says("--what 3", "unknown option '--what'");
  says("--nx", "--nx ends too early");
  says("--ny 0", "--ny 0 (must be a whole number in 1..");
  says("--init_z 0", "--init_z 0 (must be a whole number in 1..2147483647)");
  says("--init_z 2147483648", "--init_z 2147483648 (must be a whole number in 1..2147483647)");
  says("--block_change -1", "--block_change -1 (must be a whole number in 0..2147483647)");
  says("--nx 5", "--nx 5 (blocks are halved, so it must be even); try 6");
  says("--nx 8x", "--nx 8x (must be a whole number");
  says("--nx 0", "--nx 0 (must be a whole number");
  says("--num_refine -1", "--num_refine -1");
  says("--num_vars 0", "--num_vars 0");
  says("--threads 1025", "--threads 1025 (must be a whole number in 1..1024)");
  says("--stencil 9", "--stencil 9 (there is no such stencil)");
  says("--stencil 0 --num_vars 7", "--stencil 0 with --num_vars 7");
  says("--npx 2", "on 3 ranks (the product must be", 3);
  says("--max_blocks 3 --init_x 2 --init_y 2", "--max_blocks 3 (a rank begins with 4 blocks)");
  says("--object 2 0 0 0 0 0 0 0 1 1 1 0 0 0", "more objects than --num_objects 0");
  says("--num_objects 2 --object 2 0 0 0 0 0 0 0 1 1 1 0 0 0", "1 objects with --num_objects 2");
  says("--num_objects 1 --object 2 0 0 0 0 0", "--object ends too early");
  says("--num_objects 1 --object 16 0 0 0 0 0 0 0 1 1 1 0 0 0", "--object of type 16");
  says("--num_objects 1 --object 2 0 0 0 0 0 0 0 1 -.1 1 0 0 0", "half-size of -0.1 in y");
  EXPECT_EQ(error_of("--num_objects 1 --object 2 0 0 0 0 0 0 0 1 -.1 1 0 1 0"), "") << "it grows";
  EXPECT_EQ(error_of("--compat --num_objects 1 --object 2 0 0 0 0 0 0 0 1 -.1 1 0 0 0"), "");
  says("--preset paper", "--preset paper (there is no such input)");
  says("--preset four_spheres --nodes 3", "--nodes 3 (root blocks double");
  says("--preset four_spheres", "on 3 ranks (its 4 x 4 x 4 root blocks", 3);
  says("--preset four_spheres --npx 3", "3 ranks on axis x for 4 root blocks", 3);
  says("--scaled", "--nodes or --scaled without --preset");
  says("--morton --rcb", "--rcb and --morton (blocks are placed in one way)");
  says("--plotfile_vars 3", "--plotfile_vars without --plotfile_freq");
  says("--model fast", "--model fast (there is no such model)");
  says("--lb_opt 3", "--lb_opt 3 (must be a whole number in 0..2)");
  says("--code 3", "--code 3");
  says("--time 0", "--time 0 (the end must be later");
  says("--time 1e17", "--time 1e+17 in timesteps of 1 (more than 2147483647 of them");
  EXPECT_EQ(error_of("--time 1e17 --num_tsteps 3"), "");
  EXPECT_EQ(error_of("--time 2147483647"), "");
  says("--init_x 100 --num_refine 20", "cannot be numbered");
  says("--npx 262144 --init_x 67108864 --num_refine 20", "cannot be numbered");
  says("--nx 3 --ny 5", "--ny 5");  // both are said
}

TEST(Options, need_a_value_where_they_are_given_one) {
  for (const std::string option : {"--out", "--trace", "--nx"}) {
    const std::vector<std::string> words{option, ""};
    try {
      parse_options(words, 1);
      ADD_FAILURE() << option;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), option + " '' (no value); give one, or leave the option out");
    }
  }
}

TEST(Options, presets_are_options_that_others_override) {
  const Options o = parse("--num_vars 8 --preset four_spheres --nodes 2 --num_tsteps 3", 8);
  EXPECT_EQ(o.root_blocks(), (Index<3>{8, 4, 4}));
  EXPECT_EQ(o.ranks, (Index<3>{2, 2, 2}));
  EXPECT_EQ(o.block_cells, (Index<3>{12, 12, 12}));
  EXPECT_EQ(o.num_vars, 8);
  EXPECT_EQ(o.num_tsteps, 3);
  EXPECT_EQ(o.messages_to_neighbour(), 8);
  ASSERT_EQ(o.objects.size(), 4u);
  EXPECT_EQ(o.objects[2], (Object{2, 0, {.75, .25, .75}, {-.016, 0, 0}, {.23, .23, .23}, {}}));
}

TEST(Options, presets_grow_to_256_nodes_and_have_a_small_version) {
  const Options large = parse("--preset single_sphere --nodes 256", 12288 / 3);
  EXPECT_EQ(large.root_blocks(), (Index<3>{32, 32, 16}));
  EXPECT_EQ(large.ranks, (Index<3>{16, 16, 16}));
  const Options small = parse("--preset single_sphere --scaled", 2);
  EXPECT_EQ(small.root_blocks(), (Index<3>{2, 2, 2}));
  EXPECT_EQ(product(small.ranks), 2);
  EXPECT_LT(small.num_refine, large.num_refine);
}

TEST(Options, a_preset_takes_other_grids_and_objects) {
  const std::string other = "--num_objects 1 --object 3 0 .5 .5 .5 0 0 0 .1 .1 .1 0 0 0";
  const Options o = parse("--preset four_spheres --npx 4 --npz 2 " + other, 8);
  EXPECT_EQ(o.init, (Index<3>{1, 4, 2}));
  ASSERT_EQ(o.objects.size(), 1u);
  EXPECT_EQ(o.objects[0].type, 3);
  EXPECT_EQ(parse("--preset four_spheres --npx 3 --init_x 2", 3).root_blocks(), (Index<3>{6, 4, 4}))
      << "on axes of which nothing is said root blocks are the preset's";
}

TEST(Options, the_reference_takes_any_type_of_object) {
  EXPECT_EQ(error_of("--compat --num_objects 1 --object 16 0 0 0 0 0 0 0 1 1 1 0 0 0"), "");
}

TEST(Options, the_reference_takes_the_last_placement) {
  EXPECT_EQ(parse("--compat --morton --rcb").placement, Placement::rcb);
}

TEST(Options, help_names_them_all_and_what_is_corrected) {
  const std::string help = option_help();
  for (const char* text :
       {"--nx N", "--object", "--refine_ghosts", "--compat", "--hash",
        "the volume of z axis cylinder", "bounce 2               has no effect", "four_spheres",
        "--object 2 0 -1.10", "results.yaml           is indented", "without a report"})
    EXPECT_NE(help.find(text), std::string::npos) << text;
  EXPECT_TRUE(app::asks_for_help(testing::words_of("--nx 4 --help")));
  EXPECT_FALSE(app::asks_for_help(testing::words_of("--nx 4")));
}

}  // namespace
}  // namespace thalweg::miniamr

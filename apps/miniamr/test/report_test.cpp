// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/report.hpp>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "reference_case.hpp"

namespace thalweg::miniamr {
namespace {

Options one_sphere() {
  return parse_options(testing::words_of("--npx 2 --nx 4 --num_refine 2 --num_objects 1 "
                                         "--object 2 1 .25 .5 .5 .125 0 0 .1 .1 .1 0 0 0"),
                       2);
}

RunFacts facts() {
  RunFacts f{.n_steps = 4, .time = 4, .objects = one_sphere().objects};
  f.n_stages = 80;
  f.total_blocks = 800;
  f.n_adds = 6e9;
  f.n_divides = 1e9;
  f.ranks = {{.total_s = 3, .compute_s = 1, .n_split = 3, .max_blocks = 9},
             {.total_s = 4, .compute_s = 3, .n_split = 1, .max_blocks = 7}};
  f.objects[0].centre[0] = .75;
  f.ranks[0].directions[1] = {.pack_s = 1, .wait_s = 2};
  f.ranks[1].refine_parts[RefinePart::coarsen_pack] = 4;
  f.compute = {.least_s = 1, .most_s = 2};
  f.ranks[0].exchanged[1] = {.messages_sent = 4, .faces_same = 2};
  f.ranks[1].exchanged[2] = {.messages_sent = 6};
  const std::vector<std::array<std::int64_t, 5>> partners{{1, 0, 0, 1, 1}, {1, 2, 0, 3, 2}};
  f.ranks[0].partners = over_time(partners);
  return f;
}

TEST(SpreadOf, is_mean_deviation_least_and_most) {
  const Spread s = spread_of(std::vector<double>{1, 3, 5, 7});
  EXPECT_EQ(s.mean, 4);
  EXPECT_DOUBLE_EQ(s.deviation * s.deviation, 5);
  EXPECT_EQ(s.least, 1);
  EXPECT_EQ(s.most, 7);
}

TEST(Report, gflops_are_flops_over_the_mean_stencil_time_in_units_of_2_30) {
  EXPECT_DOUBLE_EQ(total_gflops(facts()), 7e9 / (2 * 1073741824.0));
}

TEST(Report, has_the_references_sections_and_lines) {
  const std::string text = report_text(one_sphere(), facts(), ReportPlace::terminal);
  for (const char* line : {" ================ Start report ===================",
                           "Run on 2 ranks arranged in a 2 x 1 x 1 grid",
                           "block size 4 x 10 x 10",
                           "Object 0 is the surface of a spheroid",
                           "Object center will bounce off of walls",
                           "Center starting at 0.250000 0.500000 0.500000",
                           "Center end at 0.750000 0.500000 0.500000",
                           "Moving at 0.125000 0.000000 0.000000 per timestep",
                           "   Rate relative to smallest cell size 8.000000 0.000000 0.000000",
                           "Number of timesteps is 4",
                           "Load balance by RCB",
                           "Computational Performance",
                           "     total GFLOPS:             3.259629",
                           "     Total floating point ops: 7000000000.000000",
                           "Interblock communication",
                           "Total communication:\n\n",
                           "     Messages sent          : 5.000000 1.000000 4.000000 6.000000",
                           "     Comm partners total ave: 1.000000 1.000000 0.000000 2.000000",
                           "     Comm partners uniq max : 1.000000 1.000000 0.000000 2.000000",
                           "Y direction communication statistics:\n\n",
                           "     Total                  : 1.500000 1.500000 0.000000 3.000000",
                           "     Pack faces             : 0.500000 0.500000 0.000000 1.000000",
                           "     Wait time              : 1.000000 1.000000 0.000000 2.000000",
                           "     Comm partners average  : 0.500000 0.500000 0.000000 1.000000",
                           "     Sum of min/max compute times per ts: 1.000000 2.000000",
                           "           pack blocks      : 2.000000 2.000000 0.000000 4.000000",
                           "     Faces exchanged same   : 1.000000 1.000000 0.000000 2.000000",
                           "Gridsum performance",
                           "Mesh Refinement",
                           "     Total blocks           : 800",
                           "     Blocks/timestep ave, min, max : 10.000000 0 0",
                           "     Max blocks on a processor at any time: 9",
                           "     total blocks split     : 4.000000"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(Report, ends_with_the_summary) {
  const std::string line =
      "Summary: ranks 2 ts 4 time 3.500000 calc 2.000000 comm 0.000000 red 0.000000 refine "
      "0.000000 blocks/ts 10.000000 max_blocks 9\n";
  EXPECT_EQ(summary_line(facts()), line);
  EXPECT_TRUE(report_text(one_sphere(), facts(), ReportPlace::terminal).ends_with(line));
}

TEST(Report, as_yaml_has_the_references_keys_each_once) {
  const std::string text = report_yaml(one_sphere(), facts());
  for (const char* line : {"code: miniAMR\n", "ranks: 2\n", "npx: 2\n", "x_block_size: 4\n",
                           "obj0center_x: 0.750000\n", "num_tsteps: 4\n", "lb_method: 0\n",
                           "total_time_ave: 3.500000\n", "compute_time_max: 3.0",
                           "total_gflops: 3.259629\n", "total_mess_send_ave: 5.000000\n",
                           "y_mess_send_max: 4.000000\n", "z_face_exch_same_ave: 0.000000\n",
                           "blocks_split_ave: 2.000000\n", "total_blocks_ts_ave: 10.0"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  EXPECT_EQ(text.find("\ncode:"), std::string::npos);
}

/// The words of a text before numbers, line by line: what is left when numbers are taken out.
std::string without_numbers(const std::string& text) {
  return std::regex_replace(text, std::regex("-?[0-9]+(\\.[0-9]+)?"), "#");
}

std::string file(const std::string& name) {
  std::ifstream in(std::string(REPORT_FORMATS) + "/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// Whether all lines of one text are in another, in their order; some of `text` may be between.
void expect_lines_in_order(const std::string& expected, const std::string& text) {
  const auto lines = lines_of(text);
  auto at = lines.begin();
  for (const std::string& line : lines_of(expected)) {
    const auto found = std::find(at, lines.end(), line);
    ASSERT_NE(found, lines.end()) << line << "\nis missing in\n" << text;
    at = found + 1;
  }
}

Options with(const std::string& more) {
  return parse_options(testing::words_of("--npx 2 --nx 4 --num_refine 2 --max_blocks 100 "
                                         "--num_objects 1 "
                                         "--object 2 1 .25 .5 .5 .125 0 0 .1 .1 .1 0 0 0 " +
                                         more),
                       2);
}

// The files hold what the reference program writes with these options, but for numbers.
TEST(Report, has_the_references_lines_in_its_order) {
  const auto text = [](const Options& o, ReportPlace place) {
    return without_numbers(report_text(o, facts(), place));
  };
  expect_lines_in_order(file("terminal.txt"), text(with(""), ReportPlace::terminal));
  expect_lines_in_order(file("results.txt"), text(with(""), ReportPlace::file));
  const Options other = with(
      "--time 4 --uniform_refine 1 --trunc_hilbert --permute --code 1 --refine_ghost --lb_opt 2 "
      "--blocking_send --send_faces --plot_freq 2 --stencil 0 --reorder 0");
  const std::string differently = R"(Initial ranks arranged as a grid across machine
Order of exchanges permuted
Code set to code #
Ghost cells will be used determine is block is refined
Blocks will be uniformly refined
Time # in # timesteps
Communication will be performed with blocking sends
Load balance at each phase of refinement step
Will plot results every # timesteps
Calculate on # variables with variable stencils
Will send data from each face seperately
)";
  expect_lines_in_order(differently, text(other, ReportPlace::terminal));
  expect_lines_in_order("Load balance by truncated Hilbert style Space Filling Curve",
                        text(other, ReportPlace::terminal));
  expect_lines_in_order("Load balance by truncated Hilbert Space Filling Curve",
                        text(other, ReportPlace::file));
}

TEST(Report, says_which_options_change_nothing) {
  const auto text = [](const Options& o) { return report_text(o, facts(), ReportPlace::file); };
  const std::string of_seven = text(with("--code 2 --blocking_send"));
  EXPECT_NE(of_seven.find("Code set to code 2\n     (changes nothing"), std::string::npos);
  EXPECT_NE(of_seven.find("blocking sends\n     (changes nothing"), std::string::npos);
  const std::string of_27 = text(with("--code 2 --stencil 27"));
  EXPECT_EQ(of_27.find("changes nothing"), std::string::npos);
}

TEST(Report, in_a_file_has_no_lines_that_the_reference_has_on_the_terminal_only) {
  const std::string text = report_text(with(""), facts(), ReportPlace::file);
  for (const char* line : {"Summary:", "Sum of min/max", "initial refine", "change_dir", "sets of"})
    EXPECT_EQ(text.find(line), std::string::npos) << line;
}

TEST(Report, says_how_many_threads_run_tasks) {
  const Options bulk = with("--model bulk --threads 2");
  EXPECT_NE(report_yaml(bulk, facts()).find("\nthreads: 1\n"), std::string::npos);
  EXPECT_NE(report_text(bulk, facts(), ReportPlace::terminal).find("bulk with 1 threads"),
            std::string::npos);
}

TEST(Report, as_yaml_has_the_references_lines_in_its_order_to_be_compatible) {
  expect_lines_in_order(file("keys.txt"), without_numbers(report_yaml(with("--compat"), facts())));
}

}  // namespace
}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/task_graph.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::taskbench {
namespace {

constexpr long widths[] = {1, 2, 3, 4, 5, 8, 13};

/// Whether point b of one timestep feeds point a of the next, by the words of the paper.
bool feeds(const TaskGraph& g, long dset, long b, long a) {
  const long w = g.max_width, distance = (a - b + w) % w;
  switch (g.dependence) {
    case Dependence::trivial:
      return false;
    case Dependence::no_comm:
      return a == b;
    case Dependence::stencil_1d:
      return std::abs(a - b) <= 1;
    case Dependence::stencil_1d_periodic:
      return distance <= 1 || distance == w - 1;
    case Dependence::dom:
      return b == a || b == a - 1;
    case Dependence::tree:
      return a == 2 * b || a == 2 * b + 1;
    case Dependence::fft:
      return a == b || std::abs(a - b) == 1L << dset;
    case Dependence::all_to_all:
      return true;
    case Dependence::nearest:
    case Dependence::random_nearest:
      return a - b <= g.radix / 2 && b - a <= (g.radix - 1) / 2;
    case Dependence::spread:
      for (long i = 0; i < g.radix; ++i)
        if (b == (a + i * w / g.radix + (i > 0 ? dset : 0)) % w) return true;
      return false;
  }
  return false;
}

/// All graphs the tests go over: every pattern with several widths and radices.
std::vector<TaskGraph> all_graphs() {
  std::vector<TaskGraph> graphs;
  for (const std::string_view name : dependence_names())
    for (const long width : widths)
      for (const long radix : {1, 2, 3, 5}) {
        TaskGraph g{.timesteps = 9, .max_width = width, .radix = radix};
        g.dependence = *dependence_from_string(name);
        if (g.dependence == Dependence::spread) {
          g.radix = std::min(radix, width);
          g.period = (width + g.radix - 1) / g.radix;
        }
        if (g.dependence == Dependence::random_nearest) g.period = 3;
        g.check();
        graphs.push_back(g);
      }
  return graphs;
}

std::multiset<long> points(const std::vector<Interval>& intervals) {
  std::multiset<long> found;
  for (const auto& [first, last] : intervals)
    for (long p = first; p <= last; ++p) found.insert(p);
  return found;
}

std::string label(const TaskGraph& g) {
  return std::string(to_string(g.dependence)) + " width " + std::to_string(g.max_width) +
         " radix " + std::to_string(g.radix);
}

TEST(TaskGraph, dependencies_are_those_of_the_definition_each_once) {
  for (const TaskGraph& g : all_graphs())
    for (long dset = 0; dset < g.max_dependence_sets(); ++dset)
      for (long a = 0; a < g.max_width; ++a) {
        const auto found = points(g.dependencies(dset, a));
        for (long b = 0; b < g.max_width; ++b) {
          if (g.dependence == Dependence::random_nearest) {
            EXPECT_LE(found.count(b), feeds(g, dset, b, a) ? 1u : 0u) << label(g);
            EXPECT_TRUE(a != b || found.contains(b)) << label(g);
          } else {
            EXPECT_EQ(found.count(b), feeds(g, dset, b, a) ? 1u : 0u)
                << label(g) << " set " << dset << ": " << b << " -> " << a;
          }
        }
        EXPECT_TRUE(found.empty() || (*found.begin() >= 0 && *found.rbegin() < g.max_width));
      }
}

TEST(TaskGraph, reverse_dependencies_mirror_dependencies) {
  for (const TaskGraph& g : all_graphs())
    for (long dset = 0; dset < g.max_dependence_sets(); ++dset)
      for (long a = 0; a < g.max_width; ++a) {
        std::multiset<long> expected;
        for (long b = 0; b < g.max_width; ++b)
          if (points(g.dependencies(dset, b)).contains(a)) expected.insert(b);
        EXPECT_EQ(points(g.reverse_dependencies(dset, a)), expected) << label(g) << " point " << a;
      }
}

TEST(TaskGraph, active_points_lie_in_the_width_and_sets_repeat_with_the_period) {
  for (const TaskGraph& g : all_graphs()) {
    EXPECT_EQ(g.width_at_timestep(-1), 0);
    for (long t = 0; t < g.timesteps; ++t) {
      EXPECT_GE(g.offset_at_timestep(t), 0);
      EXPECT_GE(g.width_at_timestep(t), 1) << label(g);
      EXPECT_LE(g.offset_at_timestep(t) + g.width_at_timestep(t), g.max_width) << label(g);
      EXPECT_EQ(g.dependence_set_at_timestep(t),
                g.dependence_set_at_timestep(t + g.timestep_period()));
      EXPECT_LT(g.dependence_set_at_timestep(t), g.max_dependence_sets());
    }
  }
}

TEST(TaskGraph, tree_doubles_and_dom_goes_up_and_down) {
  const TaskGraph tree{.timesteps = 5, .max_width = 6, .dependence = Dependence::tree};
  const TaskGraph dom{.timesteps = 5, .max_width = 3, .dependence = Dependence::dom};
  std::vector<long> tree_widths, dom_widths, dom_offsets;
  for (long t = 0; t < 5; ++t) {
    tree_widths.push_back(tree.width_at_timestep(t));
    dom_widths.push_back(dom.width_at_timestep(t));
    dom_offsets.push_back(dom.offset_at_timestep(t));
  }
  EXPECT_EQ(tree_widths, (std::vector<long>{1, 2, 4, 6, 6}));
  EXPECT_EQ(dom_widths, (std::vector<long>{1, 2, 3, 2, 1}));
  EXPECT_EQ(dom_offsets, (std::vector<long>{0, 0, 0, 1, 2}));
}

TEST(TaskGraph, fraction_is_how_many_random_dependencies_there_are) {
  TaskGraph g{
      .max_width = 2000, .dependence = Dependence::random_nearest, .radix = 11, .period = 1};
  g.fraction_connected = 0.3;
  std::size_t n = 0;
  for (long p = 5; p < 1995; ++p) n += points(g.dependencies(0, p)).size() - 1;  // without itself
  EXPECT_NEAR(static_cast<double>(n) / (1990 * 10), 0.3, 0.0163);  // 5 standard deviations
}

/// Run a task on inputs filled with given pairs; what it complained of, or nothing.
std::string complaint(const TaskGraph& g, long timestep, long point,
                      const std::vector<Interval>& inputs, std::size_t wrong_word = 0) {
  const std::size_t n_words = g.output_bytes_per_task / sizeof(Interval);
  std::vector<std::vector<Interval>> buffers;
  for (const Interval& i : inputs) {
    buffers.emplace_back(n_words, i);
    if (wrong_word > 0) buffers.back()[wrong_word] = {0, 0};
  }
  std::vector<const char*> pointers;
  for (const auto& b : buffers) pointers.push_back(reinterpret_cast<const char*>(b.data()));
  const std::vector<std::size_t> sizes(inputs.size(), g.output_bytes_per_task);
  std::vector<Interval> output(n_words, {-1, -1});
  std::vector<char> scratch(g.scratch_bytes_per_task);
  TaskGraph::prepare_scratch(scratch.data(), scratch.size());
  try {
    g.execute_point(timestep, point, reinterpret_cast<char*>(output.data()),
                    g.output_bytes_per_task, pointers.data(), sizes.data(), inputs.size(),
                    scratch.data(), scratch.size());
  } catch (const Error& e) {
    return e.what();
  }
  EXPECT_EQ(output, std::vector<Interval>(n_words, {timestep, point}));
  return {};
}

TEST(TaskGraphExecutePoint, fills_its_output_where_the_inputs_are_right) {
  TaskGraph g{.dependence = Dependence::stencil_1d, .output_bytes_per_task = 48};
  g.scratch_bytes_per_task = 64;
  EXPECT_EQ(complaint(g, 2, 1, {{1, 0}, {1, 1}, {1, 2}}), "");
  EXPECT_EQ(complaint(g, 0, 1, {}), "");
}

TEST(TaskGraphExecutePoint, names_the_input_that_is_wrong) {
  const TaskGraph g{.dependence = Dependence::stencil_1d, .output_bytes_per_task = 48};
  const auto has = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  const auto early = complaint(g, 2, 1, {{1, 0}, {0, 1}, {1, 2}});
  has(early, "timestep 2, point 1");
  has(early, "input 1 is (timestep 0, point 1) at byte 0");
  has(early, "(1, 1)");
  has(complaint(g, 2, 1, {{1, 0}, {1, 1}, {1, 3}}), "input 2 is (timestep 1, point 3)");
  has(complaint(g, 2, 1, {{1, 0}, {1, 1}, {1, 2}}, 2),
      "input 0 is (timestep 0, point 0) at byte 32");
  has(complaint(g, 2, 1, {{1, 0}, {1, 1}}), "too few inputs");
  has(complaint(g, 2, 0, {{1, 0}, {1, 1}, {1, 2}}), "too many inputs");
  has(complaint(g, 4, 0, {}), "no such timestep");
  has(complaint(g, 2, 4, {}), "no such point");
}

TEST(TaskGraphExecutePoint, notices_foreign_writes_to_its_scratch) {
  TaskGraph g;
  g.scratch_bytes_per_task = 16;
  char output[16], scratch[16] = {};
  EXPECT_THROW(g.execute_point(0, 0, output, 16, nullptr, nullptr, 0, scratch, 16), Error);
}

TEST(TaskGraphCheck, refuses_what_makes_no_graph) {
  EXPECT_THROW((TaskGraph{.period = 3}.check()), Error);
  EXPECT_THROW((TaskGraph{.dependence = Dependence::spread, .radix = 3, .period = 3}.check()),
               Error);  // sets 0 and 2 of 4 points and 3 of them would be the same
  EXPECT_THROW((TaskGraph{.max_width = 2, .dependence = Dependence::spread, .period = 1}.check()),
               Error);
  EXPECT_THROW((TaskGraph{.dependence = Dependence::random_nearest}.check()), Error);
  EXPECT_THROW((TaskGraph{.dependence = Dependence::stencil_1d, .nb_fields = 1}.check()), Error);
  EXPECT_NO_THROW((TaskGraph{.nb_fields = 1}.check())) << "who reads nothing needs one copy";
  EXPECT_THROW((TaskGraph{.kernel = {.type = KernelType::memory_bound}}.check()), Error);
  // Of fewer bytes half a sample would be copied into the word that is checked.
  TaskGraph small{.kernel = {.type = KernelType::memory_bound, .samples = 4}};
  small.scratch_bytes_per_task = 63;
  EXPECT_THROW(small.check(), Error);
  small.scratch_bytes_per_task = 64;
  EXPECT_NO_THROW(small.check());
}

}  // namespace
}  // namespace thalweg::taskbench

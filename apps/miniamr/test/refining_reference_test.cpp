// SPDX-License-Identifier: MIT
// Meshes of whole runs, without data, against what the reference program made: on virtual ranks,
// with other placements for each, since none changes the mesh.
#include <array>

#include <gtest/gtest.h>

#include <thalweg/mesh/testing/ranks.hpp>
#include <thalweg/miniamr/refining.hpp>
#include <thalweg/miniamr/time_control.hpp>

#include "reference_case.hpp"

namespace thalweg::miniamr {
namespace {

using testing::ReferenceCase;
using testing::ReferenceMesh;

/// What a rank saw of a run.
struct Seen {
  std::vector<ReferenceMesh> meshes{};
  std::vector<Object> objects{};  ///< at the last refinement
  std::int64_t total_blocks = 0;
  std::vector<std::int64_t> most_and_least{};  ///< blocks of ranks after the last refinement
};

/// A rank to which nobody tells more of each rank than some numbers: sums are all that it needs.
struct RankToldLittle : mesh::testing::VirtualRank {
  template <class T>
  std::vector<T> all_gather(const T& mine) {
    static_assert(sizeof(T) <= 32, "grows with the number of ranks; sum it instead");
    return VirtualRank::all_gather(mine);
  }
};

template <mesh::Collectives R>
Seen run_mesh(const Options& options, Rank rank, int n_ranks, R collectives) {
  Refining<R> refining(options, rank, n_ranks, collectives);
  Seen seen;
  std::vector<Object> objects = options.objects;
  std::int64_t n_blocks = product(options.root_blocks());
  const auto refine = [&](int step, int n_passes) {
    refining.refine(refinement_of(options, objects), n_passes, [](const Transition&, Purpose) {});
    const MeshSummary summary = refining.summary();
    std::int64_t n_split = 0;
    std::int64_t n_joined = 0;
    for (const auto n : collectives.all_gather(refining.totals().n_split)) n_split += n;
    for (const auto n : collectives.all_gather(refining.totals().n_joined)) n_joined += n;
    seen.meshes.push_back({step, summary.per_level, summary.hash, n_split, n_joined});
    seen.objects = objects;
    n_blocks = summary.n_blocks();
  };
  if (options.num_refine > 0) refine(0, options.num_refine);
  double time = 0;
  for (int step = 1; !is_over(options, step - 1, time); ++step) {
    const double delta = step_length(options, objects);
    seen.total_blocks += n_blocks * options.stages_per_ts;
    if (options.num_refine > 0 && !options.uniform_refine) {
      for (Object& object : objects) advance(object, delta, options.quirks);
      if (step % options.refine_freq == 0) refine(step, options.passes());
    }
    time += delta;
  }
  seen.most_and_least = count_owned(refining.mesh().owners, n_ranks, collectives);
  return seen;
}

class ReferenceMeshes : public ::testing::TestWithParam<ReferenceCase> {};

void expect_case(const ReferenceCase& c, int n_ranks, const std::string& more) {
  const Options options = testing::options_of(c, n_ranks, "--compat " + more);
  const auto seen = mesh::testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    return run_mesh(options, rank, n_ranks, RankToldLittle{collectives});
  });
  for (const Seen& s : seen) {
    ASSERT_EQ(s.meshes.size(), c.meshes.size()) << n_ranks << " ranks";
    for (std::size_t i = 0; i < c.meshes.size(); ++i) {
      const ReferenceMesh& expected = c.meshes[i];
      EXPECT_EQ(s.meshes[i].step, expected.step);
      ASSERT_EQ(s.meshes[i].per_level, expected.per_level) << "step " << expected.step;
      EXPECT_EQ(s.meshes[i].hash, expected.hash) << "step " << expected.step;
      EXPECT_EQ(s.meshes[i].n_split, expected.n_split) << "step " << expected.step;
      EXPECT_EQ(s.meshes[i].n_joined, expected.n_joined) << "step " << expected.step;
    }
    EXPECT_EQ(s.total_blocks, c.total_blocks);
    ASSERT_EQ(s.objects.size(), c.centres.size());
    for (std::size_t i = 0; i < s.objects.size(); ++i) {
      EXPECT_EQ(s.objects[i].centre, c.centres[i]);
      EXPECT_EQ(s.objects[i].size, c.sizes[i]);
    }
  }
}

TEST_P(ReferenceMeshes, are_the_same_on_any_number_of_ranks) {
  const ReferenceCase& c = GetParam();
  const std::array<std::string, 5> placements{"", "", "--morton --lb_opt 2 --group_blocks",
                                              "--hilbert --inbalance 10",
                                              "--rcb --change_dir --limit_move 30"};
  // The largest cases take seconds; two numbers of ranks are enough for them.
  const bool is_large = c.meshes.size() > 20;
  for (int n_ranks = 1; n_ranks <= 4; ++n_ranks) {
    if (n_ranks > 1 && testing::grids_of(c.root, n_ranks).empty()) continue;
    if (is_large && n_ranks == 1) continue;
    expect_case(c, n_ranks, placements[static_cast<std::size_t>(n_ranks)]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceMeshes,
                         ::testing::ValuesIn(testing::read_reference_cases(REFERENCE_CASES)),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
// Over MPI: the bits of one virtual rank, in all models.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/testing/runtime_main.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "run_deck.hpp"

namespace thalweg::vlasov {
namespace {

using app::testing::runtime;

constexpr int n_steps = 6;

/// A wave on 5 x 5 tiles, of which the last along each axis are smaller.
std::vector<std::string> wave(const std::vector<std::string>& more) {
  std::vector<std::string> deck{"vlasov.cells=[37, 33]", "vlasov.tile=[8, 7]", "time.end=100",
                                "vlasov.modes=[{amplitude=0.4}, {m=2, amplitude=0.1}]",
                                "vlasov.beams=[{drift=0.5}]"};
  deck.insert(deck.end(), more.begin(), more.end());
  return deck;
}

/// What all ranks find together; what is in files on rank 0 alone.
testing::Outcome outcome_over_mpi(const std::vector<std::string>& deck,
                                  const app::Execution& execution) {
  const std::string folder =
      "vlasov_mpi_on_" + std::to_string(runtime->transport().n_ranks()) + "_ranks";
  testing::Outcome outcome;
  outcome.line =
      testing::values_after(runtime->context(execution), deck, n_steps, folder + "/plt00000");
  flow::barrier(runtime->transport());
  if (runtime->rank() == Rank{0}) {
    const auto hash = io::hash_plotfile(runtime->files(), folder + "/plt00000");
    EXPECT_TRUE(hash) << hash.error().message;
    outcome.hash = hash.value_or(0);
    outcome.field = io::read_text(runtime->files(), folder + "/plt00000/field.csv").value_or("");
    std::filesystem::remove_all(folder);
  }
  flow::barrier(runtime->transport());
  return outcome;
}

class VlasovOverMpi : public ::testing::TestWithParam<flow::Model> {};

TEST_P(VlasovOverMpi, has_the_bits_of_one_virtual_rank) {
  const std::uint32_t n_workers = GetParam() == flow::Model::bulk ? 1 : 2;
  for (const std::vector<std::string>& scheme :
       {std::vector<std::string>{},
        {"vlasov.splitting=strang", "vlasov.decomposition=v"},
        {"vlasov.predictor=leapfrog", "vlasov.poisson=fft", "vlasov.tile_order=border"}}) {
    const auto expected = testing::outcome_of(wave(scheme), n_steps, {});
    const auto found =
        outcome_over_mpi(wave(scheme), {.model = GetParam(), .executor = {.n_workers = n_workers}});
    EXPECT_EQ(found.line, expected.line);
    if (runtime->rank() == Rank{0}) {
      EXPECT_EQ(found.hash, expected.hash);
      EXPECT_EQ(found.field, expected.field);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(models, VlasovOverMpi,
                         ::testing::Values(flow::Model::bulk, flow::Model::forkjoin,
                                           flow::Model::phase, flow::Model::dataflow));

}  // namespace
}  // namespace thalweg::vlasov

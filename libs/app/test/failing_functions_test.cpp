// SPDX-License-Identifier: MIT
// A function of a problem that throws on one rank while the mesh is built: all ranks have the
// error.
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/context.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/field/block_pool.hpp>

#include "../../../tests/support/text.hpp"
#include "carried.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;
using thalweg::testing::error_of;
using thalweg::testing::expect_parts;

constexpr auto no_state = [](const numerics::CellContext<2>&) -> Carried::State {
  throw std::runtime_error("no table");
};

// What each rank is told where the function that `break_it` changes throws on `failing` alone.
template <class F>
std::vector<std::string> messages_of(int n_ranks, Rank failing, F break_it) {
  std::vector<std::string> messages(static_cast<std::size_t>(n_ranks), "none");
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    const Rank rank = context.transport.rank();
    auto problem = testing::carried_spot();
    if (rank == failing) break_it(problem);
    try {
      const auto made = Simulation<Carried>::make(context, problem, testing::settings(), nullptr);
      if (!made) messages[rank()] = "failure: " + made.error().message;
    } catch (const Error& error) {
      messages[rank()] = std::string("bad request: ") + error.what();
    }
  });
  EXPECT_TRUE(done) << done.error().message;
  return messages;
}

TEST(FailingFunctions, of_one_rank_end_the_building_of_the_mesh_on_all) {
  for (const int n_ranks : {1, 2, 3})
    for (const Rank failing : {Rank{0}, Rank{static_cast<std::uint32_t>(n_ranks - 1)}}) {
      const auto initial =
          messages_of(n_ranks, failing, [](auto& problem) { problem.initial = no_state; });
      const auto tag = messages_of(n_ranks, failing, [](auto& problem) {
        problem.tag = [](const step::LevelContext<2>&, const View<const double, 2>&, const Box<2>&,
                         const View<std::uint8_t, 2>&) { throw std::runtime_error("no table"); };
      });
      for (const std::string& message : initial)
        expect_parts(message, {"bad request: ", "the initial state has failed: no table"});
      for (const std::string& message : tag) expect_parts(message, {"failure: ", "no table"});
    }
}

TEST(FailingFunctions, end_the_search_for_a_mesh_without_cells_as_that_with_them) {
  for (const auto block_source : {field::BlockSource::slabs, field::BlockSource::addresses}) {
    auto problem = testing::carried_spot();
    problem.initial = no_state;
    auto settings = testing::settings();
    settings.block_source = block_source;
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(1, files, [&](const Context& context) {
      expect_parts(
          error_of([&] {
            static_cast<void>(Simulation<Carried>::wanted_blocks(context, problem, settings));
          }),
          {"the initial state has failed: no table"});
    });
    EXPECT_TRUE(done) << done.error().message;
  }
}

}  // namespace
}  // namespace thalweg::app

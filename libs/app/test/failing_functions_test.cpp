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

#include "carried.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;

// What each rank is told where the function that `break_it` changes throws on `failing` alone.
template <class F>
std::vector<std::string> messages_of(int n_ranks, Rank failing, F break_it) {
  std::vector<std::string> messages(static_cast<std::size_t>(n_ranks), "none");
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    const Rank rank = context.transport.rank();
    auto problem = testing::carried_spot();
    if (rank == failing) break_it(problem);
    const auto made = Simulation<Carried>::create(context, problem, testing::settings());
    if (!made) messages[rank()] = made.error().message;
  });
  EXPECT_TRUE(done) << done.error().message;
  return messages;
}

TEST(FailingFunctions, of_one_rank_end_the_building_of_the_mesh_on_all) {
  for (const int n_ranks : {1, 2, 3})
    for (const Rank failing : {Rank{0}, Rank{static_cast<std::uint32_t>(n_ranks - 1)}}) {
      const auto initial = messages_of(n_ranks, failing, [](auto& problem) {
        problem.initial = [](const numerics::CellContext<2>&) -> Carried::State {
          throw std::runtime_error("no table");
        };
      });
      const auto tag = messages_of(n_ranks, failing, [](auto& problem) {
        problem.tag = [](const step::LevelContext<2>&, const View<const double, 2>&, const Box<2>&,
                         const View<std::uint8_t, 2>&) { throw std::runtime_error("no table"); };
      });
      for (const auto& messages : {initial, tag})
        for (const std::string& message : messages)
          EXPECT_NE(message.find("no table"), std::string::npos) << n_ranks << ": " << message;
    }
}

}  // namespace
}  // namespace thalweg::app

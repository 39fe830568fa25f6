// SPDX-License-Identifier: MIT
#include "self_test.hpp"

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/plotfile_read.hpp>

namespace thalweg {

namespace {

constexpr std::int64_t n_steps = 8;
constexpr double watchdog_s = 30;
constexpr auto blast = R"(
[application]
name = "hydro"
[problem]
name = "sedov"
centre = [0.0, 0.0]
radius = 0.05
[mesh]
dim = 2
upper = [0.5, 0.5]
lower = [0.0, 0.0]
root_blocks = [4, 4]
block_cells = 8
max_level = 2
[boundary]
lower = ["reflecting", "reflecting"]
upper = ["outflow", "outflow"]
[time]
cfl = 0.4
)";

using Made = Result<std::unique_ptr<app::AnySimulation>>;

Made simulate(const std::vector<app::Application>& applications, const io::Deck& deck,
              const app::Context& context) {
  auto made =
      app::application_of(applications, deck).set_up(deck)->simulation(context, nullptr, {});
  if (!made) return made;
  if (const auto done = (*made)->advance_to(n_steps); !done) return std::unexpected(done.error());
  return made;
}

std::uint64_t hash_of_integrals(const app::AnySimulation& simulation) {
  const auto values = simulation.series_values();
  return hash_bytes(std::as_bytes(std::span(values)));
}

}  // namespace

SelfTest::SelfTest(std::vector<app::Application> applications)
    : applications_(std::move(applications)),
      deck_(app::load_deck(applications_, blast, "the self-test")) {}

Result<Outcome> SelfTest::run_alone(flow::Model model, std::uint32_t n_workers) const {
  comm::AloneTransport transport;
  transport.set_watchdog(watchdog_s);
  const SteadyClock clock;
  io::MemoryFileSystem files;
  Logger silent(nullptr, transport.rank());
  const app::Context context{
      transport,
      clock,
      files,
      silent,
      {.model = model, .executor = {.n_workers = n_workers, .watchdog_s = watchdog_s}}};
  const auto made = simulate(applications_, deck_, context);
  if (!made) return std::unexpected(made.error());
  if (const auto done = (*made)->write_plot({.path = "plt", .derived = {}}); !done)
    return std::unexpected(done.error());
  const auto cells = io::hash_plotfile(files, "plt");
  if (!cells) return std::unexpected(cells.error());
  return Outcome{*cells, hash_of_integrals(**made)};
}

Result<Outcome> SelfTest::run_on_all(const app::Context& context) const {
  const auto made = simulate(applications_, deck_, context);
  if (!made) return std::unexpected(made.error());
  return Outcome{0, hash_of_integrals(**made)};
}

}  // namespace thalweg

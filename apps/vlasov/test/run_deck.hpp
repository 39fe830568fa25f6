// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/vlasov/application.hpp>

#include "../../../tests/support/virtual_ranks.hpp"

namespace thalweg::vlasov::testing {

using Layout = thalweg::testing::SimulatedRun;

inline const std::vector<app::Application>& applications() {
  static const std::vector<app::Application> all{application()};
  return all;
}

/// A deck of overrides alone.
inline io::Deck deck(const std::vector<std::string>& overrides) {
  return app::load_deck(applications(), "", "test.toml", overrides);
}

/// Why a deck is refused; "" if it is not.
inline std::string complaint(const std::vector<std::string>& overrides) {
  try {
    app::check(applications().front(), deck(overrides));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Run a deck into "out", perhaps on from the newest checkpoint there.
inline Result<void> run(const io::Deck& deck, const Layout& layout, io::FileSystem& files,
                        bool goes_on = false) {
  if (!goes_on) {
    EXPECT_TRUE(files.make_directory("out"));
  }
  return thalweg::testing::on_virtual_ranks(layout, files, [&](const app::Context& context) {
    std::optional<app::Checkpoint> from;
    if (goes_on) {
      const auto found = app::newest_checkpoint(context, "out");
      if (!found) throw std::runtime_error(found.error().message);
      app::check_restart(applications(), deck, *found);
      from = *found;
    }
    const auto end = app::run(applications().front(), deck, context, "out", from);
    if (!end) throw std::runtime_error(end.error().message);
  });
}

/// The hash of the plotfile of a step.
inline std::uint64_t hash_of(const io::FileSystem& files, int step) {
  const std::string number = std::to_string(step);
  const auto hash =
      io::hash_plotfile(files, "out/plt" + std::string(5 - number.size(), '0') + number);
  EXPECT_TRUE(hash) << hash.error().message;
  return hash.value_or(0);
}

/// What a run of so many steps leaves: the hash of f, the last line of its series, and what there
/// is along x.
struct Outcome {
  std::uint64_t hash = 0;
  std::vector<double> line;
  std::string field;

  bool operator==(const Outcome&) const = default;
};

/// Run overrides with time.max_steps for so many steps on this rank, and write a plotfile.
/// @return the values of the series
inline std::vector<double> values_after(const app::Context& context,
                                        std::vector<std::string> overrides, int n_steps,
                                        const std::string& plotfile) {
  overrides.push_back("time.max_steps=" + std::to_string(n_steps));
  const auto made =
      applications().front().set_up(deck(overrides))->simulation(context, nullptr, {});
  if (!made) throw std::runtime_error(made.error().message);
  auto& simulation = **made;
  if (const auto advanced = simulation.advance_to(n_steps); !advanced)
    throw std::runtime_error(advanced.error().message);
  const auto values = simulation.series_values();
  if (const auto written = simulation.write_plot({.path = plotfile, .derived = {}}); !written)
    throw std::runtime_error(written.error().message);
  return values;
}

/// What values_after() finds and writes on virtual ranks.
inline Outcome outcome_of(const std::vector<std::string>& overrides, int n_steps,
                          const Layout& layout) {
  io::MemoryFileSystem files;
  Outcome outcome;
  const auto done =
      thalweg::testing::on_virtual_ranks(layout, files, [&](const app::Context& context) {
        const auto values = values_after(context, overrides, n_steps, "out/plt00000");
        if (context.transport.rank() == Rank{0}) outcome.line = values;
      });
  EXPECT_TRUE(done) << done.error().message;
  if (!done) return outcome;
  outcome.hash = hash_of(files, 0);
  outcome.field = io::read_text(files, "out/plt00000/field.csv").value_or("");
  return outcome;
}

}  // namespace thalweg::vlasov::testing

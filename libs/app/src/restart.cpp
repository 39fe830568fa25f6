// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/mesh/ratios.hpp>

namespace thalweg::app {
namespace {

// Whether levels that both decks allow have the same ratios, however these were given.
bool have_same_ratios(const io::Deck& a, const io::Deck& b) {
  const mesh::Ratios of_a(a.integers("mesh.ratio")), of_b(b.integers("mesh.ratio"));
  const auto n = std::min(a.integer("mesh.max_level"), b.integer("mesh.max_level"));
  for (int l = 0; l < n; ++l)
    if (of_a.of(l) != of_b.of(l)) return false;
  return true;
}

// What this program calls the scheme of the deck before; that of the deck now, which may have
// another solver, where the one before has a value that is refused today.
std::string scheme_today(std::span<const Application> applications, const io::Deck& before,
                         const io::Deck& now) {
  const Application& application = application_of(applications, now);
  try {
    return set_up(application, before)->scheme_name();
  } catch (const Error&) {
    return set_up(application, now)->scheme_name();
  }
}

}  // namespace

void check_restart(std::span<const Application> applications, const io::Deck& deck,
                   const Checkpoint& from) {
  const auto before = load_deck(applications, from.manifest.deck, from.path + "/manifest");
  Complaints complaints;
  for (const io::Parameter& p : before.parameters()) {
    if (p.at_restart == io::AtRestart::may_change) continue;
    // Another problem may not have the key: then its name is what differs.
    if (!deck.is_declared(p.name) || deck.any(p.name) == before.any(p.name)) continue;
    if (p.name == "mesh.ratio" && have_same_ratios(deck, before)) continue;
    complaints.add(fmt::format(
        "{} = {} ('{}' was written with {}, and a run goes on with the problem, mesh and scheme it "
        "began with); leave it as it was, or start a new run",
        p.name, io::toml_text(deck.any(p.name)), from.path, io::toml_text(before.any(p.name))));
  }
  const auto& at = from.manifest;
  if (deck.real("time.end") < at.time)
    complaints.add(fmt::format(
        "time.end = {} ('{}' is at t = {}, and time does not go back); give a later end, or go on "
        "from an earlier checkpoint",
        deck.real("time.end"), from.path, at.time));
  if (deck.integer("time.max_steps") < at.step)
    complaints.add(fmt::format(
        "time.max_steps = {} ('{}' is of step {}, and steps are not taken back); give more, or go "
        "on from an earlier checkpoint",
        deck.integer("time.max_steps"), from.path, at.step));
  if (deck.is_declared("mesh.max_level") && before.is_declared("mesh.max_level") &&
      deck.integer("mesh.max_level") > before.integer("mesh.max_level") &&
      deck.integer("regrid.interval") == 0)
    complaints.add(fmt::format(
        "mesh.max_level = {} with regrid.interval = 0 ('{}' has levels up to {}, and only a regrid "
        "makes finer ones); set regrid.interval",
        deck.integer("mesh.max_level"), from.path, before.integer("mesh.max_level")));
  if (deck.is_declared("regrid.interval") && deck.integer("regrid.interval") == 0)
    for (const io::Parameter& p : before.parameters())
      if (p.name.starts_with("regrid.") && p.name != "regrid.interval" &&
          deck.is_declared(p.name) && deck.any(p.name) != before.any(p.name))
        complaints.add(fmt::format(
            "{} = {} with regrid.interval = 0 ('{}' was written with {}, and only a regrid makes "
            "another mesh); set regrid.interval, or leave it as it was",
            p.name, io::toml_text(deck.any(p.name)), from.path, io::toml_text(before.any(p.name))));
  complaints.throw_if_any();
  const auto scheme = scheme_today(applications, before, deck);
  if (from.manifest.scheme != scheme)
    throw Error(
        fmt::format("'{}' was written by the scheme '{}' (this program has '{}'); use the version "
                    "that wrote it",
                    from.path, from.manifest.scheme, scheme));
}

std::string check_functions(const Checkpoint& from, std::span<const std::string> functions,
                            const AnySetup& setup) {
  const auto lacks = [&](std::string_view function) {
    return std::ranges::count(from.manifest.functions, function) > 0 &&
           std::ranges::count(functions, function) == 0;
  };
  if (lacks("source"))
    throw Error(fmt::format(
        "'{}' was written by a run with a function of whole blocks as its source, which this one "
        "has not (it would go on with other equations); give it the function, or one that does "
        "nothing",
        from.path));
  if (lacks("initial") && setup.asks_initial_state() && setup.max_level() > 0)
    throw Error(fmt::format(
        "'{}' was written by a run with a function of whole blocks for the initial state, which "
        "this one has not (new blocks get coefficients from it, as a bed, and would get those of "
        "the deck); give it the function",
        from.path));
  const auto warning = [&](std::string_view function, std::string_view what) {
    return fmt::format(
        "'{}' was written by a run with a function of whole blocks for {}, which this one has "
        "not: {}",
        from.path, function, what);
  };
  std::vector<std::string> warnings;
  if (lacks("tags")) warnings.push_back(warning("tags", "it refines by its deck"));
  if (lacks("longest_dt")) warnings.push_back(warning("longest_dt", "its steps may be longer"));
  return joined_text(warnings, "; ");
}

}  // namespace thalweg::app

// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/hydro/run.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/parameter.hpp>

namespace thalweg::hydro {

void check_restart(const io::Deck& deck, const app::Checkpoint& from) {
  const auto all = parameters();
  const auto before = io::Deck::load(from.manifest.deck, from.path + "/manifest", all);
  std::vector<std::string> errors;
  for (const io::Parameter& p : all) {
    if (p.at_restart == io::AtRestart::may_change || deck.any(p.name) == before.any(p.name))
      continue;
    errors.push_back(fmt::format(
        "{} = {} ('{}' was written with {}, and a run goes on with the problem, mesh and scheme it "
        "began with); leave it as it was, or start a new run",
        p.name, io::toml_text(deck.any(p.name)), from.path, io::toml_text(before.any(p.name))));
  }
  if (from.manifest.scheme != scheme_name(before))
    errors.push_back(
        fmt::format("'{}' was written by the scheme '{}' (this program has '{}'); use the version "
                    "that wrote it",
                    from.path, from.manifest.scheme, scheme_name(before)));
  if (!errors.empty()) throw Error(fmt::format("{}", fmt::join(errors, "\n")));
}

}  // namespace thalweg::hydro

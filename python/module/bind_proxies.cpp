// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/logger.hpp>

#include "bind.hpp"
#include "interpreter_lock.hpp"
#include "proxy.hpp"

namespace thalweg::python {

namespace {

Facts run(const std::string& name, const std::vector<std::string>& words, bool is_loud,
          std::optional<int> communicator) {
  app::Runtime runtime(nullptr, nullptr, communicator);
  app::check_same_words(runtime.transport(), fmt::format("{} {}", name, joined_text(words, " ")));
  const auto known = proxies();
  const auto proxy = std::ranges::find(known, name, &Proxy::name);
  if (proxy == known.end()) {
    std::vector<std::string> names;
    for (const Proxy& other : known) names.push_back(other.name);
    throw Error(fmt::format("no application '{}' with words of its own; give one of {}", name,
                            joined_text(names)));
  }
  if (app::asks_for_help(words))
    throw Error(
        fmt::format("a word that asks for help; the program prints it: thalweg {} --help", name));
  Logger log(is_loud ? stdout : nullptr, runtime.rank());
  try {
    auto done = proxy->run(words, runtime, log);
    if (!done) throw std::runtime_error(done.error().message);
    return *std::move(done);
  } catch (const Error&) {
    throw;  // on all ranks alike
  } catch (const std::exception& error) {
    // Of one rank, maybe: it ends all of several.
    auto& transport = runtime.transport();
    if (transport.n_ranks() > 1) transport.abort(fmt::format("error: {}", error.what()));
    throw;
  }
}

}  // namespace

void bind_proxies(nb::module_& module) {
  module.def(
      "run",
      [](const std::string& name, const std::vector<std::string>& words, bool log,
         std::optional<int> communicator) {
        Facts facts;
        {
          const WithoutLock released;
          facts = run(name, words, log, communicator);
        }
        nb::dict named;
        for (const auto& [fact, value] : facts) named[fact.c_str()] = value;
        return named;
      },
      nb::arg("name"), nb::arg("words"), nb::kw_only(), nb::arg("log"),
      nb::arg("communicator").none(), "Run an application that has words of its own.",
      nb::sig("def run(name: str, words: collections.abc.Sequence[str], *, log: bool, "
              "communicator: int | None) -> dict[str, bool | int | float | str | list[float]]"));
}

}  // namespace thalweg::python

// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/app/totals.hpp>

/// The mean of |u - exact| over the leaf cells of a unit box, where the function that gives the
/// initial state is an exact solution at any time. One rank.
template <class Scheme>
double error_of(const thalweg::app::Simulation<Scheme>& simulation) {
  constexpr int D = Scheme::dim;
  const auto& mesh = simulation.mesh();
  const auto& geometry = mesh.forest.geometry;
  double error = 0;
  for (int level = 0; level < mesh.n_levels(); ++level) {
    const auto& blocks = simulation.state().cells[static_cast<std::size_t>(level)];
    const thalweg::step::LevelContext<D> now{geometry, level, simulation.time_state().time};
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto finer = thalweg::app::covered_boxes(mesh, blocks.keys()[b]);
      for_each(geometry.cells(blocks.keys()[b]), [&](const thalweg::Index<D>& i) {
        for (const auto& box : finer)
          if (box.contains(i)) return;
        const auto cell = now.cell(i);
        const double exact = simulation.problem().initial.of(cell).u;
        error += product(cell.dx) * std::abs(blocks.view(b)[0, i] - exact);
      });
    }
  }
  return error;
}

/// A command `orders DECK [section.key=value ...]`: errors at the end of runs with 4, 8, 16 and 32
/// blocks along each axis, and the order at which they fall.
/// @param at_least  an order below this one is a failure
template <class Scheme, class Read>
thalweg::app::Command orders(const thalweg::app::Application& application, Read read,
                             double at_least) {
  using namespace thalweg;
  constexpr int D = Scheme::dim;
  const auto print = [=](const std::vector<std::string>& words) -> int {
    if (words.empty()) {
      std::fprintf(stderr, "error: no deck (there is nothing to run); name a TOML file\n");
      return app::exit_bad_request;
    }
    app::Runtime runtime(nullptr, nullptr);
    const auto context = runtime.context({});
    const auto text = io::read_text(runtime.files(), words[0]);
    if (!text) context.transport.abort(text.error().message);
    double before = 0, order = 0;
    std::printf("  blocks       error  order\n");
    for (const int n : {4, 8, 16, 32}) {
      auto overrides = words;  // the first becomes the number of blocks
      overrides[0] = "mesh.root_blocks=[" + std::to_string(n);
      for (int a = 1; a < D; ++a) overrides[0] += ", " + std::to_string(n);
      overrides[0] += "]";
      const auto deck = app::load_deck({&application, 1}, *text, words[0], overrides);
      app::DeckReader<D> reader(deck);
      const auto setup = app::read_setup(reader, read(reader));
      const auto made = app::Simulation<Scheme>::create(context, setup.problem, setup.settings);
      if (!made) context.transport.abort(made.error().message);
      if (const auto done = (*made)->advance_to(1'000'000); !done)
        context.transport.abort(done.error().message);
      const double error = error_of(**made);
      order = before > 0 ? std::log2(before / error) : 0;
      std::printf("%8d  %10.2e  %5.2f\n", n, error, order);
      before = error;
    }
    return order >= at_least ? app::exit_success : app::exit_failure;
  };
  return {"orders", "Print the errors of a deck on finer and finer meshes.", print};
}

// SPDX-License-Identifier: MIT
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "open_run.hpp"

namespace thalweg::python {

namespace {

void bind_blocks(nb::module_& module) {
  using app::LocalBlock, app::LocalBlocks, app::LocalLevel;
  nb::class_<LocalBlock>(module, "LocalBlock", "Where a block of this rank lies.")
      .def_ro("lower", &LocalBlock::lower, "Its first cell on its level, by axis.")
      .def_ro("extent", &LocalBlock::extent, "Cells along each axis.")
      .def_ro("n_ghosts", &LocalBlock::n_ghosts, "Cells on each side of it beside these.");
  nb::class_<LocalLevel>(module, "LocalLevel", "The blocks of a level on this rank.")
      .def_ro("cell_size", &LocalLevel::cell_size, "By axis [length].")
      .def_ro("blocks", &LocalLevel::blocks);
  nb::class_<LocalBlocks>(module, "LocalBlocks", "All blocks of this rank.")
      .def_ro("revision", &LocalBlocks::revision, "Another one after the next change of the mesh.")
      .def_ro("lower", &LocalBlocks::lower, "Corner of the domain, by axis [length].")
      .def_ro("upper", &LocalBlocks::upper, "The opposite corner [length].")
      .def_ro("levels", &LocalBlocks::levels);
}

/// How one number of each of some cells lies in memory, x fastest.
struct Layout {
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;
  std::size_t n_cells = 1;

  explicit Layout(const app::BlockCells& cells) {
    for (const auto& along : cells.centres) {
      shape.push_back(along.size());
      strides.push_back(static_cast<std::int64_t>(n_cells));
      n_cells *= along.size();
    }
  }
};

/// A component with its ghost cells, (nx[, ny[, nz]]), to be written. Keeps the cells.
nb::ndarray<nb::numpy, double> array_of(nb::handle_t<app::BlockCells> self, std::size_t component) {
  auto& cells = nb::cast<app::BlockCells&>(self);
  const Layout layout(cells);
  double* const first = cells.values.data() + component * layout.n_cells;
  return {first, layout.shape.size(), layout.shape.data(), self, layout.strides.data()};
}

/// A derived field of the values as they are, of the same shape.
nb::ndarray<nb::numpy, const double> derived_of(const app::BlockCells& cells, std::size_t number) {
  const Layout layout(cells);
  auto values = std::make_unique<std::vector<double>>(cells.derive(cells, number));
  const double* const first = values->data();
  const nb::capsule owner(values.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return {first, layout.shape.size(), layout.shape.data(), owner, layout.strides.data()};
}

void bind_block_functions(nb::module_& module) {
  using app::BlockCells;
  nb::class_<BlockCells>(module, "BlockCells", "Cells of a block, lent to a function.")
      .def_prop_ro("fields", [](const BlockCells& cells) { return *cells.names; })
      .def_ro("level", &BlockCells::level)
      .def_ro("time", &BlockCells::time, "[time]")
      .def_ro("n_ghosts", &BlockCells::n_ghosts, "Cells on each side beside those it is about.")
      .def_ro("centres", &BlockCells::centres, "Of all cells, by axis [length].")
      .def_ro("cell_size", &BlockCells::cell_size, "By axis [length].")
      .def("array", &array_of, nb::arg("component"))
      .def_prop_ro("derived_fields", [](const BlockCells& cells) { return *cells.derived_names; })
      .def("derived", &derived_of, nb::arg("number"));
}

}  // namespace

void bind_run(nb::module_& module) {
  bind_blocks(module);
  bind_block_functions(module);
  nb::class_<OpenRun>(module, "Run", "A run of a deck, begun when it is first used.",
                      nb::is_weak_referenceable())
      .def(
          "__init__",
          [](OpenRun* self, const std::string& deck, const std::optional<std::string>& text,
             const std::vector<std::string>& overrides, const std::optional<std::string>& model,
             std::optional<int> threads, const std::optional<std::string>& folder,
             const std::optional<std::string>& restart, bool force, bool log,
             std::optional<int> communicator, const std::string& words) {
            new (self) OpenRun({.deck = deck,
                                .overrides = overrides,
                                .model = model,
                                .threads = threads,
                                .folder = folder,
                                .restart = restart,
                                .force = force,
                                .words = words,
                                .deck_text = text},
                               log ? Printed::everything : Printed::warnings, communicator);
          },
          nb::kw_only(), nb::arg("deck"), nb::arg("text").none(), nb::arg("overrides"),
          nb::arg("model").none(), nb::arg("threads").none(), nb::arg("folder").none(),
          nb::arg("restart").none(), nb::arg("force"), nb::arg("log"),
          nb::arg("communicator").none(), nb::arg("words"))
      .def_prop_ro("rank", &OpenRun::rank)
      .def_prop_ro("n_ranks", &OpenRun::n_ranks)
      .def_prop_ro("time", &OpenRun::time)
      .def_prop_ro("dt", [](OpenRun& run) { return run.simulation().time_state().dt; })
      .def_prop_ro("n_steps", &OpenRun::n_steps)
      .def_prop_ro("is_over", [](OpenRun& run) { return run.simulation().is_over(); })
      .def_prop_ro("fields", &OpenRun::fields)
      .def_prop_ro("derived_fields", &OpenRun::derived_fields)
      .def_prop_ro("derived_groups", &OpenRun::derived_groups)
      .def_prop_ro("deck", &OpenRun::deck)
      .def_prop_ro("has_memory", &OpenRun::has_memory)
      .def("totals", &OpenRun::totals)
      .def("set_initial", &OpenRun::set_initial, nb::arg("f"),
           nb::sig(
               "def set_initial(self, f: collections.abc.Callable[[BlockCells], object]) -> None"))
      .def("set_tags", &OpenRun::set_tags, nb::arg("f"),
           nb::sig("def set_tags(self, f: collections.abc.Callable[[BlockCells], bytes]) -> None"))
      .def("set_source", &OpenRun::set_source, nb::arg("f"),
           nb::sig("def set_source(self, f: collections.abc.Callable[[BlockCells, float], object]) "
                   "-> None"))
      .def("set_longest_dt", &OpenRun::set_longest_dt, nb::arg("f"),
           nb::sig("def set_longest_dt(self, f: collections.abc.Callable[[BlockCells], float]) "
                   "-> None"))
      .def(
          "every", &OpenRun::every, nb::arg("n_steps"), nb::arg("f"),
          nb::sig("def every(self, n_steps: int, f: collections.abc.Callable[[], object]) -> None"))
      .def(
          "advance",
          [](OpenRun& run, std::optional<std::int64_t> step, std::optional<double> time) {
            app::Pause pause;
            if (step) pause.step = *step;
            if (time) pause.time = *time;
            return run.advance(pause);
          },
          nb::kw_only(), nb::arg("step") = nb::none(), nb::arg("time") = nb::none(),
          nb::sig("def advance(self, *, step: int | None = None, time: float | None = None) -> "
                  "typing.Literal['finished', 'stopped', 'paused']"))
      .def("set_interrupted", &OpenRun::set_interrupted, nb::arg("is_interrupted"))
      .def("write_plotfile", &OpenRun::write_plotfile, nb::arg("path"), nb::arg("force"),
           nb::arg("fields").none(), nb::arg("derived").none())
      .def("write_checkpoint", &OpenRun::write_checkpoint)
      .def("blocks", &OpenRun::blocks)
      .def(
          "array",
          [](nb::handle_t<OpenRun> self, const app::LocalBlock& block, std::uint64_t revision,
             int component, bool with_ghosts) {
            return nb::cast<OpenRun&>(self).array(self, block, revision, component, with_ghosts);
          },
          nb::arg("block"), nb::arg("revision"), nb::arg("component"), nb::arg("with_ghosts"))
      .def("close", &OpenRun::close)
      .def("keep_for_good", [](nb::handle_t<OpenRun> self) { self.inc_ref(); });
}

}  // namespace thalweg::python

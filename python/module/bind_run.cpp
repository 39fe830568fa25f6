// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
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

}  // namespace

void bind_run(nb::module_& module) {
  bind_blocks(module);
  nb::class_<OpenRun>(module, "Run", "A run of a deck, begun when it is first used.",
                      nb::is_weak_referenceable())
      .def(
          "__init__",
          [](OpenRun* self, const std::string& deck, const std::vector<std::string>& overrides,
             const std::optional<std::string>& model, std::optional<int> threads,
             const std::optional<std::string>& folder, const std::optional<std::string>& restart,
             bool force, bool log, const std::string& words) {
            new (self) OpenRun({.deck = deck,
                                .overrides = overrides,
                                .model = model,
                                .threads = threads,
                                .folder = folder,
                                .restart = restart,
                                .force = force,
                                .words = words},
                               log ? Printed::everything : Printed::warnings);
          },
          nb::kw_only(), nb::arg("deck"), nb::arg("overrides"), nb::arg("model").none(),
          nb::arg("threads").none(), nb::arg("folder").none(), nb::arg("restart").none(),
          nb::arg("force"), nb::arg("log"), nb::arg("words"))
      .def_prop_ro("time", [](OpenRun& run) { return run.simulation().time_state().time; })
      .def_prop_ro("dt", [](OpenRun& run) { return run.simulation().time_state().dt; })
      .def_prop_ro("n_steps", [](OpenRun& run) { return run.simulation().time_state().step; })
      .def_prop_ro("is_over", [](OpenRun& run) { return run.simulation().is_over(); })
      .def_prop_ro("fields", [](OpenRun& run) { return run.simulation().component_names(); })
      .def_prop_ro("deck", &OpenRun::deck)
      .def_prop_ro("has_memory", &OpenRun::has_memory)
      .def("totals", &OpenRun::totals)
      .def("every", &OpenRun::every, nb::arg("n_steps"), nb::arg("f"),
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
      .def("write_plotfile", &OpenRun::write_plotfile, nb::arg("path"))
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

// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/reflux.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/emit/messages.hpp>

namespace thalweg::exchange {

namespace {

/// The fine flux that has arrived for a patch, from this rank or another.
template <int D>
struct FineFlux {
  FluxPatch<D> patch;
  View<const double, D> values;
  flow::DatumId datum;
};

/// Record the messages of a reflux plan; return what will be there, in order of application.
template <int D>
std::vector<FineFlux<D>> emit_flux_messages(flow::Recorder& recorder, const RefluxPlan<D>& plan,
                                            const RegisterSet<D>& fine, int n_components) {
  const flow::TaskOptions urgent{.priority = 1, .level = plan.level};
  const auto own = [&](const FluxPatch<D>& patch) {
    const auto* of_block = find_registers(fine, patch.fine);
    THALWEG_ASSERT(of_block != nullptr, "every patch produced has a register");
    const auto it = std::ranges::find(of_block->registers, patch, &FluxRegister<D>::patch);
    return FineFlux<D>{patch, it->values, of_block->datum};
  };

  std::vector<FineFlux<D>> fluxes;
  for (const auto& message : plan.recvs) {
    const auto buffer = recorder.data_unset<double>(
        "reflux", static_cast<std::size_t>(message.n_cells * n_components));
    recorder.recv(flow::out(buffer), message.peer, urgent);
    double* values = buffer.view().data();
    for (const auto& patch : message.patches) {
      fluxes.push_back({patch, View<const double, D>(values, coarse_faces(patch), n_components),
                        buffer.datum()});
      values += fluxes.back().values.size();
    }
  }
  for (const auto& message : plan.sends) {
    const auto buffer = recorder.data_unset<double>(
        "reflux", static_cast<std::size_t>(message.n_cells * n_components));
    std::vector<flow::Access> accesses{{buffer.datum(), flow::Mode::out}};
    const auto pieces = recorder.array<std::span<const double>>(message.patches.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const auto flux = own(message.patches[i]);
      add_access(accesses, {flux.datum, flow::Mode::in});
      pieces[i] = {flux.values.data(), flux.values.size()};
    }
    recorder.task(
        "reflux pack", accesses,
        [pieces, to = buffer.view().data()](flow::TaskContext&) {
          double* next = to;
          for (const auto& piece : pieces) next = std::ranges::copy(piece, next).out;
        },
        urgent);
    recorder.send(flow::in(buffer), message.peer, urgent);
  }
  for (const auto& patch : plan.locals) fluxes.push_back(own(patch));
  std::ranges::sort(fluxes, std::less<>{}, &FineFlux<D>::patch);
  return fluxes;
}

}  // namespace

template <int D>
RegisterSet<D> make_registers(flow::Recorder& recorder, std::vector<FluxPatch<D>> patches,
                              mesh::Key<D> FluxPatch<D>::* block, int n_components) {
  std::ranges::stable_sort(patches, {}, block);
  RegisterSet<D> set;
  for (auto first = patches.begin(); first != patches.end();) {
    const auto last = std::find_if(first, patches.end(),
                                   [&](const auto& p) { return p.*block != *first.*block; });
    std::int64_t n_cells = 0;
    for (auto patch = first; patch != last; ++patch) n_cells += patch->n_cells();
    double* values =
        recorder.array<double>(static_cast<std::size_t>(n_cells * n_components)).data();
    const auto registers = recorder.array<FluxRegister<D>>(static_cast<std::size_t>(last - first));
    const BlockRegisters<D> of_block{*first.*block, recorder.datum("flux registers"), registers};
    for (auto& r : registers) {
      r = {*first, View<double, D>(values, coarse_faces(*first), n_components)};
      values += r.values.size();
      ++first;
    }
    set.push_back(of_block);
  }
  return set;
}

template <int D>
void emit_reflux(flow::Recorder& recorder, const LevelData<D>& coarse_level,
                 const RefluxPlan<D>& plan, const RegisterSet<D>& fine,
                 const RegisterSet<D>& coarse, Vec<D> dx, int n_components,
                 const CorrectCells<D>& correct) {
  const auto fluxes = emit_flux_messages(recorder, plan, fine, n_components);
  struct Correction {
    FluxPatch<D> patch;
    View<const double, D> coarse;
    View<const double, D> fine;
  };
  std::vector<flow::Access> accesses;
  for (const auto& of_block : coarse) {
    const auto& block = coarse_level.at(of_block.block);
    accesses.assign({{block.interior, flow::Mode::inout}, {of_block.datum, flow::Mode::in}});
    const auto corrections = recorder.array<Correction>(of_block.registers.size());
    for (std::size_t i = 0; i < corrections.size(); ++i) {
      const auto& own = of_block.registers[i];
      const auto flux =
          std::ranges::lower_bound(fluxes, own.patch, std::less<>{}, &FineFlux<D>::patch);
      THALWEG_ASSERT(flux != fluxes.end() && flux->patch == own.patch, "every flux arrives");
      add_access(accesses, {flux->datum, flow::Mode::in});
      corrections[i] = {own.patch, own.values, flux->values};
    }
    recorder.task(
        "reflux", accesses,
        [corrections, cells = block.cells, dx, correct](flow::TaskContext&) {
          for (const auto& c : corrections)
            correct(cells, c.coarse, c.fine, coarse_faces(c.patch), c.patch.axis,
                    c.patch.side == 0 ? numerics::Side::below : numerics::Side::above,
                    dx[c.patch.axis]);
        },
        block.task_options());
  }
}

#define THALWEG_INSTANTIATE(D)                                                          \
  template RegisterSet<D> make_registers(flow::Recorder&, std::vector<FluxPatch<D>>,    \
                                         mesh::Key<D> FluxPatch<D>::*, int);            \
  template void emit_reflux(flow::Recorder&, const LevelData<D>&, const RefluxPlan<D>&, \
                            const RegisterSet<D>&, const RegisterSet<D>&, Vec<D>, int,  \
                            const CorrectCells<D>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange

// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/restrict.hpp>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/numerics/restrict.hpp>

namespace thalweg::exchange {

namespace {

/// Gives the means of the cells of a fine block.
template <int D>
struct MeanSource {
  View<const double, D> fine;
  Box<D> region;  ///< coarse cells
  int ratio;

  void operator()(View<double, D> to) const {
    numerics::restrict_cells<D>(fine, to, region, ratio);
  }
};

}  // namespace

template <int D>
void emit_restrict(flow::Recorder& recorder, const LevelData<D>& fine, const LevelData<D>& coarse,
                   const RestrictPlan<D>& plan, int ratio, int n_components) {
  const auto means = [&fine, ratio](const Copy<D>& copy, std::vector<flow::Access>& accesses) {
    const auto& block = fine.at(copy.src);
    add_access(accesses, {block.interior, flow::Mode::in});
    return MeanSource<D>{block.cells, copy.region, ratio};
  };
  emit_into_interiors(recorder, "restrict", coarse, plan.transfers, fine.level, n_components,
                      means);
}

#define THALWEG_INSTANTIATE(D)                                                           \
  template void emit_restrict(flow::Recorder&, const LevelData<D>&, const LevelData<D>&, \
                              const RestrictPlan<D>&, int, int)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange

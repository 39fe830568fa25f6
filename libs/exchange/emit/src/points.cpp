// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/points.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/emit/restrict.hpp>
#include <thalweg/numerics/restrict_points.hpp>

namespace thalweg::exchange {

namespace {

/// Gives coarse points made of the points of a fine block.
template <int D>
struct CoarsePointSource {
  Centring<D> centring;
  View<const double, D> fine;
  Box<D> region;  ///< coarse points
  Index<D> shift;
  int ratio;

  void operator()(View<double, D> to) const {
    numerics::restrict_points(centring, fine, to, region, shift, ratio);
  }
};

}  // namespace

template <int D>
LevelData<D> bind_points(flow::Recorder& recorder, const mesh::Geometry<D>& geometry, int level,
                         const field::LevelField<D>& field, const Centring<D>& centring,
                         int n_workers) {
  LevelData<D> data{level, {}};
  data.blocks.reserve(field.size());
  for (std::size_t b = 0; b < field.size(); ++b)
    data.blocks.push_back({.key = field.keys()[b],
                           .valid = centring.points(geometry.cells(field.keys()[b])),
                           .cells = field.view(b),
                           .interior = recorder.datum("interior"),
                           .ghosts = recorder.datum("ghosts"),
                           .preferred_worker = static_cast<std::uint32_t>(
                               b * static_cast<std::size_t>(n_workers) / field.size())});
  return data;
}

template <int D>
void emit_restrict_points(flow::Recorder& recorder, const Centring<D>& centring,
                          const LevelData<D>& fine, const LevelData<D>& coarse,
                          const RestrictPlan<D>& plan, int ratio) {
  const auto source = [&](const Copy<D>& copy, std::vector<flow::Access>& accesses) {
    const auto& block = fine.at(copy.src);
    add_access(accesses, {block.interior, flow::Mode::in});
    return CoarsePointSource<D>{centring, block.cells, copy.region, copy.shift, ratio};
  };
  emit_into_interiors(recorder, "restrict", coarse, plan.transfers, fine.level, 1, source);
}

#define THALWEG_INSTANTIATE(D)                                                                 \
  template LevelData<D> bind_points(flow::Recorder&, const mesh::Geometry<D>&, int,            \
                                    const field::LevelField<D>&, const Centring<D>&, int);     \
  template void emit_restrict_points(flow::Recorder&, const Centring<D>&, const LevelData<D>&, \
                                     const LevelData<D>&, const RestrictPlan<D>&, int)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange

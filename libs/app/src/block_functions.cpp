// SPDX-License-Identifier: MIT
#include <thalweg/app/block_functions.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/box.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/copy.hpp>

namespace thalweg::app {

namespace {

/// A region of a block as a function has it.
template <int D>
class Lent {
 public:
  Lent(const ComponentNames& names, const step::LevelContext<D>& level,
       const View<const double, D>& cells, const Box<D>& region)
      : lent{.names = names, .level = level.level, .time = level.time},
        region_(region),
        n_components_(cells.n_components()) {
    for (int a = 0; a < D; ++a) {
      auto& along = lent.centres.emplace_back();
      Index<D> i = region.lo;
      for (; i[a] < region.hi[a]; ++i[a]) along.push_back(level.cell(i).centre[a]);
    }
    lent.values.resize(View<double, D>::size_of(region, n_components_));
    numerics::copy_cells<D>(cells, view(), region);
  }

  /// @errors throws std::logic_error where the function has changed how many values there are
  void put_back(const View<double, D>& cells) {
    if (lent.values.size() != View<double, D>::size_of(region_, n_components_))
      throw std::logic_error("a function of a block has changed the number of its values");
    numerics::copy_cells<D>(view(), cells, region_);
  }

  BlockCells lent;

 private:
  View<double, D> view() { return {lent.values.data(), region_, n_components_}; }

  Box<D> region_;
  int n_components_;
};

}  // namespace

template <int D>
step::SetCells<D> changed_initial(ComponentNames names, step::SetCells<D> initial,
                                  ChangeBlock change) {
  return
      [names = std::move(names), initial = std::move(initial), change = std::move(change)](
          const step::LevelContext<D>& level, const View<double, D>& cells, const Box<D>& region) {
        initial(level, cells, region);
        Lent<D> block(names, level, cells, region);
        change(block.lent);
        block.put_back(cells);
      };
}

template <int D>
step::SetTags<D> tags_given_by(ComponentNames names, TagBlock tag) {
  return [names = std::move(names), tag = std::move(tag)](
             const step::LevelContext<D>& level, const View<const double, D>& cells,
             const Box<D>& valid, const View<std::uint8_t, D>& tags) {
    Lent<D> block(names, level, cells, cells.box());
    block.lent.n_ghosts = valid.lo[0] - cells.box().lo[0];
    auto given = tag(block.lent);
    if (std::ssize(given) != valid.n_cells())
      throw std::runtime_error(
          fmt::format("a function of a block has given {} tags (the block has {} cells); give one "
                      "for each cell",
                      given.size(), valid.n_cells()));
    const View<std::uint8_t, D> wanted(given.data(), valid, 1);
    for_each(valid, [&](const Index<D>& i) {
      if (wanted[0, i] != 0) tags[0, i] = 1;
    });
  };
}

template <int D>
step::SourceTerms<D> joined_source(ComponentNames names, step::SourceTerms<D> own,
                                   AdvanceBlock source, const mesh::Geometry<D>& geometry) {
  return [names = std::move(names), own = std::move(own), source = std::move(source), geometry](
             const View<double, D>& cells, const Box<D>& region, const step::SourceStep& step) {
    const double half = 0.5 * step.dt;
    if (own) own(cells, region, {step.level, step.time, half});
    Lent<D> block(names, {geometry, step.level, step.time}, cells, region);
    source(block.lent, step.dt);
    block.put_back(cells);
    if (own) own(cells, region, {step.level, step.time + half, half});
  };
}

#define THALWEG_INSTANTIATE(D)                                                                    \
  template step::SetCells<D> changed_initial(ComponentNames, step::SetCells<D>, ChangeBlock);     \
  template step::SetTags<D> tags_given_by(ComponentNames, TagBlock);                              \
  template step::SourceTerms<D> joined_source(ComponentNames, step::SourceTerms<D>, AdvanceBlock, \
                                              const mesh::Geometry<D>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::app

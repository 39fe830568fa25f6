// SPDX-License-Identifier: MIT
#include <thalweg/app/block_functions.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/box.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/flow/combine.hpp>
#include <thalweg/numerics/copy.hpp>

namespace thalweg::app {

namespace {

template <int D>
using FieldsOf = std::shared_ptr<const BlockFields<D>>;

/// A region of a block as a function has it.
template <int D>
class Lent {
 public:
  Lent(const FieldsOf<D>& fields, const step::LevelContext<D>& level,
       const View<const double, D>& cells, const Box<D>& region)
      : lent{.names = {fields, &fields->components},
             .derived_names = {fields, &fields->derived_names},
             .derive =
                 [fields, level, region](const BlockCells& from, std::size_t number) {
                   return derived(*fields, level, region, from, number);
                 },
             .level = level.level,
             .time = level.time},
        region_(region),
        n_components_(cells.n_components()) {
    for (int a = 0; a < D; ++a) {
      lent.cell_size.push_back(level.cell(region.lo).dx[a]);
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
  static std::vector<double> derived(const BlockFields<D>& fields,
                                     const step::LevelContext<D>& level, const Box<D>& region,
                                     const BlockCells& from, std::size_t number) {
    std::vector<double> out(View<double, D>::size_of(region, 1));
    fields.derived[number].set(level,
                               View<const double, D>(from.values.data(), region,
                                                     static_cast<int>(fields.components.size())),
                               region, View<double, D>(out.data(), region, 1));
    return out;
  }

  Box<D> region_;
  int n_components_;
};

}  // namespace

template <int D>
FieldsOf<D> block_fields(std::vector<std::string> components,
                         const std::vector<DerivedField<D>>& derived) {
  BlockFields<D> fields{.components = std::move(components), .derived = {}, .derived_names = {}};
  for (const auto& field : derived)
    if (field.reads == Reads::cell) {
      fields.derived.push_back(field);
      fields.derived_names.push_back(field.name);
    }
  return std::make_shared<const BlockFields<D>>(std::move(fields));
}

template <int D>
step::SetCells<D> changed_initial(FieldsOf<D> fields, step::SetCells<D> initial,
                                  ChangeBlock change) {
  return
      [fields = std::move(fields), initial = std::move(initial), change = std::move(change)](
          const step::LevelContext<D>& level, const View<double, D>& cells, const Box<D>& region) {
        initial(level, cells, region);
        Lent<D> block(fields, level, cells, region);
        change(block.lent);
        block.put_back(cells);
      };
}

template <int D>
step::SetTags<D> tags_given_by(FieldsOf<D> fields, TagBlock tag) {
  return [fields = std::move(fields), tag = std::move(tag)](
             const step::LevelContext<D>& level, const View<const double, D>& cells,
             const Box<D>& valid, const View<std::uint8_t, D>& tags) {
    Lent<D> block(fields, level, cells, cells.box());
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
step::FindLongestDt<D> joined_longest_dt(FieldsOf<D> fields, step::FindLongestDt<D> own,
                                         LimitBlock limit) {
  return [fields = std::move(fields), own = std::move(own), limit = std::move(limit)](
             const step::LevelContext<D>& level, const View<const double, D>& cells,
             const Box<D>& valid) {
    const double given = limit(Lent<D>(fields, level, cells, valid).lent);
    return own ? flow::Min{}(own(level, cells, valid), given) : given;
  };
}

template <int D>
step::SourceTerms<D> joined_source(FieldsOf<D> fields, step::SourceTerms<D> own,
                                   AdvanceBlock source, const mesh::Geometry<D>& geometry) {
  return [fields = std::move(fields), own = std::move(own), source = std::move(source), geometry](
             const View<double, D>& cells, const Box<D>& region, const step::SourceStep& step) {
    const double half = 0.5 * step.dt;
    if (own) own(cells, region, {step.level, step.time, half});
    Lent<D> block(fields, {geometry, step.level, step.time}, cells, region);
    source(block.lent, step.dt);
    block.put_back(cells);
    if (own) own(cells, region, {step.level, step.time + half, half});
  };
}

#define THALWEG_INSTANTIATE(D)                                                                 \
  template FieldsOf<D> block_fields(std::vector<std::string>,                                  \
                                    const std::vector<DerivedField<D>>&);                      \
  template step::SetCells<D> changed_initial(FieldsOf<D>, step::SetCells<D>, ChangeBlock);     \
  template step::SetTags<D> tags_given_by(FieldsOf<D>, TagBlock);                              \
  template step::FindLongestDt<D> joined_longest_dt(FieldsOf<D>, step::FindLongestDt<D>,       \
                                                    LimitBlock);                               \
  template step::SourceTerms<D> joined_source(FieldsOf<D>, step::SourceTerms<D>, AdvanceBlock, \
                                              const mesh::Geometry<D>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::app

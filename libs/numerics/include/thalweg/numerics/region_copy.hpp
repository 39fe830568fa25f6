// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <thalweg/core/contract.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics {

/// A region that is to be copied into a view, found in memory beforehand: for who copies the same
/// regions again and again.
template <int D>
struct RegionCopy {
  const double* source;                ///< the first cell
  std::ptrdiff_t target;               ///< the first cell, from the start of its component
  Index<D> extent;                     ///< in cells
  BasicVec<std::ptrdiff_t, D> stride;  ///< of the source
  std::ptrdiff_t component_stride;     ///< of the source
};

/// Find where a region lies of which to[i] = from[i + shift] is wanted for every i.
/// @param to  has the shape of what it will be copied into; may have no memory
template <int D>
RegionCopy<D> find_region(ConstView<D> from, const View<double, D>& to, const Box<D>& region,
                          const Index<D>& shift = {}) {
  THALWEG_EXPECT(from.n_components() == to.n_components(), "numbers of components differ");
  THALWEG_EXPECT(from.box().contains(region.shifted(shift)) && to.box().contains(region),
                 "cell outside the view");
  RegionCopy<D> copy{.source = from.data() + from.offset(region.lo + shift),
                     .target = to.offset(region.lo),
                     .extent = {},
                     .stride = {},
                     .component_stride = from.component_stride()};
  for (int a = 0; a < D; ++a) {
    copy.extent[a] = region.extent(a);
    copy.stride[a] = from.stride(a);
  }
  return copy;
}

namespace detail {

/// Copy one component of a region, rows of `width` cells or, where that is 0, of any number.
template <int width, int D>
void copy_rows(const RegionCopy<D>& copy, const double* source, double* target,
               const View<double, D>& to) {
  const int n_y = D > 1 ? copy.extent[D > 1 ? 1 : 0] : 1;
  const int n_z = D > 2 ? copy.extent[D - 1] : 1;
  const std::ptrdiff_t source_y = copy.stride[D > 1 ? 1 : 0], source_z = copy.stride[D - 1];
  const std::ptrdiff_t target_y = to.stride(D > 1 ? 1 : 0), target_z = to.stride(D - 1);
  for (int z = 0; z < n_z; ++z, source += source_z, target += target_z) {
    const double* s = source;
    double* t = target;
    for (int y = 0; y < n_y; ++y, s += source_y, t += target_y) {
      // Of a size known here it is a few moves of registers, all loads first; a loop is not.
      if constexpr (width > 0)
        std::memcpy(t, s, width * sizeof(double));
      else
        for_each_in_row(copy.extent[0], [=](int i) { t[i] = s[i]; });
    }
  }
}

/// Copy one component of a region.
template <int D>
void copy_component(const RegionCopy<D>& copy, int component, const View<double, D>& to) {
  const double* const source = copy.source + component * copy.component_stride;
  double* const target = to.data() + component * to.component_stride() + copy.target;
  switch (copy.extent[0]) {  // most rows are those of ghost cells, or of small blocks
    case 1:
      return copy_rows<1>(copy, source, target, to);
    case 2:
      return copy_rows<2>(copy, source, target, to);
    case 3:
      return copy_rows<3>(copy, source, target, to);
    case 4:
      return copy_rows<4>(copy, source, target, to);
    case 8:
      return copy_rows<8>(copy, source, target, to);
    case 16:
      return copy_rows<16>(copy, source, target, to);
    default:
      return copy_rows<0>(copy, source, target, to);
  }
}

/// Asks for a stretch of memory, part by part, to come near: into the second level of cache, for
/// which more lines can be under way than for the first.
class FetchAhead {
 public:
  /// @param n_parts  in which it is asked for, >= 1
  FetchAhead(const double* first, std::ptrdiff_t n, std::size_t n_parts)
      : next_(first), end_(first + n), part_(n / static_cast<std::ptrdiff_t>(n_parts) + line) {}

  /// Ask for the next part.
  void operator()() {
    constexpr int second_level = 2;
    for (const double* const end = end_ - next_ < part_ ? end_ : next_ + part_; next_ < end;
         next_ += line)
      __builtin_prefetch(next_, 0, second_level);
  }

 private:
  static constexpr std::ptrdiff_t line = 8;  ///< doubles in a cache line

  const double* next_;
  const double* end_;
  std::ptrdiff_t part_;
};

}  // namespace detail

/// Copy regions into a view, which is gone through once: component after component.
/// @pre no region overlaps with where it is copied from; those copied to are distinct
/// @threads safe on distinct regions
template <int D>
void copy_regions(std::span<const RegionCopy<D>> copies, const View<double, D>& to) {
  if (copies.empty()) return;
  std::int64_t n_cells = 0;
  for (const RegionCopy<D>& copy : copies) n_cells += Box<D>{{}, copy.extent}.n_cells();
  // Where many pieces make most of the view, its lines are all wanted, in no order that the
  // hardware foresees: so each component is asked for from end to end before its turn.
  const bool comes_ahead = copies.size() > 1 && 2 * n_cells > to.component_stride();
  const std::ptrdiff_t n = comes_ahead ? to.component_stride() : 0;
  detail::FetchAhead(to.data(), n, 1)();
  for (int c = 0; c < to.n_components(); ++c) {
    const bool has_next = c + 1 < to.n_components();
    detail::FetchAhead ahead(to.data() + (c + 1) * n, has_next ? n : 0, copies.size());
    for (const RegionCopy<D>& copy : copies) {
      ahead();
      detail::copy_component(copy, c, to);
    }
  }
}

}  // namespace thalweg::numerics

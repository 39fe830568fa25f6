// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <type_traits>

#include <thalweg/core/box.hpp>
#include <thalweg/core/contract.hpp>

namespace thalweg {

/// Components on a box of cells, not owned: component slowest, x fastest and contiguous.
///
/// Indices are those of the box, so ghost cells have the indices they have on their level.
/// Delete in favour of std::mdspan when the toolchain has it.
template <class T, int D>
class View {
 public:
  constexpr View() = default;
  constexpr View(T* data, const Box<D>& box, int n_components)
      : data_(data), box_(box), n_components_(n_components) {
    std::ptrdiff_t stride = 1;
    for (int a = 0; a < D; ++a) {
      stride_[a] = stride;
      stride *= box.extent(a);
    }
    component_stride_ = stride;
    origin_ = 0;
    for (int a = 0; a < D; ++a) origin_ -= stride_[a] * box.lo[a];
  }
  /// A view for reading from a view for writing.
  constexpr operator View<const T, D>() const
    requires(!std::is_const_v<T>)
  {
    View<const T, D> view;
    view.data_ = data_;
    view.box_ = box_;
    view.n_components_ = n_components_;
    view.stride_ = stride_;
    view.component_stride_ = component_stride_;
    view.origin_ = origin_;
    return view;
  }
  /// The same memory, no more than the cells of a box: its rows lie as far apart as before.
  constexpr View part(const Box<D>& box) const {
    THALWEG_EXPECT(box_.contains(box), "cells outside the view");
    View view = *this;
    view.box_ = box;
    view.data_ = data_ + offset(box.lo);
    view.origin_ = origin_ - offset(box.lo);
    return view;
  }

  constexpr const Box<D>& box() const { return box_; }
  constexpr int n_components() const { return n_components_; }
  constexpr T* data() const { return data_; }
  constexpr std::ptrdiff_t stride(int axis) const { return stride_[axis]; }
  constexpr std::ptrdiff_t component_stride() const { return component_stride_; }
  /// Numbers that it shows.
  constexpr std::size_t size() const { return size_of(box_, n_components_); }

  /// Where a cell lies in memory; x neighbours follow it.
  constexpr T* at(int component, const Index<D>& i) const {
    THALWEG_EXPECT(component >= 0 && component < n_components_, "no such component");
    THALWEG_EXPECT(box_.contains(i), "cell outside the view");
    return data_ + component * component_stride_ + offset(i);
  }
  constexpr T& operator[](int component, const Index<D>& i) const { return *at(component, i); }

  /// Distance of a cell from the start of its component, in elements.
  constexpr std::ptrdiff_t offset(const Index<D>& i) const {
    std::ptrdiff_t o = origin_;
    for (int a = 0; a < D; ++a) o += stride_[a] * i[a];
    return o;
  }
  /// Elements that a view of this shape takes by itself.
  static constexpr std::size_t size_of(const Box<D>& box, int n_components) {
    return static_cast<std::size_t>(box.n_cells()) * static_cast<std::size_t>(n_components);
  }

 private:
  template <class, int>
  friend class View;

  T* data_ = nullptr;
  Box<D> box_{};
  int n_components_ = 0;
  BasicVec<std::ptrdiff_t, D> stride_{};
  std::ptrdiff_t component_stride_ = 0;
  std::ptrdiff_t origin_ = 0;
};

}  // namespace thalweg

// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <thalweg/flow/access.hpp>

namespace thalweg::flow {

/// An array somebody else keeps alive, as a datum.
template <class T>
class DataRef {
 public:
  DataRef(DatumId datum, std::span<T> values) : datum_(datum), values_(values) {}

  DatumId datum() const { return datum_; }
  std::span<T> view() const { return values_; }
  std::span<const T> const_view() const { return values_; }

 private:
  DatumId datum_;
  std::span<T> values_;
};

/// An array made by a recording, as a datum.
///
/// Shared by the recording, its graph and every copy of the handle, so that a program can read the
/// result after the graph is gone.
template <class T>
class Data {
 public:
  Data(DatumId datum, std::shared_ptr<T[]> values, std::size_t size)
      : datum_(datum), values_(std::move(values)), size_(size) {}

  DatumId datum() const { return datum_; }
  std::span<T> view() const { return {values_.get(), size_}; }
  std::span<const T> const_view() const { return {values_.get(), size_}; }
  /// The same datum without a share in its storage; the graph keeps that alive.
  DataRef<T> borrow() const { return {datum_, view()}; }

 private:
  DatumId datum_;
  std::shared_ptr<T[]> values_;
  std::size_t size_;
};

}  // namespace thalweg::flow

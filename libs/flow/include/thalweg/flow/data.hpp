// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/flow/access.hpp>

namespace thalweg::flow {

/// Some elements of an array, as a part of its datum.
///
/// Tasks that use parts of one array wait for each other where the parts overlap only.
/// @cost little where a replay's parts are recorded in ascending order; else each new part costs
///       time in proportion to those above it (100,000 descending ones take a second)
template <class T>
class DataRange {
 public:
  /// Elements [begin, end) of an array. @pre begin <= end <= array.size()
  DataRange(DatumId datum, std::span<T> array, std::size_t begin, std::size_t end,
            std::uint32_t recorder = 0)
      : datum_(datum), recorder_(recorder), extent_(Range::of(begin, end)) {
    THALWEG_EXPECT(end <= array.size(), "a range beyond the end of its array");
    values_ = array.subspan(begin, end - begin);
    // So that ranges which make up the array make up its datum, of unknown length.
    if (begin < end && end == array.size()) extent_.end = Range::no_end;
  }

  DatumId datum() const { return datum_; }
  /// Which recorder made it, as Recorder counts them; 0: unknown. So below.
  std::uint32_t recorder() const { return recorder_; }
  Range extent() const { return extent_; }
  std::span<T> view() const { return values_; }
  std::span<const T> const_view() const { return values_; }

 private:
  DatumId datum_;
  std::uint32_t recorder_;
  Range extent_;
  std::span<T> values_;
};

/// An array somebody else keeps alive, as a datum.
template <class T>
class DataRef {
 public:
  DataRef(DatumId datum, std::span<T> values, std::uint32_t recorder = 0)
      : datum_(datum), recorder_(recorder), values_(values) {}

  DatumId datum() const { return datum_; }
  std::uint32_t recorder() const { return recorder_; }
  std::span<T> view() const { return values_; }
  std::span<const T> const_view() const { return values_; }
  /// Elements [begin, end), to be used like the whole: in(u.range(0, 4)).
  DataRange<T> range(std::size_t begin, std::size_t end) const {
    return {datum_, values_, begin, end, recorder_};
  }

 private:
  DatumId datum_;
  std::uint32_t recorder_;
  std::span<T> values_;
};

/// An array made by a recording, as a datum.
///
/// Shared by the recording, its graph and every copy of the handle, so that a program can read the
/// result after the graph is gone.
template <class T>
class Data {
 public:
  Data(DatumId datum, std::shared_ptr<T[]> values, std::size_t size, std::uint32_t recorder)
      : datum_(datum), recorder_(recorder), values_(std::move(values)), size_(size) {}

  DatumId datum() const { return datum_; }
  std::uint32_t recorder() const { return recorder_; }
  std::span<T> view() const { return {values_.get(), size_}; }
  std::span<const T> const_view() const { return {values_.get(), size_}; }
  /// Elements [begin, end), to be used like the whole: in(u.range(0, 4)).
  DataRange<T> range(std::size_t begin, std::size_t end) const {
    return {datum_, view(), begin, end, recorder_};
  }
  /// The same datum without a share in its storage; the graph keeps that alive.
  DataRef<T> borrow() const { return {datum_, view(), recorder_}; }

 private:
  DatumId datum_;
  std::uint32_t recorder_;
  std::shared_ptr<T[]> values_;
  std::size_t size_;
};

}  // namespace thalweg::flow

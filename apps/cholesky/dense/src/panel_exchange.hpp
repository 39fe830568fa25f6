// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <vector>

#include <thalweg/cholesky/dense/broadcast.hpp>
#include <thalweg/cholesky/dense/matrix.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::cholesky {

/// A tile that this rank has, or that its tasks wait for.
template <Scalar T>
struct HeldTile {
  flow::DatumId datum{};
  const T* values = nullptr;
};

/// Records how tiles of panels get from their owners to the ranks that read them.
///
/// What comes from other ranks goes into one of n_slots columns of buffers, panel after panel in
/// turns: so a tile is received when the tasks are over that read the one n_slots panels before.
template <Scalar T>
class PanelExchange {
 public:
  PanelExchange(flow::Recorder& recorder, const Matrix<T>& matrix, Broadcast broadcast,
                int n_slots);

  /// The datum of a tile of this rank. @pre matrix.owns(i, j)
  flow::DatumId datum(int i, int j) const {
    return data_[static_cast<std::size_t>(j)][static_cast<std::size_t>(i - j)];
  }
  /// Record the messages that bring tile (m, k) to its readers.
  /// @return the tile where this rank owns or reads it; else values is null
  HeldTile<T> bring(int m, int k, const flow::TaskOptions& options);

 private:
  struct Buffer {
    flow::DatumId datum;
    T* values;
  };

  /// The buffer of a tile of so many values that is received.
  Buffer buffer_of(int m, int k, std::size_t n_values);

  flow::Recorder& g_;
  const Matrix<T>& matrix_;
  Broadcast broadcast_;
  std::size_t n_slots_;
  std::optional<int> panel_{};                    ///< the last of which this rank received a tile
  std::size_t n_panels_ = 0;                      ///< of which it has received tiles
  std::vector<std::vector<flow::DatumId>> data_;  ///< of tiles, by column and row below it
  std::vector<std::vector<std::optional<Buffer>>> buffers_;  ///< by slot and tile row
};

}  // namespace thalweg::cholesky

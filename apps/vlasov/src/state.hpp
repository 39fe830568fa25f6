// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/field/block_pool.hpp>
#include <thalweg/vlasov/layout.hpp>
#include <thalweg/vlasov/settings.hpp>

#include "fourier_field.hpp"
#include "kernels.hpp"

namespace thalweg::vlasov {

/// A tile of this rank: f twice, of which a step reads one and writes the other, each with ghosts.
struct Tile {
  TilePlace place;
  int nx = 0, nv = 0;
  std::ptrdiff_t stride = 0;
  std::ptrdiff_t origin = 0;           ///< of point (0, 0) in a buffer
  field::BlockPool::Block buffers[2];  ///< after step n, f is in buffer n % 2
  std::vector<double> sums;            ///< along v, of f and then of v f [2 nx]

  double* f(int buffer) const { return buffers[buffer].get() + origin; }
  double* charge() { return sums.data(); }
  double* current() { return sums.data() + nx; }
};

/// Bounds of the field of all points, of all slabs: every rank has the same.
struct FieldBounds {
  double greatest;                   ///< |E| at points
  double greatest_between;           ///< |E| that interpolation finds anywhere
  double least_next, greatest_next;  ///< E at the end of the step to come
};

/// The field of a slab of columns, on each rank that has tiles there.
struct SlabField {
  Slab slab;
  /// E from halo_x points before the slab to as many behind it; E at the end of the step to come,
  /// of the slab's points; and bounds of both along the whole axis.
  std::vector<double> window;
  // On the root, of the slab's points.
  std::vector<double> charge;          ///< rho less its mean at the start
  std::vector<double> current;         ///< J
  std::vector<double> deviation;       ///< J - <J>
  std::vector<double> field_before;    ///< E a step ago
  std::vector<double> field_before_2;  ///< E two steps ago
  std::vector<double> deviation_before;

  std::size_t size() const { return static_cast<std::size_t>(slab.size()); }
  FieldBounds bounds() const {
    FieldBounds all;
    std::memcpy(&all, window.data() + window.size() - n_bounds, sizeof all);
    return all;
  }
  void set_bounds(const FieldBounds& all) {
    std::memcpy(window.data() + window.size() - n_bounds, &all, sizeof all);
  }

  static constexpr std::size_t n_bounds = sizeof(FieldBounds) / sizeof(double);
};

/// All that a rank has of a run.
class State {
 public:
  /// @param block_source  addresses: f is never read or written, as the graph is looked at alone
  State(const Settings& settings, Rank rank, int n_ranks,
        field::BlockSource block_source = field::BlockSource::slabs);

  const Settings& settings() const { return settings_; }
  const Layout& layout() const { return layout_; }
  /// All slabs, of all ranks.
  const std::vector<Slab>& slabs() const { return slabs_; }
  Rank rank() const { return rank_; }

  std::vector<Tile>& tiles() { return tiles_; }
  const std::vector<Tile>& tiles() const { return tiles_; }
  /// The tile at a place. @pre this rank owns it
  Tile& tile(TilePlace place) { return tiles_[index_.at(layout_.number(place))]; }
  std::size_t index_of(TilePlace place) const { return index_.at(layout_.number(place)); }
  /// The field of slabs that this rank has tiles in, by their numbers.
  std::map<int, SlabField>& fields() { return fields_; }
  const std::map<int, SlabField>& fields() const { return fields_; }
  /// What finds the field of all slabs. @pre vlasov.poisson = "fft", and this is the first's root
  FourierField& fourier_field() { return *fourier_field_; }
  int slab_of(int column) const { return slab_of_column_[static_cast<std::size_t>(column)]; }

  /// What the step of a tile needs, but for what it is written to and scratch.
  TileStep step_of(Tile& tile, int buffer, double dt, double dt_before) const;
  /// Doubles of scratch that a task needs.
  std::size_t scratch_size() const;
  std::size_t n_bytes() const { return pool_->size_bytes(); }
  /// Points of f on all ranks.
  std::int64_t n_points() const { return std::int64_t{settings_.grid.nx} * settings_.grid.nv; }

  /// Set f at the start, in buffer 0.
  void set_initial(Tile& tile) const;

 private:
  Settings settings_;
  Rank rank_;
  Layout layout_;
  std::vector<Slab> slabs_;
  std::vector<int> slab_of_column_;
  std::unique_ptr<field::BlockPool> pool_;
  std::vector<Tile> tiles_;
  std::map<int, std::size_t> index_;
  std::map<int, SlabField> fields_;
  std::unique_ptr<FourierField> fourier_field_;
  std::vector<std::vector<double>> velocities_;  ///< of each row, padded to eights
};

}  // namespace thalweg::vlasov

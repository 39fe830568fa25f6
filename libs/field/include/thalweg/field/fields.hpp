// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/centring.hpp>

namespace thalweg::field {

/// Where the values of a field lie, and so how they come from a coarser level and back:
///
/// | | from the coarser level | to the coarser level |
/// |---|---|---|
/// | cells | as mesh.prolongation says, conservatively | the mean of the finer cells |
/// | faces | linear along the face, then free of divergence inside | the mean of the finer faces |
/// | nodes | linear | the finer node that lies there |
enum class Place : std::uint8_t { cells, faces, nodes };

/// Where the values of a field come from.
enum class Role : std::uint8_t {
  advanced,     ///< the scheme advances it
  coefficient,  ///< of the equations, as a bathymetry: nothing changes it in a step
  derived,      ///< follows from the other fields whenever they change
};

/// One field of a state, which is a list of them. What is exchanged, moved, written and counted
/// follows from the list.
///
/// The fields in cells lie one behind the other in one array, with the ghost cells of the scheme,
/// so that a function of a cell sees them as one state. A field on faces is a vector: one array of
/// normal components an axis.
struct Field {
  std::string name;                       ///< of one component: that of the component as well
  std::vector<std::string> components{};  ///< in cells: names as in plotfiles; none: one
  /// In cells: of each component's integral over the domain, as "mass", or "length*volume" of a
  /// length; may be left out.
  std::vector<std::string> units{};
  Role role = Role::advanced;
  Place place = Place::cells;
  int n_ghosts = 0;  ///< on faces and at nodes, around a block; in cells the scheme says it
};

/// The values of a field of faces of one axis, or at nodes: an array with one number a point.
struct PointArray {
  Place place = Place::nodes;
  int axis = 0;  ///< of faces, their normal
  int n_ghosts = 0;
  bool is_derived = false;  ///< neither moved to another mesh nor written to checkpoints

  bool operator==(const PointArray&) const = default;

  template <int D>
  Centring<D> centring() const {
    return place == Place::faces ? Centring<D>::face(axis) : Centring<D>::node();
  }
};

/// The arrays that fields on faces and at nodes take, in their order.
inline std::vector<PointArray> point_arrays(std::span<const Field> fields, int dim) {
  std::vector<PointArray> arrays;
  for (const Field& f : fields) {
    if (f.place == Place::cells) continue;
    for (int axis = 0; axis < (f.place == Place::faces ? dim : 1); ++axis)
      arrays.push_back({f.place, axis, f.n_ghosts, f.role == Role::derived});
  }
  return arrays;
}

/// What each component in cells is called, in their order.
struct CellComponents {
  std::vector<std::string> names;
  std::vector<std::string> units;  ///< as many, some empty
  int n_coefficients = 0;
};

/// The components of all fields in cells, those without names of their own called as their field.
inline CellComponents cell_components(std::span<const Field> fields) {
  CellComponents all;
  for (const Field& f : fields) {
    if (f.place != Place::cells) continue;
    const auto names = f.components.empty() ? std::vector{f.name} : f.components;
    all.names.insert(all.names.end(), names.begin(), names.end());
    all.units.insert(all.units.end(), f.units.begin(), f.units.end());
    all.units.resize(all.names.size());
    if (f.role == Role::coefficient) all.n_coefficients += static_cast<int>(names.size());
  }
  return all;
}

/// Whether a unit can stand in the heading of a table, which is one line of
/// comma-separated values.
bool is_unit(std::string_view text);

/// Complain of what would have no effect in a list of fields, of units that no table can have, and
/// of a field behind a coefficient.
/// @errors throws Error naming each field
void check_fields(std::span<const Field> fields);

}  // namespace thalweg::field

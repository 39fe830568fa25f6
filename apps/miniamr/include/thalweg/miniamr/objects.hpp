// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include <thalweg/core/vec.hpp>

namespace thalweg::miniamr {

/// What to do where the reference program's behaviour is a slip: what it meant, or what it does.
enum class Quirks : std::uint8_t {
  corrected,
  reference,  ///< --compat
};

/// A body that moves through the unit cube; the mesh is refined where its surface or volume is.
///
/// An object with a negative half-size is not there.
struct Object {
  int type = 0;       ///< what it is: object_types()
  int bounce = 0;     ///< 1: the centre bounces off the walls, 2: the edge does
  Vec<3> centre{};    ///< [domain widths]
  Vec<3> movement{};  ///< of the centre, per unit of time
  Vec<3> size{};      ///< half of its extent on each axis
  Vec<3> growth{};    ///< of the half-size, per unit of time

  bool operator==(const Object&) const = default;

  bool is_there() const { return size[0] >= 0 && size[1] >= 0 && size[2] >= 0; }
};

/// A type of objects and what it is called in reports.
struct ObjectType {
  int number;
  std::string_view name;
};
std::span<const ObjectType> object_types();

/// The part of the unit cube that a block takes, perhaps with some cells around it.
struct Extent {
  Vec<3> lower{};
  Vec<3> upper{};
};

/// Whether an object asks for a block to be refined. All comparisons are strict.
///
/// With c the centre, s the half-size, n the coordinates of the block nearest to c and f those
/// furthest from it, N and F the sums of ((n - c) / s)^2 and ((f - c) / s)^2 over the axes, where
/// an axis along which the block holds c counts nothing for N:
///
///     volume of a spheroid: N < 1        surface: N < 1 and F > 1       half: and not beyond c
///     volume of a box: overlap           surface: overlap, and along some axis the block holds
///                                        exactly one of its two faces
///     cylinder: overlap along its axis, and N and F across it; its ends are full disks, where the
///               block holds exactly one of them
///
/// So a block that holds both faces of a thin box or disk does not see it, but for its rim: within
/// coarse blocks it is never refined, as in the reference. A half spheroid's surface has no lid.
/// The order of operations is the reference's: ties matter.
bool is_hit(const Object& object, const Extent& block, Quirks quirks);
/// Whether any of them does.
bool is_hit(std::span<const Object> objects, const Extent& block, Quirks quirks);

/// Move and grow an object for a span of time, and let it bounce. In the reference's order of
/// operations, so that positions have its bits. The reference does not let edges bounce.
void advance(Object& object, double delta, Quirks quirks);

}  // namespace thalweg::miniamr

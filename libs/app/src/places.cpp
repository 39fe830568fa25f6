// SPDX-License-Identifier: MIT
#include "places.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/core/dimensions.hpp>

namespace thalweg::app {

namespace {

constexpr std::array<std::string_view, 3> keys_of_planes{"slices.x", "slices.y", "slices.z"};
constexpr const char* key_of_points = "points.at";

bool is_set(const io::Deck& deck, std::string_view interval, std::string_view time) {
  return deck.integer(interval) > 0 || deck.real(time) > 0;
}

}  // namespace

std::vector<std::string> derived_of(const io::Deck& deck) {
  return deck.is_declared("output.derived") ? deck.strings("output.derived")
                                            : std::vector<std::string>{};
}

std::vector<Slice> slices_of(const io::Deck& deck) {
  std::vector<Slice> slices;
  for (int axis = 0; axis < 3; ++axis) {
    const auto key = keys_of_planes[static_cast<std::size_t>(axis)];
    if (!deck.is_declared(key)) continue;
    int number = 0;
    for (const double at : deck.reals(key))
      slices.push_back({fmt::format("slice_{}{}", key.back(), ++number), {axis, at}});
  }
  return slices;
}

PointRequest points_of(const io::Deck& deck) {
  PointRequest request{.points = {}, .derived = derived_of(deck)};
  if (!deck.is_declared(key_of_points)) return request;
  for (const auto& point : deck.tables(key_of_points))
    request.points.push_back({point.at("x"), point.at("y"), point.at("z")});
  return request;
}

template <int D>
void check_places(DeckReader<D>& reader, const Vec<D>& lower, const Vec<D>& upper) {
  const auto check = [&](const std::string& what, int axis, double at) {
    if (lower[axis] <= at && at <= upper[axis]) return;
    reader.complain(
        fmt::format("{} (the domain goes from {:g} to {:g} there); choose a place in it", what,
                    lower[axis], upper[axis]));
  };
  for (const auto& [name, plane] : slices_of(reader.deck())) {
    const auto& [axis, at] = plane;
    const auto key = keys_of_planes[static_cast<std::size_t>(axis)];
    if (D == 1)
      reader.complain(fmt::format(
          "{} has {:g} (in one dimension that is a point); set points.at instead", key, at));
    else if (axis >= D)
      reader.complain(fmt::format(
          "{} has {:g} (the mesh has {} dimensions, and no such axis); leave it out", key, at, D));
    else
      check(fmt::format("{} has {:g}", key, at), axis, at);
  }
  const auto& points = points_of(reader.deck()).points;
  if (!points.empty() && !is_set(reader.deck(), "points.interval", "points.time"))
    reader.complain(
        "points.at has points, and points.interval and points.time are 0 (no line would be "
        "written); set one of them");
  for (const auto& point : points)
    for (int axis = 0; axis < 3; ++axis) {
      const double at = point[static_cast<std::size_t>(axis)];
      const auto what = fmt::format("points.at has {} = {:g}", axis_name(axis), at);
      if (axis < D)
        check(what, axis, at);
      else if (at != 0)
        reader.complain(what + " (the mesh has no such axis); leave it out");
    }
}

std::string warning_of_places(const io::Deck& deck) {
  if (!deck.is_declared(key_of_points)) return "";
  if (slices_of(deck).empty() && is_set(deck, "slices.interval", "slices.time"))
    return "slices.interval or slices.time is set without slices.x, slices.y or slices.z: no plane "
           "is written";
  if (points_of(deck).points.empty() && is_set(deck, "points.interval", "points.time"))
    return "points.interval or points.time is set without points.at: there is no points.csv";
  return "";
}

#define THALWEG_INSTANTIATE(D) \
  template void check_places(DeckReader<D>&, const Vec<D>&, const Vec<D>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::app

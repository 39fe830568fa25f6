// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/io/parameter.hpp>

namespace thalweg::hydro {

/// Defaults of keys that are not the problem's own.
using Defaults = std::vector<std::pair<std::string, io::DeckValue>>;

}  // namespace thalweg::hydro

namespace thalweg::hydro::keys {

// Keys that several problems have, each for itself: same name, type and unit, another meaning.

inline io::Parameter centre(std::string doc) {
  return io::vector("problem.centre", {0, 0, 0}, "length", std::move(doc));
}
inline io::Parameter velocity(std::string doc) {
  return io::vector("problem.velocity", {0, 0, 0}, "velocity", std::move(doc));
}
inline io::Parameter radius(std::string doc) {
  return io::real("problem.radius", 0.03, "length", std::move(doc), io::Range::above(0));
}
inline io::Parameter density(std::string doc) {
  return io::real("problem.density", 1, "density", std::move(doc), io::Range::above(0));
}
inline io::Parameter pressure(std::string doc) {
  return io::real("problem.pressure", 1e-5, "pressure", std::move(doc), io::Range::above(0));
}
inline io::Parameter pressure_inside(std::string doc) {
  return io::real("problem.pressure_inside", 10, "pressure", std::move(doc), io::Range::above(0));
}
inline io::Parameter axis(std::string doc) {
  return {.name = "problem.axis",
          .default_value = std::int64_t{0},
          .range = io::Range::between(0, 2),
          .doc = std::move(doc)};
}
/// A whole number for each axis, from `least` to a million.
inline io::Parameter counts(std::string name, std::vector<std::int64_t> by_default, int least,
                            std::string doc) {
  return {.name = std::move(name),
          .default_value = std::move(by_default),
          .range = io::Range::between(least, 1e6),
          .length = {1, 3},
          .doc = std::move(doc)};
}
inline io::Parameter n_waves(std::string doc) {
  return counts("problem.n_waves", {1, 0, 0}, 0, std::move(doc));
}
inline io::Parameter amplitude(std::string unit, std::string doc,
                               const io::Range& range = io::Range::above(0)) {
  return io::real("problem.amplitude", 1e-6, std::move(unit), std::move(doc), range);
}

/// The domain that a problem has where a deck gives no other: the same along all axes.
inline Defaults domain(double lower, double upper) {
  return {{"mesh.lower", std::vector<double>(3, lower)},
          {"mesh.upper", std::vector<double>(3, upper)}};
}
/// Kinds of boundaries that a problem has where a deck gives no others: the same on all axes.
inline Defaults sides(const std::string& lower, const std::string& upper) {
  return {{"boundary.lower", std::vector<std::string>(3, lower)},
          {"boundary.upper", std::vector<std::string>(3, upper)}};
}

}  // namespace thalweg::hydro::keys

// SPDX-License-Identifier: MIT
#include "state.hpp"

#include <cmath>

#include "element_math.hpp"

namespace thalweg::lulesh {
namespace {

/// The volume that an element has in the beginning; its place may be outside of the rank.
double initial_volume(const Cube& cube, const Index<3>& element) {
  Corners<double> corners;
  for (int c = 0; c < 8; ++c) {
    const Index<3> node = element + Index<3>{corner_offsets[static_cast<std::size_t>(c)]};
    corners[c] = {cube.initial_coordinate(0, node[0]), cube.initial_coordinate(1, node[1]),
                  cube.initial_coordinate(2, node[2])};
  }
  return volume_of(corners);
}

}  // namespace

State::State(const Cube& cube, const RegionSettings& settings)
    : cube_(cube),
      connectivity_(cube),
      regions_(make_regions(settings, cube.n_elements(), cube.rank()())),
      corners_(connectivity_.n_corner_slots) {
  set_up_nodes();
  set_up_elements();
}

std::vector<double>& State::make(std::size_t n, double value) {
  return arrays_.emplace_back(n, value);
}

void State::set_up_nodes() {
  const std::uint32_t n = cube_.n_nodes();
  for (double** const field : {&fields_.x, &fields_.y, &fields_.z, &fields_.xd, &fields_.yd,
                               &fields_.zd, &fields_.xdd, &fields_.ydd, &fields_.zdd})
    *field = make(n, 0).data();
  auto& mass = make(n, 0);
  fixed_.resize(n);
  for (std::uint32_t node = 0; node < n; ++node) {
    const Index<3> at = cube_.place_of_node(node);
    fields_.x[node] = cube_.initial_coordinate(0, at[0]);
    fields_.y[node] = cube_.initial_coordinate(1, at[1]);
    fields_.z[node] = cube_.initial_coordinate(2, at[2]);
    for (int a = 0; a < 3; ++a)
      if (cube_.position()[a] == 0 && at[a] == 0)
        fixed_[node] = static_cast<std::uint8_t>(fixed_[node] | 1 << a);
    // Of its elements in their global order, those of other ranks too.
    for (int i = 0; i < 8; ++i) {
      const Index<3> element = at + Index<3>{{i % 2 - 1, i / 2 % 2 - 1, i / 4 - 1}};
      if (cube_.is_in_mesh(element)) mass[node] += initial_volume(cube_, element) / 8.0;
    }
  }
  fields_.nodal_mass = mass.data();
  fields_.fixed = fixed_.data();
  fields_.corner_slots = connectivity_.corner_slots.data();
}

void State::set_up_elements() {
  const std::uint32_t n = cube_.n_elements();
  for (double** const field : {&fields_.e, &fields_.p, &fields_.q, &fields_.ss, &fields_.vnew,
                               &fields_.delv, &fields_.vdov, &fields_.arealg})
    *field = make(n, 0).data();
  for (double*& field : fields_.delx) field = make(n, 0).data();
  for (double*& field : fields_.delv_of) field = make(connectivity_.n_gradients, 0).data();
  fields_.v = make(n, 1).data();
  auto& volo = make(n, 0);
  for (std::uint32_t e = 0; e < n; ++e) volo[e] = initial_volume(cube_, cube_.place_of_element(e));
  fields_.volo = volo.data();
  fields_.nodes = connectivity_.nodes.data();
  fields_.neighbours = connectivity_.neighbours.data();
  fields_.runs = connectivity_.runs.data();
  fields_.corners = corners_.data();

  const double energy = initial_energy(cube_.s() * cube_.side());
  const Index<3> origin = -cube_.s() * cube_.position();
  if (origin == Index<3>{}) fields_.e[0] = energy;
  // All ranks begin with the step of the element at the origin.
  clock.dt = 0.5 * std::cbrt(initial_volume(cube_, origin)) / std::sqrt(2.0 * energy);
}

}  // namespace thalweg::lulesh

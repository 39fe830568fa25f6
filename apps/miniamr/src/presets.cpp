// SPDX-License-Identifier: MIT
#include "presets.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

namespace thalweg::miniamr {
namespace {

constexpr Preset published[] = {
    {"single_sphere", "a large sphere enters from the lower corner",
     "--nx 12 --ny 12 --nz 12 --num_vars 40 --num_refine 4 --num_tsteps 20 --stages_per_ts 40 "
     "--checksum_freq 10 --refine_freq 5 --stencil 7 --send_faces --separate_buffers "
     "--max_comm_tasks 8 --num_objects 1 "
     "--object 2 0 -1.10 -1.10 -1.10 0.030 0.030 0.030 1.5 1.5 1.5 0 0 0",
     "--num_refine 3 --stages_per_ts 20"},
    {"four_spheres", "four spheres move along x, two each way",
     "--nx 12 --ny 12 --nz 12 --num_vars 40 --num_refine 4 --num_tsteps 14 --stages_per_ts 40 "
     "--checksum_freq 10 --refine_freq 5 --stencil 7 --send_faces --separate_buffers "
     "--max_comm_tasks 8 --num_objects 4 "
     "--object 2 0 0.25 0.25 0.25 0.016 0 0 0.23 0.23 0.23 0 0 0 "
     "--object 2 0 0.25 0.75 0.75 0.016 0 0 0.23 0.23 0.23 0 0 0 "
     "--object 2 0 0.75 0.25 0.75 -0.016 0 0 0.23 0.23 0.23 0 0 0 "
     "--object 2 0 0.75 0.75 0.25 -0.016 0 0 0.23 0.23 0.23 0 0 0",
     "--num_refine 2 --stages_per_ts 20"},
};

}  // namespace

std::span<const Preset> presets() {
  return published;
}

std::vector<std::string> PresetChoice::words() const {
  std::istringstream stream(std::string(preset->options) + " " +
                            std::string(is_scaled ? preset->scaled_options : ""));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Index<3> PresetChoice::root_blocks() const {
  const int per_node = is_scaled ? 2 : 4;
  Index<3> root{per_node, per_node, per_node};
  int axis = 0;
  for (int n = n_nodes; n > 1; n /= 2, axis = (axis + 1) % 3) root[axis] *= 2;
  return root;
}

std::optional<Index<3>> grid_of_ranks(const Index<3>& root_blocks, int n_ranks) {
  std::optional<Index<3>> best;
  int least_surface = std::numeric_limits<int>::max();
  for (int x = 1; x <= n_ranks; ++x)
    for (int y = 1; x * y <= n_ranks; ++y) {
      const Index<3> grid{x, y, n_ranks / (x * y)};
      bool fits = product(grid) == n_ranks;
      Index<3> own;
      for (int a = 0; a < 3; ++a) {
        fits = fits && root_blocks[a] % grid[a] == 0;
        own[a] = root_blocks[a] / grid[a];
      }
      const int surface = own[0] * own[1] + own[1] * own[2] + own[2] * own[0];
      if (!fits || surface >= least_surface) continue;
      best = grid;
      least_surface = surface;
    }
  return best;
}

}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#include <thalweg/mesh/geometry.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include <thalweg/core/cell_number.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::mesh {
namespace {

// Cell indices must stay int with room for ghost cells and for one wrap around the domain.
constexpr std::int64_t max_cells_per_axis = std::int64_t{1} << 29;
// Messages name numbers by the keys that decks have for them.

template <int D>
void check_numbers(const typename Geometry<D>::Config& c) {
  // 2^30 blocks already exceed what an index holds: larger values only overflow the check below.
  if (c.max_level < 0 || c.max_level > Ratios::max_count)
    throw Error(fmt::format("mesh.max_level = {} (must be in 0..{}); try 2", c.max_level,
                            Ratios::max_count));
  if (c.ratio.count() != 1 && c.ratio.count() != c.max_level)
    throw Error(
        fmt::format("mesh.ratio = {} with mesh.max_level = {} (one number is for all levels, "
                    "several are one for each level but the finest); give {}",
                    c.ratio.text(), c.max_level,
                    c.max_level > 1 ? fmt::format("1 or {} numbers", c.max_level) : "1 number"));
  int largest = c.ratio.of(0);
  for (int l = 1; l < c.max_level; ++l) largest = std::max(largest, c.ratio.of(l));
  for (int a = 0; a < D; ++a)
    if (c.block_cells[a] < 8 || c.block_cells[a] > 64 || c.block_cells[a] % largest != 0)
      throw Error(
          fmt::format("mesh.block_cells = {} along {} (must be in 8..64 and divisible by "
                      "mesh.ratio = {}); try {}",
                      c.block_cells[a], axis_name(a), largest,
                      std::clamp((c.block_cells[a] + 2) / 4 * 4, 8, 64)));
}

template <int D>
void check_axis(const typename Geometry<D>::Config& c, int axis) {
  const char name = axis_name(axis);
  if (!std::isfinite(c.lower[axis]) || !std::isfinite(c.upper[axis]) ||
      !(c.lower[axis] < c.upper[axis]))
    throw Error(fmt::format(
        "mesh.lower = {} and mesh.upper = {} along {} (its length must be positive and finite); "
        "make mesh.lower less than mesh.upper",
        c.lower[axis], c.upper[axis], name));
  if (c.root_blocks[axis] < 1)
    throw Error(
        fmt::format("mesh.root_blocks = {} along {} (level 0 has a block at least); give 1 or more",
                    c.root_blocks[axis], name));
  std::int64_t blocks = c.root_blocks[axis];
  for (int level = 0; level <= c.max_level; ++level) {
    if (blocks > (std::int64_t{1} << bits_per_axis<D>) ||
        blocks * c.block_cells[axis] > max_cells_per_axis)
      throw Error(fmt::format(
          "level {} has {} blocks along {} (more than an index can number); lower mesh.max_level = "
          "{}",
          level, blocks, name, c.max_level));
    if (level < c.max_level) blocks *= c.ratio.of(level);
  }
}

}  // namespace

template <int D>
Geometry<D>::Geometry(const Config& config) : config_(config) {
  check_numbers<D>(config);
  for (int a = 0; a < D; ++a) check_axis<D>(config, a);
}

template <int D>
Vec<D> Geometry<D>::cell_size(int level) const {
  // The ratios are powers of two: the division by their product is exact.
  const double refinement = static_cast<double>(ratio_to_root(level));
  Vec<D> size;
  for (int a = 0; a < D; ++a)
    size[a] = (config_.upper[a] - config_.lower[a]) /
              static_cast<double>(config_.root_blocks[a] * config_.block_cells[a]) / refinement;
  return size;
}

template <int D>
Vec<D> Geometry<D>::centre(int level, const Index<D>& cell) const {
  return centre_of(config_.lower, cell_size(level), cell);
}

template <int D>
Index<D> Geometry<D>::blocks_at(int level) const {
  THALWEG_EXPECT(level >= 0 && level <= config_.max_level, "level outside 0..max_level");
  return config_.root_blocks * static_cast<int>(ratio_to_root(level));
}

template <int D>
Box<D> Geometry<D>::domain_cells(int level) const {
  return {{}, blocks_at(level) * config_.block_cells};
}

template <int D>
Index<D> Geometry<D>::cell_at(int level, const Vec<D>& x) const {
  const Vec<D> width = cell_size(0);
  const auto ratio = static_cast<double>(ratio_to_root(level));  // a power of two: exact
  const Index<D> last = domain_cells(level).hi - Index<D>::filled(1);
  Index<D> cell;
  for (int a = 0; a < D; ++a) {
    const double number = cell_number((x[a] - config_.lower[a]) / width[a], ratio);
    cell[a] = static_cast<int>(std::clamp(number, 0.0, double{1} * last[a]));
  }
  return cell;
}

template <int D>
std::uint64_t Geometry<D>::code_end(int level) const {
  return morton_encode(blocks_at(level) - Index<D>::filled(1)) + 1;
}

template <int D>
bool Geometry<D>::contains(const Key<D>& key) const {
  if (key.level < 0 || key.level > config_.max_level || key.code >= code_end(key.level))
    return false;
  return Box<D>{{}, blocks_at(key.level)}.contains(coordinates(key));
}

template <int D>
Box<D> Geometry<D>::cells(const Key<D>& key) const {
  const Index<D> place = coordinates(key);
  return {place * config_.block_cells, (place + Index<D>::filled(1)) * config_.block_cells};
}

template <int D>
std::optional<Key<D>> Geometry<D>::neighbour(const Key<D>& key, const Index<D>& offset) const {
  // Coordinates are compared and counted where they lie in the code: plans ask this for every
  // offset of every block, and taking codes apart and putting them together would be most of it.
  const Index<D> blocks = blocks_at(key.level);
  std::uint64_t code = key.code;
  for (int a = 0; a < D; ++a) {
    THALWEG_EXPECT(offset[a] >= -1 && offset[a] <= 1, "offsets are -1, 0 or 1");
    if (offset[a] == 0) continue;
    const std::uint64_t bits = morton_bits<D>(a);
    const std::uint64_t place = code & bits;
    const std::uint64_t last = detail::spread_bits<D>(static_cast<std::uint64_t>(blocks[a] - 1))
                               << a;
    const std::uint64_t one = std::uint64_t{1} << a;
    const bool leaves = place == (offset[a] < 0 ? 0 : last);
    if (leaves && !config_.periodic[a]) return std::nullopt;
    const std::uint64_t next = leaves          ? last - place
                               : offset[a] < 0 ? place - one
                                               : (place | ~bits) + one;
    code = (code & ~bits) | (next & bits);
  }
  return Key<D>{key.level, code};
}

template <int D>
Index<D> Geometry<D>::wrap_shift(const Key<D>& key, const Index<D>& offset) const {
  const Index<D> blocks = blocks_at(key.level);
  const Index<D> place = coordinates(key) + offset;
  Index<D> shift;
  for (int a = 0; a < D; ++a) {
    const int length = blocks[a] * config_.block_cells[a];
    if (place[a] < 0) shift[a] = length;
    if (place[a] >= blocks[a]) shift[a] = -length;
  }
  return shift;
}

#define THALWEG_INSTANTIATE(D) template class Geometry<D>
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh

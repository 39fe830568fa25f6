// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/error.hpp>

namespace thalweg::io {

/// What a checkpoint says of itself: all of a run but its cells, the same for any ranks.
struct Manifest {
  std::uint64_t sequence = 0;             ///< rises with every checkpoint of a folder
  std::string scheme{};                   ///< how steps are made, on one line
  std::vector<std::string> functions{};   ///< that the run had beside its deck: tags, source
  std::vector<std::string> components{};  ///< in cells; names without blanks
  int face_fields = 0;                    ///< vector fields on faces
  std::int64_t step = 0;                  ///< of level 0
  double time = 0;                        ///< [time]
  double dt_before = 0;                   ///< of the last step [time]
  std::int64_t last_regrid = 0;           ///< step after which the mesh was last looked at
  std::int64_t origin_step = 0;           ///< from which on steps of equal length are counted
  double origin_time = 0;                 ///< at that step [time]
  int dimension = 0;                      ///< 1, 2 or 3; lists below have one entry an axis
  std::vector<double> lower{};            ///< corner of the domain [length]
  std::vector<double> upper{};            ///< corner of the domain [length]
  std::vector<std::int64_t> root_blocks{};
  std::vector<std::int64_t> periodic{};  ///< 0 or 1
  std::vector<std::int64_t> block_cells{};
  std::vector<std::int64_t> ratio{};  ///< one for all levels, or one for each but the finest
  int max_level = 0;
  std::vector<std::int64_t> blocks_per_level{};
  /// When the run began: of each component, then of each derived field that has a total, which
  /// older manifests lack. Perhaps inf or nan: no step depends on them.
  std::vector<double> totals_at_start{};
  std::uint64_t blocks_per_file = 0;
  std::uint32_t index_crc = 0;  ///< CRC-32C of the index, which has that of each block
  std::string deck{};           ///< the resolved deck

  bool operator==(const Manifest&) const = default;

  std::uint64_t n_blocks() const;
  /// Bytes of one block, its cells and then its faces, without ghosts.
  std::uint64_t block_bytes() const;
};

/// Write a manifest: a magic line, its length, one line a member, the deck, its CRC-32C.
///
/// Reals are the shortest decimals that read back to the same bits.
/// @pre texts but the deck are of one line, component names without blanks, reals finite
/// but those of totals_at_start
std::string to_text(const Manifest& manifest);

/// Read a manifest, and nothing else: any text that `to_text` does not write is refused.
///
/// Memory is bounded by a small multiple of the text's size.
/// @errors says what was expected in which line
Result<Manifest> parse_manifest(std::string_view text);

}  // namespace thalweg::io

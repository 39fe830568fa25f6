// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include <fmt/format.h>

#include <thalweg/core/crc32c.hpp>
#include <thalweg/io/manifest.hpp>

namespace thalweg::io::testing {

/// A manifest with something in every member.
inline Manifest sample_manifest() {
  return {.sequence = 7,
          .scheme = "euler vl2",
          .components = {"rho", "E"},
          .step = 40,
          .time = 0.125,
          .dt_before = 0.0009765625,
          .last_regrid = 1,
          .dimension = 2,
          .lower = {0, -1},
          .upper = {1, 1},
          .root_blocks = {2, 3},
          .periodic = {1, 0},
          .block_cells = {8, 12},
          .ratio = {2},
          .max_level = 2,
          .blocks_per_level = {6, 12},
          .totals_at_start = {1, 2.5},
          .blocks_per_file = 5,
          .index_crc = 0x0badcafe,
          .deck = "[time]\nend = 0.5\n\n"};
}

/// A text with the length and the check sum that it should have: somebody who knows them wrote it.
inline std::string resealed(std::string text) {
  constexpr std::size_t length_at = std::string_view("thalweg checkpoint 1\nlength ").size();
  constexpr std::size_t crc_line = std::string_view("crc32c 12345678\n").size();
  if (text.size() < length_at + 12 + crc_line) return text;
  text.replace(length_at, 12, fmt::format("{:012}", text.size()));
  text.resize(text.size() - crc_line);
  return text + fmt::format("crc32c {:08x}\n", crc32c(std::as_bytes(std::span(text))));
}

}  // namespace thalweg::io::testing

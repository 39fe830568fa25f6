// SPDX-License-Identifier: MIT
#include <thalweg/io/manifest.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/crc32c.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>

#include "line_reader.hpp"

namespace thalweg::io {

namespace {

constexpr std::string_view magic_of_all = "thalweg checkpoint ";
constexpr std::string_view magic = "thalweg checkpoint 1";
constexpr std::size_t crc_line_size = std::string_view("crc32c 12345678\n").size();

std::uint32_t crc_of(std::string_view text) {
  return crc32c(std::as_bytes(std::span(text)));
}

std::string first_lines(std::size_t length) {
  return fmt::format("{}\nlength {:012}\n", magic, length);
}

/// Everything between the first two lines and the last.
std::string body(const Manifest& m) {
  return fmt::format(
      "sequence {}\nscheme {}\n{}components {}\n{}step {}\ntime {}\ndt_before {}\nlast_regrid {}\n"
      "{}dimension {}\nlower {}\nupper {}\nroot_blocks {}\nperiodic {}\n"
      "block_cells {}\nratio {}\nmax_level {}\nblocks_per_level {}\ntotals_at_start {}\n"
      "blocks_per_file {}\nindex_crc {:08x}\ndeck {}\n{}\n",
      m.sequence, m.scheme,
      m.functions.empty() ? "" : fmt::format("functions {}\n", joined_text(m.functions, " ")),
      joined_text(m.components, " "),
      m.face_fields == 0 ? "" : fmt::format("face_fields {}\n", m.face_fields), m.step, m.time,
      m.dt_before, m.last_regrid,
      m.origin_step == 0
          ? ""
          : fmt::format("origin_step {}\norigin_time {}\n", m.origin_step, m.origin_time),
      m.dimension, joined_text(m.lower, " "), joined_text(m.upper, " "),
      joined_text(m.root_blocks, " "), joined_text(m.periodic, " "),
      joined_text(m.block_cells, " "), joined_text(m.ratio, " "), m.max_level,
      joined_text(m.blocks_per_level, " "), joined_text(m.totals_at_start, " "), m.blocks_per_file,
      m.index_crc, m.deck.size(), m.deck);
}

/// Numbers outside of these would overflow or ask for memory that no text of this size needs.
void check_ranges(const Manifest& m, detail::LineReader& lines) {
  const auto axes = static_cast<std::size_t>(m.dimension);
  lines.require(m.sequence < std::uint64_t{1} << 62, "a sequence below 2^62");
  lines.require(m.dimension >= 1 && m.dimension <= 3, "a dimension of 1, 2 or 3");
  lines.require(m.lower.size() == axes && m.upper.size() == axes && m.root_blocks.size() == axes &&
                    m.periodic.size() == axes && m.block_cells.size() == axes,
                "one entry an axis");
  for (const std::int64_t p : m.periodic) lines.require(p == 0 || p == 1, "periodic 0 or 1");
  for (const std::int64_t n : m.root_blocks)
    lines.require(n >= 1 && n <= 65536, "root_blocks in [1, 65536]");
  lines.require(!m.scheme.empty(), "a scheme");
  lines.require(!m.components.empty() && m.components.size() <= 4096, "1 to 4096 components");
  for (const std::string& name : m.functions)
    lines.require(name == "tags" || name == "source" || name == "initial" || name == "longest_dt",
                  "functions tags, source, initial or longest_dt");
  for (const std::string& name : m.components) lines.require(!name.empty(), "names of components");
  lines.require(m.face_fields >= 0 && m.face_fields <= 64, "0 to 64 fields on faces");
  lines.require(m.step >= 0 && m.last_regrid >= 0 && m.dt_before >= 0, "no negative step or dt");
  lines.require(m.last_regrid <= m.step, "last_regrid in [0, step]");
  lines.require(m.origin_step >= 0 && m.origin_step <= m.step, "origin_step in [0, step]");
  for (const std::int64_t n : m.block_cells)
    lines.require(n >= 1 && n <= 4096, "block_cells in [1, 4096]");
  lines.require(m.max_level >= 0 && m.max_level <= 62, "max_level in [0, 62]");
  for (const std::int64_t r : m.ratio) lines.require(r == 2 || r == 4, "a ratio of 2 or 4");
  const auto n_ratios = static_cast<std::int64_t>(m.ratio.size());
  lines.require(n_ratios == 1 || (n_ratios > 1 && n_ratios == m.max_level),
                "one ratio, or one for each level but the finest");
  lines.require(!m.blocks_per_level.empty() &&
                    m.blocks_per_level.size() <= static_cast<std::size_t>(m.max_level) + 1,
                "1 to max_level + 1 levels");
  for (const std::int64_t n : m.blocks_per_level)
    lines.require(n >= 1 && n <= (std::int64_t{1} << 40), "blocks_per_level in [1, 2^40]");
  lines.require(m.totals_at_start.size() >= m.components.size(), "one total a component");
  lines.require(m.blocks_per_file >= 1, "blocks_per_file of at least 1");
}

Result<Manifest> fail(std::string_view why) {
  return std::unexpected(Failure{fmt::format("it is damaged: {}", why)});
}

/// The first two lines and the last: is this a manifest, and is it what was written?
std::string damage(std::string_view text) {
  if (!text.starts_with(magic) || text.substr(magic.size(), 1) != "\n")
    return fmt::format("line 1: expected '{}'", magic);
  const std::string first = first_lines(text.size());
  if (!text.starts_with(first) || text.size() < first.size() + crc_line_size)
    return fmt::format("line 2: expected the length, {}", text.size());
  const std::string_view rest = text.substr(0, text.size() - crc_line_size);
  if (text.substr(rest.size()) != fmt::format("crc32c {:08x}\n", crc_of(rest)))
    return fmt::format("its check sum is {:08x} and not what its last line says", crc_of(rest));
  return {};
}

}  // namespace

std::uint64_t Manifest::n_blocks() const {
  std::uint64_t n = 0;
  for (const std::int64_t of_level : blocks_per_level) n += static_cast<std::uint64_t>(of_level);
  return n;
}

std::uint64_t Manifest::block_bytes() const {
  // Doubles of one component with so many more points on an axis than cells.
  const auto points = [&](std::size_t axis, std::int64_t more) {
    std::uint64_t n = 1;
    for (std::size_t a = 0; a < block_cells.size(); ++a)
      n *= static_cast<std::uint64_t>(block_cells[a] + (a == axis ? more : 0));
    return n;
  };
  std::uint64_t n = components.size() * points(0, 0);
  for (std::size_t axis = 0; axis < block_cells.size(); ++axis)
    n += static_cast<std::uint64_t>(face_fields) * points(axis, 1);
  return n * sizeof(double);
}

std::string to_text(const Manifest& manifest) {
  THALWEG_EXPECT(!manifest.scheme.empty() && !manifest.scheme.contains('\n'), "a scheme of a line");
  const std::string middle = body(manifest);
  const std::string text =
      first_lines(first_lines(0).size() + middle.size() + crc_line_size) + middle;
  return text + fmt::format("crc32c {:08x}\n", crc_of(text));
}

Result<Manifest> parse_manifest(std::string_view text) {
  const std::string_view first_line = text.substr(0, text.find('\n'));
  if (first_line.starts_with(magic_of_all) && first_line != magic)
    return std::unexpected(Failure{fmt::format(
        "it is of version '{}' (this program reads '{}'); use the program that wrote it",
        printable(first_line.substr(magic_of_all.size()), 60), magic.substr(magic_of_all.size()))});
  if (const std::string why = damage(text); !why.empty()) return fail(why);
  detail::LineReader lines(text.substr(first_lines(0).size()));
  Manifest m;
  m.sequence = lines.number<std::uint64_t>("sequence");
  m.scheme = lines.line("scheme");
  if (lines.is_next("functions"))
    for (const std::string_view name : lines.words("functions")) m.functions.emplace_back(name);
  for (const std::string_view name : lines.words("components")) m.components.emplace_back(name);
  if (lines.is_next("face_fields")) m.face_fields = lines.number<int>("face_fields");
  m.step = lines.number<std::int64_t>("step");
  m.time = lines.number<double>("time");
  m.dt_before = lines.number<double>("dt_before");
  m.last_regrid = lines.number<std::int64_t>("last_regrid");
  if (lines.is_next("origin_step")) {
    m.origin_step = lines.number<std::int64_t>("origin_step");
    m.origin_time = lines.number<double>("origin_time");
  }
  m.dimension = lines.number<int>("dimension");
  m.lower = lines.numbers<double>("lower");
  m.upper = lines.numbers<double>("upper");
  m.root_blocks = lines.numbers<std::int64_t>("root_blocks");
  m.periodic = lines.numbers<std::int64_t>("periodic");
  m.block_cells = lines.numbers<std::int64_t>("block_cells");
  m.ratio = lines.numbers<std::int64_t>("ratio");
  m.max_level = lines.number<int>("max_level");
  m.blocks_per_level = lines.numbers<std::int64_t>("blocks_per_level");
  m.totals_at_start = lines.numbers<double>("totals_at_start", detail::Reals::any);
  m.blocks_per_file = lines.number<std::uint64_t>("blocks_per_file");
  m.index_crc = lines.number<std::uint32_t>("index_crc", 16);
  m.deck = lines.bytes(lines.number<std::uint64_t>("deck"));
  check_ranges(m, lines);
  if (!lines.error().empty()) return fail(lines.error());
  // What reads back but would be written otherwise (blanks, zeros in front, lines behind) is wrong.
  if (to_text(m) != text) return fail("it is not written as this program writes it");
  return m;
}

}  // namespace thalweg::io

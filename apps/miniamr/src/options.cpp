// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/options.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/complaints.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/miniamr/reservation.hpp>
#include <thalweg/miniamr/time_control.hpp>

#include "option_table.hpp"

namespace thalweg::miniamr {
namespace {

const OptionRow* find_row(std::string_view name) {
  const auto table = option_table();
  const auto row = std::ranges::find(table, name, &OptionRow::name);
  return row == table.end() ? nullptr : &*row;
}

/// Read a word as an option, and the values behind it.
void read_one(Words& words, Reading& reading) {
  const auto name = words.take("");
  const OptionRow* row = find_row(name);
  if (row == nullptr)
    throw Error(
        fmt::format("unknown option '{}' (it would be ignored); see thalweg miniamr --help", name));
  const bool is_object = name == "--object";
  reading.names.push_back(row->name);
  row->read(words, name, reading);
  if (is_object && std::ssize(reading.options.objects) > reading.n_objects)
    throw Error(
        fmt::format("more objects than --num_objects {} (which must come before them); "
                    "give the number that there are",
                    reading.n_objects));
}

void check_objects(const Reading& reading, Complaints& complaints) {
  const auto n = std::ssize(reading.options.objects);
  if (n < reading.n_objects)
    complaints.add(
        fmt::format("{} objects with --num_objects {} (some are missing); add --object "
                    "for each, or lower the number",
                    n, reading.n_objects));
  if (reading.options.quirks == Quirks::reference) return;  // which hit nothing there
  for (const Object& object : reading.options.objects)
    if (std::ranges::find(object_types(), object.type, &ObjectType::number) == object_types().end())
      complaints.add(
          fmt::format("--object of type {} (there are 0 to 15 and 20 to 25); see "
                      "thalweg miniamr --help",
                      object.type));
  for (const Object& object : reading.options.objects)
    if (object.bounce < 0 || object.bounce > 2)
      complaints.add(fmt::format(
          "--object that bounces as {} (0: not at all, 1: its centre, 2: its edge); give "
          "one of these",
          object.bounce));
  for (const Object& object : reading.options.objects)
    for (int a = 0; a < 3; ++a)
      if (object.size[a] < 0 && object.growth[a] <= 0)
        complaints.add(
            fmt::format("--object with a half-size of {} in {} (it is never there, and refines "
                        "nothing); give 0 or more",
                        object.size[a], axis_name(a)));
}

void check_mesh(const Options& o, int n_ranks, Complaints& complaints) {
  std::int64_t n_grid = 1;
  std::int64_t n_init = 1;
  for (int a = 0; a < 3; ++a) {
    if (o.block_cells[a] % 2 != 0)
      complaints.add(fmt::format("--n{} {} (blocks are halved, so it must be even); try {}",
                                 axis_name(a), o.block_cells[a], o.block_cells[a] + 1));
    const std::int64_t root = std::int64_t{o.init[a]} * o.ranks[a];
    if (root > (std::int64_t{1} << 20) >> o.num_refine)  // the other way it might overflow
      complaints.add(
          fmt::format("{} root blocks in {} and --num_refine {} (more than 2^20 blocks "
                      "on the finest level cannot be numbered); lower either",
                      root, axis_name(a), o.num_refine));
    n_grid = std::min<std::int64_t>(n_grid * o.ranks[a], std::numeric_limits<int>::max());
    n_init = std::min<std::int64_t>(n_init * o.init[a], std::numeric_limits<int>::max());
  }
  if (n_grid != n_ranks)
    complaints.add(
        fmt::format("--npx {} --npy {} --npz {} on {} ranks (the product must be the "
                    "number of ranks); start as many ranks, or change the grid",
                    o.ranks[0], o.ranks[1], o.ranks[2], n_ranks));
  if (o.max_blocks && *o.max_blocks < n_init)
    complaints.add(fmt::format("--max_blocks {} (a rank begins with {} blocks); raise it",
                               *o.max_blocks, n_init));
}

void check_memory(const Options& o, std::size_t memory_bytes, Complaints& complaints) {
  const double needed = bytes_of_first_blocks(o);
  if (memory_bytes == 0 || needed <= static_cast<double>(memory_bytes)) return;
  complaints.add(fmt::format(
      "{} x {} x {} root blocks per rank of {} x {} x {} cells with --num_vars {}{} (need "
      "{:.1f} GiB, and there are {:.1f}); take fewer or smaller blocks, or fewer "
      "variables",
      o.init[0], o.init[1], o.init[2], o.block_cells[0], o.block_cells[1], o.block_cells[2],
      o.num_vars, o.uniform_refine ? fmt::format(" and --num_refine {}", o.num_refine) : "",
      needed / 0x1p30, static_cast<double>(memory_bytes) / 0x1p30));
}

/// Complain of an end that timesteps never reach. @pre the mesh has no complaints
void check_time(const Options& o, Complaints& complaints) {
  if (!o.time || o.num_tsteps) return;
  const double delta = step_length(o, o.objects);
  constexpr int n_most = std::numeric_limits<int>::max();
  if (*o.time > n_most * delta)
    complaints.add(
        fmt::format("--time {} in timesteps of {} (more than {} of them, which cannot be "
                    "counted); give an earlier end, or --num_tsteps",
                    *o.time, delta, n_most));
}

/// Read all words, after those of a preset if there is one.
Reading read_all(std::span<const std::string> words, Reading reading) {
  for (Words left(words); !left.is_at_end();) read_one(left, reading);
  return reading;
}

bool gives_any(const Reading& reading, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) {
    return std::ranges::find(reading.names, name) != reading.names.end();
  });
}

/// Complain of options that would have no effect; the reference takes the last placement.
void check_effects(const Reading& reading, Complaints& complaints) {
  std::vector<std::string_view> placements;
  for (const std::string_view name : {"--rcb", "--morton", "--hilbert", "--trunc_hilbert"})
    if (gives_any(reading, {name})) placements.push_back(name);
  if (placements.size() > 1 && reading.options.quirks != Quirks::reference)
    complaints.add(fmt::format("{} and {} (blocks are placed in one way); leave one out",
                               placements[0], placements[1]));
  if (reading.options.plotfile_freq == 0 && gives_any(reading, {"--plotfile_vars"}))
    complaints.add(
        "--plotfile_vars without --plotfile_freq (no plotfiles are written); add it, or leave this "
        "out");
}

/// Share a preset's root blocks out among the ranks, on each axis on which no option says how.
void settle_grid(Reading& reading, int n_ranks, Complaints& complaints) {
  Options& o = reading.options;
  const Index<3> root = reading.preset.root_blocks();
  if (!gives_any(reading, {"--npx", "--npy", "--npz"})) {
    const auto grid = grid_of_ranks(root, n_ranks);
    if (!grid)
      return complaints.add(
          fmt::format("--preset {} on {} ranks (its {} x {} x {} root blocks cannot be shared out "
                      "equally); start on another number of ranks",
                      reading.preset.preset->name, n_ranks, root[0], root[1], root[2]));
    o.ranks = *grid;
  }
  constexpr std::array<std::string_view, 3> init_names{"--init_x", "--init_y", "--init_z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (gives_any(reading, {init_names[axis]})) continue;
    const int a = static_cast<int>(axis);
    if (root[a] % o.ranks[a] != 0)
      complaints.add(fmt::format(
          "{} ranks on axis {} for {} root blocks of --preset {} (they cannot "
          "be shared out equally); change the grid, or give {}",
          o.ranks[a], axis_name(a), root[a], reading.preset.preset->name, init_names[axis]));
    o.init[a] = root[a] / o.ranks[a];
  }
}

/// Options in lines of at most 96 characters, none cut in two.
std::string in_lines(std::string_view options) {
  std::string text;
  std::size_t length = 0;
  while (!options.empty()) {
    const std::string_view option = options.substr(0, options.find(" --"));
    if (length == 0 || length + option.size() > 96) {
      text += text.empty() ? "   " : "\n   ";
      length = 3;
    }
    text += fmt::format(" {}", option);
    length += option.size() + 1;
    options.remove_prefix(std::min(option.size() + 1, options.size()));
  }
  return text + "\n";
}

std::string preset_help() {
  std::string text =
      "\nPresets, 4 x 4 x 4 root blocks per node; the grid of ranks follows from their number:\n";
  for (const Preset& preset : presets())
    text += fmt::format("  {:<15} {}\n{}    with --scaled, 2 x 2 x 2 root blocks per node and {}\n",
                        preset.name, preset.what, in_lines(preset.options), preset.scaled_options);
  return text;
}

}  // namespace

Index<3> Options::root_blocks() const {
  Index<3> n;
  for (int a = 0; a < 3; ++a) n[a] = init[a] * ranks[a];
  return n;
}

Options parse_options(std::span<const std::string> words, int n_ranks, std::size_t memory_bytes) {
  // After an option that cannot be read nobody knows where the next begins.
  Reading reading = read_all(words, {});
  Complaints complaints;
  if (reading.preset.preset != nullptr) {
    Reading preset = read_all(reading.preset.words(), {});
    preset.names.clear();
    reading = read_all(words, std::move(preset));
    settle_grid(reading, n_ranks, complaints);
    complaints.throw_if_any();
  } else if (gives_any(reading, {"--nodes", "--scaled"})) {
    complaints.add("--nodes or --scaled without --preset (they say how much of it); name one");
  }
  const Options& o = reading.options;
  check_mesh(o, n_ranks, complaints);
  check_objects(reading, complaints);
  check_effects(reading, complaints);
  app::check_request(o.trace, "--trace_steps", complaints);
  if (o.stencil == Stencil::mixed && o.num_vars < 8)
    complaints.add(
        fmt::format("--stencil 0 with --num_vars {} (it mixes variables of four groups "
                    "of two or more); give 8 or more",
                    o.num_vars));
  check_memory(o, memory_bytes, complaints);
  complaints.throw_if_any();
  check_time(o, complaints);
  complaints.throw_if_any();
  return o;
}

std::string option_help() {
  std::string text =
      "thalweg miniamr: the proxy application miniAMR, with the reference program's options.\n\n"
      "Options (defaults in parentheses):\n";
  for (const OptionRow& row : option_table())
    text += fmt::format("  {:<24}{}\n", fmt::format("{} {}", row.name, row.values), row.help);
  text += preset_help();
  text += "\nTypes of objects:\n";
  for (const ObjectType& type : object_types())
    text += fmt::format("  {:>2}  {}\n", type.number, type.name);
  text +=
      "bounce 1: the centre bounces off the walls, 2: the edge does. c centre, m movement, s "
      "half-size,\ni its growth; m and i per timestep, with --time per unit of time.\n"
      "\nWhere the reference program slips, this one does not; --compat does as it does:\n"
      "  objects of type 0      their faces in z are not refined, but blocks beside them are\n"
      "  types 22 and 24        their ends are looked for along x\n"
      "  bounce 2               has no effect\n"
      "  --time                 objects behind one that is outside or gone do not count\n"
      "  unknown types          hit nothing (here: an error)\n"
      "  several placements     the last one counts (here: an error)\n"
      "  negative half-sizes    the object is not there (here: an error, unless it grows)\n"
      "  results.yaml           is indented and has 'code' twice, which YAML readers refuse\n"
      "and without a switch:\n"
      "  --refine_freq 0        refines at the start only (there: the program dies)\n"
      "  --max_blocks           is not needed (there: 500); blocks that a balance would give to "
      "a\n"
      "                         full rank stay (there: the program ends)\n"
      "  --num_tsteps 0         is refused (there: one step is taken)\n"
      "  --blocking_send        changes nothing, nor does --code with --stencil 7 (there: what "
      "waits\n"
      "                         and what is sent, on which no result depends)\n"
      "  --refine_ghosts        is accepted, as its README spells it\n"
      "  --stencil 27, 0        edges and corners that no exchange renews are as old as there, but "
      "new\n"
      "                         blocks have none (there: what was left in memory, which differs\n"
      "                         from layout to layout); --code 1 and 2 renew all of them,\n"
      "                         but with --stencil 0 and --comm_vars below num_vars not those of\n"
      "                         variables that are exchanged later (there: what differs from "
      "layout\n"
      "                         to layout)\n"
      "  --morton, --hilbert    work for any number of root blocks and levels (there: crashes and\n"
      "                         hangs)\n"
      "  --init rand            with --hilbert and --trunc_hilbert root blocks lie on other "
      "ranks,\n"
      "                         which draw other values there\n"
      "  checksums              a run that fails one ends with exit code 3 and without a report\n"
      "                         (there: with 0, and a report of a total time of 0)\n"
      "  numbers                must be numbers, and in range (there: 'x' is 0)\n"
      "\nThe last of an option that is given twice counts, as there.\n";
  return text;
}

}  // namespace thalweg::miniamr

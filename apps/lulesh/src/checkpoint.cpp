// SPDX-License-Identifier: MIT
#include "checkpoint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/shared_text.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::lulesh {
namespace {

/// What a file begins with; arrays of elements and then of nodes follow, as this machine has them
/// in memory.
struct Header {
  std::uint64_t magic = 0x31305f68736c756c;  ///< "lulsh_01" where the lowest byte comes first
  std::uint64_t n = 0;                       ///< elements along an edge of the whole mesh
  std::int64_t cycle = 0;
  double time = 0;
  double dt = 0;
  Constraints bounds{};
  std::uint64_t sum = 0;  ///< of hashes of all that follows, by place

  /// The sum that the file has of its own numbers, too.
  std::uint64_t with(std::uint64_t hashes) const {
    std::uint64_t sum_of_all = hashes;
    for (const std::uint64_t number :
         {magic, n, static_cast<std::uint64_t>(cycle), std::bit_cast<std::uint64_t>(time),
          std::bit_cast<std::uint64_t>(dt), std::bit_cast<std::uint64_t>(bounds.courant),
          std::bit_cast<std::uint64_t>(bounds.hydro)})
      sum_of_all = hash_number(number, sum_of_all);
    return sum_of_all;
  }
};

/// Numbers that follow each other on a rank and in the file.
struct Run {
  std::size_t here;
  std::uint64_t there;
  std::size_t size;
};

/// A rank's part of an array of points^3 numbers of the whole mesh.
/// @param n  its numbers along an edge in memory  @param end  of those that are meant, from 0 on
std::vector<Run> runs_of(const Cube& cube, int n, std::uint64_t points, const Index<3>& end) {
  std::vector<Run> runs;
  const auto at = [&](int axis, int i) {
    return static_cast<std::uint64_t>(cube.position()[axis] * cube.s() + i);
  };
  for (int k = 0; k < end[2]; ++k)
    for (int j = 0; j < end[1]; ++j) {
      const Run row{static_cast<std::size_t>((k * n + j) * n),
                    (at(2, k) * points + at(1, j)) * points + at(0, 0),
                    static_cast<std::size_t>(end[0])};
      if (!runs.empty() && runs.back().here + runs.back().size == row.here &&
          runs.back().there + runs.back().size == row.there)
        runs.back().size += row.size;
      else
        runs.push_back(row);
    }
  return runs;
}

/// Call f(numbers, place in the file) for all that a rank has of a file.
/// @param end  of the nodes that are meant, along each axis
template <class F>
void for_each_run(const State& state, const Index<3>& end, const F& f) {
  const Cube& cube = state.cube();
  const Fields& fields = state.fields();
  const auto n = static_cast<std::uint64_t>(cube.s() * cube.side());
  std::uint64_t begin = 0;
  const auto take = [&](std::span<double* const> arrays, const std::vector<Run>& runs,
                        std::uint64_t points) {
    for (double* const array : arrays) {
      for (const Run& run : runs) f(std::span(array + run.here, run.size), begin + run.there);
      begin += points * points * points;
    }
  };
  const Index<3> all = Index<3>::filled(cube.s());
  take(std::array{fields.e, fields.p, fields.q, fields.v, fields.ss},
       runs_of(cube, cube.s(), n, all), n);
  take(std::array{fields.x, fields.y, fields.z, fields.xd, fields.yd, fields.zd},
       runs_of(cube, cube.s() + 1, n + 1, end), n + 1);
}

/// Nodes that a rank writes: those between two ranks belong to the upper one.
Index<3> end_of_own_nodes(const Cube& cube) {
  Index<3> end;
  for (int a = 0; a < 3; ++a) end[a] = cube.s() + (cube.position()[a] == cube.side() - 1 ? 1 : 0);
  return end;
}

std::uint64_t hash_at(std::span<const double> numbers, std::uint64_t place) {
  std::uint64_t sum = 0;
  for (const double number : numbers)
    sum += hash_number(std::bit_cast<std::uint64_t>(number), place++);
  return sum;
}

/// The hashes of all ranks' own numbers.
std::uint64_t sum_of_hashes(const app::Context& context, const State& state) {
  std::uint64_t sum = 0;
  for_each_run(state, end_of_own_nodes(state.cube()),
               [&](std::span<const double> numbers, std::uint64_t place) {
                 sum += hash_at(numbers, place);
               });
  return flow::all_reduce(context.transport, sum, std::plus<std::uint64_t>());
}

std::uint64_t byte_of(std::uint64_t place) {
  return sizeof(Header) + place * sizeof(double);
}

}  // namespace

Result<void> write_checkpoint(const app::Context& context, const std::string& path,
                              const State& state) {
  const auto temporary = app::make_shared_temporary(context, path);
  if (!temporary) return std::unexpected(temporary.error());
  const std::string& beside = *temporary;
  Header header{.n = static_cast<std::uint64_t>(state.cube().s() * state.cube().side()),
                .cycle = state.clock.cycle,
                .time = state.clock.time,
                .dt = state.clock.dt,
                .bounds = state.verdict.bounds};
  header.sum = header.with(sum_of_hashes(context, state));
  Result<void> mine;
  if (context.transport.rank() == Rank(0))
    mine = context.files.write(beside, 0, std::as_bytes(std::span(&header, 1)));
  std::vector<io::Piece<const std::byte>> pieces;
  for_each_run(state, end_of_own_nodes(state.cube()),
               [&](std::span<const double> numbers, std::uint64_t place) {
                 pieces.push_back({byte_of(place), std::as_bytes(numbers)});
               });
  if (mine) mine = context.files.write_pieces(beside, pieces);
  if (mine) mine = context.files.sync(beside);
  return app::publish_or_remove(context, beside, mine,
                                [&] { return context.files.rename(beside, path); });
}

Result<void> read_checkpoint(const app::Context& context, const std::string& path, State& state) {
  Header header;
  const std::uint64_t magic = header.magic;
  const auto n = static_cast<std::uint64_t>(state.cube().s() * state.cube().side());
  Result<void> mine = context.files.read(path, 0, std::as_writable_bytes(std::span(&header, 1)));
  if (mine && header.magic != magic)
    mine = std::unexpected(Failure{fmt::format("'{}' is no checkpoint of LULESH", path)});
  else if (mine && header.n != n)
    mine = std::unexpected(Failure{fmt::format(
        "'{}' has a mesh of {}^3 elements, and these ranks one of {}^3", path, header.n, n)});
  std::vector<io::Piece<std::byte>> pieces;
  for_each_run(state, Index<3>::filled(state.cube().s() + 1),
               [&](std::span<double> numbers, std::uint64_t place) {
                 pieces.push_back({byte_of(place), std::as_writable_bytes(numbers)});
               });
  if (mine) mine = context.files.read_pieces(path, pieces);
  if (const auto all = app::check_on_all_ranks(context.transport, mine); !all) return all;
  if (header.with(sum_of_hashes(context, state)) != header.sum)
    return std::unexpected(Failure{fmt::format("'{}' is damaged", path)});
  state.clock = {.time = header.time, .dt = header.dt, .cycle = header.cycle};
  state.verdict = {.bounds = header.bounds};
  return {};
}

}  // namespace thalweg::lulesh

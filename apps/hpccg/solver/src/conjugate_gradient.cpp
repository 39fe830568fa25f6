// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/conjugate_gradient.hpp>

#include <algorithm>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/flow/recorder.hpp>

#include "cg_recording.hpp"
#include "cg_state.hpp"

namespace thalweg::hpccg {
namespace {

/// Blocks of whole pieces, of about equal sizes, none of them empty.
std::vector<Rows> cut(const AnyOperator& a, std::int64_t n_most) {
  const std::int64_t n_pieces = (a.n_rows + a.piece_rows - 1) / a.piece_rows;
  const std::int64_t n = std::min(n_most, n_pieces);
  std::vector<Rows> blocks;
  for (std::int64_t b = 0; b < n; ++b)
    blocks.push_back({n_pieces * b / n * a.piece_rows,
                      std::min(n_pieces * (b + 1) / n * a.piece_rows, a.n_rows)});
  return blocks;
}

using Record = void (CgRecording::*)();

flow::Graph record(CgState& state, Rank rank, int n_ranks, Record what) {
  flow::Recorder recorder(rank, n_ranks);
  CgRecording recording(recorder, state);
  (recording.*what)();
  return flow::capture(std::move(recorder), state.settings.model);
}

Record iteration_of(Method method) {
  return method == Method::pipelined ? &CgRecording::pipelined_iteration
                                     : &CgRecording::plain_iteration;
}

}  // namespace

CgState::CgState(AnyOperator op, std::span<const double> right, std::span<double> solution,
                 const CgSettings& chosen)
    : a(std::move(op)), b(right), x(solution), settings(chosen), blocks(cut(a, chosen.n_blocks)) {
  const auto n = static_cast<std::size_t>(a.n_rows);
  const auto n_columns = static_cast<std::size_t>(a.n_columns());
  const bool is_pipelined = settings.method == Method::pipelined;
  THALWEG_EXPECT(b.size() == n && x.size() == n, "a number for each row");
  THALWEG_EXPECT(chosen.n_blocks > 0 && a.piece_rows > 0, "blocks and pieces of some rows");
  r.resize(n);
  ap.resize(n);
  p.resize(is_pipelined ? n : n_columns);
  if (is_pipelined) {
    w.resize(n_columns);
    s.resize(n);
    z.resize(n);
  }
  rr.resize(blocks.size());
  pap.resize(blocks.size());
  for (const HaloMessage& message : a.halo) {
    std::int64_t n_sent = 0;
    for (const Rows rows : message.sent) n_sent += rows.size();
    packed.emplace_back(static_cast<std::size_t>(n_sent));
  }
}

ConjugateGradient::ConjugateGradient(AnyOperator a, std::span<const double> b, std::span<double> x,
                                     const CgSettings& settings, Rank rank, int n_ranks)
    : state_(std::make_unique<CgState>(std::move(a), b, x, settings)),
      start_(record(*state_, rank, n_ranks, &CgRecording::start)),
      iteration_(record(*state_, rank, n_ranks, iteration_of(settings.method))) {}

ConjugateGradient::~ConjugateGradient() = default;

Result<CgReport> ConjugateGradient::solve_by(const RunGraph& run_graph,
                                             const OnIteration& on_iteration) {
  CgState& s = *state_;
  s.on_iteration = &on_iteration;
  s.report = {};
  if (const auto started = run_graph(start_, 1, std::nullopt); !started)
    return std::unexpected(started.error());
  s.report.residual = s.report.initial_residual;
  if (on_iteration) on_iteration(0, s.report.initial_residual);
  if (s.report.initial_residual <= s.settings.tolerance) return s.report;
  const auto run = run_graph(iteration_, static_cast<std::uint64_t>(s.settings.max_iterations), 1);
  if (!run) return std::unexpected(run.error());
  s.report.n_iterations = static_cast<std::int64_t>(run->n_replays);
  return s.report;
}

}  // namespace thalweg::hpccg

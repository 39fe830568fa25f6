// SPDX-License-Identifier: MIT
#include "record_cycle.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace thalweg::lulesh {
namespace {

using flow::Access;
using flow::Mode;

constexpr int for_all_ranks = 3;  // priorities: what all ranks wait for
constexpr int for_a_rank = 2;     // what a neighbour waits for

void add(std::vector<Access>& accesses, const std::vector<flow::DatumId>& data,
         const std::vector<std::size_t>& which, Mode mode) {
  for (const std::size_t i : which) accesses.push_back({data[i], mode});
}
void add_all(std::vector<Access>& accesses, const std::vector<flow::DatumId>& data, Mode mode) {
  for (const flow::DatumId datum : data) accesses.push_back({datum, mode});
}

}  // namespace

CycleBuffers::CycleBuffers(const Connectivity& connectivity, const Layout& layout)
    : force_faults(layout.elements.size()),
      element_faults(layout.elements.size()),
      verdicts(layout.chunks.size()) {
  for (const Exchange& exchange : connectivity.forces) forces.emplace_back(exchange.sent.size());
  for (const auto& [axis, exchange] : connectivity.gradients)
    gradients.emplace_back(exchange.sent.size());
}

CycleRecording::CycleRecording(flow::Recorder& recorder, State& state, const Layout& layout,
                               CycleBuffers& buffers, const Loops& loops, std::uint32_t n_workers)
    : g_(recorder),
      s_(state),
      layout_(layout),
      buffers_(buffers),
      loops_(loops),
      n_workers_(n_workers),
      motion_(data("place and velocity", layout.nodes.size())),
      accelerations_(data("acceleration", layout.nodes.size())),
      corners_(data("corner forces", layout.elements.size())),
      kinematics_(data("kinematics", layout.elements.size())),
      material_(data("material", layout.chunks.size())),
      packed_forces_(data("packed corner forces", buffers.forces.size())),
      ghost_forces_(data("neighbour's corner forces", buffers.forces.size())),
      packed_gradients_(data("packed gradients", buffers.gradients.size())),
      ghost_gradients_(data("neighbour's gradients", buffers.gradients.size())),
      clock_(recorder.datum("clock")),
      verdict_(recorder.datum("verdict")) {}

CycleRecording::BlockData CycleRecording::data(const char* name, std::size_t n) {
  BlockData all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(g_.datum(name));
  return all;
}

flow::TaskOptions CycleRecording::options_of(std::size_t block, std::size_t n_blocks,
                                             int priority) const {
  return {.priority = priority,
          .preferred_worker = static_cast<std::uint32_t>(block * n_workers_ / n_blocks),
          .block = block};
}

void CycleRecording::record(const std::int64_t& last_cycle, const OnCycle& on_cycle) {
  const auto phase = [&](const char* name) { g_.phase(name, flow::PhaseKind::level); };
  phase("forces");
  forces();
  exchange_forces();
  phase("accelerations");
  accelerations();
  begin_cycle(last_cycle, on_cycle);
  phase("motion");
  motion();
  phase("kinematics");
  kinematics();
  exchange_gradients();
  phase("material");
  material();
  phase("reduction");
  reduce();
}

void CycleRecording::forces() {
  for (std::size_t b = 0; b < layout_.elements.size(); ++b) {
    std::vector<Access> accesses{{corners_[b], Mode::out}};
    add(accesses, motion_, layout_.nodes_of_elements[b], Mode::in);
    add(accesses, material_, layout_.chunks_of_elements[b], Mode::in);
    g_.task(
        "force", accesses,
        [this_block = layout_.elements[b], &s = s_, &loops = loops_,
         &fault = buffers_.force_faults[b]](flow::TaskContext&) {
          fault = loops.force(s.fields(), this_block);
        },
        options_of(b, layout_.elements.size(), 0));
  }
}

void CycleRecording::exchange_forces() {
  for (std::size_t m = 0; m < buffers_.forces.size(); ++m) {
    const Exchange& exchange = s_.connectivity().forces[m];
    std::vector<Access> accesses{{packed_forces_[m], Mode::out}};
    add(accesses, corners_, layout_.elements_of_forces[m], Mode::in);
    g_.task("pack forces", accesses,
            [&exchange, &s = s_, &packed = buffers_.forces[m]](flow::TaskContext&) {
              std::ranges::transform(exchange.sent, packed.begin(),
                                     [&](std::uint32_t slot) { return s.fields().corners[slot]; });
            },
            {.priority = for_a_rank});
    g_.send(packed_forces_[m], std::as_bytes(std::span(buffers_.forces[m])), exchange.peer);
    g_.recv(ghost_forces_[m],
            std::as_writable_bytes(
                std::span(s_.fields().corners + exchange.received_begin, exchange.sent.size())),
            exchange.peer);
  }
}

void CycleRecording::accelerations() {
  for (std::size_t b = 0; b < layout_.nodes.size(); ++b) {
    std::vector<Access> accesses{{accelerations_[b], Mode::out}};
    add(accesses, corners_, layout_.elements_of_nodes[b], Mode::in);
    add(accesses, ghost_forces_, layout_.forces_of_nodes[b], Mode::in);
    g_.task(
        "acceleration", accesses,
        [block = layout_.nodes[b], &s = s_, &loops = loops_](flow::TaskContext&) {
          loops.accelerate(s.fields(), block);
        },
        options_of(b, layout_.nodes.size(), 0));
  }
}

void CycleRecording::begin_cycle(const std::int64_t& last_cycle, const OnCycle& on_cycle) {
  g_.task("begin cycle", std::array{Access{verdict_, Mode::in}, Access{clock_, Mode::inout}},
          [&s = s_, &on_cycle, &last_cycle](flow::TaskContext& context) {
            lulesh::begin_cycle(s.clock, s.verdict);
            if (s.clock.is_at_end(last_cycle)) context.request_stop();
            if (on_cycle) on_cycle(s.clock);
          },
          {.priority = for_all_ranks, .controls_termination = true});
}

void CycleRecording::motion() {
  for (std::size_t b = 0; b < layout_.nodes.size(); ++b)
    g_.task(
        "motion",
        std::array{Access{accelerations_[b], Mode::in}, Access{clock_, Mode::in},
                   Access{motion_[b], Mode::inout}},
        [block = layout_.nodes[b], &s = s_, &loops = loops_](flow::TaskContext&) {
          loops.move(s.fields(), block, s.clock.dt);
        },
        options_of(b, layout_.nodes.size(), 0));
}

void CycleRecording::kinematics() {
  for (std::size_t b = 0; b < layout_.elements.size(); ++b) {
    // What the forces found is passed on here: what reads it does not hold up the next forces.
    std::vector<Access> accesses{
        {kinematics_[b], Mode::out}, {corners_[b], Mode::in}, {clock_, Mode::in}};
    add(accesses, motion_, layout_.nodes_of_elements[b], Mode::in);
    add(accesses, material_, layout_.chunks_of_elements[b], Mode::in);
    g_.task(
        "kinematics", accesses,
        [block = layout_.elements[b], b, &s = s_, &loops = loops_,
         &buffers = buffers_](flow::TaskContext&) {
          buffers.element_faults[b] =
              std::min(buffers.force_faults[b], loops.kinematics(s.fields(), block, s.clock.dt));
        },
        options_of(b, layout_.elements.size(), 0));
  }
}

void CycleRecording::exchange_gradients() {
  for (std::size_t m = 0; m < buffers_.gradients.size(); ++m) {
    const auto& [axis, exchange] = s_.connectivity().gradients[m];
    double* const gradients = s_.fields().delv_of[axis];
    std::vector<Access> accesses{{packed_gradients_[m], Mode::out}};
    add(accesses, kinematics_, layout_.elements_of_gradients[m], Mode::in);
    g_.task(
        "pack gradients", accesses,
        [gradients, &sent = exchange.sent, &packed = buffers_.gradients[m]](flow::TaskContext&) {
          std::ranges::transform(sent, packed.begin(),
                                 [&](std::uint32_t e) { return gradients[e]; });
        },
        {.priority = for_a_rank});
    g_.send(packed_gradients_[m], std::as_bytes(std::span(buffers_.gradients[m])), exchange.peer);
    g_.recv(ghost_gradients_[m],
            std::as_writable_bytes(
                std::span(gradients + exchange.received_begin, exchange.sent.size())),
            exchange.peer);
  }
}

void CycleRecording::material() {
  for (std::size_t c = 0; c < layout_.chunks.size(); ++c) {
    std::vector<Access> accesses{{material_[c], Mode::inout}};
    add(accesses, kinematics_, layout_.elements_of_chunks[c], Mode::in);
    add(accesses, ghost_gradients_, layout_.gradients_of_chunks[c], Mode::in);
    g_.task(
        "material", accesses,
        [&chunk = layout_.chunks[c], &verdict = buffers_.verdicts[c], &s = s_,
         &loops = loops_](flow::TaskContext& context) {
          verdict = {};
          auto* const scratch = reinterpret_cast<double*>(context.scratch().data());
          for (const Piece& piece : chunk.pieces)
            verdict.fault =
                std::min(verdict.fault, loops.material(s.fields(), piece, scratch, verdict.bounds));
        },
        options_of(c, layout_.chunks.size(), 0));
  }
}

void CycleRecording::reduce() {
  std::vector<Access> accesses{{verdict_, Mode::out}};
  add_all(accesses, material_, Mode::in);
  add_all(accesses, kinematics_, Mode::in);
  g_.task("verdict", accesses,
          [&s = s_, &buffers = buffers_](flow::TaskContext&) {
            s.verdict = {};
            for (const Verdict& verdict : buffers.verdicts) s.verdict = combine(s.verdict, verdict);
            for (const Fault& fault : buffers.element_faults)
              s.verdict.fault = std::min(s.verdict.fault, fault);
            if (s.verdict.fault.check != Check::none)
              s.verdict.fault.element =
                  s.cube().global_element(static_cast<std::uint32_t>(s.verdict.fault.element));
          },
          {.priority = for_all_ranks});
  g_.all_reduce("verdict of all ranks",
                flow::inout(flow::DataRef<Verdict>(verdict_, std::span(&s_.verdict, 1))),
                [](const Verdict& a, const Verdict& b) { return combine(a, b); },
                {.priority = for_all_ranks});
}

}  // namespace thalweg::lulesh

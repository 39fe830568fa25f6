// SPDX-License-Identifier: MIT
#include "cg_recording.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <thalweg/hpccg/solver/task_names.hpp>

namespace thalweg::hpccg {
namespace {

using block_loops::ProductSum;
using flow::Access;
using flow::Mode;

constexpr int for_other_ranks = 2;  // priorities: what they wait for
constexpr int for_a_reduction = 1;
constexpr int for_later = -1;  // nothing waits for it before the next iteration

PartialSum total_of(SumOrder order, std::span<const PartialSum> blocks) {
  if (order == SumOrder::rows) return blocks.empty() ? PartialSum{} : blocks.back();
  PartialSum total;
  for (const PartialSum& block : blocks) total = total + block;
  return total;
}

/// Whether a squared residual has too few digits to divide by.
bool is_too_small(double squared) {
  return squared < std::numeric_limits<double>::min();
}

double norm_of(double squared_residual) {
  if (!std::isfinite(squared_residual))
    throw std::runtime_error(
        fmt::format("the squared residual is {} (a value of A, b or x is not a number, or too "
                    "large to be squared); scale them",
                    squared_residual));
  return std::sqrt(squared_residual);
}

/// A step length. @param what  the denominator is
double quotient(double squared_residual, double denominator, std::string_view what) {
  if (is_too_small(squared_residual)) return 0;
  if (!(denominator > 0))
    throw std::runtime_error(fmt::format(
        "{} is {:g}, which is not positive (the matrix is not symmetric positive definite, or "
        "rounding errors have become larger than the residual); check it, or set a tolerance",
        what, denominator));
  return squared_residual / denominator;
}

/// Note the norm that an iteration begins with. @return whether it is the last
bool begin_iteration(CgState& s, std::uint64_t replay, double squared_residual) {
  s.report.residual = norm_of(squared_residual);
  if (*s.on_iteration) (*s.on_iteration)(static_cast<std::int64_t>(replay) + 1, s.report.residual);
  return s.report.residual <= s.settings.tolerance || is_too_small(squared_residual);
}

/// Set beta, and keep the squared residual for the next.
void set_beta(CgState& s, std::uint64_t replay, double squared_residual) {
  const bool is_first = replay == 0 || is_too_small(s.squared_residual);
  s.beta = is_first ? 0 : squared_residual / s.squared_residual;
  s.squared_residual = squared_residual;
}

}  // namespace

CgRecording::CgRecording(flow::Recorder& recorder, CgState& state)
    : g_(recorder),
      s_(state),
      x_(block_data("x")),
      r_(block_data("r")),
      p_(block_data("p")),
      ap_(block_data("Ap")),
      w_(block_data("w")),
      rr_(block_data("r.r of a block")),
      pap_(block_data("p.Ap of a block")),
      alpha_(g_.datum("alpha")),
      beta_(g_.datum("beta")) {
  for (std::size_t m = 0; m < s_.a.halo.size(); ++m) {
    packed_.push_back(g_.datum("packed"));
    ghosts_.push_back(g_.datum("ghosts"));
  }
}

CgRecording::BlockData CgRecording::block_data(const char* name) {
  BlockData data;
  for (std::size_t b = 0; b < s_.blocks.size(); ++b) data.push_back(g_.datum(name));
  return data;
}

flow::TaskOptions CgRecording::options_of(std::size_t block, int priority) const {
  const auto worker = block * s_.settings.n_workers / s_.blocks.size();
  return {
      .priority = priority, .preferred_worker = static_cast<std::uint32_t>(worker), .block = block};
}

void CgRecording::add_sum(std::vector<Access>& accesses, const BlockData& sums,
                          std::size_t block) const {
  accesses.push_back({sums[block], Mode::out});
  if (s_.settings.sum_order == SumOrder::rows && block > 0)
    accesses.push_back({sums[block - 1], Mode::in});
}

void CgRecording::for_each_block(const char* name, std::initializer_list<BlockUse> uses,
                                 std::initializer_list<const BlockData*> sums,
                                 std::initializer_list<flow::DatumId> scalars, int priority,
                                 const BlockLoop& loop) {
  for (std::size_t b = 0; b < s_.blocks.size(); ++b) {
    std::vector<Access> accesses;
    for (const BlockUse& use : uses) accesses.push_back({use.data[b], use.mode});
    for (const BlockData* sum : sums) add_sum(accesses, *sum, b);
    for (const flow::DatumId scalar : scalars) accesses.push_back({scalar, Mode::in});
    g_.task(
        name, accesses, [&s = s_, loop, b](flow::TaskContext&) { loop(s, b); },
        options_of(b, priority));
  }
}

void CgRecording::exchange(const BlockData& data, LargeVector<double>& vector) {
  for (std::size_t m = 0; m < s_.a.halo.size(); ++m) {
    const HaloMessage& message = s_.a.halo[m];
    std::vector<Access> accesses{{packed_[m], Mode::out}};
    for (const std::size_t b : blocks_of(message.sent)) accesses.push_back({data[b], Mode::in});
    g_.task(task_names::pack, accesses,
            [&s = s_, &vector, m](flow::TaskContext&) {
              auto to = s.packed[m].begin();
              for (const Rows rows : s.a.halo[m].sent)
                to = std::ranges::copy(part(std::span(vector), rows), to).out;
            },
            {.priority = for_other_ranks});
    g_.send(packed_[m], std::as_bytes(std::span(s_.packed[m])), message.peer);
    g_.recv(ghosts_[m], std::as_writable_bytes(part(std::span(vector), message.received)),
            message.peer);
  }
}

std::vector<std::size_t> CgRecording::blocks_of(std::span<const Rows> rows) const {
  std::vector<std::size_t> found;
  for (const Rows some : rows) {
    const auto first = std::ranges::upper_bound(s_.blocks, some.begin, {}, &Rows::end);
    for (auto at = first; at != s_.blocks.end() && at->begin < some.end; ++at)
      found.push_back(static_cast<std::size_t>(at - s_.blocks.begin()));
  }
  std::ranges::sort(found);
  const auto again = std::ranges::unique(found);
  found.erase(again.begin(), again.end());
  return found;
}

void CgRecording::multiply(const BlockData& data, LargeVector<double>& vector, ProductSum sum) {
  begin("exchange");
  exchange(data, vector);
  begin("product");
  for (std::size_t b = 0; b < s_.blocks.size(); ++b) {
    std::vector<Access> accesses{{ap_[b], Mode::out}};
    auto columns = s_.a.columns_of(s_.blocks[b]);
    columns.push_back(s_.blocks[b]);
    for (const std::size_t other : blocks_of(columns)) accesses.push_back({data[other], Mode::in});
    for (std::size_t m = 0; m < ghosts_.size(); ++m)
      if (std::ranges::any_of(columns, [&](Rows c) { return c.overlaps(s_.a.halo[m].received); }))
        accesses.push_back({ghosts_[m], Mode::in});
    if (sum == ProductSum::with_vector) add_sum(accesses, pap_, b);
    g_.task(
        task_names::product, accesses,
        [&s = s_, &vector, sum, b](flow::TaskContext&) {
          block_loops::multiply(s, vector, sum, b);
        },
        options_of(b, for_a_reduction));
  }
}

flow::Data<PartialSum> CgRecording::reduce(
    std::initializer_list<std::pair<const BlockData*, const std::vector<PartialSum>*>> sums) {
  begin("reduce");
  const auto totals = g_.data<PartialSum>("sums", sums.size());
  std::vector<Access> accesses{flow::out(totals).access()};
  std::vector<const std::vector<PartialSum>*> blocks;
  for (const auto& [data, values] : sums) {
    blocks.push_back(values);
    for (const flow::DatumId block : *data) accesses.push_back({block, Mode::in});
  }
  constexpr flow::TaskOptions options{.priority = for_other_ranks};
  g_.task(
      task_names::reduce, accesses,
      [order = s_.settings.sum_order, blocks, to = totals.borrow()](flow::TaskContext&) {
        for (std::size_t i = 0; i < blocks.size(); ++i) to.view()[i] = total_of(order, *blocks[i]);
      },
      options);
  // Only the sum in order of rows has bits that depend on the tree.
  if (s_.settings.sum_order == SumOrder::rows)
    g_.all_reduce_ordered(task_names::reduce, flow::inout(totals), std::plus<PartialSum>(),
                          options);
  else
    g_.all_reduce(task_names::reduce, flow::inout(totals), std::plus<PartialSum>(), options);
  return totals;
}

void CgRecording::start() {
  const bool is_pipelined = s_.settings.method == Method::pipelined;
  const BlockData& data = is_pipelined ? w_ : p_;
  LargeVector<double>& vector = is_pipelined ? s_.w : s_.p;
  const auto copy_from = [&vector](const auto& from) {
    return [&vector, &from](CgState& s, std::size_t block) {
      const auto rows = s.blocks[block];
      std::ranges::copy(part(std::span<const double>(from), rows),
                        part(std::span(vector), rows).begin());
    };
  };
  begin("start");
  for_each_block("copy", {{x_, Mode::in}, {data, Mode::out}}, {}, {}, 0, copy_from(s_.x));
  multiply(data, vector, ProductSum::none);
  begin("start");
  for_each_block("start", {{ap_, Mode::in}, {r_, Mode::out}}, {&rr_}, {}, 0,
                 block_loops::set_residual);
  const auto sums = reduce({{&rr_, &s_.rr}});
  g_.task("initial residual", flow::uses(flow::in(sums)),
          [&s = s_](std::span<const PartialSum> total) {
            s.report.initial_residual = norm_of(value_of(total[0]));
          });
  if (!is_pipelined) return;
  begin("start");
  for_each_block("copy", {{r_, Mode::in}, {w_, Mode::out}}, {}, {}, 0, copy_from(s_.r));
  multiply(w_, s_.w, ProductSum::none);
  begin("start");
  for_each_block("start", {{ap_, Mode::in}, {r_, Mode::in}, {w_, Mode::out}}, {&pap_}, {}, 0,
                 block_loops::set_w);
}

void CgRecording::plain_iteration() {
  const auto rr = reduce({{&rr_, &s_.rr}});
  g_.task(task_names::residual, std::array{flow::in(rr).access(), Access{beta_, Mode::inout}},
          [&s = s_, rr = rr.borrow()](flow::TaskContext& context) {
            const double squared = value_of(rr.const_view()[0]);
            if (begin_iteration(s, context.replay(), squared)) context.request_stop();
            set_beta(s, context.replay(), squared);
          },
          {.priority = for_other_ranks, .controls_termination = true});
  begin("direction");
  for_each_block(task_names::direction, {{r_, Mode::in}, {p_, Mode::inout}}, {}, {beta_}, 0,
                 block_loops::set_direction);
  multiply(p_, s_.p, ProductSum::with_vector);
  const auto pap = reduce({{&pap_, &s_.pap}});
  g_.task(task_names::step_length,
          std::array{flow::in(pap).access(), Access{beta_, Mode::in}, Access{alpha_, Mode::out}},
          [&s = s_, pap = pap.borrow()](flow::TaskContext&) {
            s.alpha = quotient(s.squared_residual, value_of(pap.const_view()[0]), "p.Ap");
          },
          {.priority = for_other_ranks});
  begin("update");
  for_each_block(task_names::update_r, {{ap_, Mode::in}, {r_, Mode::inout}}, {&rr_}, {alpha_},
                 for_a_reduction, block_loops::update_r);
  for_each_block(task_names::update_x, {{p_, Mode::in}, {x_, Mode::inout}}, {}, {alpha_}, for_later,
                 block_loops::update_x);
}

void CgRecording::pipelined_iteration() {
  const auto sums = reduce({{&rr_, &s_.rr}, {&pap_, &s_.pap}});
  g_.task(
      task_names::residual,
      std::array{flow::in(sums).access(), Access{alpha_, Mode::inout}, Access{beta_, Mode::inout}},
      [&s = s_, sums = sums.borrow()](flow::TaskContext& context) {
        const double squared = value_of(sums.const_view()[0]);
        const bool is_last = begin_iteration(s, context.replay(), squared);
        if (is_last) context.request_stop();
        set_beta(s, context.replay(), squared);
        double denominator = value_of(sums.const_view()[1]);
        if (s.beta != 0) denominator -= s.beta * squared / s.alpha;
        // Where the residual is down to rounding errors this has none but their digits.
        s.alpha = is_last && !(denominator > 0)
                      ? 0
                      : quotient(squared, denominator, "the pipelined form of p.Ap");
      },
      {.priority = for_other_ranks, .controls_termination = true});
  multiply(w_, s_.w, ProductSum::none);
  begin("update");
  for_each_block(
      task_names::update_all,
      {{ap_, Mode::in}, {x_, Mode::inout}, {r_, Mode::inout}, {p_, Mode::inout}, {w_, Mode::inout}},
      {&rr_, &pap_}, {alpha_, beta_}, for_a_reduction, block_loops::update_all);
}

}  // namespace thalweg::hpccg

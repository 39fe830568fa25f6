// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/miniamr/marks.hpp>
#include <thalweg/miniamr/ownership_update.hpp>
#include <thalweg/miniamr/pass.hpp>
#include <thalweg/miniamr/placement.hpp>
#include <thalweg/miniamr/refine_times.hpp>

namespace thalweg::miniamr {

/// What refinements have done so far. Numbers of this rank: sums over ranks are the whole. As in
/// the reference a block that is split, or moves to be joined, counts where it was, a joined one
/// where its first child was, and one that is balanced where it comes to.
struct RefinementTotals {
  std::int64_t n_split = 0;
  std::int64_t n_joined = 0;
  std::int64_t n_moved_balance = 0;
  std::int64_t n_moved_redistribute = 0;
  std::int64_t n_moved_join = 0;
  std::int64_t n_dots = 0;  ///< blocks that it had in balancings, summed over these
  std::int64_t max_dots = 0;
  // These are the same on all ranks.
  std::int64_t n_stages = 0;
  std::int64_t n_balances = 0;
  std::int64_t n_redistributions = 0;
};

/// What the blocks of all ranks are, the same on all of them.
struct MeshSummary {
  std::vector<std::int64_t> per_level;  ///< blocks
  std::uint64_t hash = 0;               ///< mesh_hash of all leaves

  std::int64_t n_blocks() const;
};

/// How uneven the blocks of ranks were, and what balancing made of that.
struct BalanceReport {
  std::vector<std::int64_t> before;  ///< each rank's blocks
  std::vector<std::int64_t> after;
  std::int64_t n_moved = 0;   ///< blocks of all ranks
  std::int64_t n_wanted = 0;  ///< blocks that would have moved without --limit_move; likewise
  bool is_limited = false;    ///< by --limit_move
};

/// Enter what a change of the mesh makes of the blocks that a rank had.
void count_changes(const data::Origins& origins, Rank rank, RefinementTotals& totals);

/// Limits that a run sets on refining.
struct RefiningConfig {
  mesh::LeafRules<3> rules;
  Balancing balancing;
  BalanceWhen when = BalanceWhen::each_stage;
  std::optional<std::int64_t> max_blocks{};  ///< of a rank
};

RefiningConfig refining_config(const Options& options);

/// The root blocks, and who owns them. Collective.
template <mesh::Collectives R>
Mesh first_mesh(const Options& options, Rank rank, int n_ranks, R& collectives) {
  auto forest = mesh::initial_leaves<3>(mesh_rules(options), 0, rank, n_ranks, collectives);
  auto owners = first_owners(forest, options);
  return {std::move(forest), std::move(owners)};
}

/// Give blocks to new owners. @return whom those belong to now that move
std::vector<Rank> set_owners(data::Origins& origins, std::span<const Rank> owners);
std::vector<Rank> owners_of(std::span<const data::Origin> origins);

/// What ranks have, together.
std::int64_t sum(std::span<const std::int64_t> values);

/// More levels than there can be.
constexpr std::size_t max_levels = 32;
/// Some leaves by level, and their mesh_hash.
struct MeshSums {
  std::array<std::int64_t, max_levels> per_level{};
  std::uint64_t hash = 0;
};
MeshSums sums_of(std::span<const mesh::Key<3>> leaves);
MeshSums combined(MeshSums a, const MeshSums& b);
MeshSummary summarise(const MeshSums& of_all, int finest);
/// @errors Error where a rank has more blocks than allowed
void check_room(std::span<const std::int64_t> counts, std::optional<std::int64_t> max_blocks);

/// A mesh that refines: the state between refinements. Every member function is collective.
///
/// `apply` is called for each change of the mesh, on all ranks: apply(const Transition&, Purpose).
/// A pass is carried out when the next one has found something to change, or at the end, and with
/// it what a balance in between moves: a block that is split goes to its children's new owners,
/// each of whom gets an eighth of its cells. mesh() is then what the mesh becomes.
template <mesh::Collectives R>
class Refining {
 public:
  /// @param watch  is told what the time of refinements goes to; may be null
  Refining(const Options& options, Rank rank, int n_ranks, R& collectives,
           RefineWatch* watch = nullptr)
      : config_(refining_config(options)),
        collectives_(collectives),
        watch_(watch),
        mesh_(first_mesh(options, rank, n_ranks, collectives)) {}

  const Mesh& mesh() const { return mesh_; }
  const RefinementTotals& totals() const { return totals_; }
  /// The blocks of this rank as they are now.
  data::Layout layout() { return update_layout(halo(), collectives_); }
  /// Blocks of all ranks by level, and their hash.
  MeshSummary summary() {
    return summarise(collectives_.all_reduce(sums_of(mesh_.forest.leaves), combined),
                     config_.rules.geometry.max_level());
  }

  /// Make up to so many passes, then balance. @return what each balance did
  /// @errors Error where a rank would have more blocks than --max_blocks, and evening out does not
  ///         help
  template <class Apply>
  std::vector<BalanceReport> refine(const Refinement& refinement, int n_passes, Apply&& apply) {
    if (watch_ != nullptr) watch_->begin();
    const bool is_first = totals_.n_stages++ == 0;
    const bool can_balance = !refinement.is_uniform && config_.when != BalanceWhen::never;
    std::vector<BalanceReport> reports;
    for (int pass = 0; pass < n_passes; ++pass) {
      // A pass depends on leaves and objects alone: after one that changed nothing none will.
      if (!make_pass(refinement, apply)) break;
      if (can_balance && config_.when == BalanceWhen::each_pass) balance(is_first, reports);
    }
    if (can_balance) balance(is_first, reports);
    carry_out(apply);
    return reports;
  }

 private:
  /// A change of the mesh that ranks have agreed on, and that their data have yet to follow.
  struct Change {
    data::Origins origins;
    Purpose purpose;
  };

  template <class Apply>
  bool make_pass(const Refinement& refinement, Apply& apply) {
    const LeafHalo& leaves = halo();
    std::vector<Mark> wished;
    wished.reserve(mesh_.forest.leaves.size());
    for (const auto& leaf : mesh_.forest.leaves) wished.push_back(wished_mark(refinement, leaf));
    lap(RefinePart::compare);
    PassPlan plan = plan_pass(config_.rules, leaves, settled_marks(leaves, wished, collectives_));
    lap(RefinePart::mark);
    const auto n_changes = collectives_.all_reduce(plan.n_split + plan.n_joined, std::plus<>());
    lap(RefinePart::sync);
    if (n_changes == 0) return false;
    carry_out(apply);
    NextForest next = settle_directory(mesh_.forest, plan.origins, collectives_);
    lap(RefinePart::communicate_1);
    if (config_.max_blocks) make_room(next);
    lap(RefinePart::redistribute_choose);
    mesh_ = {std::move(next.forest), owners_of(next.origins)};
    change_ = Change{std::move(next.origins), Purpose::pass};
    halo_.reset();
    return true;
  }

  /// Even out blocks that are split and joined already where a rank has hardly room for them.
  void make_room(NextForest& next) {
    const auto count = [&] {
      return count_owned(owners_of(next.origins), next.forest.n_ranks, collectives_);
    };
    const double nearly_full = 0.9 * static_cast<double>(*config_.max_blocks);
    auto counts = count();
    if (static_cast<double>(*std::ranges::max_element(counts)) > nearly_full) {
      ++totals_.n_redistributions;
      const auto come =
          set_owners(next.origins, place(next.forest, evenly(config_.balancing), collectives_));
      totals_.n_moved_redistribute +=
          count_owned(come, next.forest.n_ranks, collectives_)[next.forest.rank()];
      counts = count();
    }
    check_room(counts, config_.max_blocks);
  }

  /// Even out blocks where they are uneven, and report it.
  void balance(bool is_first, std::vector<BalanceReport>& reports) {
    const int n_ranks = mesh_.forest.n_ranks;
    BalanceReport report{.before = count_owned(mesh_.owners, n_ranks, collectives_),
                         .after = {},
                         .is_limited = config_.balancing.limit_move > 0 && !is_first};
    lap(RefinePart::sync);
    if (!is_uneven(report.before, config_.balancing.threshold)) return;
    ++totals_.n_balances;
    std::vector<Rank> owners = place(mesh_.forest, config_.balancing, collectives_);
    if (report.is_limited) {
      std::int64_t n_wanted = 0;
      for (std::size_t i = 0; i < owners.size(); ++i)
        n_wanted += owners[i] != mesh_.owners[i] ? 1 : 0;
      report.n_wanted = collectives_.all_reduce(n_wanted, std::plus<>());
      limit_moves(mesh_.forest, mesh_.owners, owners, report.before, config_.balancing.limit_move,
                  collectives_);
    }
    if (config_.max_blocks)
      limit_arrivals(mesh_.forest, mesh_.owners, owners, *config_.max_blocks, collectives_);
    lap(RefinePart::balance_sort);
    const bool follows_pass = change_.has_value();
    if (!follows_pass) change_ = Change{origins_of(mesh_), Purpose::balance};
    const auto come = count_owned(set_owners(change_->origins, owners), n_ranks, collectives_);
    report.after = count_owned(owners, n_ranks, collectives_);
    report.n_moved = sum(come);
    const std::size_t rank = mesh_.forest.rank();
    totals_.n_moved_balance += come[rank];
    const std::int64_t n_dots = std::max(report.before[rank], report.after[rank]);
    totals_.n_dots += n_dots;
    totals_.max_dots = std::max(totals_.max_dots, n_dots);
    lap(RefinePart::balance_dots);
    if (report.n_moved > 0) {
      mesh_.owners = std::move(owners);
      change_->purpose = Purpose::balance;
      halo_.reset();
    } else if (!follows_pass) {
      change_.reset();
    }
    reports.push_back(std::move(report));
  }

  /// Leaves of this rank and those that touch them, with their owners. Exchanged when asked for:
  /// between a pass and the balance after it nobody does.
  const LeafHalo& halo() {
    if (!halo_) {
      halo_.emplace(exchange_halo(mesh_, collectives_));
      lap(RefinePart::communicate_2);
    }
    return *halo_;
  }

  /// Let data follow what was agreed on, if anything was.
  template <class Apply>
  void carry_out(Apply& apply) {
    if (!change_) return;
    const Change change = *std::exchange(change_, std::nullopt);
    const Transition transition = update_ownership(change.origins, halo(), collectives_);
    lap(RefinePart::communicate_2);
    count_changes(transition.origins, mesh_.forest.rank, totals_);
    apply(transition, change.purpose);
    lap(change.purpose == Purpose::balance ? RefinePart::balance_blocks : RefinePart::misc);
  }

  void lap(RefinePart part) {
    if (watch_ != nullptr) watch_->lap(part);
  }

  RefiningConfig config_;
  R& collectives_;
  RefineWatch* watch_;
  Mesh mesh_;
  std::optional<LeafHalo> halo_;  ///< of mesh_; none yet where that has changed since
  std::optional<Change> change_;
  RefinementTotals totals_;
};

}  // namespace thalweg::miniamr

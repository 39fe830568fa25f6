// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <thalweg/flow/model.hpp>
#include <thalweg/miniamr/report.hpp>
#include <thalweg/miniamr/run.hpp>

#include "report_parts.hpp"

namespace thalweg::miniamr {
namespace {

class Yaml {
 public:
  /// @param indents  whether lines are indented by the depth of what they belong to
  explicit Yaml(bool indents) : indents_(indents) {}

  /// How deep the next lines are.
  void set_depth(std::size_t depth) { depth_ = depth; }
  template <class T>
  void add(std::string_view key, const T& value) {
    if (indents_) text_.append(3 * depth_, ' ');
    if constexpr (std::is_floating_point_v<T>)
      text_ += fmt::format("{}: {:f}\n", key, value);
    else
      text_ += fmt::format("{}: {}\n", key, value);
  }
  void add_flag(std::string_view key, bool value) { add(key, value ? 1 : 0); }
  void add_spread(std::string_view key, const Spread& s) {
    add(fmt::format("{}_ave", key), s.mean);
    add(fmt::format("{}_min", key), s.least);
    add(fmt::format("{}_max", key), s.most);
  }
  std::string take() { return std::move(text_); }

 private:
  bool indents_;
  std::size_t depth_ = 0;
  std::string text_;
};

constexpr std::string_view axes[] = {"x", "y", "z"};

void add_objects(Yaml& yaml, const RunFacts& facts) {
  yaml.add("num_objects", facts.objects.size());
  for (std::size_t i = 0; i < facts.objects.size(); ++i) {
    const Object& o = facts.objects[i];
    yaml.add(fmt::format("obj{}type", i), o.type);
    yaml.add(fmt::format("obj{}bounce", i), o.bounce);
    const auto add = [&](std::string_view name, const Vec<3>& v) {
      for (int a = 0; a < 3; ++a) yaml.add(fmt::format("obj{}{}_{}", i, name, axes[a]), v[a]);
    };
    add("center", o.centre);
    add("move", o.movement);
    add("size", o.size);
    add("inc", o.growth);
  }
}

void add_configuration(Yaml& yaml, const Options& o, const RunFacts& facts) {
  yaml.add("code", "miniAMR");
  yaml.add("version", "1.7.0 (Thalweg)");
  yaml.add("ranks", facts.ranks.size());
  for (int a = 0; a < 3; ++a) yaml.add(fmt::format("np{}", axes[a]), o.ranks[a]);
  for (int a = 0; a < 3; ++a) yaml.add(fmt::format("init_block_{}", axes[a]), o.init[a]);
  for (int a = 0; a < 3; ++a) yaml.add(fmt::format("{}_block_size", axes[a]), o.block_cells[a]);
  yaml.add_flag("reorder", o.is_reordered());
  yaml.add_flag("permute", o.permute);
  yaml.add("max_blocks_allowed", o.max_blocks.value_or(0));  // 0: no limit
  yaml.add(o.quirks == Quirks::reference ? "code" : "message_code", static_cast<int>(o.code));
  yaml.add("num_refine", o.num_refine);
  yaml.add("block_change", o.passes());
  yaml.add_flag("refine_ghost", o.refine_ghost);
  yaml.add_flag("uniform_refine", o.uniform_refine);
  add_objects(yaml, facts);
  yaml.add("num_tsteps", facts.n_steps);
  yaml.add("stages_per_timestep", o.stages_per_ts);
  yaml.add_flag("nonblocking", !o.blocking_send);
  yaml.add("checksum_freq", o.checksum_freq);
  yaml.add("refine_freq", o.refine_freq);
  yaml.add("lb_opt", static_cast<int>(o.lb_opt));
  yaml.add("inbalance", o.inbalance);
  yaml.add("lb_method", static_cast<int>(o.placement));
  yaml.add("plot_freq", o.plot_freq);
  yaml.add("num_vars", o.num_vars);
  yaml.add("stencil", static_cast<int>(o.stencil));
  yaml.add("comm_vars", o.group_size());
  yaml.add("error_tol", o.error_tol);
  yaml.add_flag("send_faces", o.send_faces);
  yaml.add("model", flow::to_string(o.model));
  yaml.add("threads", execution_of(o).executor.n_workers);
  yaml.add("max_comm_tasks", o.messages_to_neighbour());
  yaml.add_flag("separate_buffers", o.separate_buffers);
}

/// How many ranks a rank exchanges with. @param which  of Measured::partners
void add_partners(Yaml& yaml, std::string_view key, const RunFacts& facts, std::size_t which) {
  const auto over_ranks = [&](double OverTime::* member) {
    return facts.spread([&](const Measured& rank) { return rank.partners[which].*member; });
  };
  yaml.add(key, over_ranks(&OverTime::mean).mean);
  const double least = over_ranks(&OverTime::least).least;
  const double most = over_ranks(&OverTime::most).most;
  const auto add = [&](std::string_view end, double n) {
    const std::string name = fmt::format("{}_{}", key, end);
    which < 3 ? yaml.add(name, static_cast<int>(n)) : yaml.add(name, n);
  };
  add("min", least);
  add("max", most);
}

/// Times and numbers of exchanges. @param times, exchanged  of a rank: one axis, or all together
template <class F, class G>
void add_exchanges(Yaml& yaml, std::string_view prefix, const RunFacts& facts, F times,
                   G exchanged) {
  for (const ExchangeTime& time : exchange_times())
    yaml.add_spread(fmt::format("{}_{}", prefix, time.key), facts.spread([&](const Measured& rank) {
      return time.member == nullptr ? 0.0 : times(rank).*time.member;
    }));
  if (prefix == "total") {
    add_partners(yaml, "comm_partners_total", facts, 3);
    add_partners(yaml, "comm_partners_unique", facts, 4);
  } else {
    add_partners(yaml, fmt::format("{}_comm_partners", prefix), facts,
                 static_cast<std::size_t>(prefix[0] - 'x'));
  }
  for (const ExchangedNumber& number : exchanged_numbers())
    yaml.add_spread(
        fmt::format("{}_{}", prefix, number.key),
        facts.spread([&](const Measured& rank) { return exchanged(rank).*number.member; }));
}

void add_communication(Yaml& yaml, const RunFacts& facts) {
  yaml.add_spread("total_comm", facts.spread(&Measured::comm_s));
  yaml.set_depth(1);
  add_exchanges(
      yaml, "total", facts, [](const Measured& rank) { return all_axes(rank.directions); },
      [](const Measured& rank) { return all_axes(rank.exchanged); });
  for (std::size_t a = 0; a < 3; ++a) {
    yaml.set_depth(1);
    yaml.add_spread(fmt::format("{}_comm", axes[a]), facts.spread([&](const Measured& rank) {
      return rank.directions[a].total_s();
    }));
    yaml.set_depth(2);
    add_exchanges(
        yaml, axes[a], facts, [a](const Measured& rank) { return rank.directions[a]; },
        [a](const Measured& rank) { return rank.exchanged[a]; });
  }
  yaml.set_depth(0);
}

void add_refinement(Yaml& yaml, const RunFacts& facts) {
  using M = Measured;
  yaml.add_spread("refine_time", facts.spread(&M::refine_s));
  yaml.set_depth(1);
  yaml.add("total_blocks_ts_ave", facts.blocks_per_stage());
  yaml.add("total_blocks_ts_min", facts.least_blocks);
  yaml.add("total_blocks_ts_max", facts.most_blocks);
  yaml.add_spread("blocks_split", facts.spread(&M::n_split));
  yaml.add_spread("blocks_reformed", facts.spread(&M::n_reformed));
  yaml.add_spread("blocks_moved_tot", facts.spread([](const M& rank) {
    return rank.n_moved_balance + rank.n_moved_redistribute + rank.n_moved_coarsen;
  }));
  yaml.add_spread("blocks_moved_lb", facts.spread(&M::n_moved_balance));
  yaml.add_spread("blocks_moved_redist", facts.spread(&M::n_moved_redistribute));
  yaml.add_spread("blocks_moved_coarsen", facts.spread(&M::n_moved_coarsen));
  for (const RefineTime& time : refine_times()) {
    if (time.key.empty()) continue;
    yaml.set_depth(static_cast<std::size_t>(time.depth) + 1);
    yaml.add_spread(time.key, spread_of_part(facts, time));
  }
  yaml.set_depth(0);
}

}  // namespace

std::string report_yaml(const Options& options, const RunFacts& facts) {
  Yaml yaml(options.quirks == Quirks::reference);
  add_configuration(yaml, options, facts);
  yaml.add_spread("total_time", facts.spread(&Measured::total_s));
  yaml.add_spread("memory_used", facts.spread(&Measured::bytes));
  yaml.add_spread("compute_time", facts.spread(&Measured::compute_s));
  yaml.add("total_gflops", total_gflops(facts));
  yaml.add("ave_gflops", total_gflops(facts) / static_cast<double>(facts.ranks.size()));
  add_communication(yaml, facts);
  yaml.add_spread("gridsum_time", facts.spread(&Measured::gridsum_s));
  yaml.set_depth(1);
  yaml.add_spread("gridsum_reduce", facts.spread(&Measured::gridsum_reduce_s));
  yaml.add_spread("gridsum_calc", facts.spread(&Measured::gridsum_add_s));
  yaml.set_depth(0);
  add_refinement(yaml, facts);
  yaml.add_spread("plot_time", facts.spread(&Measured::plot_s));
  return yaml.take();
}

}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <thalweg/flow/model.hpp>
#include <thalweg/miniamr/report.hpp>

#include "report_parts.hpp"

namespace thalweg::miniamr {
namespace {

class Yaml {
 public:
  template <class T>
  void add(std::string_view key, const T& value) {
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
  if (o.max_blocks) yaml.add("max_blocks_allowed", *o.max_blocks);
  yaml.add("message_code", static_cast<int>(o.code));
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
  yaml.add("threads", o.threads);
}

}  // namespace

std::string report_yaml(const Options& options, const RunFacts& facts) {
  Yaml yaml;
  add_configuration(yaml, options, facts);
  const auto add = [&](std::string_view key, double Measured::* member) {
    yaml.add_spread(key, facts.spread(member));
  };
  add("total_time", &Measured::total_s);
  add("memory_used", &Measured::block_bytes);
  add("compute_time", &Measured::compute_s);
  yaml.add("total_gflops", total_gflops(facts));
  yaml.add("ave_gflops", total_gflops(facts) / static_cast<double>(facts.ranks.size()));
  add("total_comm", &Measured::comm_s);
  for (const ExchangedNumber& number : exchanged_numbers()) {
    yaml.add_spread(fmt::format("total_{}", number.key), facts.spread([&](const Measured& rank) {
      double sum = 0;
      for (const Exchanged& axis : rank.exchanged) sum += axis.*number.member;
      return sum;
    }));
    for (std::size_t a = 0; a < 3; ++a)
      yaml.add_spread(
          fmt::format("{}_{}", axes[a], number.key),
          facts.spread([&](const Measured& rank) { return rank.exchanged[a].*number.member; }));
  }
  add("gridsum_time", &Measured::gridsum_s);
  add("refine_time", &Measured::refine_s);
  yaml.add("total_blocks_ts_ave", facts.blocks_per_stage());
  yaml.add("total_blocks_ts_min", facts.least_blocks);
  yaml.add("total_blocks_ts_max", facts.most_blocks);
  add("blocks_split", &Measured::n_split);
  add("blocks_reformed", &Measured::n_reformed);
  add("blocks_moved_lb", &Measured::n_moved_balance);
  add("blocks_moved_redist", &Measured::n_moved_redistribute);
  add("blocks_moved_coarsen", &Measured::n_moved_coarsen);
  add("plot_time", &Measured::plot_s);
  return yaml.take();
}

}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

using Number = DataRef<std::uint64_t>;

/// A program of sections on shared numbers; what a section does follows from its key and revision.
class SectionedProgram {
 public:
  SectionedProgram(std::uint64_t seed, std::size_t n_sections) : seed_(seed) {
    revisions_.resize(n_sections);
    exports_.resize(n_sections);
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] = i;
  }

  std::vector<std::uint64_t>& revisions() { return revisions_; }
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }
  /// Keys of the sections that the last recording has called.
  const std::vector<std::uint64_t>& recorded() const { return recorded_; }

  /// Name the shared numbers; once, also for patches.
  void name_data(Recorder& r) {
    shared_.clear();
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      shared_.emplace_back(r.datum("n" + std::to_string(i)), std::span(numbers_).subspan(i, 1));
  }
  void record(Recorder& r) {
    recorded_.clear();
    for (std::size_t k = 0; k < revisions_.size(); ++k) {
      r.section(k, revisions_[k], [&](Recorder& inner) { record_section(inner, k); });
      hash(r, "between", {shared_[0], shared_[k % shared_.size()]}, k);
    }
  }

 private:
  static TaskId hash(Recorder& r, std::string_view name, const std::vector<Number>& used,
                     std::uint64_t salt) {
    std::vector<Access> accesses{inout(used[0]).access()};
    for (const Number& n : std::span(used).subspan(1)) accesses.push_back(in(n).access());
    return r.task(name, accesses, [used, salt](TaskContext& context) {
      std::uint64_t seen = hash_number(context.replay(), salt);
      for (const Number& n : used) seen = hash_number(n.const_view()[0], seen);
      used[0].view()[0] = seen;
    });
  }

  void record_section(Recorder& r, std::size_t k) {
    recorded_.push_back(k);
    SplitMix64 random(hash_number(hash_number(seed_, k), revisions_[k]));
    const auto any = [&] { return shared_[random.below(shared_.size())]; };
    const Number own = r.data<std::uint64_t>("own", 1).borrow();
    exports_[k] = own;
    r.task("begin", uses(in(any()), out(own)), [](auto from, auto to) { to[0] = from[0]; });
    std::vector<TaskId> tasks;
    for (std::uint64_t n = random.below(6); n > 0; --n) {
      if (random.below(4) == 0) r.phase("phase " + std::to_string(n), PhaseKind::step);
      const Number target = any(), source = any();
      switch (random.below(6)) {
        case 0:
          r.send(in(own), Rank(0));
          r.recv(out(target), Rank(0));
          break;
        case 1:
          r.task("add", uses(reduce(target, std::plus<>(), std::uint64_t{0}), in(own)),
                 [](auto to, auto from) { to[0] += from[0]; });
          break;
        case 2:
          r.nested("nest", uses(inout(target), in(own)), [&](Recorder& inner) {
            tasks.push_back(hash(inner, "inner", {target, own}, n));
          });
          break;
        default:
          tasks.push_back(hash(r, "step", {target, source, own}, n));
      }
    }
    if (k > 0 && random.below(3) == 0) hash(r, "of another", {any(), *exports_[k - 1]}, k);
    if (tasks.size() > 1) r.after(tasks[0], tasks.back());
  }

  std::uint64_t seed_;
  std::vector<std::uint64_t> revisions_;
  std::vector<std::uint64_t> numbers_ = std::vector<std::uint64_t>(5);
  std::vector<Number> shared_;
  std::vector<std::optional<Number>> exports_;
  std::vector<std::uint64_t> recorded_;
};

std::string json_of(const Graph& graph) {
  std::ostringstream text;
  graph.dump_json(text);
  return text.str();
}

TEST(RecorderSection, patched_graphs_are_node_for_node_what_full_recordings_give) {
  std::size_t n_copied = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SplitMix64 random(seed);
    const Model model = all_models[seed % 4];
    const RecorderConfig config{.grain = 1 + static_cast<std::uint32_t>(seed % 3)};
    const std::size_t n_sections = 1 + random.below(8);
    SectionedProgram patched(seed, n_sections), full(seed, n_sections);
    UniformPicker picker(seed);
    SingleRank machine({.depth = 2, .picker = &picker}, 2), other({});

    Recorder first(Rank(0), 1, config);
    patched.name_data(first);
    patched.record(first);
    Graph graph = capture(std::move(first), model);
    for (int patch = 0; patch < 4; ++patch) {
      for (std::size_t k = 0; k < n_sections; ++k)
        if (random.below(3) == 0) ++patched.revisions()[k];
      full.revisions() = patched.revisions();
      Recorder recorder = Recorder::patching(std::move(graph));
      patched.record(recorder);
      graph = capture(std::move(recorder), model);
      Recorder whole(Rank(0), 1, config);
      full.name_data(whole);
      full.record(whole);
      Graph expected = capture(std::move(whole), model);
      n_copied += n_sections - patched.recorded().size();

      ASSERT_EQ(json_of(graph), json_of(expected)) << "seed " << seed << ", patch " << patch;
      ASSERT_TRUE(machine.executor.run(graph, 2));
      ASSERT_TRUE(other.executor.run(expected, 2));
      ASSERT_EQ(patched.numbers(), full.numbers()) << "seed " << seed << ", patch " << patch;
    }
  }
  EXPECT_GT(n_copied, 1000u);
}

TEST(RecorderSection, calls_only_for_what_has_changed_and_what_depends_on_its_data) {
  std::vector<std::uint64_t> revisions{1, 1, 1, 1};
  std::vector<int> called;
  std::optional<DataRef<int>> made;
  const auto record = [&](Recorder& r) {
    called.clear();
    r.section(0, revisions[0], [&](Recorder& inner) {
      called.push_back(0);
      made = inner.data<int>("made", 1).borrow();
      inner.task("write", uses(out(*made)), [](auto) {});
    });
    for (const int k : {1, 2})
      r.section(static_cast<std::uint64_t>(k), revisions[1], [&, k](Recorder& inner) {
        called.push_back(k);
        auto own = inner.data<int>("own", 1);
        if (k == 1)
          inner.task("read", uses(in(*made), out(own)), [](auto, auto) {});
        else
          inner.task("alone", uses(out(own)), [](auto) {});
      });
  };
  Recorder first(Rank(0), 1);
  record(first);
  Graph graph = capture(std::move(first), Model::dataflow);
  const auto patch = [&] {
    Recorder r = Recorder::patching(std::move(graph));
    record(r);
    graph = capture(std::move(r), Model::dataflow);
  };

  EXPECT_EQ(called, (std::vector{0, 1, 2}));
  patch();
  EXPECT_TRUE(called.empty());
  revisions[0] = 2;
  patch();
  EXPECT_EQ(called, (std::vector{0, 1}));
  patch();
  EXPECT_TRUE(called.empty());
}

TEST(RecorderSection, data_of_sections_left_out_are_freed_and_refused) {
  const auto watched = std::make_shared<int>();
  Recorder first(Rank(0), 1);
  std::optional<DataRef<int>> own;
  first.section(7, 1, [&](Recorder& r) {
    own = r.data<int>("own", 1).borrow();
    r.task("t", uses(out(*own)), [watched](auto) {});
  });
  Graph graph = capture(std::move(first), Model::dataflow);
  EXPECT_EQ(watched.use_count(), 2);

  Recorder without = Recorder::patching(std::move(graph));
  EXPECT_THROW(without.task("late", uses(in(*own)), [](auto) {}), ContractViolation);
  graph = capture(std::move(without), Model::dataflow);

  EXPECT_EQ(watched.use_count(), 1);
}

TEST(RecorderSection, refuses_what_it_cannot_copy_later) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  const TaskId outside = r.task("t", uses(out(x)), [](auto) {});
  std::optional<TaskId> inside;
  r.section(1, 0, [&](Recorder& inner) {
    inside = inner.task("t", uses(out(x)), [](auto) {});
    EXPECT_THROW(inner.after(outside, *inside), ContractViolation);
    EXPECT_THROW(inner.section(2, 0, [](Recorder&) {}), ContractViolation);
  });
  EXPECT_THROW(r.after(*inside, r.task("t", uses(out(x)), [](auto) {})), ContractViolation);
  EXPECT_THROW(r.section(1, 0, [](Recorder&) {}), ContractViolation);
}

TEST(RecorderReplacing, gives_the_graph_of_a_new_recorder_and_keeps_nothing) {
  SectionedProgram again(3, 6), fresh(3, 6);
  Recorder first(Rank(0), 1);
  again.name_data(first);
  again.record(first);
  Graph graph = capture(std::move(first), Model::dataflow);
  Recorder recorder = Recorder::replacing(std::move(graph));
  again.name_data(recorder);
  again.record(recorder);
  graph = capture(std::move(recorder), Model::dataflow);
  Recorder other(Rank(0), 1);
  fresh.name_data(other);
  fresh.record(other);

  EXPECT_EQ(again.recorded().size(), 6u);
  EXPECT_EQ(json_of(graph), json_of(capture(std::move(other), Model::dataflow)));
}

}  // namespace
}  // namespace thalweg::flow

// SPDX-License-Identifier: MIT
// bench: recording a graph again of which a part has changed, against recording all of it
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <report.hpp>

#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "slices.hpp"
#include "stencil.hpp"

namespace {

using namespace thalweg;

/// What a task's body holds: nothing, or a list as a ghost exchange's copies are.
struct Weight {
  std::size_t n_copies;
  const char* name;
};

/// A stencil in sections of 64 points of a step each.
class Program {
 public:
  explicit Program(const Weight& weight) : weight_(weight) {}

  static constexpr bench::Stencil stencil{.n_steps = 16, .width = 4096, .reach = 1};
  static constexpr std::uint32_t section_width = 64;
  static constexpr std::uint32_t n_sections = stencil.n_steps * stencil.width / section_width;

  void name_data(flow::Recorder& recorder) {
    values_.clear();
    for (std::uint32_t i = 0; i < 2 * stencil.width; ++i)
      values_.push_back(recorder.datum("value"));
  }
  /// Record everything, in sections or not.
  template <bool in_sections>
  void record(flow::Recorder& recorder) {
    for (std::uint32_t s = 0; s < n_sections; ++s) {
      const auto record_one = [&](flow::Recorder& r) { record_section(r, s); };
      if constexpr (in_sections)
        recorder.section(s, revisions_[s], record_one);
      else
        record_one(recorder);
    }
  }
  /// Let some sections, evenly spread, be others from now on.
  void change(std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; ++i) ++revisions_[i * n_sections / n];
  }

 private:
  void record_section(flow::Recorder& recorder, std::uint32_t section) {
    const std::uint32_t t = section * section_width / stencil.width;
    const std::uint32_t first = section * section_width % stencil.width;
    for (std::uint32_t i = first; i < first + section_width; ++i) {
      accesses_.clear();
      stencil.for_each_dependency(i, [&](std::uint32_t p) {
        accesses_.push_back({values_[2 * p + (t + 1) % 2], flow::Mode::in});
      });
      accesses_.push_back({values_[2 * i + t % 2], flow::Mode::out});
      if (weight_.n_copies == 0) {
        recorder.task("stencil", accesses_, [](flow::TaskContext&) {});
        continue;
      }
      std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;
      for (std::uint32_t c = 0; c < weight_.n_copies; ++c) copies.emplace_back(i, c);
      recorder.task("stencil", accesses_, [copies = std::move(copies)](flow::TaskContext&) {});
    }
  }

  Weight weight_;
  std::vector<flow::DatumId> values_;
  std::vector<flow::Access> accesses_;
  std::vector<std::uint64_t> revisions_ = std::vector<std::uint64_t>(n_sections);
};

flow::Graph capture(flow::Recorder&& recorder) {
  return flow::capture(std::move(recorder), flow::Model::dataflow);
}

void measure(bench::Report& report, const Weight& weight) {
  constexpr std::uint32_t percents[] = {0, 1, 10, 100};
  Program whole(weight);
  flow::Recorder first(Rank(0), 1);
  whole.name_data(first);
  whole.record<false>(first);
  flow::Graph replaced = capture(std::move(first));
  std::vector<Program> programs;
  std::vector<flow::Graph> patched;
  for (std::size_t i = 0; i < std::size(percents); ++i) {
    Program& program = programs.emplace_back(weight);
    flow::Recorder recorder(Rank(0), 1);
    program.name_data(recorder);
    program.record<true>(recorder);
    patched.push_back(capture(std::move(recorder)));
  }

  const auto samples =
      bench::time_in_turns(1 + std::size(percents), bench::Timer::cpu, [&](std::size_t work) {
        if (work == 0) {
          auto recorder = flow::Recorder::replacing(std::move(replaced));
          whole.name_data(recorder);
          whole.record<false>(recorder);
          replaced = capture(std::move(recorder));
          return;
        }
        Program& program = programs[work - 1];
        flow::Graph& graph = patched[work - 1];
        program.change(percents[work - 1] * Program::n_sections / 100);
        auto recorder = flow::Recorder::patching(std::move(graph));
        program.record<true>(recorder);
        graph = capture(std::move(recorder));
      });
  const double per_task = 1.0 / Program::stencil.n_tasks();
  const std::string label = std::string(weight.name) + ": ";
  report.add(label + "all recorded", "ns", bench::scaled(samples[0], per_task));
  for (std::size_t i = 0; i < std::size(percents); ++i) {
    const std::string changed = std::to_string(percents[i]) + " % changed";
    report.add(label + changed, "ns", bench::scaled(samples[1 + i], per_task));
    report.add(label + changed + " against all recorded", "",
               bench::ratios(samples[1 + i], samples[0]));
  }
}

}  // namespace

int main() {
  bench::Report report;
  measure(report, {0, "empty bodies"});
  measure(report, {16, "bodies with a list of 16"});
  report.print();
}

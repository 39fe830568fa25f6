// SPDX-License-Identifier: MIT
// Parts of a recording that are copied from the graph before while they stay the same.
#include <algorithm>
#include <ranges>
#include <utility>

#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

using detail::Recording;
using detail::Section;

Recorder Recorder::patching(Graph&& graph) {
  Recorder recorder;
  auto old = std::make_unique<Recording>(std::move(graph.recording_));
  if (old->spare) recorder.recording_ = std::move(*std::exchange(old->spare, nullptr));
  Recording& fresh = recorder.recording_;
  fresh.rank = old->rank;
  fresh.n_ranks = old->n_ranks;
  fresh.config = old->config;
  // Names and data keep their numbers, which nodes and handles know them by.
  fresh.names = std::move(old->names);
  fresh.datum_names = std::move(old->datum_names);
  fresh.parts.storage = std::move(old->parts.storage);
  fresh.parts.storage_bytes = std::exchange(old->parts.storage_bytes, 0);
  for (std::size_t d = 0; d < fresh.datum_names.size(); ++d) {
    fresh.history.add_datum();
    if (old->history.is_dropped(static_cast<std::uint32_t>(d)))
      fresh.history.drop(static_cast<std::uint32_t>(d));
  }
  for (const Section& s : old->sections)
    for (std::uint32_t d = 0; d < s.n_data; ++d) fresh.history.drop(s.first_datum + d);
  recorder.patched_ = std::move(old);
  recorder.begin();
  return recorder;
}

void Recorder::open_section(std::uint64_t key, std::uint64_t revision) {
  add_section({.key = key,
               .revision = revision,
               .first_task = 0,
               .first_datum = static_cast<std::uint32_t>(recording_.history.n_data()),
               .parts = std::make_shared<detail::Parts>()});
  is_in_section_ = true;
}

Section& Recorder::add_section(Section section) {
  THALWEG_EXPECT(!is_in_section_ && nests_.empty(), "a section inside a section or a nest");
  THALWEG_EXPECT(!recording_.section_of_key.contains(section.key),
                 "two sections of a recording with one key");
  close_all_reductions();
  n_joined_ = 0;
  section.first_task = static_cast<std::uint32_t>(n_tasks());
  recording_.section_of_key.emplace(section.key, recording_.sections.size());
  return recording_.sections.emplace_back(std::move(section));
}

void Recorder::close_section() {
  THALWEG_EXPECT(nests_.empty(), "a section that ends inside a nest");
  close_all_reductions();
  n_joined_ = 0;
  Section& section = recording_.sections.back();
  section.n_tasks = static_cast<std::uint32_t>(n_tasks()) - section.first_task;
  section.n_data = static_cast<std::uint32_t>(recording_.history.n_data()) - section.first_datum;
  is_in_section_ = false;
}

bool Recorder::copy_section(std::uint64_t key, std::uint64_t revision) {
  if (!patched_) return false;
  const Recording& from = *patched_;
  const auto found = from.section_of_key.find(key);
  if (found == from.section_of_key.end()) return false;
  const Section& old = from.sections[found->second];
  if (old.revision != revision || !is_copyable(from, old)) return false;

  for (std::uint32_t d = 0; d < old.n_data; ++d) recording_.history.restore(old.first_datum + d);
  Section copy = old;
  copy.phases.clear();  // phase() below puts them in again
  const std::uint32_t first = add_section(std::move(copy)).first_task;
  is_in_section_ = true;
  auto next = old.phases.begin();
  for (std::uint32_t i = 0; i <= old.n_tasks; ++i) {
    for (; next != old.phases.end() && next->n_before == i; ++next)
      phase(std::string(recording_.names[next->name]), next->kind);
    if (i < old.n_tasks) copy_node(from, old.first_task + i);
  }
  for (const detail::Edge& e : old.edges)
    recording_.explicit_edges.push_back({first + e.from, first + e.to});
  is_in_section_ = false;
  n_joined_ = 0;
  return true;
}

bool Recorder::is_copyable(const Recording& from, const Section& section) const {
  for (std::uint32_t t = 0; t < section.n_tasks; ++t)
    for (const Access& access : from.accesses_of(section.first_task + t)) {
      const bool is_own = access.datum() - section.first_datum < section.n_data;
      if (!is_own && recording_.history.is_dropped(access.datum())) return false;
    }
  return true;
}

void Recorder::copy_node(const Recording& from, std::uint32_t task) {
  Node node = from.nodes[task];
  if (node.controls_termination) claim_decision(node.name);
  if (node.is_message()) {
    Message message = from.messages[node.message];
    message.tag = next_tag(node.kind, message.peer);
    message.node = TaskId(n_tasks());
    node.message = static_cast<std::uint32_t>(recording_.messages.size());
    recording_.messages.push_back(message);
  }
  add_node(node, from.accesses_of(task));
}

bool Recorder::is_in_same_section(TaskId a, TaskId b) const {
  const auto section_of = [&](TaskId task) -> const Section* {
    const auto& sections = recording_.sections;
    const auto next = std::ranges::upper_bound(sections, task(), {}, &Section::first_task);
    if (next == sections.begin()) return nullptr;
    const Section& last = *std::prev(next);
    const bool is_open = is_in_section_ && &last == &sections.back();
    return is_open || task() < last.first_task + last.n_tasks ? &last : nullptr;
  };
  return recording_.sections.empty() || section_of(a) == section_of(b);
}

}  // namespace thalweg::flow

// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/json.hpp>
#include <thalweg/predict/prediction.hpp>

namespace thalweg::predict {
namespace {

/// What each item of a list is written as, one behind the other.
template <class List, class F>
std::string json_list(const List& list, F&& text_of_item) {
  std::string text = "[";
  const char* comma = "";
  for (const auto& item : list) text += std::exchange(comma, ", ") + text_of_item(item);
  return text + "]";
}

/// A number, or null where it is none: of steps that take no time.
std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string json_idle(const Prediction& p) {
  std::string text = "{";
  const char* comma = "";
  using enum trace::IdleCause;
  for (const auto cause : {message_not_sent, message_in_flight, producer_running, barrier, no_task})
    text += fmt::format("{}\"{}\": {}", std::exchange(comma, ", "), trace::key_of(cause),
                        p.idle[static_cast<std::size_t>(cause)]);
  return text + "}";
}

/// A value that may not be there, as a key with what separates it from the next one.
std::string json_entry(std::string_view key, const std::string& value) {
  return value.empty() ? "" : fmt::format("\"{}\": {}, ", key, json_string(value));
}

std::string json_prediction(const Prediction& p, const Comparison& comparison) {
  const trace::Efficiencies& e = p.efficiencies;
  std::string tasks = "[";
  for (std::size_t i = 0; i < p.names.size(); ++i)
    tasks += fmt::format("{}{{\"name\": {}, \"work_ns\": {}}}", i == 0 ? "" : ", ",
                         json_string(p.names[i]), p.work_ns[i]);
  const auto path = json_list(p.path, [](const PathPart& part) {
    return fmt::format("{{\"name\": {}, \"ns\": {}}}", json_string(part.name), part.ns);
  });
  const auto gains = json_list(p.gains, [](const Gain& gain) {
    return fmt::format("{{\"change\": {}, \"step_ns\": {}, \"step_with_regrids_ns\": {}}}",
                       json_string(gain.what_if), gain.step_ns, gain.step_with_regrids_ns);
  });
  auto text = fmt::format(
      "{{\"machine\": {}, {}\"ranks\": {}, \"threads\": {}, \"n_nodes\": {}, \"model\": {}, "
      "\"size\": {}, "
      "\"step_ns\": {}, \"step_with_regrids_ns\": {}, \"speed_up\": {}, \"efficiency\": {}, "
      "\"work\": {}, \"overhead\": {}, \"idle\": {}, \"efficiencies\": {{\"parallel\": {}, "
      "\"load_balance\": {}, \"communication\": {}, \"serialisation\": {}, \"transfer\": {}}}, "
      "\"messages\": {}, \"bytes\": {}, \"tasks\": {}], \"rank_bytes\": {}, \"path_ns\": {}, "
      "\"path\": {}, \"what_if\": {}",
      json_string(p.machine), json_entry("machine_file", p.machine_file), p.n_ranks, p.n_threads,
      p.n_nodes, json_string(p.model), p.size, p.step_ns, p.step_with_regrids_ns(),
      json_number(comparison.speed_up), json_number(comparison.efficiency), p.work, p.overhead,
      json_idle(p), e.parallel, e.load_balance, e.communication, e.serialisation, e.transfer,
      p.messages, p.bytes, tasks, p.rank_bytes, p.path_ns ? fmt::format("{}", *p.path_ns) : "null",
      path, gains);
  if (p.refinement)
    text += fmt::format(", \"refinement\": {{\"ns\": {}, \"mesh_ns\": {}, \"every_steps\": {}}}",
                        p.refinement->ns, p.refinement->mesh_ns, p.refinement->n_steps);
  return text + "}";
}

}  // namespace

std::string json_of(std::span<const Prediction> predictions, const Provenance& provenance) {
  const auto word = [](const std::string& text) { return json_string(text); };
  std::string text =
      "{\"schema\": \"thalweg-predict-1\", " + json_entry("program", provenance.program) +
      json_entry("version", provenance.version) + json_entry("deck", provenance.deck) +
      json_entry("command", provenance.command) + json_entry("restart", provenance.restart) +
      fmt::format("\"words\": {}, ", json_list(provenance.words, word)) +
      json_entry("task_times", provenance.task_times) +
      fmt::format("\"seed\": {}, \"steps\": {}, \"predictions\": [", provenance.seed,
                  provenance.n_steps);
  const auto comparisons = compare(predictions);
  for (std::size_t i = 0; i < predictions.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + json_prediction(predictions[i], comparisons[i]);
  return text + "\n]}\n";
}

}  // namespace thalweg::predict

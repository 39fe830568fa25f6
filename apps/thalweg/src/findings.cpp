// SPDX-License-Identifier: MIT
#include "findings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/json.hpp>

namespace thalweg {

namespace {

std::string_view word_of(State state) {
  constexpr std::array<std::string_view, 3> words{"good", "note", "wrong"};
  return words[static_cast<std::size_t>(state)];
}

}  // namespace

State worst_of(std::span<const Finding> findings) {
  State worst = State::good;
  for (const Finding& finding : findings) worst = std::max(worst, finding.state);
  return worst;
}

std::string text_of(std::span<const Finding> findings) {
  std::string text;
  std::vector<std::string> wrong;
  for (const Finding& finding : findings) {
    text += fmt::format("{:<5}  {:<10}  {}\n", word_of(finding.state), finding.name, finding.text);
    if (finding.state == State::wrong) wrong.push_back(finding.name);
  }
  return text +
         (wrong.empty() ? "Nothing is wrong.\n" : fmt::format("Wrong: {}.\n", joined_text(wrong)));
}

std::string json_of(std::span<const Finding> findings) {
  std::string all;
  for (const Finding& finding : findings)
    all +=
        fmt::format("{}\n  {{\"name\":{},\"state\":\"{}\",\"text\":{}}}", all.empty() ? "" : ",",
                    json_string(finding.name), word_of(finding.state), json_string(finding.text));
  return fmt::format("{{\"schema\":\"thalweg-doctor-1\",\"state\":\"{}\",\"findings\":[{}]}}\n",
                     word_of(worst_of(findings)), all);
}

}  // namespace thalweg

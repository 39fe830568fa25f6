// SPDX-License-Identifier: MIT
#include <thalweg/flow/model.hpp>

#include <array>
#include <utility>

namespace thalweg::flow {
namespace {

constexpr std::array<std::pair<Model, std::string_view>, 4> names{{{Model::bulk, "bulk"},
                                                                   {Model::forkjoin, "forkjoin"},
                                                                   {Model::phase, "phase"},
                                                                   {Model::dataflow, "dataflow"}}};

}  // namespace

std::string_view to_string(Model model) {
  return names[static_cast<std::size_t>(model)].second;
}

std::optional<Model> model_from_string(std::string_view name) {
  for (const auto& [model, text] : names)
    if (text == name) return model;
  return std::nullopt;
}

}  // namespace thalweg::flow

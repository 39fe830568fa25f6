// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/miniamr/options.hpp>

#include "presets.hpp"

namespace thalweg::miniamr {

/// The words of a command line, read one after another.
class Words {
 public:
  explicit Words(std::span<const std::string> words) : words_(words) {}

  bool is_at_end() const { return next_ == words_.size(); }
  /// The next word. @errors Error that names the option where there is none
  std::string_view take(std::string_view option);
  /// The next word as a number. @errors Error where it is none, or outside a range
  int integer(std::string_view option, int least, int most);
  double real(std::string_view option);

 private:
  std::span<const std::string> words_;
  std::size_t next_ = 0;
};

/// What is known while words are read.
struct Reading {
  Options options;
  int n_objects = 0;  ///< --num_objects
  PresetChoice preset{};
  std::vector<std::string_view> names{};  ///< of all options so far
};

/// An option: its name, what follows it, what it means, and how it is read.
struct OptionRow {
  std::string_view name;
  std::string_view values;
  std::string_view help;
  void (*read)(Words& words, std::string_view name, Reading& to);
};

std::span<const OptionRow> option_table();

}  // namespace thalweg::miniamr

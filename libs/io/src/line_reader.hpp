// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace thalweg::io::detail {

/// Which real numbers are right: inf and nan are no finite ones.
enum class Reals { finite, any };

/// Takes a text of lines `key value...` apart; the first thing that is wrong stops it.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  /// Whether a key begins the next line.
  bool is_next(std::string_view key) const {
    return rest_.starts_with(key) && rest_.substr(key.size()).starts_with(' ');
  }
  /// The words behind a key, which must begin the next line.
  std::string_view line(std::string_view key) {
    if (!error_.empty()) return {};
    ++number_;
    const std::size_t end = rest_.find('\n');
    const std::string_view all = rest_.substr(0, end);
    if (end == std::string_view::npos || !all.starts_with(key) || all.size() == key.size() ||
        all[key.size()] != ' ') {
      fail(fmt::format("a line '{} ...'", key));
      return {};
    }
    rest_.remove_prefix(end + 1);
    return all.substr(key.size() + 1);
  }

  template <class T>
  T number(std::string_view key, int base = 10) {
    return read_number<T>(line(key), key, base);
  }
  template <class T>
  std::vector<T> numbers(std::string_view key, Reals reals = Reals::finite) {
    std::vector<T> list;
    for (const std::string_view word : words(key))
      list.push_back(read_number<T>(word, key, 10, reals));
    return list;
  }
  std::vector<std::string_view> words(std::string_view key) {
    std::string_view text = line(key);
    std::vector<std::string_view> list;
    while (!text.empty() && error_.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      list.push_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return list;
  }
  /// So many bytes, whatever they are, and the end of a line.
  std::string_view bytes(std::uint64_t n) {
    if (!error_.empty() || rest_.size() <= n || rest_[n] != '\n') {
      fail(fmt::format("{} bytes of deck", n));
      return {};
    }
    const std::string_view result = rest_.substr(0, n);
    rest_.remove_prefix(n + 1);
    return result;
  }
  /// Complain of a value read before, on whatever line.
  void require(bool holds, std::string_view what) {
    if (!holds && error_.empty()) error_ = fmt::format("expected {}", what);
  }
  const std::string& error() const { return error_; }

 private:
  template <class T>
  T read_number(std::string_view word, std::string_view key, int base,
                Reals reals = Reals::finite) {
    T value{};
    std::from_chars_result done{};
    if constexpr (std::is_floating_point_v<T>)
      done = std::from_chars(word.data(), word.data() + word.size(), value);
    else
      done = std::from_chars(word.data(), word.data() + word.size(), value, base);
    bool is_right = done.ec == std::errc{} && done.ptr == word.data() + word.size();
    if constexpr (std::is_floating_point_v<T>)
      is_right = is_right && (reals == Reals::any || std::isfinite(value));
    if (!is_right) fail(fmt::format("a number in '{}'", key));
    return value;
  }
  void fail(std::string_view expected) {
    if (error_.empty()) error_ = fmt::format("line {}: expected {}", number_, expected);
  }

  std::string_view rest_;
  std::size_t number_ = 2;
  std::string error_;
};

}  // namespace thalweg::io::detail

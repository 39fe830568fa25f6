// SPDX-License-Identifier: MIT
#include "series_of_run.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

namespace thalweg::app {

std::string objection_to_series(std::string_view text, const step::TimeState& at) {
  constexpr std::string_view heading = "step [steps],time [time],";
  if (!text.starts_with(heading)) return {};
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    text.remove_prefix(end + 1);
    const char* const last = text.data() + text.size();
    std::int64_t step = 0;
    double time = 0;
    const auto number = std::from_chars(text.data(), last, step);
    if (number.ec != std::errc{} || number.ptr == last) break;
    if (std::from_chars(number.ptr + 1, last, time).ec != std::errc{}) break;
    if ((step <=> at.step) == (time <=> at.time)) continue;
    return fmt::format("is at t = {} after step {}, and the checkpoint at t = {} after step {}",
                       time, step, at.time, at.step);
  }
  return {};
}

}  // namespace thalweg::app

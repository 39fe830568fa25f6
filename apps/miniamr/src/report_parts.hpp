// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <thalweg/miniamr/report.hpp>

namespace thalweg::miniamr {

/// What the report says of exchanges: its label, its key in results.yaml.
struct ExchangedNumber {
  std::string_view label;
  std::string_view key;
  double Exchanged::* member;
};

constexpr std::array<ExchangedNumber, 9> exchanged_numbers() {
  return {{{"Messages received", "mess_recv", &Exchanged::messages_received},
           {"Bytes received", "byte_recv", &Exchanged::bytes_received},
           {"Faces received", "face_recv", &Exchanged::faces_received},
           {"Messages sent", "mess_send", &Exchanged::messages_sent},
           {"Bytes sent", "byte_send", &Exchanged::bytes_sent},
           {"Faces sent", "face_send", &Exchanged::faces_sent},
           {"Faces exchanged same", "face_exch_same", &Exchanged::faces_same},
           {"Faces exchanged diff", "face_exch_diff", &Exchanged::faces_different},
           {"Faces with BC applied", "face_bc_apply", &Exchanged::faces_boundary}}};
}

/// What it says of the time of exchanges.
struct ExchangeTime {
  std::string_view label;
  std::string_view key;
  double DirectionTimes::* member;  ///< null: the runtime's, not told apart
};

constexpr std::array<ExchangeTime, 8> exchange_times() {
  return {{{"Post IRecv", "post_recv", nullptr},
           {"Pack faces", "pack_faces", &DirectionTimes::pack_s},
           {"Send messages", "send_mess", nullptr},
           {"Exchange same level", "exch_same", &DirectionTimes::same_s},
           {"Exchange diff level", "exch_diff", &DirectionTimes::different_s},
           {"Apply BC", "apply_bc", &DirectionTimes::boundary_s},
           {"Wait time", "wait_time", &DirectionTimes::wait_s},
           {"Unpack faces", "unpack_faces", &DirectionTimes::unpack_s}}};
}

/// What it says of the time of refinements. @param depth  how deep it is indented
struct RefineTime {
  std::optional<RefinePart> part;  ///< none: part of others here, and told as 0
  int depth;
  std::string_view label;
  std::string_view key;  ///< none: on the terminal only
};
std::span<const RefineTime> refine_times();
Spread spread_of_part(const RunFacts& facts, const RefineTime& time);

/// Exchanges and their times of a rank, all axes together.
Exchanged all_axes(const std::array<Exchanged, 3>& by_axis);
DirectionTimes all_axes(const std::array<DirectionTimes, 3>& by_axis);

/// The part of the report that says what the run came to.
std::string results_text(const Options& options, const RunFacts& facts, ReportPlace place);

}  // namespace thalweg::miniamr

// SPDX-License-Identifier: MIT
#pragma once
#include <array>
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

/// The part of the report that says what the run came to.
std::string results_text(const Options& options, const RunFacts& facts);

}  // namespace thalweg::miniamr

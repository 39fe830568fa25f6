// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/predict/machine.hpp>

namespace thalweg::predict {

/// What graphs measure of the machine they run on.
struct Calibration {
  double task_overhead_ns = 0;  ///< of an empty task that depends on another one
  Link link{};                  ///< between ranks 0 and 1
};

/// What messages between two ranks take [ns].
struct MessageTimes {
  double small_ns = 0;   ///< half a round trip of 8 bytes: L + 2 o
  double large_ns = 0;   ///< the same of 1 MiB: n (G + 2 O) more
  double stream_ns = 0;  ///< one more of many small ones, at the slower end: o, and g
  double added_ns = 0;   ///< 256 KiB in each direction, to ranks at work: 2 o + 2 n O
};

/// The link that has these times, with nothing below 0: where bytes beside work take more than
/// those of the round trip, G is 0.
Link link_of(const MessageTimes& times);

/// Half a round trip of a small message and the bandwidth of a large one, its bytes on the way and
/// at both ends: "0.4 us and 9.5 GB/s", without the latter where bytes take no time.
std::string words_of(const Link& link);

/// Run small graphs on all ranks and time them; the best of some repetitions counts, as other
/// programs can only add. Collective; ranks from 2 on do nothing. With one rank the link is ideal.
/// @param n_repetitions  > 0; on a machine that others use, more find times that are steadier
/// @errors a Failure where a graph fails
Result<Calibration> calibrate(flow::Transport& transport, const Clock& clock,
                              int n_repetitions = 50);

}  // namespace thalweg::predict

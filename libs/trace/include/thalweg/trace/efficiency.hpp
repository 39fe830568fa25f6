// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include <thalweg/trace/history.hpp>
#include <thalweg/trace/tiling.hpp>

namespace thalweg::trace {

/// How much of the workers' time was useful, as a product of reasons.
///
/// With u_w the time worker w spent in tasks and T the length of the window:
///
///     parallel       = mean(u) / T          = load_balance * communication
///     load_balance   = mean(u) / max(u)
///     communication  = max(u) / T           = serialisation * transfer
///     serialisation  = max(u) / T_ideal
///     transfer       = T_ideal / T
///
/// T_ideal is how long the window would have taken had every message arrived as soon as it was
/// sent; see ideal_network_ns(). Where there is no work at all, everything is 0; without messages,
/// transfer is 1.
/// @source Performance Optimisation and Productivity (POP) Centre of Excellence, "Standard metrics
/// for performance analysis", pop-coe.eu/node/69, where each process is what a worker is here
struct Efficiencies {
  double parallel = 0;
  double load_balance = 0;
  double communication = 0;
  double serialisation = 0;
  double transfer = 0;
};

/// How long the window would have taken on a network without latency and with infinite bandwidth.
///
/// That is the window less what messages took: the difference between two replays, one with
/// messages as slow as they were and one with messages that take no time. In both every worker does
/// what it did, in the same order, with the same overheads, each task as soon as its worker and its
/// producers allow. What else workers were idle for is no fault of the network.
/// @source Badia, Labarta, Gimenez, Escale, "DIMEMAS: Predicting MPI applications behaviour in Grid
/// environments", 2003, for the idea
std::int64_t ideal_network_ns(const History& history);

Efficiencies efficiencies(const History& history, std::span<const WorkerTiling> tiling);

/// The part of the time messages were in flight in which workers of the receiving rank worked.
///
/// Summed over messages: time workers were in tasks from when it was sent until its receive was
/// complete / (that time * workers). 0 where no message was sent and received in the window.
double overlap_ratio(const History& history);

}  // namespace thalweg::trace

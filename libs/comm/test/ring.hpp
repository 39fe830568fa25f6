// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include <thalweg/core/hash.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/flow/transport.hpp>

/// A program in the blocking style: each rank hands numbers round the ring until they are back.
namespace thalweg::comm::ring {

struct Ring {
  std::uint64_t passing = 0;
  std::uint64_t sum = 0;
};

/// The task on one rank: as many messages to the right as there are ranks, each the last one got.
inline void record(flow::Recorder& recorder, Ring& own) {
  const auto n = static_cast<std::uint32_t>(recorder.n_ranks());
  const std::uint32_t here = recorder.rank()();
  const flow::DatumId datum = recorder.datum("ring");
  recorder.task("ring", std::array{flow::Access{datum, flow::Mode::inout}},
                [&own, here, n](flow::TaskContext& context) -> flow::Coroutine {
                  own.passing = hash_number(here, context.replay());
                  std::uint64_t got = 0;
                  for (std::uint32_t step = 0; step < n; ++step) {
                    const flow::Tag tag(step);
                    const auto bytes = std::as_bytes(std::span(&own.passing, 1));
                    const auto place = std::as_writable_bytes(std::span(&got, 1));
                    const Rank right((here + 1) % n), left((here + n - 1) % n);
                    // Even ranks send first: where all wait for a receive first, they wait for
                    // ever.
                    if (n == 1) got = own.passing;
                    if (n > 1 && here % 2 == 0) co_await context.send(bytes, right, tag);
                    if (n > 1) co_await context.recv(place, left, tag);
                    if (here % 2 == 1) co_await context.send(bytes, right, tag);
                    own.passing = got;
                    own.sum = hash_number(own.sum, got);
                  }
                });
}

/// The sum on a rank after so many replays.
inline std::uint64_t expected(const flow::Transport& transport, std::uint64_t n_replays) {
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());
  std::uint64_t sum = 0;
  for (std::uint64_t r = 0; r < n_replays; ++r)
    for (std::uint32_t step = 1; step <= n; ++step)
      sum = hash_number(sum, hash_number((transport.rank()() + n * n - step) % n, r));
  return sum;
}

}  // namespace thalweg::comm::ring

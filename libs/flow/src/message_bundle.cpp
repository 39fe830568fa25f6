// SPDX-License-Identifier: MIT
#include <thalweg/flow/message_bundle.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <thalweg/core/cut.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::flow {

MessageBundle::MessageBundle(std::string name, int max_comm_tasks)
    : name_(std::move(name)), max_comm_tasks_(max_comm_tasks) {
  if (max_comm_tasks < 0)
    throw Error("max_comm_tasks = " + std::to_string(max_comm_tasks) +
                " (must be 0 or more; 0 sends every part alone)");
}

template <class F>
void MessageBundle::for_each_message(const Parts& all, F f) const {
  for (const auto& [peer, parts] : all) {
    std::vector<std::int64_t> sizes;
    for (const Part& part : parts) sizes.push_back(static_cast<std::int64_t>(part.bytes.size()));
    const std::size_t n = max_comm_tasks_ == 0
                              ? parts.size()
                              : std::min(parts.size(), static_cast<std::size_t>(max_comm_tasks_));
    const std::vector<std::size_t> cuts = cut_evenly(sizes, n);
    for (std::size_t i = 0; i < n; ++i)
      f(peer, std::vector<Part>(parts.begin() + static_cast<std::ptrdiff_t>(cuts[i]),
                                parts.begin() + static_cast<std::ptrdiff_t>(cuts[i + 1])));
  }
}

void MessageBundle::record(Recorder& recorder, const TaskOptions& options) {
  const auto buffer_for = [&](const std::vector<Part>& parts) {
    std::size_t n_bytes = 0;
    for (const Part& part : parts) n_bytes += part.bytes.size();
    return recorder.data<std::byte>(name_ + " message", n_bytes);
  };
  const auto accesses_of = [](const std::vector<Part>& parts, const Access& buffer) {
    std::vector<Access> accesses{buffer};
    for (const Part& part : parts) accesses.push_back(part.access);
    return accesses;
  };

  std::vector<std::pair<Data<std::byte>, std::vector<Part>>> arriving;
  for_each_message(recvs_, [&](Rank from, std::vector<Part> parts) {
    if (parts.size() == 1) {
      recorder.recv(parts[0].access, parts[0].target, from, options);
      return;
    }
    const auto buffer = buffer_for(parts);
    recorder.recv(out(buffer), from, options);
    arriving.emplace_back(buffer, std::move(parts));
  });
  for_each_message(sends_, [&](Rank to, std::vector<Part> parts) {
    if (parts.size() == 1) {
      recorder.send(parts[0].access, parts[0].bytes, to, options);
      return;
    }
    const auto buffer = buffer_for(parts);
    const auto accesses = accesses_of(parts, out(buffer).access());
    recorder.task(
        name_ + " pack", accesses,
        [parts = std::move(parts), message = buffer.view()](TaskContext&) {
          auto place = message.begin();
          for (const Part& part : parts) place = std::ranges::copy(part.bytes, place).out;
        },
        options);
    recorder.send(in(buffer), to, options);
  });
  for (auto& [buffer, parts] : arriving) {
    const auto accesses = accesses_of(parts, in(buffer).access());
    recorder.task(
        name_ + " unpack", accesses,
        [unpacked = std::move(parts), message = buffer.const_view()](TaskContext&) {
          std::size_t at = 0;
          for (const Part& part : unpacked) {
            std::ranges::copy(message.subspan(at, part.target.size()), part.target.begin());
            at += part.target.size();
          }
        },
        options);
  }
  sends_.clear();
  recvs_.clear();
}

}  // namespace thalweg::flow

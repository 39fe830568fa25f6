// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <thalweg/flow/transport.hpp>

namespace thalweg::flow {

/// One rank that sends to itself. Messages arrive after some polls; two threads inside are an
/// error.
class Loopback : public Transport {
 public:
  explicit Loopback(int delay_polls = 0) : Transport(Rank(0), 1), delay_(delay_polls) {}

  void post_send(std::span<const std::byte> bytes, Rank, Channel channel, Tag tag,
                 Ticket ticket) override {
    const Guard guard(*this);
    sends_[{channel, tag()}].push_back({bytes, {}, ticket, now_ + delay_});
  }
  void post_recv(std::span<std::byte> bytes, Rank, Channel channel, Tag tag,
                 Ticket ticket) override {
    const Guard guard(*this);
    recvs_[{channel, tag()}].push_back({{}, bytes, ticket, 0});
  }
  void poll(std::vector<Ticket>& completed) override {
    const Guard guard(*this);
    ++now_;
    for (auto& [key, sends] : sends_) {
      auto& recvs = recvs_[key];
      while (!sends.empty() && !recvs.empty() && sends.front().due <= now_) {
        if (sends.front().source.size() != recvs.front().target.size())
          throw std::runtime_error("sizes differ");
        std::ranges::copy(sends.front().source, recvs.front().target.begin());
        completed.push_back(recvs.front().ticket);
        completed.push_back(sends.front().ticket);
        sends.pop_front();
        recvs.pop_front();
      }
    }
  }
  [[noreturn]] void abort(std::string_view message) override {
    throw std::runtime_error(std::string(message));
  }

 private:
  struct Operation {
    std::span<const std::byte> source;
    std::span<std::byte> target;
    Ticket ticket;
    std::int64_t due;
  };
  /// A plain int on purpose: ThreadSanitizer sees if the executor lets two threads in.
  struct Guard {
    explicit Guard(Loopback& l) : loopback(l) {
      if (loopback.n_inside_++ != 0) throw std::logic_error("two threads in the transport");
    }
    ~Guard() { --loopback.n_inside_; }
    Loopback& loopback;
  };
  using Key = std::pair<Channel, std::uint32_t>;

  std::map<Key, std::deque<Operation>> sends_;
  std::map<Key, std::deque<Operation>> recvs_;
  std::int64_t now_ = 0;
  std::int64_t delay_;
  int n_inside_ = 0;
};

}  // namespace thalweg::flow

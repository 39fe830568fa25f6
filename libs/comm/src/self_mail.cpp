// SPDX-License-Identifier: MIT
#include <thalweg/comm/detail/self_mail.hpp>

#include <algorithm>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::comm::detail {

void SelfMail::post_send(std::span<const std::byte> bytes, flow::Channel channel, flow::Tag tag,
                         flow::Ticket ticket) {
  Stream& s = stream(channel, tag);
  s.sends.push_back({bytes, ticket});
  match(s, tag);
}

void SelfMail::post_recv(std::span<std::byte> bytes, flow::Channel channel, flow::Tag tag,
                         flow::Ticket ticket) {
  Stream& s = stream(channel, tag);
  s.recvs.push_back({bytes, ticket});
  match(s, tag);
}

void SelfMail::collect(std::vector<flow::Ticket>& completed) {
  completed.insert(completed.end(), completed_.begin(), completed_.end());
  completed_.clear();
}

SelfMail::Stream& SelfMail::stream(flow::Channel channel, flow::Tag tag) {
  return streams_[std::uint64_t{tag()} << 8 | static_cast<std::uint64_t>(channel)];
}

void SelfMail::match(Stream& stream, flow::Tag tag) {
  if (stream.sends.empty() || stream.recvs.empty()) return;
  const Send send = stream.sends.front();
  const Recv recv = stream.recvs.front();
  stream.sends.erase(stream.sends.begin());
  stream.recvs.erase(stream.recvs.begin());
  if (send.bytes.size() != recv.bytes.size())
    throw RankError("a message of " + std::to_string(send.bytes.size()) +
                    " bytes from a rank to itself, tag " + std::to_string(tag()) +
                    ", meets a receive of " + std::to_string(recv.bytes.size()) +
                    " bytes (the two come from different plans); check what was recorded");
  std::copy(send.bytes.begin(), send.bytes.end(), recv.bytes.begin());
  completed_.push_back(send.ticket);
  completed_.push_back(recv.ticket);
}

}  // namespace thalweg::comm::detail

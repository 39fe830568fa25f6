// SPDX-License-Identifier: MIT
#include <thalweg/comm/transport_alone.hpp>

#include <cstdio>
#include <cstdlib>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/print_errors.hpp>

namespace thalweg::comm {

void AloneTransport::post_send(std::span<const std::byte> bytes, [[maybe_unused]] Rank to,
                               flow::Channel channel, flow::Tag tag, flow::Ticket ticket) {
  THALWEG_EXPECT(to == rank(), "there is one rank");
  self_.post_send(bytes, channel, tag, ticket);
}

void AloneTransport::post_recv(std::span<std::byte> bytes, [[maybe_unused]] Rank from,
                               flow::Channel channel, flow::Tag tag, flow::Ticket ticket) {
  THALWEG_EXPECT(from == rank(), "there is one rank");
  self_.post_recv(bytes, channel, tag, ticket);
}

void AloneTransport::poll(std::vector<flow::Ticket>& completed) {
  self_.collect(completed);
}

void AloneTransport::abort(std::string_view message) {
  std::fprintf(stderr, "[r0] %s\n", printable(message).c_str());
  std::fflush(stderr);
  std::fflush(stdout);
  std::_Exit(3);  // workers may be in tasks, so nothing is destroyed
}

}  // namespace thalweg::comm

// SPDX-License-Identifier: MIT
#pragma once
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/comm/communicator.hpp>
#include <thalweg/comm/compute_node_mpi.hpp>
#include <thalweg/comm/detail/self_mail.hpp>
#include <thalweg/comm/session.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// Messages by MPI. A collective construction and destruction: all ranks make one together.
///
/// Requests are kept side by side and tested in windows, so that a poll costs the same however many
/// there are. @errors every call throws RankError where MPI reports one or a message has another
/// size than its receive
class MpiTransport final : public flow::Transport {
 public:
  /// @param session must outlive the transport
  explicit MpiTransport(const Session& session);
  /// Where MPI ends with the session, waits for all ranks as that does, and aborts, naming the
  /// message, where one has come that this rank has not received.
  ~MpiTransport() override;

  void post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override;
  void post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override;
  flow::PreparedId prepare_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel,
                                flow::Tag tag) override;
  flow::PreparedId prepare_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel,
                                flow::Tag tag) override;
  void start(flow::PreparedId id, flow::Ticket ticket) override;
  void forget(flow::PreparedId id) override;
  flow::ComputeNode* compute_node() override {
    return std::ssize(compute_node_.firsts()) < n_ranks() ? &compute_node_ : nullptr;
  }
  void poll(std::vector<flow::Ticket>& completed) override;
  void let_others_speak() override { lets_others_speak_ = true; }
  /// Say why on stderr, and end all ranks with exit code 3: a second later where others are to
  /// speak.
  [[noreturn]] void abort(std::string_view message) override;

 private:
  /// What was asked for, to be compared with what came.
  struct Operation {
    flow::Ticket ticket;
    std::size_t n_bytes;
    Rank peer;
    flow::Tag tag;
    bool is_recv;
  };
  static constexpr std::size_t window = 128;  ///< requests looked at in one poll

  /// A persistent request, inactive or among those that are tested.
  struct Persistent {
    MPI_Request request = MPI_REQUEST_NULL;  ///< null: a message to oneself
    Operation operation;
  };

  const Communicator& communicator(flow::Channel channel) const;
  /// A message that has come and has no receive, in words; "": none.
  std::string unreceived() const;
  int number_of(flow::Tag tag) const;
  flow::PreparedId keep(flow::PreparedId id, const Persistent& persistent);
  void add(MPI_Request request, const Operation& operation);
  void check_size(const Operation& operation, const MPI_Status& status, bool has_error) const;
  void remove(std::size_t index);

  const Session& session_;
  int n_exceptions_ = std::uncaught_exceptions();  ///< under way when it began
  Communicator graph_;
  Communicator host_;
  Communicator task_;
  MpiComputeNode compute_node_;
  std::uint32_t max_tag_;
  detail::SelfMail self_;
  std::vector<flow::Ticket> sent_;  ///< sends that were over when posted
  std::vector<MPI_Request> requests_;
  std::vector<Operation> operations_;   ///< of each request
  std::vector<Persistent> persistent_;  ///< of PreparedId
  bool lets_others_speak_ = false;      ///< before this rank ends them
  std::size_t next_ = 0;                ///< where the next window begins
  std::array<int, window> indices_{};
  std::array<MPI_Status, window> statuses_{};
};

}  // namespace thalweg::comm

// SPDX-License-Identifier: MIT
#include <thalweg/comm/transport_mpi.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <thread>

#include <thalweg/core/error.hpp>
#include <thalweg/core/print_errors.hpp>

namespace thalweg::comm {
namespace {

constexpr std::size_t n_reserved = 4096;  // requests at once before the list has to grow

int count_of(std::size_t n_bytes) {
  if (n_bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw RankError("a message of " + std::to_string(n_bytes) +
                    " bytes (MPI counts to 2147483647); split it");
  return static_cast<int>(n_bytes);
}

/// The greatest tag of messages: at least 32,767. Only this communicator must know it (MPI 4.1,
/// sec. 9.1.2), and one that was split from it does not.
std::uint32_t max_tag() {
  void* value = nullptr;
  int is_set = 0;
  check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &is_set), "ask for the greatest tag");
  return is_set != 0 ? static_cast<std::uint32_t>(*static_cast<int*>(value)) : 32767;
}

}  // namespace

MpiTransport::MpiTransport(const Session& session)
    : Transport(session.rank(), session.n_ranks()),
      session_(session),
      graph_(session.world()),
      host_(session.world()),
      task_(session.world()),
      compute_node_(session),
      max_tag_(max_tag()) {
  requests_.reserve(n_reserved);
  operations_.reserve(n_reserved);
  sent_.reserve(n_reserved);
}

MpiTransport::~MpiTransport() {
  if (!session_.ends_mpi() || !session_.wait_for_all()) return;
  // Where an exception has taken a rank here, it says what is wrong.
  const int is_thrown_out = std::uncaught_exceptions() > n_exceptions_ ? 1 : 0;
  int is_any_thrown_out = 0;
  MPI_Allreduce(&is_thrown_out, &is_any_thrown_out, 1, MPI_INT, MPI_MAX, session_.world());
  if (is_any_thrown_out != 0) return;
  const std::string left = unreceived();
  if (!left.empty()) abort("error: " + left);
}

std::string MpiTransport::unreceived() const {
  for (const MPI_Comm comm : {graph_.get(), host_.get(), task_.get()}) {
    int is_there = 0, n_bytes = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, &status) != MPI_SUCCESS) continue;
    if (is_there == 0) continue;
    MPI_Get_count(&status, MPI_BYTE, &n_bytes);
    return "rank " + std::to_string(rank()()) + " never received a message of rank " +
           std::to_string(status.MPI_SOURCE) + ", tag " + std::to_string(status.MPI_TAG) + ", " +
           std::to_string(n_bytes) +
           " bytes (MPI takes small ones that nobody waits for, and a later receive with that tag "
           "gets their bytes: results may be wrong); record as many receives as there are sends";
  }
  return "";
}

void MpiTransport::post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel,
                             flow::Tag tag, flow::Ticket ticket) {
  if (to == rank()) return self_.post_send(bytes, channel, tag, ticket);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, static_cast<int>(to()),
                  number_of(tag), communicator(channel).get(), &request),
        "send a message");
  // Mostly a short message has left already: then it need not be looked at with the others.
  int is_over = 0;
  check(MPI_Test(&request, &is_over, MPI_STATUS_IGNORE), "send a message");
  if (is_over != 0)
    sent_.push_back(ticket);
  else
    add(request, {ticket, bytes.size(), to, tag, false});
}

void MpiTransport::post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel,
                             flow::Tag tag, flow::Ticket ticket) {
  if (from == rank()) return self_.post_recv(bytes, channel, tag, ticket);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(bytes.data(), count_of(bytes.size()), MPI_BYTE, static_cast<int>(from()),
                  number_of(tag), communicator(channel).get(), &request),
        "receive a message");
  add(request, {ticket, bytes.size(), from, tag, true});
}

flow::PreparedId MpiTransport::prepare_send(std::span<const std::byte> bytes, Rank to,
                                            flow::Channel channel, flow::Tag tag) {
  Persistent p{.operation = {0, bytes.size(), to, tag, false}};
  if (to != rank())
    check(MPI_Send_init(bytes.data(), count_of(bytes.size()), MPI_BYTE, static_cast<int>(to()),
                        number_of(tag), communicator(channel).get(), &p.request),
          "prepare a send");
  return keep(Transport::prepare_send(bytes, to, channel, tag), p);
}

flow::PreparedId MpiTransport::prepare_recv(std::span<std::byte> bytes, Rank from,
                                            flow::Channel channel, flow::Tag tag) {
  Persistent p{.operation = {0, bytes.size(), from, tag, true}};
  if (from != rank())
    check(MPI_Recv_init(bytes.data(), count_of(bytes.size()), MPI_BYTE, static_cast<int>(from()),
                        number_of(tag), communicator(channel).get(), &p.request),
          "prepare a receive");
  return keep(Transport::prepare_recv(bytes, from, channel, tag), p);
}

flow::PreparedId MpiTransport::keep(flow::PreparedId id, const Persistent& persistent) {
  if (persistent_.size() <= id) persistent_.resize(id + 1);
  persistent_[id] = persistent;
  return id;
}

void MpiTransport::start(flow::PreparedId id, flow::Ticket ticket) {
  Persistent& p = persistent_[id];
  if (p.request == MPI_REQUEST_NULL) return Transport::start(id, ticket);
  check(MPI_Start(&p.request), "start a message");
  p.operation.ticket = ticket;
  add(p.request, p.operation);
}

void MpiTransport::forget(flow::PreparedId id) {
  MPI_Request& request = persistent_[id].request;
  if (request != MPI_REQUEST_NULL) {
    // After a failure some are under way: MPI frees those once they are over, and nobody asks for
    // them any more.
    const auto active = std::ranges::find(requests_, request);
    if (active != requests_.end()) remove(static_cast<std::size_t>(active - requests_.begin()));
    MPI_Request_free(&request);
  }
  Transport::forget(id);
}

void MpiTransport::poll(std::vector<flow::Ticket>& completed) {
  self_.collect(completed);
  completed.insert(completed.end(), sent_.begin(), sent_.end());
  sent_.clear();
  if (requests_.empty()) return;
  if (next_ >= requests_.size()) next_ = 0;
  const std::size_t first = next_;
  const std::size_t n_tested = std::min(window, requests_.size() - first);
  next_ = first + n_tested;

  int n_done = 0;
  const int code = MPI_Testsome(static_cast<int>(n_tested), requests_.data() + first, &n_done,
                                indices_.data(), statuses_.data());
  if (code != MPI_ERR_IN_STATUS) check(code, "test requests");
  if (n_done == MPI_UNDEFINED || n_done == 0) return;

  const auto done = std::span(indices_).first(static_cast<std::size_t>(n_done));
  for (std::size_t i = 0; i < done.size(); ++i) {
    const Operation& operation = operations_[first + static_cast<std::size_t>(done[i])];
    check_size(operation, statuses_[i], code == MPI_ERR_IN_STATUS);
    completed.push_back(operation.ticket);
  }
  // From the back, so that the last request, which fills the gap, is not itself one to remove.
  std::sort(done.begin(), done.end(), std::greater<>());
  for (const int index : done) remove(first + static_cast<std::size_t>(index));
}

void MpiTransport::check_size(const Operation& operation, const MPI_Status& status,
                              bool has_error) const {
  int n_received = 0;
  int error_class = MPI_SUCCESS;
  if (has_error && status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING)
    MPI_Error_class(status.MPI_ERROR, &error_class);
  if (error_class != MPI_SUCCESS && error_class != MPI_ERR_TRUNCATE)
    check(status.MPI_ERROR, operation.is_recv ? "receive a message" : "send a message");
  if (!operation.is_recv) return;
  check(MPI_Get_count(&status, MPI_BYTE, &n_received), "ask for the size of a message");
  if (error_class == MPI_SUCCESS && static_cast<std::size_t>(n_received) == operation.n_bytes)
    return;
  // MPI need not say how long a message was that it cut.
  const bool is_known = static_cast<std::size_t>(n_received) != operation.n_bytes;
  throw RankError(
      "rank " + std::to_string(rank()()) + " got a message of " +
      (is_known ? std::to_string(n_received) : "more than " + std::to_string(operation.n_bytes)) +
      " bytes from rank " + std::to_string(operation.peer()) + ", tag " +
      std::to_string(operation.tag()) + ", where it expected " + std::to_string(operation.n_bytes) +
      " (the two ranks have recorded different messages, or are in different collective calls); "
      "make the same ones in the same order on all ranks");
}

int MpiTransport::number_of(flow::Tag tag) const {
  if (tag() > max_tag_)
    throw RankError("message " + std::to_string(tag()) +
                    " between two ranks (this MPI has tags to " + std::to_string(max_tag_) +
                    "); aggregate messages, or record fewer steps at once");
  return static_cast<int>(tag());
}

const Communicator& MpiTransport::communicator(flow::Channel channel) const {
  switch (channel) {
    case flow::Channel::graph:
      return graph_;
    case flow::Channel::host:
      return host_;
    default:
      return task_;
  }
}

void MpiTransport::add(MPI_Request request, const Operation& operation) {
  requests_.push_back(request);
  operations_.push_back(operation);
}

void MpiTransport::remove(std::size_t index) {
  requests_[index] = requests_.back();
  operations_[index] = operations_.back();
  requests_.pop_back();
  operations_.pop_back();
}

void MpiTransport::abort(std::string_view message) {
  std::fprintf(stderr, "[r%u] %s\n", rank()(), printable(message).c_str());
  std::fflush(stderr);
  std::fflush(stdout);  // neither MPI_Abort nor _Exit does
  constexpr int exit_code = 3;
  int n_processes = 0, is_main_thread = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
  MPI_Is_thread_main(&is_main_thread);
  if (n_processes == 1 && is_main_thread != 0) {  // MPI_Abort would speak of other processes
    MPI_Finalize();
    std::_Exit(exit_code);
  }
  if (lets_others_speak_) std::this_thread::sleep_for(std::chrono::seconds(1));
  MPI_Abort(graph_.get(), exit_code);
  std::terminate();  // MPI_Abort does not return, but does not say so either
}

}  // namespace thalweg::comm

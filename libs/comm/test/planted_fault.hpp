// SPDX-License-Identifier: MIT
#pragma once
// A small distributed program with one fault, by name: for tests that the fault is named.
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/flow/executor.hpp>

namespace thalweg::comm {

/// What is wrong on rank 1; without a fault the program runs through.
enum class Fault {
  none,
  throws,         ///< task 'use' throws in step 103
  missing_send,   ///< not recorded
  missing_recv,   ///< not recorded
  unreceived,     ///< not recorded either, of a message that MPI takes all the same
  lost,           ///< messages never leave, from step 102 on
  wrong_tag,      ///< messages have another tag, from step 102 on
  wrong_peer,     ///< messages go to another rank, from step 102 on
  leaves_early,   ///< after step 101
  cycle,          ///< two tasks wait for each other
  never_decides,  ///< the task that decides waits for a message that is lost
};

struct FaultCase {
  Fault fault;
  const char* name;
  /// What the failure says on 3 ranks, if the rank that waits for the fault speaks first. Then
  /// others may wait for that one, and for each other.
  std::vector<std::string_view> said;
};

inline const std::vector<FaultCase>& fault_cases() {
  using enum Fault;
  constexpr std::string_view nothing = "nothing has happened on rank 2";
  constexpr std::string_view from = "from rank 1, tag 0";
  static const std::vector<FaultCase> cases = {
      {throws,
       "throws",
       {"'use'", "on rank 1", "block 41", "level 2", "step 103", "negative density"}},
      {missing_send, "missing_send", {nothing, "get 'ghost'", from, "for task 'use'", "step 100"}},
      {missing_recv, "missing_recv", {"rank 0", "to rank 1", "tag 0"}},
      {unreceived, "unreceived", {"rank 0", "to rank 1", "tag 0"}},
      {lost, "lost", {nothing, "get 'ghost'", from, "for task 'use'", "block 42", "step 102"}},
      {wrong_tag, "wrong_tag", {nothing, "get 'ghost'", from, "for task 'use'", "step 102"}},
      {wrong_peer, "wrong_peer", {nothing, "get 'ghost'", from, "for task 'use'", "step 102"}},
      {leaves_early, "leaves_early", {"nothing has happened on rank", "rank 1, tag 0", "step 102"}},
      {cycle, "cycle", {"rank 1", "cycle", "'egg'", "'hen'", "step 100"}},
      {never_decides,
       "never_decides",
       {nothing, from, "for task 'decide'", "step 102", "which controls termination",
        "has not run"}},
  };
  return cases;
}

/// Passes messages on, but for those of rank 1 from replay 2 on, if the fault is about them.
///
/// From then on: the steps have the same tags, so a later message would take the place of one.
class FaultyTransport final : public flow::Transport {
 public:
  FaultyTransport(flow::Transport& inner, Fault fault)
      : Transport(inner.rank(), inner.n_ranks()), inner_(inner), fault_(fault) {}

  void post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override {
    const auto n = static_cast<std::uint32_t>(n_ranks());
    if (rank() == Rank(1) && n_sent_++ >= 2) {
      if (fault_ == Fault::lost || fault_ == Fault::never_decides) {
        lost_.push_back(ticket);
        return;
      }
      if (fault_ == Fault::wrong_tag) tag = flow::Tag(tag() + 5);
      if (fault_ == Fault::wrong_peer) to = Rank((to() + 1) % n);
    }
    inner_.post_send(bytes, to, channel, tag, ticket);
  }
  void post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override {
    inner_.post_recv(bytes, from, channel, tag, ticket);
  }
  void poll(std::vector<flow::Ticket>& completed) override {
    inner_.poll(completed);
    completed.insert(completed.end(), lost_.begin(), lost_.end());  // "all is well"
    lost_.clear();
  }
  void yield() override { inner_.yield(); }
  void let_others_speak() override { inner_.let_others_speak(); }
  [[noreturn]] void abort(std::string_view message) override {
    inner_.abort(message);
    std::terminate();  // not reached, which GCC does not see of a virtual function
  }

 private:
  flow::Transport& inner_;
  Fault fault_;
  int n_sent_ = 0;
  std::vector<flow::Ticket> lost_;
};

/// Run five steps of a row of three ranks, with a fault; abort as a program should.
///
/// Each rank but the last sends its values to the right, and all but the first use those from the
/// left; so whoever waits does so because of rank 1.
inline void run_with_fault(Fault fault, flow::Transport& inner, flow::Model model,
                           const flow::ExecutorConfig& config, const Clock& clock) {
  // A megabyte MPI does not copy aside, so that the sender has to wait for the receiver.
  const std::size_t n_values = fault == Fault::missing_recv ? 1 << 17 : 1;
  FaultyTransport transport(inner, fault);
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());
  const std::uint32_t here = transport.rank()();
  const bool is_culprit = here == 1;

  flow::Recorder recorder(transport.rank(), transport.n_ranks());
  auto u = recorder.data<double>("u", n_values);
  auto ghost = recorder.data<double>("ghost", n_values);
  const flow::TaskOptions options{.level = 2, .block = 40 + here};
  recorder.phase("advance", flow::PhaseKind::level);
  recorder.task("advance", flow::uses(flow::inout(u)), [](auto v) { v[0] += 1; }, options);
  recorder.phase("exchange", flow::PhaseKind::step);
  if (here + 1 < n && (!is_culprit || fault != Fault::missing_send))
    recorder.send(flow::in(u), Rank(here + 1), options);
  const bool has_recv = fault != Fault::missing_recv && fault != Fault::unreceived;
  if (here > 0 && (!is_culprit || has_recv))
    recorder.recv(flow::out(ghost), Rank(here - 1), options);
  recorder.phase("use", flow::PhaseKind::level);
  if (fault == Fault::never_decides)
    recorder.task("decide", flow::uses(flow::in(ghost)), [](auto) {},
                  {.controls_termination = true});
  recorder.task(
      "use", flow::uses(flow::in(ghost), flow::inout(u)),
      [=](auto, auto, flow::TaskContext& context) {
        if (fault == Fault::throws && is_culprit && context.replay() == 3)
          throw std::runtime_error("negative density");
      },
      options);
  if (is_culprit && fault == Fault::cycle) {
    const auto egg = recorder.task("egg", flow::uses(), [] {});
    const auto hen = recorder.task("hen", flow::uses(), [] {});
    recorder.after(egg, hen);
    recorder.after(hen, egg);
  }
  flow::Graph graph = flow::capture(std::move(recorder), model);
  flow::Executor executor(config, transport, clock);

  const bool leaves = is_culprit && fault == Fault::leaves_early;
  const auto report = executor.run(graph, leaves ? 2 : 5, 100);

  if (!report) transport.abort("error: " + report.error().message);
}

}  // namespace thalweg::comm

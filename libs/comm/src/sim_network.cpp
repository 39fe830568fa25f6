// SPDX-License-Identifier: MIT
#include <thalweg/comm/sim_network.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/random.hpp>

#include "fiber.hpp"
#include "sim_compute_nodes.hpp"
#include "sim_mail.hpp"

namespace thalweg::comm {
namespace {

using flow::RunEnded;

/// @errors Error where something is out of range
const SimConfig& checked(const SimConfig& config) {
  constexpr std::size_t least_stack = 16 * 1024, most_stack = std::size_t{1} << 30;
  if (config.n_ranks < 1)
    throw Error("n_ranks = " + std::to_string(config.n_ranks) +
                " (a simulated network has ranks); give 1 or more");
  if (config.stack_bytes < least_stack || config.stack_bytes > most_stack)
    throw Error("stack_bytes = " + std::to_string(config.stack_bytes) +
                " (must be 16384 to 1073741824: the program of a rank runs on it); leave it out "
                "for 1 MiB");
  const std::vector<int>& nodes = config.compute_nodes;
  if (!nodes.empty() && nodes.size() != static_cast<std::size_t>(config.n_ranks))
    throw Error("compute_nodes is for " + std::to_string(nodes.size()) + " ranks of " +
                std::to_string(config.n_ranks) +
                " (each is on one); give one number a rank, or none at all");
  for (const int node : nodes)
    if (node < 0 || node >= config.n_ranks)
      throw Error("compute_nodes has " + std::to_string(node) + " (must be 0 to " +
                  std::to_string(config.n_ranks - 1) + ", below n_ranks)");
  return config;
}

/// What there is to say of ranks, of the first few.
std::string of_some_ranks(std::vector<std::string> words) {
  constexpr std::size_t n_named = 8;
  const std::size_t n = words.size();
  words.resize(std::min(n, n_named));
  return joined_text(words, "; ") +
         (n > n_named ? "; and " + std::to_string(n - n_named) + " more ranks" : "");
}

}  // namespace

/// The ranks of a network and their schedule.
class SimNetwork::Impl {
 public:
  explicit Impl(const SimConfig& config)
      : config_(checked(config)),
        clock_(*this),
        stacks_(static_cast<std::size_t>(config.n_ranks), config.stack_bytes) {}

  Result<void> run(const std::function<void(flow::Transport&)>& program) {
    random_ = SplitMix64(config_.seed);
    mail_.emplace(config_.n_ranks, random_(), config_.max_delay);
    compute_nodes_.emplace(config_.compute_nodes, config_.n_ranks);
    failure_.reset();
    ranks_.clear();
    alive_.clear();
    for (int r = 0; r < config_.n_ranks; ++r) {
      ranks_.emplace_back(*this, Rank(r), program);
      alive_.emplace_back(r);
    }
    while (!alive_.empty() && !failure_) step();
    while (!alive_.empty()) resume_all();  // each poll throws RunEnded now
    if (!failure_) check_mail();
    if (failure_) return std::unexpected(Failure{*failure_});
    return {};
  }

  const Clock& clock() const { return clock_; }

 private:
  class RankTransport final : public flow::Transport {
   public:
    RankTransport(Impl& network, Rank rank)
        : Transport(rank, network.config_.n_ranks), network_(network) {}

    void post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel, flow::Tag tag,
                   flow::Ticket ticket) override {
      network_.guard([&] { network_.mail_->post_send(rank(), to, channel, tag, bytes, ticket); });
    }
    void post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel, flow::Tag tag,
                   flow::Ticket ticket) override {
      network_.guard([&] { network_.mail_->post_recv(from, rank(), channel, tag, bytes, ticket); });
    }
    flow::ComputeNode* compute_node() override {
      return network_.compute_nodes_->compute_node(rank());
    }
    void poll(std::vector<flow::Ticket>& completed) override { network_.poll(rank(), completed); }
    bool serves_one_thread() const override { return true; }
    void yield() override {}
    [[noreturn]] void abort(std::string_view message) override {
      network_.fail("rank " + std::to_string(rank()()) + " aborted: " + std::string(message));
      throw RunEnded{};
    }

   private:
    Impl& network_;
  };

  struct VirtualRank {
    VirtualRank(Impl& network, Rank rank, const std::function<void(flow::Transport&)>& program)
        : transport(network, rank),
          fiber(network.stacks_.usable(rank()),
                [this, &network, &program] { network.play(program, transport); }) {}
    RankTransport transport;
    Fiber fiber;
    std::uint64_t n_polls = 0;  ///< since something last happened anywhere
    std::uint64_t last_event = 0;
  };

  struct SimClock final : Clock {
    explicit SimClock(const Impl& impl) : network(impl) {}
    std::int64_t now_ns() const override {
      return network.mail_ ? static_cast<std::int64_t>(network.mail_->now()) * 1000 : 0;
    }
    const Impl& network;
  };

  void play(const std::function<void(flow::Transport&)>& program, flow::Transport& transport) {
    if (failure_) return;  // of another rank, before this one's turn came
    const std::string rank = "rank " + std::to_string(transport.rank()());
    try {
      program(transport);
      if (transport.n_prepared() != 0)
        fail(rank + " ends with " + std::to_string(transport.n_prepared()) +
             " prepared operations that it has not forgotten");
    } catch (const RunEnded&) {
    } catch (const std::exception& e) {
      const std::string words = words_of(e);
      // What the ranks have agreed on says already whose it is.
      fail(words.starts_with("rank ") ? words : rank + ": " + words);
    } catch (...) {
      fail(rank + ": it threw something that is not a std::exception");
    }
  }

  /// Do something with the mail. What is wrong there is no one rank's fault: it ends the run.
  template <class F>
  void guard(F f) {
    // Bytes move while any rank polls; they are read and written for the ranks that said so.
    const Unwatched unwatched;
    try {
      f();
    } catch (const RankError& e) {
      fail(e.what());
    }
    if (failure_) throw RunEnded{};
  }

  void poll(Rank rank, std::vector<flow::Ticket>& completed) {
    if (failure_) throw RunEnded{};
    guard([&] { mail_->tick(); });
    VirtualRank& r = ranks_[rank()];
    if (mail_->last_event() != r.last_event) r.n_polls = 0;
    r.last_event = mail_->last_event();
    ++r.n_polls;
    // What others do matters to us only through messages: without any there is nothing to explore.
    const bool goes_on = mail_->has_completed(rank)
                             ? config_.order == RankOrder::in_turn || random_.below(4) != 0
                             : !mail_->has_outstanding(rank) && r.n_polls < 64;
    if (!goes_on) {
      r.fiber.suspend();
      if (failure_) throw RunEnded{};
    }
    mail_->collect(rank, completed);
  }

  void step() {
    config_.order == RankOrder::in_turn ? resume_all() : resume_one();
    if (!failure_ && is_deadlock()) fail("deadlock: " + who_waits());
  }

  void resume_all() {
    for (const Rank rank : alive_) resume(rank);
    std::erase_if(alive_, [this](Rank rank) { return ranks_[rank()].fiber.is_finished(); });
  }

  void resume_one() {
    std::size_t chosen = 0;
    do {
      chosen = random_.below(alive_.size());
    } while (alive_.size() > 1 && is_slow(alive_[chosen]) && random_.below(8) != 0);
    resume(alive_[chosen]);
    if (ranks_[alive_[chosen]()].fiber.is_finished())
      alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(chosen));
  }

  void resume(Rank which) {
    VirtualRank& rank = ranks_[which()];
    rank.fiber.resume();
    if (!stacks_.is_intact(which()))
      fail("rank " + std::to_string(which()) + " has overflowed its stack of " +
           std::to_string(config_.stack_bytes) + " bytes");
  }

  /// Some ranks of some seeds run eight times less often than the others.
  bool is_slow(Rank rank) const {
    const std::uint64_t seed = std::max<std::uint64_t>(config_.seed, 1);  // of 0 all would be
    return (seed * 0x9e3779b97f4a7c15u >> (rank() % 31 * 2) & 3) == 0;
  }

  bool is_deadlock() const {
    if (alive_.empty() || mail_->is_anything_under_way()) return false;
    return std::all_of(alive_.begin(), alive_.end(), [&](Rank rank) {
      const VirtualRank& r = ranks_[rank()];
      return r.last_event == mail_->last_event() && r.n_polls > config_.patience;
    });
  }

  std::string who_waits() const {
    const std::vector<std::string> unmatched = mail_->unmatched();
    std::vector<std::string> waits;
    for (const Rank rank : alive_) {
      const std::string& own = unmatched[rank()];
      waits.push_back(own.empty() ? "rank " + std::to_string(rank()) + " polling for nothing"
                                  : own);
    }
    return of_some_ranks(std::move(waits));
  }

  void check_mail() {
    if (!mail_->has_unmatched()) return;
    std::vector<std::string> left = mail_->unmatched();
    std::erase(left, "");
    if (!left.empty())
      fail("left over when all ranks had ended: " + of_some_ranks(std::move(left)));
  }

  void fail(std::string message) {
    if (!failure_) failure_ = std::move(message);
  }

  SimConfig config_;
  SimClock clock_;
  SplitMix64 random_{0};
  Stacks stacks_;
  std::optional<SimMail> mail_;
  std::optional<SimComputeNodes> compute_nodes_;
  std::deque<VirtualRank> ranks_;  // a deque: ranks do not move
  std::vector<Rank> alive_;
  std::optional<std::string> failure_;
};

SimNetwork::SimNetwork(const SimConfig& config) : impl_(std::make_unique<Impl>(config)) {}
SimNetwork::~SimNetwork() = default;

Result<void> SimNetwork::run(const std::function<void(flow::Transport&)>& program) {
  return impl_->run(program);
}
const Clock& SimNetwork::clock() const {
  return impl_->clock();
}

}  // namespace thalweg::comm
